/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * line.c - from an address to a source line, by the line number programs of .debug_line (DWARF 4 and 5,
 * section 6.2; versions 2 and 3 read the same). A small reader of our own: it needs no library at
 * run time and only what `-gline-tables-only` emits.
 *
 * Each unit is a header (tables of folders and files) and a program: bytes that move a register pair
 * (address, line) along. The row before the first row above the wanted address is the answer. Every
 * read goes through a cursor that stops at the end of the unit; a broken unit is passed over.
 */
#include "amdgpu/code_elf.h"
#include <string.h>

struct cursor {
	const u8 *p, *end;
	bool bad; /* something was cut off; reads give 0 from then on */
	bool wide; /* 64-bit DWARF: offsets have 8 bytes */
};

static u64
left(const struct cursor *c)
{
	return (u64)(c->end - c->p);
}

static const u8 *
take(struct cursor *c, u64 n)
{
	if (c->bad || n > left(c)) {
		c->bad = true;
		return NULL;
	}
	const u8 *p = c->p;
	c->p += n;
	return p;
}

static u64
take_le(struct cursor *c, unsigned n)
{
	u64 v = 0;
	const u8 *p = take(c, n);
	for (unsigned i = 0; p != NULL && i < n && i < 8; i++)
		v |= (u64)p[i] << (8 * i);
	return v;
}

static u64
take_uleb(struct cursor *c)
{
	u64 v = 0;
	for (unsigned shift = 0;; shift += 7) {
		u8 b = (u8)take_le(c, 1);
		if (shift < 64)
			v |= (u64)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
}

static i64
take_sleb(struct cursor *c)
{
	u64 v = 0;
	for (unsigned shift = 0;;) {
		u8 b = (u8)take_le(c, 1);
		if (shift < 64)
			v |= (u64)(b & 0x7f) << shift;
		shift += 7;
		if (b & 0x80)
			continue;
		if (shift < 64 && (b & 0x40))
			v |= ~(u64)0 << shift;
		return (i64)v;
	}
}

static struct str
take_string(struct cursor *c)
{
	const u8 *e = c->bad || left(c) == 0 ? NULL : memchr(c->p, 0, left(c));
	if (e == NULL) {
		c->bad = true;
		return (struct str){"", 0};
	}
	struct str s = {(const char *)c->p, (size_t)(e - c->p)};
	c->p = e + 1;
	return s;
}

/* --- header ----------------------------------------------------------------------------------- */

enum { CONTENT_PATH = 1, CONTENT_FOLDER = 2 };
enum {
	FORM_BLOCK2 = 3,
	FORM_BLOCK4 = 4,
	FORM_DATA2 = 5,
	FORM_DATA4 = 6,
	FORM_DATA8 = 7,
	FORM_STRING = 8,
	FORM_BLOCK = 9,
	FORM_BLOCK1 = 10,
	FORM_DATA1 = 11,
	FORM_STRP = 14,
	FORM_UDATA = 15,
	FORM_DATA16 = 30,
	FORM_LINE_STRP = 31
};
enum { MOST_FORMATS = 16 };

struct sections {
	struct str line, line_str, str;
};

struct unit {
	struct cursor folders, files; /* at the first entry */
	u64 nfolders, nfiles; /* version 5 */
	u8 formats[2][MOST_FORMATS][2]; /* version 5: content, form */
	u8 nformats[2];
	struct cursor program;
	u16 version;
	u8 min_inst, line_range, opcode_base;
	i8 line_base;
	const u8 *lengths; /* of standard opcodes 1 … opcode_base - 1 */
	const struct sections *sections;
};

static struct str
string_at(struct cursor *c, struct str section, u64 at)
{
	struct cursor s = {(const u8 *)section.p, (const u8 *)section.p + section.n, false, false};
	(void)take(&s, at);
	struct str out = take_string(&s);
	c->bad |= s.bad;
	return out;
}

/* A value of the folder or file table of version 5: a string or a number. */
static void
take_form(struct cursor *c, const struct unit *u, unsigned form, struct str *s, u64 *n)
{
	switch (form) {
	case FORM_STRING:
		*s = take_string(c);
		break;
	case FORM_LINE_STRP:
		*s = string_at(c, u->sections->line_str, take_le(c, c->wide ? 8 : 4));
		break;
	case FORM_STRP:
		*s = string_at(c, u->sections->str, take_le(c, c->wide ? 8 : 4));
		break;
	case FORM_UDATA:
		*n = take_uleb(c);
		break;
	case FORM_DATA1:
		*n = take_le(c, 1);
		break;
	case FORM_DATA2:
		*n = take_le(c, 2);
		break;
	case FORM_DATA4:
		*n = take_le(c, 4);
		break;
	case FORM_DATA8:
		*n = take_le(c, 8);
		break;
	case FORM_DATA16:
		(void)take(c, 16);
		break;
	case FORM_BLOCK:
		(void)take(c, take_uleb(c));
		break;
	case FORM_BLOCK1:
		(void)take(c, take_le(c, 1));
		break;
	case FORM_BLOCK2:
		(void)take(c, take_le(c, 2));
		break;
	case FORM_BLOCK4:
		(void)take(c, take_le(c, 4));
		break;
	default:
		c->bad = true;
	}
}

/* One entry of table `which` (0 folders, 1 files). */
static void
take_entry(struct cursor *c, const struct unit *u, int which, struct str *path, u64 *folder)
{
	*path = (struct str){"", 0};
	*folder = 0;
	for (u8 i = 0; i < u->nformats[which]; i++) {
		struct str s = {"", 0};
		u64 n = 0;
		take_form(c, u, u->formats[which][i][1], &s, &n);
		if (u->formats[which][i][0] == CONTENT_PATH)
			*path = s;
		else if (u->formats[which][i][0] == CONTENT_FOLDER)
			*folder = n;
	}
}

static void
take_table(struct cursor *c, struct unit *u, int which, struct cursor *first, u64 *count)
{
	u64 n = take_le(c, 1), folder;
	struct str path;
	c->bad |= n > MOST_FORMATS;
	for (u64 i = 0; i < n && !c->bad; i++) {
		u64 content = take_uleb(c), form = take_uleb(c);
		u->formats[which][i][0] = content < 255 ? (u8)content : 255;
		u->formats[which][i][1] = form < 255 ? (u8)form : 255;
	}
	u->nformats[which] = (u8)n;
	*count = take_uleb(c);
	c->bad |= *count > left(c); /* entries without bytes would make us count for ever */
	*first = *c;
	for (u64 i = 0; i < *count && !c->bad; i++)
		take_entry(c, u, which, &path, &folder);
}

/* Reads the header of the unit at *all and steps over the unit. False at the end. */
static bool
take_unit(struct cursor *all, const struct sections *sections, struct unit *u)
{
	memset(u, 0, sizeof(*u));
	if (left(all) < 4)
		return false;
	u64 size = take_le(all, 4);
	bool wide = size == 0xffffffff;
	if (wide)
		size = take_le(all, 8);
	struct cursor c = {take(all, size), NULL, all->bad, wide};
	if (all->bad)
		return false;
	c.end = c.p + size;
	u->sections = sections;
	u->version = (u16)take_le(&c, 2);
	if (u->version >= 5)
		(void)take(&c, 2); /* sizes of an address and of a segment selector */
	u64 header = take_le(&c, wide ? 8 : 4);
	u->program = c;
	(void)take(&u->program, header);
	u->min_inst = (u8)take_le(&c, 1);
	if (u->version >= 4)
		(void)take(&c, 1); /* operations an instruction: 1 */
	(void)take(&c, 1); /* default_is_stmt */
	u->line_base = (i8)take_le(&c, 1);
	u->line_range = (u8)take_le(&c, 1);
	u->opcode_base = (u8)take_le(&c, 1);
	u->lengths = take(&c, u->opcode_base != 0 ? u->opcode_base - 1u : 0);
	if (u->version >= 5) {
		take_table(&c, u, 0, &u->folders, &u->nfolders);
		take_table(&c, u, 1, &u->files, &u->nfiles);
	} else {
		u->folders = c;
		while (!c.bad && take_string(&c).n > 0)
			;
		u->files = c;
	}
	u->program.bad |= c.bad || u->version < 2 || u->version > 5 || u->line_range == 0 ||
			  u->opcode_base == 0;
	return true;
}

/* The path of file number `file`; folder 0 is where the compiler ran, and is left out. */
static const char *
file_path(struct arena *a, const struct unit *u, u64 file)
{
	struct cursor c = u->files;
	struct str path = {"", 0}, folder = {"", 0};
	u64 number = 0, unused;
	if (u->version >= 5) {
		for (u64 i = 0; i <= file && i < u->nfiles; i++)
			take_entry(&c, u, 1, &path, &number);
		c.bad |= file >= u->nfiles;
	} else {
		for (u64 i = 0; i < file && !c.bad; i++) {
			path = take_string(&c);
			number = take_uleb(&c);
			(void)take_uleb(&c);
			(void)take_uleb(&c);
			c.bad |= path.n == 0;
		}
	}
	if (c.bad || path.n == 0)
		return "?";
	c = u->folders;
	if (u->version >= 5) {
		for (u64 i = 0; number != 0 && i <= number && i < u->nfolders; i++)
			take_entry(&c, u, 0, &folder, &unused);
	} else {
		for (u64 i = 0; i < number && !c.bad; i++)
			folder = take_string(&c);
	}
	const char *out;
	if (folder.n == 0 || path.p[0] == '/')
		out = arena_strdup(a, path);
	else
		out = arena_printf(a, "%.*s/%.*s", (int)folder.n, folder.p, (int)path.n, path.p);
	return out != NULL ? out : "?";
}

/* --- program ---------------------------------------------------------------------------------- */

enum {
	LNS_COPY = 1,
	LNS_ADVANCE_PC,
	LNS_ADVANCE_LINE,
	LNS_SET_FILE,
	LNS_SET_COLUMN,
	LNS_NEGATE_STMT,
	LNS_BASIC_BLOCK,
	LNS_CONST_ADD_PC,
	LNS_FIXED_ADVANCE_PC
};
enum { LNE_END_SEQUENCE = 1, LNE_SET_ADDRESS };

struct row {
	u64 addr, file;
	u32 line, column;
	bool valid;
};

struct search {
	u64 addr;
	struct row last,
		named; /* of the sequence: the row before, and the last one that has a line */
	struct row found;
};

/* A row is finished: does the one before it hold the address? */
static bool
row_done(struct search *s, struct row now, bool end)
{
	if (s->last.valid && s->addr >= s->last.addr && s->addr < now.addr) {
		s->found = s->last.line != 0 || !s->named.valid ? s->last : s->named;
		return true;
	}
	now.valid = !end;
	s->last = now;
	if (end)
		s->named.valid = false;
	else if (now.line != 0)
		s->named = now;
	return false;
}

static bool
program_run(const struct unit *u, struct search *s)
{
	static const struct row start = {.file = 1, .line = 1};
	struct cursor c = u->program;
	struct row r = start;
	s->last.valid = s->named.valid = false;
	while (!c.bad && left(&c) > 0) {
		u8 op = (u8)take_le(&c, 1);
		if (op >= u->opcode_base) {
			op -= u->opcode_base;
			r.addr += (u64)(op / u->line_range) * u->min_inst;
			r.line += (u32)(u->line_base + op % u->line_range);
			if (row_done(s, r, false))
				return true;
			continue;
		}
		switch (op) {
		case 0: {
			u64 n = take_uleb(&c);
			struct cursor x = {take(&c, n), NULL, c.bad, c.wide};
			if (c.bad || n == 0)
				return false;
			x.end = x.p + n;
			u8 ext = (u8)take_le(&x, 1);
			if (ext == LNE_END_SEQUENCE) {
				if (row_done(s, r, true))
					return true;
				r = start;
			} else if (ext == LNE_SET_ADDRESS) {
				r.addr = take_le(&x, n - 1 < 8 ? (unsigned)(n - 1) : 8);
			}
			break;
		}
		case LNS_COPY:
			if (row_done(s, r, false))
				return true;
			break;
		case LNS_ADVANCE_PC:
			r.addr += take_uleb(&c) * u->min_inst;
			break;
		case LNS_ADVANCE_LINE:
			r.line += (u32)take_sleb(&c);
			break;
		case LNS_SET_FILE:
			r.file = take_uleb(&c);
			break;
		case LNS_SET_COLUMN:
			r.column = (u32)take_uleb(&c);
			break;
		case LNS_CONST_ADD_PC:
			r.addr += (u64)((255 - u->opcode_base) / u->line_range) * u->min_inst;
			break;
		case LNS_FIXED_ADVANCE_PC:
			r.addr += take_le(&c, 2);
			break;
		default: /* flags of no interest, and opcodes of later versions: the header knows their length */
			for (u8 i = 0; i < u->lengths[op - 1]; i++)
				(void)take_uleb(&c);
		}
	}
	return false;
}

static struct str
section(struct str image, const char *name)
{
	Elf64_Shdr s;
	struct str out = {"", 0};
	if (!elf_section_find(image, 0, name, &s) || (s.sh_flags & SHF_COMPRESSED) ||
		!elf_section_bytes(image, &s, &out))
		return (struct str){"", 0};
	return out;
}

struct code_line
code_line_find(struct arena *a, const struct code_object *c, u64 addr)
{
	struct sections sections = {
		.line = section(c->image, ".debug_line"),
		.line_str = section(c->image, ".debug_line_str"),
		.str = section(c->image, ".debug_str"),
	};
	struct cursor all = {(const u8 *)sections.line.p,
		(const u8 *)sections.line.p + sections.line.n, false, false};
	struct search s = {.addr = addr};
	struct unit u;
	while (take_unit(&all, &sections, &u)) {
		if (!u.program.bad && program_run(&u, &s) && s.found.line != 0)
			return (struct code_line){
				file_path(a, &u, s.found.file), s.found.line, s.found.column};
	}
	return (struct code_line){"", 0, 0};
}
