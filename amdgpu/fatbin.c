/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * fatbin.c - LLVM's OffloadBinary: the container of code objects for several GPUs.
 *
 *   blob     header | entries | string map | strings | images       all offsets from the blob's start
 *   header   u32 magic, u32 version, u64 size, u64 entries at, u64 (version 1: size of the one entry;
 *            version 2: number of entries)
 *   entry    u16 image kind, u16 producer, u32 flags, u64 strings at, u64 strings, u64 image at, u64 size
 *   string   u64 key at, u64 value at (version 2 adds u64 size of the value); NUL-terminated
 *
 * Blobs are 8-byte aligned and stand one after the other. The writer makes version 1, one image a blob,
 * which every LLVM since 15 reads. In a linked program the fat binaries of all its sources stand one
 * after the other too, and only a pointer to the start of each is known: so the writer says in the
 * entry's flags, which LLVM leaves to the producer, whether another blob of the same file follows.
 */
#include "amdgpu/code.h"
#include <link.h>
#include <string.h>

#define HEADER    32
#define ENTRY     40
#define ALIGN     8
#define KIND_HIP  4 /* llvm::object::OffloadKind */
#define FLAG_OURS 0x40000000u /* written by fatbin_add */
#define FLAG_MORE 0x80000000u /* and another blob of the same fat binary follows */
static const u8 magic[4] = {0x10, 0xff, 0x10, 0xad};

/* Host and target are both little-endian (x86-64, AMDGPU). */
static u64
get64(const u8 *p)
{
	u64 v;
	memcpy(&v, p, sizeof(v));
	return v;
}

static u32
get32(const u8 *p)
{
	u32 v;
	memcpy(&v, p, sizeof(v));
	return v;
}

/* The end of the loaded segment that holds `p`: what a section in a program may be read up to. */
struct segment {
	uintptr_t p;
	size_t n;
};

static int
segment_find(struct dl_phdr_info *info, size_t size, void *user)
{
	struct segment *s = user;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + h->p_vaddr;
		if (h->p_type == PT_LOAD && s->p >= from && s->p - from < h->p_memsz) {
			s->n = h->p_memsz - (s->p - from);
			return 1;
		}
	}
	return 0;
}

/* The NUL-terminated string at offset `at` of the blob. */
static bool
string_at(const u8 *blob, u64 size, u64 at, struct str *out)
{
	const u8 *e = at < size ? memchr(blob + at, 0, size - at) : NULL;
	if (e == NULL)
		return false;
	*out = (struct str){(const char *)blob + at, (size_t)(e - (blob + at))};
	return true;
}

static bool
entry_read(const u8 *blob, u64 size, u32 version, const u8 *entry, struct fatbin_image *out)
{
	u64 step = version == 1 ? 16 : 24;
	u64 strings = get64(entry + 8), n = get64(entry + 16), image = get64(entry + 24),
	    bytes = get64(entry + 32);
	if (image > size || bytes > size - image || strings > size || n > (size - strings) / step)
		return false;
	*out = (struct fatbin_image){
		.image = {(const char *)blob + image, bytes},
		.kind = (u32)entry[0] | (u32)entry[1] << 8,
	};
	for (u64 i = 0; i < n; i++) {
		const u8 *s = blob + strings + i * step;
		struct str key, value;
		if (!string_at(blob, size, get64(s), &key) ||
			!string_at(blob, size, get64(s + 8), &value))
			return false;
		if (str_is(key, "triple"))
			out->triple = value;
		else if (str_is(key, "arch"))
			out->arch = value;
	}
	return true;
}

enum code_status
fatbin_next(struct fatbin_iter *it, struct fatbin_image *out, bool *done)
{
	*done = false;
	if (it->n == SIZE_MAX) {
		struct segment s = {(uintptr_t)it->p, SIZE_MAX};
		it->open = true;
		dl_iterate_phdr(segment_find, &s);
		it->n = s.n;
	}
	for (;;) {
		const u8 *blob = it->p + it->at;
		size_t left = it->n - it->at;
		if (left < HEADER || memcmp(blob, magic, sizeof(magic)) != 0) {
			/* After the last blob: nothing, zeroes, or (when only headers tell) whatever follows. */
			bool tail = it->at > 0 || left == 0;
			for (size_t i = 0; tail && !it->open && i < left; i++)
				tail = blob[i] == 0;
			*done = tail;
			return tail ? CODE_OK : CODE_BAD_FATBIN;
		}
		u32 version = get32(blob + 4);
		u64 size = get64(blob + 8), entries = get64(blob + 16),
		    n = version == 1 ? 1 : get64(blob + 24);
		if ((version != 1 && version != 2) || size < HEADER || size > left ||
			entries > size || n > (size - entries) / ENTRY)
			return CODE_BAD_FATBIN;
		if (it->entry < n) {
			const u8 *entry = blob + entries + it->entry * ENTRY;
			it->entry++;
			return entry_read(blob, size, version, entry, out) ? CODE_OK
									   : CODE_BAD_FATBIN;
		}
		size_t step = size + (-size & (ALIGN - 1));
		u32 flags = n > 0 ? get32(blob + entries + 4) : 0;
		it->at += step < left ? step : left;
		it->entry = 0;
		if (it->open && (flags & FLAG_OURS) && !(flags & FLAG_MORE))
			it->n = it->at;
	}
}

static void
put64(struct buf *b, u64 v)
{
	buf_add(b, &v, sizeof(v));
}

/* Tells the last blob of `b` that another one follows. */
static void
more_set(struct buf *b)
{
	for (size_t at = 0;
		at + HEADER + ENTRY <= b->n && memcmp(b->p + at, magic, sizeof(magic)) == 0;) {
		u32 flags = FLAG_OURS | FLAG_MORE;
		u64 size = get64(b->p + at + 8);
		memcpy(b->p + at + HEADER + 4, &flags, sizeof(flags));
		at += size < b->n - at ? size : b->n - at;
	}
}

void
fatbin_add(struct buf *b, struct str triple, struct str arch, struct str image, u32 kind)
{
	static const char keys[] = "triple\0arch"; /* and the NUL of the literal */
	u64 strings = HEADER + ENTRY, text = strings + 2 * 16;
	u64 values = text + sizeof(keys), end = values + triple.n + 1 + arch.n + 1;
	u64 data = end + (-end & (ALIGN - 1)), size = data + image.n;
	u32 version = 1, flags = FLAG_OURS;
	u16 kinds[2] = {(u16)kind, KIND_HIP};
	size += -size & (ALIGN - 1);
	buf_align(b, ALIGN);
	more_set(b);
	size_t start = b->n;
	buf_add(b, magic, sizeof(magic));
	buf_add(b, &version, sizeof(version));
	put64(b, size);
	put64(b, HEADER);
	put64(b, ENTRY);
	buf_add(b, kinds, sizeof(kinds));
	buf_add(b, &flags, sizeof(flags));
	put64(b, strings);
	put64(b, 2);
	put64(b, data);
	put64(b, image.n);
	put64(b, text);
	put64(b, values);
	put64(b, text + strlen(keys) + 1);
	put64(b, values + triple.n + 1);
	buf_add(b, keys, sizeof(keys));
	buf_add(b, triple.p, triple.n);
	buf_zero(b, 1);
	buf_add(b, arch.p, arch.n);
	buf_zero(b, 1);
	buf_align(b, ALIGN);
	buf_add(b, image.p, image.n);
	buf_align(b, ALIGN);
	assert(b->failed || b->n - start == size);
}
