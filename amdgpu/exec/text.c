/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * text.c - takes one line of LLVM's AMDGPU disassembly apart and puts it together again.
 *
 *   line    = half [" :: " half]                            (VOPD: two instructions at once)
 *   half    = name [" " operand {", " operand}] {" " modifier}
 *   operand = ["-" | "neg("] ["|"] ["sext("] (register | number | list | symbol) …
 *   symbol  = word ["(" … ")" {(" " | " | ") word "(" … ")"}]   s_waitcnt, s_delay_alu, hwreg …
 *
 * The grammar is closed: a token that fits nowhere is an error, so a text of a later LLVM is refused
 * and never half understood. Modifiers are the rows of mod.def, printed in the order of the table.
 */
#include "amdgpu/exec/inst.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- tables ----------------------------------------------------------------------------------- */

static const struct {
	const char *text;
	u8 dwords;
} special[] = {
#define GCN_SPECIAL_REG(id, text, dwords) {text, dwords},
#include "amdgpu/exec/special.def"
#undef GCN_SPECIAL_REG
};

enum mod_kind { FLAG, INT, BITS, PERM2, PERM3, TEXT, OMOD, SEL, UNUSED, TH, SCOPE, DIM };

static const struct {
	const char *text;
	u8 kind;
} mods[GCN_MOD_COUNT] = {
#define GCN_MOD(id, text, kind) {text, kind},
#include "amdgpu/exec/mod.def"
#undef GCN_MOD
};

static const char *const sel_names[] = {
	"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
static const char *const unused_names[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
static const char *const scope_names[] = {"SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"};
static const char *const th_names[] = {
	"TH_DEFAULT",
	"TH_LOAD_NT",
	"TH_LOAD_HT",
	"TH_LOAD_LU",
	"TH_LOAD_BYPASS",
	"TH_LOAD_NT_RT",
	"TH_LOAD_RT_NT",
	"TH_LOAD_NT_HT",
	"TH_LOAD_NT_WB",
	"TH_STORE_NT",
	"TH_STORE_HT",
	"TH_STORE_RT_WB",
	"TH_STORE_BYPASS",
	"TH_STORE_NT_RT",
	"TH_STORE_RT_NT",
	"TH_STORE_NT_HT",
	"TH_STORE_NT_WB",
	"TH_STORE_WB",
	"TH_ATOMIC_RETURN",
	"TH_ATOMIC_NT",
	"TH_ATOMIC_NT_RETURN",
	"TH_ATOMIC_CASCADE_RT",
	"TH_ATOMIC_CASCADE_NT",
	"TH_ATOMIC_0x4",
	"TH_ATOMIC_0x5",
	"TH_ATOMIC_0x6",
	"TH_ATOMIC_0x7",
};
static const char *const dim_names[] = {
	"SQ_RSRC_IMG_1D",
	"SQ_RSRC_IMG_2D",
	"SQ_RSRC_IMG_3D",
	"SQ_RSRC_IMG_CUBE",
	"SQ_RSRC_IMG_1D_ARRAY",
	"SQ_RSRC_IMG_2D_ARRAY",
	"SQ_RSRC_IMG_2D_MSAA",
	"SQ_RSRC_IMG_2D_MSAA_ARRAY",
};
static const struct names {
	const char *const *p;
	size_t n;
} names[] = {
	[SEL] = {sel_names, COUNT(sel_names)},
	[UNUSED] = {unused_names, COUNT(unused_names)},
	[TH] = {th_names, COUNT(th_names)},
	[SCOPE] = {scope_names, COUNT(scope_names)},
	[DIM] = {dim_names, COUNT(dim_names)},
};

static const char *const forms[] = {
	[GCN_PLAIN] = "",
	[GCN_E32] = "_e32",
	[GCN_E64] = "_e64",
	[GCN_DPP] = "_dpp",
	[GCN_E64_DPP] = "_e64_dpp",
	[GCN_SDWA] = "_sdwa",
};

static const struct {
	double value;
	const char *text;
} floats[] = {
	{0.5, "0.5"},
	{1.0, "1.0"},
	{2.0, "2.0"},
	{4.0, "4.0"},
	{-0.5, "-0.5"},
	{-1.0, "-1.0"},
	{-2.0, "-2.0"},
	{-4.0, "-4.0"},
	{0.15915494, "0.15915494"},
	{0.15915494309189532, "0.15915494309189532"},
};

/* --- reading ---------------------------------------------------------------------------------- */

struct reader {
	const char *start, *p, *end;
	struct arena *arena;
	const char *why;
	const char *at;
};

static bool
fail(struct reader *r, const char *at, const char *why)
{
	if (r->why == NULL) {
		r->why = why;
		r->at = at;
	}
	return false;
}

static bool
take(struct reader *r, const char *z)
{
	size_t n = strlen(z);
	if ((size_t)(r->end - r->p) < n || memcmp(r->p, z, n) != 0)
		return false;
	r->p += n;
	return true;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/* The identifier at p, which may be empty. */
static struct str
word_at(const struct reader *r, const char *p)
{
	const char *e = p;
	while (e < r->end && is_word(*e))
		e++;
	return (struct str){p, (size_t)(e - p)};
}

static bool
take_decimal(struct reader *r, u64 max, u64 *out)
{
	u64 v = 0;
	const char *p = r->p;
	while (p < r->end && is_digit(*p) && v <= max)
		v = v * 10 + (u64)(*p++ - '0');
	if (p == r->p || v > max)
		return false;
	r->p = p;
	*out = v;
	return true;
}

static int
hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "-8" or "0x1f" or "-0x4" */
static bool
take_int(struct reader *r, i64 *out, bool *hex)
{
	const char *start = r->p;
	bool minus = take(r, "-");
	u64 v = 0;
	*hex = take(r, "0x");
	if (*hex) {
		const char *digits = r->p;
		while (r->p < r->end && r->p - digits < 16 && hex_digit(*r->p) >= 0)
			v = v << 4 | (u64)hex_digit(*r->p++);
		if (r->p == digits)
			goto no;
	} else if (!take_decimal(r, INT64_MAX / 16, &v)) {
		goto no;
	}
	if (r->p < r->end && is_word(*r->p))
		goto no;
	*out = minus ? (i64)(0 - v) : (i64)v;
	return true;
no:
	r->p = start;
	return false;
}

static bool
take_float(struct reader *r, double *out)
{
	for (size_t i = COUNT(floats); i-- > 0;) { /* the longer 1/(2 pi) first */
		const char *start = r->p;
		if (take(r, floats[i].text) &&
			(r->p == r->end || (!is_digit(*r->p) && *r->p != '.'))) {
			*out = floats[i].value;
			return true;
		}
		r->p = start;
	}
	return false;
}

/* "5" or "[2:5]" after the letter of the register file */
static bool
take_range(struct reader *r, struct gcn_operand *o)
{
	u64 lo, hi;
	if (take(r, "[")) {
		if (!take_decimal(r, 1023, &lo) || !take(r, ":") || !take_decimal(r, 1023, &hi) ||
			!take(r, "]") || hi < lo || hi - lo > 63)
			return false;
		o->n = (u8)(hi - lo + 1);
		o->ranged = true;
	} else {
		if (!take_decimal(r, 1023, &lo))
			return false;
		o->n = 1;
	}
	o->reg = (u16)lo;
	if (r->p == r->end || (!is_word(*r->p) && *r->p != '.'))
		return true;
	if (take(r, ".l"))
		o->half = GCN_LO;
	else if (take(r, ".h"))
		o->half = GCN_HI;
	else
		return false;
	return r->p == r->end || !is_word(*r->p);
}

static bool
take_register(struct reader *r, struct gcn_operand *o)
{
	static const struct {
		const char *prefix;
		u8 kind;
	} files[] = {{"v", GCN_VGPR}, {"s", GCN_SGPR}, {"a", GCN_AGPR}, {"ttmp", GCN_TTMP}};
	for (size_t i = 0; i < COUNT(files); i++) {
		const char *start = r->p;
		struct gcn_operand reg = *o;
		reg.kind = files[i].kind;
		if (take(r, files[i].prefix) && take_range(r, &reg)) {
			*o = reg;
			return true;
		}
		r->p = start;
	}
	struct str w = word_at(r, r->p);
	for (u16 i = 0; i < COUNT(special); i++) {
		if (str_is(w, special[i].text)) {
			o->kind = GCN_SPECIAL;
			o->reg = i;
			o->n = special[i].dwords;
			r->p += w.n;
			return true;
		}
	}
	return false;
}

/* The end of "word(…)" at p, or NULL. */
static const char *
call_end(const struct reader *r, const char *p)
{
	struct str w = word_at(r, p);
	if (w.n == 0 || is_digit(*p) || p + w.n == r->end || p[w.n] != '(')
		return NULL;
	for (p += w.n; p < r->end; p++) {
		if (*p == ')')
			return p + 1;
	}
	return NULL;
}

/* hwreg(HW_REG_MODE, 0, 4); vmcnt(0) lgkmcnt(1); instid0(X) | instskip(NEXT) | instid1(Y); mrt0; attr0.x */
static bool
take_symbol(struct reader *r, const struct gcn_inst *i, struct gcn_operand *o)
{
	static const char *const words[] = {"mrt", "pos", "param", "prim", "null", "attr", "p0",
		"p10", "p20", "dual_src_blend", "invalid_target_"};
	const char *start = r->p, *e = call_end(r, start);
	if (str_is(i->name,
		    "s_version")) { /* an expression of UC_VERSION_…; no code depends on it */
		r->p = r->end;
	} else if (e != NULL) {
		for (const char *next = e; next != NULL && next < r->end; e = next ? next : e) {
			if (r->end - e > 3 && memcmp(e, " | ", 3) == 0)
				next = call_end(r, e + 3);
			else if (*e == ' ')
				next = call_end(r, e + 1);
			else
				next = NULL;
		}
		r->p = e;
	} else {
		struct str w = word_at(r, start);
		bool known = false;
		for (size_t k = 0; k < COUNT(words); k++)
			known |= str_starts(w, words[k]);
		if (!known)
			return false;
		r->p += w.n;
		if (str_starts(w, "attr") && r->p + 1 < r->end && *r->p == '.')
			r->p += 2;
	}
	o->kind = GCN_NAME;
	o->text = (struct str){start, (size_t)(r->p - start)};
	return true;
}

/* [v4, v[6:7], v5] */
static bool
take_list(struct reader *r, struct gcn_inst *i, struct gcn_operand *o)
{
	enum { MOST = 16 };
	struct gcn_operand *list = ARENA_NEW(r->arena, struct gcn_operand, MOST);
	if (list == NULL)
		return fail(r, r->p, "out of memory");
	if (i->list != NULL)
		return fail(r, r->p, "two lists of registers");
	do {
		if (i->nlist == MOST || !take_register(r, &list[i->nlist]))
			return fail(r, r->p, "bad list of registers");
		i->nlist++;
	} while (take(r, ", "));
	i->list = list;
	o->kind = GCN_LIST;
	return take(r, "]") || fail(r, r->p, "bad list of registers");
}

static bool
take_value(struct reader *r, struct gcn_inst *i, struct gcn_operand *o)
{
	const char *start = r->p;
	struct str w = word_at(r, start);
	o->lit64 = str_is(w, "lit64");
	if (o->lit64 || str_is(w, "lit")) {
		r->p += w.n;
		if (take(r, "(") && take_int(r, &o->imm, &o->hex) && take(r, ")")) {
			o->kind = GCN_LITERAL;
			return true;
		}
		return fail(r, start, "bad literal");
	}
	if (str_is(i->name, "s_version"))
		return take_symbol(r, i, o);
	if (take(r, "["))
		return take_list(r, i, o);
	if (take_float(r, &o->num)) {
		o->kind = GCN_FLOAT;
		return true;
	}
	if (take_int(r, &o->imm, &o->hex)) {
		o->kind = GCN_INT;
		return true;
	}
	if (str_is(w, "off")) {
		r->p += w.n;
		o->kind = GCN_OFF;
		return true;
	}
	return take_register(r, o) || take_symbol(r, i, o) || fail(r, start, "unknown operand");
}

static bool
take_operand(struct reader *r, struct gcn_inst *i, struct gcn_operand *o)
{
	/* "-4" is a number, "-v4" and "-|4|" and "neg(4)" are a modifier. */
	bool call = take(r, "neg(");
	if (!call && r->p < r->end && *r->p == '-' && r->end - r->p > 1 && !is_digit(r->p[1])) {
		r->p++;
		o->neg = true;
	}
	o->neg |= call;
	o->abs = take(r, "|");
	o->sext = take(r, "sext(");
	if (!take_value(r, i, o))
		return false;
	bool close = i->nops > 0 && o > i->op && o[-1].open;
	o->open = o->abs && r->end - r->p > 5 && memcmp(r->p, ", vcc", 5) == 0;
	if ((o->sext && !take(r, ")")) || (o->abs && !o->open && !take(r, "|")) ||
		(call && !take(r, ")")) || (close && !take(r, "|")))
		return fail(r, r->p, "unclosed operand modifier");
	return true;
}

/* ":[a,b,…]" of `most` elements, `width` bits each */
static bool
take_elements(struct reader *r, unsigned width, unsigned most, u32 *out, u8 *n)
{
	u64 v;
	*out = 0;
	*n = 0;
	if (!take(r, ":["))
		return false;
	do {
		if (*n == most || !take_decimal(r, (1u << width) - 1, &v))
			return false;
		*out |= (u32)v << (width * (*n)++);
	} while (take(r, ","));
	return take(r, "]");
}

static bool
take_omod(struct reader *r, i32 *out)
{
	if (take(r, "mul:2"))
		*out = 1;
	else if (take(r, "mul:4"))
		*out = 2;
	else if (take(r, "div:2"))
		*out = 3;
	else
		return false;
	return true;
}

static bool
take_mod_value(struct reader *r, struct gcn_inst *i, unsigned m)
{
	i64 v = 0;
	bool hex = false;
	u32 bits = 0;
	struct str w;
	switch ((enum mod_kind)mods[m].kind) {
	case FLAG:
		i->mod[m] = 1;
		return true;
	case INT:
		if (!take(r, ":") || !take_int(r, &v, &hex) || v != (i32)v)
			return false;
		i->mod[m] = (i32)v;
		i->hexmods |= (gcn_mods)hex << m;
		return true;
	case BITS:
	case PERM2:
	case PERM3: {
		unsigned width = mods[m].kind == BITS ? 1 : mods[m].kind == PERM2 ? 2 : 3;
		bool ok = take_elements(r, width, 8, &bits, &i->modn[m]);
		i->mod[m] = (i32)bits;
		return ok;
	}
	case TEXT:
		if (!take(r, ":"))
			return false;
		w.p = r->p;
		while (r->p < r->end && *r->p != ' ')
			r->p++;
		w.n = (size_t)(r->p - w.p);
		if (w.n < 3 || (w.p[w.n - 1] != ')' && w.p[w.n - 1] != ']'))
			return false;
		i->symbol = w;
		return true;
	case OMOD: /* take_mod */
		return false;
	case SEL:
	case UNUSED:
	case TH:
	case SCOPE:
	case DIM:
		if (!take(r, ":"))
			return false;
		w = word_at(r, r->p);
		for (size_t k = 0; k < names[mods[m].kind].n; k++) {
			if (str_is(w, names[mods[m].kind].p[k])) {
				i->mod[m] = (i32)k;
				r->p += w.n;
				return true;
			}
		}
		i->hexmods |= (gcn_mods)1 << m;
		hex = mods[m].kind == TH && take_int(r, &v, &hex) && hex && v >= 0 && v < 256;
		i->mod[m] = (i32)v;
		return hex;
	}
	return false;
}

/* True when a modifier stands here. */
static bool
take_mod(struct reader *r, struct gcn_inst *i)
{
	const char *start = r->p;
	struct str w = word_at(r, start);
	if (w.n == 0)
		return false;
	for (unsigned m = 0; m < GCN_MOD_COUNT; m++) {
		bool ok;
		if (mods[m].kind == OMOD) {
			ok = take_omod(r, &i->mod[m]);
		} else {
			if (!str_is(w, mods[m].text))
				continue;
			r->p = start + w.n;
			ok = take_mod_value(r, i, m);
		}
		if (ok && (r->p == r->end || *r->p == ' ')) {
			if (gcn_has(i, m))
				break;
			i->seen |= (gcn_mods)1 << m;
			return true;
		}
		r->p = start;
	}
	r->p = start;
	return false;
}

static void
split_form(struct gcn_inst *i)
{
	for (size_t f = COUNT(forms); f-- > GCN_E32;) { /* _e64_dpp before _dpp */
		size_t n = strlen(forms[f]);
		if (i->name.n > n && str_ends(i->name, forms[f])) {
			i->name.n -= n;
			i->form = (u8)f;
			if (f == GCN_DPP && str_ends(i->name, "_e64")) {
				i->name.n -= 4;
				i->form = GCN_E64_DPP;
			}
			return;
		}
	}
}

static bool
parse_half(struct reader *r, struct gcn_inst *i)
{
	i->text = (struct str){r->p, (size_t)(r->end - r->p)};
	i->name = word_at(r, r->p);
	if (i->name.n == 0)
		return fail(r, r->p, "no instruction name");
	r->p += i->name.n;
	split_form(i);
	bool spaced = str_is(i->name, "exp") || str_is(i->name, "export");
	if (r->p < r->end && *r->p == ' ') {
		const char *start = r->p++;
		if (r->p < r->end && *r->p == ' ') { /* "image_sample  v0…" */
			i->gap = true;
			r->p++;
		}
		struct gcn_operand reg = {0}; /* "ds_append a16": a register, not the modifier */
		if (!take_register(&(struct reader){.p = r->p, .end = r->end}, &reg) &&
			take_mod(r, i)) {
			i->seen = i->hexmods = 0; /* no operands: the loop below reads it again */
			r->p = start;
			i->gap = false;
		} else {
			do {
				if (i->nops == GCN_OPERANDS)
					return fail(r, r->p, "too many operands");
				if (!take_operand(r, i, &i->op[i->nops]))
					return false;
				i->nops++;
			} while (take(r, spaced && i->nops == 1 ? " " : ", "));
		}
	}
	while (r->p < r->end && *r->p == ' ') {
		r->p++;
		if (!take_mod(r, i))
			return fail(r, r->p, "unknown modifier");
	}
	return r->p == r->end || fail(r, r->p, "text after the instruction");
}

bool
gcn_parse(struct arena *a, struct str text, struct gcn_inst *out, const char **why, size_t *at)
{
	struct reader r = {.start = text.p, .p = text.p, .end = text.p + text.n, .arena = a};
	const char *half = NULL;
	memset(out, 0, sizeof(*out));
	for (const char *p = text.p; p + 4 <= r.end && half == NULL; p++) {
		if (memcmp(p, " :: ", 4) == 0)
			half = p;
	}
	if (half != NULL)
		r.end = half;
	bool ok = parse_half(&r, out);
	if (ok && half != NULL) {
		r.p = half + 4;
		r.end = text.p + text.n;
		out->dual = ARENA_NEW(a, struct gcn_inst, 1);
		ok = out->dual != NULL ? parse_half(&r, out->dual) : fail(&r, r.p, "out of memory");
	}
	out->text = text;
	*why = r.why;
	*at = ok ? 0 : (size_t)(r.at - text.p);
	return ok;
}

/* --- printing --------------------------------------------------------------------------------- */

static void
print_int(struct buf *b, i64 v, bool hex)
{
	if (!hex)
		buf_printf(b, "%" PRId64, v);
	else if (v < 0)
		buf_printf(b, "-0x%" PRIx64, 0 - (u64)v);
	else
		buf_printf(b, "0x%" PRIx64, (u64)v);
}

static void
print_register(struct buf *b, const struct gcn_operand *o)
{
	const char *file = o->kind == GCN_VGPR   ? "v"
			   : o->kind == GCN_AGPR ? "a"
			   : o->kind == GCN_SGPR ? "s"
						 : "ttmp";
	if (o->ranged)
		buf_printf(b, "%s[%u:%u]", file, o->reg, o->reg + o->n - 1);
	else
		buf_printf(b, "%s%u", file, o->reg);
	if (o->half != GCN_WHOLE)
		buf_printf(b, ".%c", o->half == GCN_HI ? 'h' : 'l');
}

static void
print_value(struct buf *b, const struct gcn_inst *i, const struct gcn_operand *o)
{
	switch ((enum gcn_operand_kind)o->kind) {
	case GCN_NONE:
		break;
	case GCN_VGPR:
	case GCN_AGPR:
	case GCN_SGPR:
	case GCN_TTMP:
		print_register(b, o);
		break;
	case GCN_SPECIAL:
		buf_printf(b, "%s", special[o->reg].text);
		break;
	case GCN_INT:
		print_int(b, o->imm, o->hex);
		break;
	case GCN_LITERAL:
		buf_printf(b, o->lit64 ? "lit64(" : "lit(");
		print_int(b, o->imm, o->hex);
		buf_printf(b, ")");
		break;
	case GCN_FLOAT:
		for (size_t k = 0; k < COUNT(floats); k++) {
			if (floats[k].value == o->num) {
				buf_printf(b, "%s", floats[k].text);
				break;
			}
		}
		break;
	case GCN_OFF:
		buf_printf(b, "off");
		break;
	case GCN_LIST:
		for (u8 k = 0; k < i->nlist; k++) {
			buf_printf(b, k == 0 ? "[" : ", ");
			print_value(b, i, &i->list[k]);
		}
		buf_printf(b, "]");
		break;
	case GCN_NAME:
		buf_add(b, o->text.p, o->text.n);
		break;
	}
}

static void
print_operand(struct buf *b, const struct gcn_inst *i, const struct gcn_operand *o)
{
	bool number = o->kind == GCN_INT || o->kind == GCN_FLOAT || o->kind == GCN_LITERAL;
	bool call = o->neg && !o->abs && number;
	if (o->neg)
		buf_printf(b, call ? "neg(" : "-");
	buf_printf(b, "%s%s", o->abs ? "|" : "", o->sext ? "sext(" : "");
	print_value(b, i, o);
	bool close = o > i->op && o[-1].open;
	buf_printf(b, "%s%s%s%s", o->sext ? ")" : "", o->abs && !o->open ? "|" : "",
		call ? ")" : "", close ? "|" : "");
}

static void
print_elements(struct buf *b, u32 bits, unsigned width, u8 n)
{
	for (u8 k = 0; k < n; k++)
		buf_printf(
			b, "%s%u", k == 0 ? ":[" : ",", bits >> (width * k) & ((1u << width) - 1));
	buf_printf(b, "]");
}

static void
print_mod(struct buf *b, const struct gcn_inst *i, unsigned m)
{
	static const char *const omods[] = {"", "mul:2", "mul:4", "div:2"};
	i32 v = i->mod[m];
	buf_printf(b, " %s", mods[m].kind == OMOD ? omods[v & 3] : mods[m].text);
	switch ((enum mod_kind)mods[m].kind) {
	case FLAG:
	case OMOD:
		break;
	case INT:
		buf_printf(b, ":");
		print_int(b, v, i->hexmods >> m & 1);
		break;
	case BITS:
		print_elements(b, (u32)v, 1, i->modn[m]);
		break;
	case PERM2:
		print_elements(b, (u32)v, 2, i->modn[m]);
		break;
	case PERM3:
		print_elements(b, (u32)v, 3, i->modn[m]);
		break;
	case TEXT:
		buf_printf(b, ":");
		buf_add(b, i->symbol.p, i->symbol.n);
		break;
	case SEL:
	case UNUSED:
	case TH:
	case SCOPE:
	case DIM:
		if (i->hexmods >> m & 1)
			buf_printf(b, ":0x%x", (unsigned)v);
		else
			buf_printf(b, ":%s", names[mods[m].kind].p[v]);
		break;
	}
}

void
gcn_print(struct buf *b, const struct gcn_inst *i)
{
	bool spaced = str_is(i->name, "exp") || str_is(i->name, "export");
	buf_add(b, i->name.p, i->name.n);
	buf_printf(b, "%s%s", forms[i->form], i->gap ? " " : "");
	for (u8 k = 0; k < i->nops; k++) {
		buf_printf(b, k == 0 || (spaced && k == 1) ? " " : ", ");
		print_operand(b, i, &i->op[k]);
	}
	for (unsigned m = 0; m < GCN_MOD_COUNT; m++) {
		if (gcn_has(i, m))
			print_mod(b, i, m);
	}
	if (i->dual != NULL) {
		buf_printf(b, " :: ");
		gcn_print(b, i->dual);
	}
}
