/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * services.h - how device code reaches the host: one device variable, `__heddle_services`, that
 * host-rt fills when it loads a code object, and the records that device code leaves in its buffer.
 * Read by stdlib/device (as CUDA) and by host-rt (as C): only plain types of fixed size.
 *
 * The buffer: `head` counts bytes reserved so far (it may run past `size`: what did not fit was
 * dropped and counts in `lost`). A record is reserved by one atomic add of its rounded size, written,
 * and made valid by a release store of its `kind`. Host-rt reads records in order when the work it
 * waits for has ended, then sets head to 0. While kernels run it may read but not reset.
 *
 *   struct heddle_buffer | record | record | …      each record is 8-byte aligned
 *   record: u32 kind, u32 bytes (header included, multiple of 8), payload
 */
#ifndef HEDDLE_SERVICES_H
#define HEDDLE_SERVICES_H

#define HEDDLE_SERVICES_NAME    "__heddle_services"
#define HEDDLE_SERVICES_VERSION 1

struct heddle_buffer {
	unsigned long long size; /* bytes of records that fit */
	unsigned long long head; /* bytes reserved */
	unsigned int lost;       /* records that did not fit */
	unsigned int pad[11];    /* records start at 64 bytes */
};

enum heddle_record_kind {
	HEDDLE_RECORD_NONE = 0,   /* reserved, not yet written */
	HEDDLE_RECORD_PRINTF = 1, /* payload: see below */
	HEDDLE_RECORD_ASSERT = 2  /* payload: u32 line, u32 block[3], u32 thread[3], then three
	                           * NUL-terminated strings: expression, file, function */
};

/* Payload of printf: the format's bytes with NUL, padded to 8; then one 8-byte slot an argument in
 * order of the conversions ('*' takes one too): integers sign- or zero-extended to 64 bits as their
 * conversion says, floats as double bits, pointers; for %s a u64 length followed by that many bytes
 * padded to 8. */
struct heddle_record {
	unsigned int kind;
	unsigned int bytes;
};

struct heddle_services {
	unsigned int version;
	unsigned int device;              /* CUDA ordinal */
	struct heddle_buffer *buffer;     /* printf and assert; never null once loaded */
	void *heap;                       /* device malloc; null until it is served */
	unsigned long long heap_bytes;
	unsigned long long reserved[28];  /* the struct is 256 bytes */
};

#endif
