/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* executable.h - what executable.c, symbol.c and loader.c share. All lists are under hx.lock. */
#ifndef HEDDLE_HX_EXECUTABLE_H
#define HEDDLE_HX_EXECUTABLE_H

#include "hx.h"

struct hx_segment { /* a PT_LOAD in memory */
	u64 at, size;
	enum exec_memory kind;
	bool exposed;
};

struct hx_symbol { /* its address is the handle */
	struct str name;
	struct hx_loaded *loaded;
	const struct code_kernel *kernel; /* NULL: a variable */
	u64 addr, size;
	bool is_const;
};

struct hx_loaded { /* one code object in an executable; its address is the handle */
	struct hx_loaded *next;
	struct hx_executable *executable;
	struct hx_agent *agent;
	struct arena arena;
	struct code_object code; /* of a copy in the arena */
	u8 *base;                /* where code.low stands */
	u64 size;
	struct hx_segment *segments;
	u32 nsegments;
	struct hx_symbol *symbols;
	size_t nsymbols;
	const void *source; /* as given to the reader */
	size_t source_size;
	int fd;             /* -1: from memory */
};

struct hx_extern {
	char *name;
	struct hx_agent *agent; /* NULL: of every agent */
	void *address;
};

struct hx_executable {
	struct hx_executable *next;
	struct hx_loaded *loaded;
	VEC(struct hx_extern) externs;
	hsa_profile_t profile;
	hsa_default_float_rounding_mode_t rounding;
	bool frozen;
};

struct hx_executable *hx_executable_find(hsa_executable_t e); /* NULL: none; under hx.lock */
hsa_status_t hx_reader_from_file(
	int fd, size_t offset, size_t size, hsa_code_object_reader_t *reader);
bool hx_symbols_read(struct hx_loaded *l); /* false: memory is out */
struct hx_loaded *hx_loaded_at(u64 addr);  /* that holds a device address; under hx.lock */

#endif
