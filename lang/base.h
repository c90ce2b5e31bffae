/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * base.h - what every folder stands on: fixed-width names, strings as slices, an arena, a growing
 * buffer, the one sink for text that a user reads, and the log of HEDDLE_LOG.
 * No function here keeps mutable global state but the sink and the log mask (set once).
 */
#ifndef HEDDLE_BASE_H
#define HEDDLE_BASE_H

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

#define PRINTF(f, a) __attribute__((format(printf, f, a)))
#define NODISCARD    __attribute__((warn_unused_result))
#define EXPORT       __attribute__((visibility("default")))
#define COUNT(a)     (sizeof(a) / sizeof((a)[0]))

/* A slice of bytes; not NUL-terminated, never owned. */
struct str {
	const char *p;
	size_t n;
};
#define STR(lit) ((struct str){(lit), sizeof(lit) - 1})
struct str str_of(const char *z);               /* NULL gives the empty slice */
bool str_eq(struct str a, struct str b);
bool str_is(struct str a, const char *z);
bool str_starts(struct str a, const char *prefix);
bool str_ends(struct str a, const char *suffix);
struct str str_split(struct str *rest, char at); /* takes the part before `at` off `*rest` */

/* Memory that is freed as a whole. Zero-initialise, use, arena_free. Not thread-safe. An allocation
 * that fails returns NULL and sets `failed`; `limit` bytes (0: none) lets tests make it fail. */
struct arena {
	struct arena_block *head;
	size_t used, limit;
	bool failed;
};
void *arena_alloc(struct arena *a, size_t n, size_t align); /* zeroed; NULL on failure */
char *arena_strdup(struct arena *a, struct str s);          /* adds a NUL; NULL on failure */
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF(2, 3);
void arena_free(struct arena *a);                           /* ready for use again */
#define ARENA_NEW(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n), _Alignof(T)))

/* A growing byte buffer on the heap. Zero-initialise; `failed` is sticky. */
struct buf {
	u8 *p;
	size_t n, cap;
	bool failed;
};
void buf_add(struct buf *b, const void *p, size_t n);
void buf_zero(struct buf *b, size_t n);
void buf_align(struct buf *b, size_t align); /* pads with zero bytes */
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
void buf_free(struct buf *b);

/* Appends to a typed array {T *p; size_t n, cap;}; false when memory is out. */
#define VEC(T)                                                                                     \
	struct {                                                                                   \
		T *p;                                                                              \
		size_t n, cap;                                                                     \
	}
#define VEC_PUSH(v, x)                                                                             \
	(vec_grow((void **)&(v)->p, &(v)->cap, (v)->n + 1, sizeof(*(v)->p))                        \
			? ((v)->p[(v)->n++] = (x), true)                                           \
			: false)
bool vec_grow(void **p, size_t *cap, size_t need, size_t size);

/* Whole files. file_read: heap block with a NUL after the end, NULL and errno on failure. */
char *file_read(const char *path, size_t *n);
bool file_write(const char *path, const void *p, size_t n); /* false and errno on failure */

/* Text that a user reads leaves here: one line "heddle: …" on stderr unless a sink is set.
 * `line` has no newline. Thread-safe. */
typedef void sink_fn(void *user, const char *line);
void sink_set(sink_fn *fn, void *user);
void sink_printf(const char *fmt, ...) PRINTF(1, 2);

/* HEDDLE_LOG=api,mem,…: areas of log.def, one event a line on stderr. */
enum log_area {
#define LOG(name, what) LOG_##name,
#include "log.def"
#undef LOG
	LOG_COUNT
};
bool log_on(enum log_area area);
void log_printf(enum log_area area, const char *fmt, ...) PRINTF(2, 3);

#ifdef __cplusplus
}
#endif
#endif
