#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mutate.py SRC OUT - copies the executor to OUT with several mutants of each row of isa.def in it.

A mutant of a row is one more row, NAME__K, in OUT/amdgpu/exec/isa_mutants.def; mutant_set puts what all tables hold of
it into the places of the row itself. Of rows that are only a name (FLOW, NOP, HELP) the instruction is taken for another
one when it is translated. A mutant of a helper function is an alternative of one expression, chosen by the
number `gcn_mutant`. OUT/mutants.txt lists them: ID, kind, and the rows whose tests may notice.
IDs say what was changed, so that lists of them (equivalent.txt) live longer than numbers would.
"""
import os
import random
import re
import subprocess
import sys

A_ROW = 5        # mutants of a row, at most
A_FUNCTION = 4   # of a helper function

TOKEN = re.compile(r"\s+|[A-Za-z_]\w*|0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?\d+[fF]?|0[xX][0-9a-fA-F]+[uUlL]*|\d+\.[\w.]*|\d[\w]*|<<=?|>>=?|[<>=!]=|&&|\|\||->|\+\+|--|[-+*/|&^]=|.", re.S)
BINARY = {"+": ["-"], "-": ["+"], "*": ["+"], "&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"], ">>": ["<<"], "<": ["<=", ">"],
          "<=": ["<"], ">": [">=", "<"], ">=": [">"], "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"], "/": ["*"]}
SIBLING = {"MIN": "MAX", "MAX": "MIN", "MED": "MIN3", "true": "false", "false": "true", "floorf": "ceilf", "ceilf": "floorf", "floor": "ceil",
           "ceil": "floor", "truncf": "floorf", "trunc": "floor", "roundeven_f32": "truncf", "roundeven_f64": "trunc", "fmaf": "mad_f32",
           "fma_f16": "mad_f32", "mad_f32": "fmaf", "sqrtf": "fabsf", "sqrt": "fabs", "sin_f32": "cos_f32", "cos_f32": "sin_f32",
           "exp2_f32": "log2_f32", "log2_f32": "exp2_f32", "clz32": "ctz32", "ctz32": "clz32", "clz64": "ctz64", "ctz64": "clz64",
           "cls32": "clz32", "cls64": "clz64", "popcount32": "clz32", "popcount64": "clz64", "sat_u32": "sat_i32", "sat_i32": "sat_u32",
           "sat_u16": "sat_i16", "sat_i16": "sat_u16", "sat_i8": "sat_u8", "sat_u8": "sat_i8", "FP8": "BF8", "BF8": "FP8", "FP8_Z": "BF8_Z",
           "BF8_Z": "FP8_Z", "FP6": "BF6", "BF6": "FP6", "FP4": "FP6", "F16": "BF16", "BF16": "F16", "F32": "BF16", "h2f": "bf2f", "bf2f": "h2f",
           "f2h_rtz": "f2h", "f2bf": "f2h", "f2h_round": "f2h_rtz2", "sad_u8": "msad_u8", "msad_u8": "sad_u8", "norm_i16": "norm_u16",
           "norm_u16": "norm_i16", "cvt_i32_f32": "cvt_u32_f32", "cvt_u32_f32": "cvt_i32_f32", "cvt_i32_f64": "cvt_u32_f64",
           "cvt_u32_f64": "cvt_i32_f64", "sad_u16": "sad_u8", "cube_id": "cube_sc", "cube_sc": "cube_tc", "cube_tc": "cube_sc", "cube_ma": "cube_tc",
           "div_fixup_f32": "div_fmas0", "frexp_exp_f32": "exp32", "frexp_mant_f32": "fabsf", "frexp_exp_f64": "exp64", "frexp_mant_f64": "fabs",
           "fract_f32": "floorf", "fract_f16": "floorf", "fract_f64": "floor", "rsq_f32": "sqrtf", "sext24": "", "dot2_i16": "dot2_u16",
           "dot2_u16": "dot2_i16", "bitrev32": "popcount32", "bitrev64": "popcount64", "quiet32": "", "dot2_f32_f16": "dot2_f32_bf16",
           "dot2_f32_bf16": "dot2_f32_f16", "small_sr": "small_sr0", "i8": "u8", "i16": "u16"}
for x in ("min_f32", "min_f64", "min_num_f32", "min_num_f64", "minimum_f32"):
    y = x.replace("mini", "maxi").replace("min_", "max_")
    SIBLING[x], SIBLING[y] = y, x
NO_SIBLING = {"MIN3", "f2h_rtz2", "div_fmas0", "small_sr0"}  # not there: another operator must do
SIGNED = {"u32": "i32", "i32": "u32", "u16": "i16", "i16": "u16", "u64": "i64", "i64": "u64"}
SIGN_MATTERS = re.compile(r"\b[abc] [<>]=? [abc(]|MIN|MAX|MED|^\(*(?:[iu]16\)\()?[ab] >> |\((?:float|double)\)a\b|\([iu]64\)\(?a\b [^&]|sat_\w+\([ab]\b")
# Where a row is symmetric, the order of operands does not matter; what is the same for a < b and a <= b.
CHOICE = re.compile(r"^(?:\(?[abc] [<>] [abc] \? )")


def tokens(text):
    return TOKEN.findall(text)


def is_value(t):
    return re.match(r"[\w)\]]", t) is not None and t not in ("return", "sizeof")


def expressions(text):
    """All mutated expressions: (kind of change, what changed, new text)."""
    out, ts, seen = [], tokens(text), {}

    def put(kind, i, new):
        if new in NO_SIBLING:
            return
        old = ts[i]
        n = seen.setdefault((i, old), len([1 for t in ts[:i] if t == old]))
        what = "%s>%s%s" % (old, new or "-", "@%d" % n if n else "")
        out.append((kind, what, "".join(ts[:i] + [new] + ts[i + 1:])))

    for i, t in enumerate(ts):
        before = next((x for x in reversed(ts[:i]) if not x.isspace()), "")
        after = next((x for x in ts[i + 1:] if not x.isspace()), "")
        cast = before == ")" and re.search(r"\((?:u8|u16|u32|u64|i8|i16|i32|i64|float|double|int|bool|wide)\s*\*?\)\s*$", "".join(ts[:i]))
        if t in BINARY and is_value(before) and not cast and "*" not in (before, after) and not (t == "*" and after == ")"):
            for k, new in enumerate(BINARY[t]):
                choice = t in "<>" and re.search(r"\b(\w+) [<>] (\w+) \? (?:\(\w+\))?(?:\1|\2)\b", text)
                if choice and k == 0:
                    continue
                put("op", i, new)
        elif t in "~!" or (t == "-" and not is_value(before)):
            if after != "=":
                put("unary", i, "")
        elif re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*", t):
            v = int(t.rstrip("uUlL"), 0)
            tail = t[len(t.rstrip("uUlL")):]
            put("constant", i, (hex if t.startswith("0x") else str)(v - 1 if v > 1 else 1 - v) + tail)
        elif t in SIBLING:
            if t in ("i8", "i16") and (before != "(" or "".join(ts[:i]) == "("):
                continue  # of a result the lower bits are the same
            put("sibling", i, SIBLING[t])
    return out


def operands(text, types=()):
    out = []
    have = [x for x in "abc" if re.search(r"\b%s\b" % x, text)]
    kind = dict(zip("abc", [t[:1] in "fm" and t != "mask" for t in types]))
    for x in have:
        for y in have:
            if x < y and kind.get(x) == kind.get(y):
                out.append(("operand", "%s>%s" % (y, x), re.sub(r"\b%s\b" % y, x, text)))
    if "a" in have and "b" in have and kind.get("a") == kind.get("b") and re.search(r"\b[ab] - |\b[ab] <<|\b[ab] >>|\?", text) and "||" not in text and "u64)a * b" not in text and not CHOICE.match(text):
        swap = re.sub(r"\b[ab]\b", lambda m: "b" if m.group(0) == "a" else "a", text)
        out.append(("operand", "a<>b", swap))
    return out


class Row:
    def __init__(self, macro, args):
        self.macro, self.args = macro, args
        self.name = ("v_cmp_" if macro == "CMP" else "") + args[0]

    def text(self, name, args):
        return "%s(%s)" % (self.macro, ", ".join([name] + args[1:]))


def rows(src):
    """All rows as the preprocessor leaves them."""
    text = subprocess.run(["cc", "-E", "-P", "-xc", "-I" + src, src + "/amdgpu/exec/isa.def"], capture_output=True, text=True, check=True).stdout
    out, i = [], 0
    for m in re.finditer(r"\b([A-Z]\w*)\(", text):
        if m.start() < i:
            continue
        depth, at, args, start = 1, m.end(), [], m.end()
        while depth:
            c = text[at]
            depth += (c in "([") - (c in ")]")
            if (c == "," and depth == 1) or depth == 0:
                args.append(" ".join(text[start:at].split()))
                start = at + 1
            at += 1
        i = at
        out.append(Row(m.group(1), args))
    return out


# Which arguments of a macro are expressions, types, numbers.
VALUE = {"VALU": 5, "VFP": 5, "ACC": 4, "ACCFP": 4, "XINFP": 5, "XOUT": 5, "PK": 6, "PKFP": 6, "PK32": 2, "PKACC": 5, "SAT": 5, "PKSAT": 6, "XSAT": 5,
         "CMP": 3, "CLASS": 2, "SALU": 4, "EXECOP": 2, "EXECWR": 2, "WIDE": 5}
SCC = {"SALU": 5, "XOUT": 6, "XSAT": 6}
TYPES = {"VALU": (2, 3, 4), "XOUT": (2, 3, 4), "SAT": (2, 3, 4), "CMP": (1, 2), "SALU": (2, 3), "PK": (1,), "PKSAT": (1,), "XSAT": (2, 3, 4)}
ATOMIC_SIBLING = {"SWAP": "ADD", "CMPSWAP": "CMPSWAP_OLD", "CMPSWAP_OLD": "CMPSWAP", "ADD": "SUB", "SUB": "RSUB", "RSUB": "SUB", "CONDSUB": "CSUB",
                  "CSUB": "SUB", "FCMPSWAP": "CMPSWAP", "FCMPSWAP_OLD": "FCMPSWAP", "SMIN": "UMIN", "UMIN": "SMIN", "SMAX": "UMAX", "UMAX": "SMAX",
                  "AND": "OR", "OR": "XOR", "XOR": "OR", "INC": "ADD", "DEC": "SUB", "FADD": "ADD", "FMIN": "FMAX", "FMAX": "FMIN",
                  "PKADD_F16": "PKADD_BF16", "PKADD_BF16": "PKADD_F16", "MSKOR": "OR", "WRAP": "DEC"}
ATOMIC_SECOND = {"SMIN": "SMAX", "UMIN": "UMAX", "SMAX": "SMIN", "UMAX": "UMIN", "AND": "XOR", "OR": "AND", "INC": "DEC", "DEC": "INC",
                 "FADD": "FMIN", "SWAP": "OR", "ADD": "OR", "SUB": "ADD"}
MATRIX_SIBLING = {"F32": "I32", "I32": "F32", "F16": "BF16", "BF16": "F16", "I8": "IU8", "IU8": "I8", "IU4": "IU8", "FP8": "BF8", "BF8": "FP8",
                  "FP8_BF8": "BF8_FP8", "BF8_FP8": "FP8_BF8", "F64": "F32", "XF32": "F32"}


def changed(args, k, v):
    return args[:k] + [str(v)] + args[k + 1:]


def fields(row):
    """Mutants of rows that are numbers and names."""
    a, out = row.args, []

    def put(kind, k, v):
        out.append((kind, "%s>%s.%d" % (a[k], v, k), changed(a, k, v)))

    if row.macro == "LOAD":
        put("bytes", 1, {"1": 2, "2": 1, "4": 2}[a[1]])
        if a[1] != "4" and row.name.startswith("s_"):
            put("sign", 3, 1 - int(a[3]))
        elif a[1] != "4":
            if (a[1], a[4]) != ("2", "1"):  # fills its half
                put("sign", 3, 1 - int(a[3]))
            put("d16", 4, 1 - int(a[4]))
            if a[4] == "1":
                put("hi", 5, 1 - int(a[5]))
        else:
            put("dwords", 2, int(a[2]) - 1 or 2)
    elif row.macro == "STORE":
        put("bytes", 1, {"1": 2, "2": 1, "4": 2}[a[1]])
        if a[1] != "4":
            put("hi", 3, 1 - int(a[3]))
        else:
            put("dwords", 2, int(a[2]) - 1 or 2)
    elif row.macro == "ATOMIC":
        put("op", 1, ATOMIC_SIBLING[a[1]])
        if a[1] in ATOMIC_SECOND:
            put("op", 1, ATOMIC_SECOND[a[1]])
        put("bytes", 2, 12 - int(a[2]))
    elif row.macro == "SLOAD":
        put("dwords", 1, int(a[1]) // 2 or 2)
    elif row.macro == "DS2":
        put("bytes", 1, 12 - int(a[1]))
        put("stride", 2, 65 - int(a[2]))
    elif row.macro == "XCHG2":
        put("bytes", 1, 12 - int(a[1]))
        put("stride", 2, 65 - int(a[2]))
    elif row.macro == "RARE":
        other = {"APPEND": "CONSUME", "CONSUME": "APPEND", "CONDXCHG": "APPEND", "ADDTID": "LDS", "LDS": "ADDTID", "TR16": "TR8", "TR8": "TR4",
                 "TR4": "TR8", "TR6": "TR8", "TR16_128": "TR16"}
        put("op", 1, other[a[1]])
        if a[1] == "LDS":
            put("bytes", 2, {"1": 2, "2": 1, "4": 2}[a[2]])
            put("dwords", 3, int(a[3]) - 1 or 2)
            if a[2] != "4":
                put("sign", 4, 1 - int(a[4]))
        elif a[1] == "ADDTID":
            put("bytes", 2, 2)
    elif row.macro in ("MATRIX", "SPARSE"):
        put("type", 1, MATRIX_SIBLING[a[1]])
        put("type", 2, MATRIX_SIBLING[a[2]])
        put("size", 4, int(a[4]) // 2 or 2)
        if a[5] not in ("0", "1"):
            put("blocks", 5, int(a[5]) // 2)
    elif row.macro == "SCALED":
        put("size", 2, int(a[2]) // 2)
        put("size", 1, 48 - int(a[1]))
    return out


def row_mutants(row, sat, everything):
    """[(id, [rows of the mutant])] of a row and its form with clamp."""
    a, out = row.args, []

    def companions(main, other):
        return [main] + ([other] if other else [])

    def add(kind, what, args, sat_args=None):
        m = Row(row.macro, args if args else a)
        s = Row(sat.macro, sat_args if sat_args else sat.args) if sat else None
        out.append((kind, what, companions(m, s)))

    for kind, what, args in fields(row):
        add(kind, what, args)
    if row.macro == "SFLOAT":
        same = [r for r in everything if r.macro == "SFLOAT" and r.args[1][-4:] == a[1][-4:] and r.args[1] != a[1] and ("cmp" in r.name) == ("cmp" in row.name)]
        for r in random.Random(row.name).sample(same, min(2, len(same))):
            add("row", a[1] + ">" + r.args[1], changed(a, 1, r.args[1]))
    if row.macro in VALUE and not (row.macro == "SALU" and a[1] == "NONE"):
        k = VALUE[row.macro]
        for kind, what, text in expressions(a[k]) + (operands(a[k], a[2:5] if row.macro in ("VALU", "VFP", "ACC", "XOUT", "XINFP") else ()) if row.macro != "WIDE" else []):
            add(kind, what, changed(a, k, text))
        if row.macro == "WIDE":
            add("dwords", "d", changed(a, 1, int(a[1]) - 1))
        if row.macro in ("SALU", "EXECOP", "EXECWR") and not (row.macro == "SALU" and a[1] == "NONE"):
            add("result", "r>r^1", changed(a, k, "(%s) ^ 1" % a[k]))
        if a[k] == "a":
            add("result", "a>a^1", changed(a, k, "a ^ 1") if row.macro == "VALU" and "f" not in a[1] else changed(a, k, "-a" if "f" in a[1] else "a ^ 1"))
        if row.macro == "CLASS":
            add("result", "class", changed(a, k, a[k] + " << 1"))
        if row.macro in ("VFP", "ACCFP") and not expressions(a[k]):
            add("result", "-r", changed(a, k, "-(%s)" % a[k]))
        if row.macro in ("VFP", "ACCFP", "XINFP") and a[1] == "f32":
            add("result", "half", changed(a, k, "h2f(f2h(%s))" % a[k]))
        if row.macro in ("VALU", "ACC") and a[1] in ("u32", "i32"):
            add("width", "u16", changed(a, k, "(u16)(%s)" % a[k]))
        if row.macro == "CMP":
            add("result", "!", changed(a, k, "!(%s)" % a[k]))
        if row.macro in TYPES and SIGN_MATTERS.search(a[k]):
            other = list(a)
            for t in TYPES[row.macro]:
                other[t] = SIGNED.get(a[t], a[t])
            if other != a:
                add("type", "sign", other)
    if row.macro in SCC:
        k = SCC[row.macro]
        if a[k] == "scc":
            add("scc", "scc>r", changed(a, k, "r == 0" if a[1] != "NONE" else "!scc"))
        else:
            add("scc", "!scc", changed(a, k, "!(%s)" % a[k]))
            if row.macro == "SALU":
                add("scc", "dropped", changed(a, k, "scc"))
            for kind, what, text in expressions(a[k]):
                add("scc", "scc:" + what, changed(a, k, text))
    if sat:
        k = VALUE[sat.macro]
        add("clamp", "dropped", None, changed(sat.args, k, a[VALUE[row.macro]]))
        for kind, what, text in expressions(sat.args[k]):
            add("clamp", "clamp:" + what, None, changed(sat.args, k, text))
    if not out and row.macro == "SFLOAT":
        other = next(r for r in everything if r.macro == "SFLOAT" and r.args[1] != a[1] and "cmp" not in r.name)
        add("row", a[1] + ">" + other.args[1], changed(a, 1, other.args[1]))
    if not out and row.macro in VALUE and not (row.macro == "SALU" and a[1] == "NONE"):
        add("result", "-r", changed(a, VALUE[row.macro], "-(%s)" % a[VALUE[row.macro]]))
    # one of each kind first, then more
    chosen, rest, rnd = [], [], random.Random(row.name)
    rnd.shuffle(out)
    kinds = set()
    seen = set()
    for m in out:
        text = repr([(r.macro, r.args) for r in m[2]])
        if text in seen:
            continue
        seen.add(text)
        (rest if m[0] in kinds else chosen).append(m)
        kinds.add(m[0])
    return [("%s:%s" % (row.name, what), rs) for kind, what, rs in (chosen + rest)[:A_ROW]]


# Rows that are only a name: the instruction is taken for another one.
OTHER_NAME = {"s_branch": "s_nop", "s_cbranch_scc0": "s_cbranch_scc1", "s_cbranch_scc1": "s_cbranch_scc0", "s_cbranch_vccz": "s_cbranch_vccnz",
              "s_cbranch_vccnz": "s_cbranch_vccz", "s_cbranch_execz": "s_cbranch_execnz", "s_cbranch_execnz": "s_cbranch_execz", "s_swappc_b64": "s_getpc_b64",
              "s_call_b64": "s_getpc_b64", "s_round_mode": "s_denorm_mode", "s_denorm_mode": "s_round_mode", "s_movrels_b32": "s_movreld_b32",
              "s_movreld_b32": "s_movrels_b32", "s_movrels_b64": "s_movreld_b64", "s_movreld_b64": "s_movrels_b64",
              "ds_bpermute_b32": "ds_permute_b32", "ds_bpermute_fi_b32": "ds_permute_b32", "ds_permute_b32": "ds_bpermute_b32", "v_bitop3_b32": "v_bitop3_b16",
              "v_mbcnt_lo_u32_b32": "v_mbcnt_hi_u32_b32", "v_mbcnt_hi_u32_b32": "v_mbcnt_lo_u32_b32", "v_permlane16_b32": "v_permlanex16_b32",
              "v_permlanex16_b32": "v_permlane16_b32", "v_permlane16_var_b32": "v_permlanex16_var_b32", "v_permlanex16_var_b32": "v_permlane16_var_b32",
              "v_permlane16_swap_b32": "v_permlane32_swap_b32", "v_permlane32_swap_b32": "v_permlane16_swap_b32", "v_movrels_b32": "v_movreld_b32",
              "v_movreld_b32": "v_movrels_b32", "v_movrelsd_b32": "v_movrels_b32", "v_swap_b32": "v_swap_b16"}
OUT_OF_NOTHING = re.compile(r"s_(getpc|setpc|endpgm|trap|sethalt|sendmsghalt|setreg|getreg|set_gpr|movrelsd)")


def name_mutant(row):
    """What a FLOW, NOP or HELP row's instruction is taken for: where nothing resembles it, what does nothing ends the wave,
    the others do nothing."""
    return OTHER_NAME.get(row.name) or ("s_nop" if row.macro == "HELP" or OUT_OF_NOTHING.match(row.name) else "s_endpgm")


# --- helper functions -------------------------------------------------------------------------------------

FILES = ["num.h", "real.h", "small.h", "lanes.c", "rare.c", "index.c", "wide.c"]
MORE_FILES = ["memory.c", "general.c", "matrix.c"]
STATEMENT = re.compile(r"^(\t+(?:return |(?:const )?(?:u8|u16|u32|u64|i8|i16|i32|i64|bool|float|double) (?:\w+) = |[\w.\[\]>-]+ (?:[-+*|&^]|<<|>>)?= |if \())(.*?)(\)(?: \{)?|;)$")


def balanced(text):
    depth = 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if depth < 0 or (c == "," and depth == 0):
            return False
    return depth == 0


def function_mutants(path, text, first):
    """The text with alternatives in it, and [(id, function)]."""
    out, lines, name, skip, found = [], text.split("\n"), None, 0, {}
    for i, line in enumerate(lines):
        if re.match(r"#if", line):
            skip = skip + 1 if skip else 0
        if re.match(r"#else", line) and not skip:
            skip = 1
        elif re.match(r"#endif", line) and skip:
            skip -= 1
        m = re.match(r"^(\w+)\(", line)
        if m:
            name = m.group(1)
        if line.startswith("}"):
            name = None
        m = STATEMENT.match(line)
        if not name or skip or not m or (m.group(1).endswith("if (")) != (m.group(3)[0] == ")"):
            continue
        e = m.group(2)
        if not balanced(e) or e in ("NULL", "false", "true", "STOP_NONE") or '"' in e or "void" in e:
            continue
        for kind, what, new in expressions(e):
            found.setdefault(name, []).append((i, what, new))
        if m.group(1).endswith("if ("):
            found.setdefault(name, []).append((i, "!if", "!(%s)" % e))
    by_line = {}
    for name in sorted(found):
        rnd = random.Random(path + name)
        choice = found[name][:]
        rnd.shuffle(choice)
        lines_used, chosen = set(), []
        for c in sorted(choice, key=lambda c: 0):
            if len(chosen) < A_FUNCTION and (c[0] not in lines_used or len(choice) <= A_FUNCTION):
                chosen.append(c)
                lines_used.add(c[0])
        names = {}
        for i, what, new in chosen:
            ident = "%s:%s:%s" % (path, name, what)
            names[ident] = names.get(ident, 0) + 1
            if names[ident] > 1:
                ident += "#%d" % names[ident]
            by_line.setdefault(i, []).append((first + len(out), new))
            out.append((ident, name))
    for i, alternatives in by_line.items():
        m = STATEMENT.match(lines[i])
        text = m.group(2)
        for number, new in alternatives:
            text = "gcn_mutant == %d ? (%s) : (%s)" % (number, new, text)
        lines[i] = m.group(1) + text + m.group(3)
    return "\n".join(lines), out


def callers(files, names):
    """For each function, the functions that name it, themselves included, transitively."""
    bodies = {}
    for text in files:
        name = None
        for line in text.split("\n"):
            m = re.match(r"^(\w+)\(", line)
            if m:
                name = m.group(1)
            elif name:
                bodies.setdefault(name, set()).update(re.findall(r"\w+", line))
            if line.startswith("}"):
                name = None
    out = {}
    for f in names:
        all_of, new = {f}, {f}
        while new:
            new = {g for g, used in bodies.items() if used & all_of and g not in all_of}
            all_of |= new
        out[f] = all_of
    return out


# --- the copy ---------------------------------------------------------------------------------------------

def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not os.path.exists(path) or open(path).read() != text:
        open(path, "w").write(text)


def replace(text, old, new):
    if old not in text:
        sys.exit("mutate.py: the executor has no longer: " + old)
    return text.replace(old, new)


SWAP = """
void mutant_%s(u32 from, u32 to);
void
mutant_%s(u32 from, u32 to)
{
%s
}
"""


def main():
    src, out = sys.argv[1], sys.argv[2]
    exec_src = src + "/amdgpu/exec/"
    all_rows = rows(src)
    sats = {r.name: r for r in all_rows if r.macro in ("SAT", "PKSAT", "XSAT")}
    text, table, listing, named = [], [], [], []
    for r in all_rows:
        if r.macro in ("FLOW", "NOP", "HELP"):
            named.append(("%s:%s" % (r.name, name_mutant(r)), r.name, name_mutant(r)))
            listing.append((named[-1][0], "row", [r.name]))
        if r.macro in ("ALIAS", "SAT", "PKSAT", "XSAT", "HELP", "FLOW", "NOP"):
            continue
        for k, (ident, rs) in enumerate(row_mutants(r, sats.get(r.name), all_rows)):
            new = r.args[0] + "__%d" % k
            text += [m.text(new, m.args) for m in rs]
            table.append((ident, "R_" + r.name, "R_" + ("v_cmp_" if r.macro == "CMP" else "") + new))
            listing.append((ident, "row", [r.name]))
    write(out + "/amdgpu/exec/isa_mutants.def", "\n".join(text) + "\n")
    sources = {}
    for folder in ("", "run/"):
        for f in sorted(os.listdir(exec_src + folder)):
            if f.endswith((".c", ".h", ".def")):
                sources[folder + f] = open(exec_src + folder + f).read()
    functions = []
    for f in FILES + MORE_FILES:
        sources["run/" + f], more = function_mutants(f, sources["run/" + f], len(table) + 1)
        table += [(ident, None, None) for ident, name in more]
        functions += more
    users = callers([sources["run/" + f] for f in FILES + MORE_FILES], {name for ident, name in functions})
    helper = {}
    for m in re.finditer(r"\[R_(\w+)\] = (\w+)", sources["run/lanes.c"]):
        helper.setdefault(m.group(2), []).append(m.group(1))
    for ident, name in functions:
        hits = []
        for r in all_rows:
            if r.macro not in ("ALIAS", "HELP") and users[name] & set(re.findall(r"\w+", " ".join(r.args[1:]))):
                hits.append(r.name)
        for u in users[name]:
            hits += helper.get(u, [])
        listing.append((ident, "function", sorted(set(hits))))
    write(out + "/mutants.txt", "".join("%s %s %s\n" % (i.replace(" ", ""), kind, ",".join(h) or "-") for i, kind, h in listing))
    s = sources
    s["isa.def"] += '#include "amdgpu/exec/isa_mutants.def"\n'
    s["wave.h"] = replace(s["wave.h"], "struct runner {", "extern int gcn_mutant;\nstruct runner {")
    s["exec.c"] = s["exec.c"].replace("&runner_v1", "&runner_v3")
    s["rows.c"] = replace(s["rows.c"], "static const struct row rows[", "static struct row rows[")
    first = next((b for i, a, b in table if b), None)
    s["rows.c"] = replace(s["rows.c"], "for (u32 i = 0; i < R_COUNT; i++)", "for (u32 i = 0; i < %s; i++)" % first)
    s["rows.c"] += SWAP % (("rows",) * 2 + ("\tconst char *text = rows[to].text;\n\trows[to] = rows[from];\n\trows[to].text = text;",))
    s["matrix.c"] = replace(s["matrix.c"], "static const struct matrix shapes[", "static struct matrix shapes[")
    s["matrix.c"] += SWAP % (("shapes",) * 2 + ("\tshapes[to] = shapes[from];",))
    s["run/wide.c"] = replace(s["run/wide.c"], "static const struct {\n\twide_fn *fn;", "static struct {\n\twide_fn *fn;")
    s["run/wide.c"] += SWAP % (("wides",) * 2 + ("\twides[to] = wides[from];",))
    s["run/lanes.c"] = replace(s["run/lanes.c"], "help_fn *const helpers[", "help_fn *helpers[")
    s["run/lanes.c"] += SWAP % (("helpers",) * 2 + ("\thelpers[to] = helpers[from];",))
    s["run/run.h"] = replace(s["run/run.h"], "extern kernel_fn *const kernels[R_COUNT], *const sat_kernels[R_COUNT];",
                             "extern kernel_fn *kernels[R_COUNT], *sat_kernels[R_COUNT];")
    s["run/run.h"] = replace(s["run/run.h"], "extern help_fn *const helpers[", "extern help_fn *helpers[")
    v = s["run/valu.c"]
    v = replace(v, "kernel_fn *const kernels[", "kernel_fn *kernels[")
    v = replace(v, "kernel_fn *const sat_kernels[", "kernel_fn *sat_kernels[")
    # one function a row is enough: lanes that are off are kept by the general way
    for macro in ("PLAIN_SOME", "FLOATING_SOME"):
        v = re.sub(r" %s\(name, [^\n]*\)\n" % macro, "\n", v)
    v = re.sub(r"(some_fn \*const some_kernels.*?= \{\n).*?\n\};", r"\1\tNULL\n};", v, flags=re.S)
    v += SWAP % (("kernels",) * 2 + ("\tkernels[to] = kernels[from];\n\tsat_kernels[to] = sat_kernels[from];",))
    s["run/valu.c"] = v
    s["translate.c"] = replace(s["translate.c"], "\t\ttranslate_one(b, i);", "\t\ttranslate_one(b, mutant_named(i, &(struct gcn_inst){0}));")
    s["wave.h"] = replace(s["wave.h"], "extern int gcn_mutant;\n", "extern int gcn_mutant;\nstruct gcn_inst;\nconst struct gcn_inst *mutant_named(const struct gcn_inst *i, struct gcn_inst *copy);\n")
    s["mutants.c"] = MUTANTS_C.replace("NAMES", "\n".join('\t{"%s", "%s", "%s"},' % n for n in named)).replace("ROWS", "\n".join('\t{"%s", %s, %s},' % (i.replace(" ", ""), b or 0, a or 0) for i, a, b in table))
    for f, t in s.items():
        write(out + "/amdgpu/exec/" + f, t)
    print("%d mutants: %d of %d rows, %d of names, %d of functions" % (len(table) + len(named), len(table) - len(functions), len({a for i, a, b in table if a}), len(named),
                                                                       len(functions)))


MUTANTS_C = """/* mutants.c - made by mutate.py: which mutant runs. */
#include "amdgpu/exec/inst.h"
#include "amdgpu/exec/wave.h"
#include <stdio.h>
#include <stdlib.h>

int gcn_mutant; /* its number from 1 on; 0: none */
void mutant_rows(u32 from, u32 to), mutant_shapes(u32 from, u32 to), mutant_wides(u32 from, u32 to),
	mutant_helpers(u32 from, u32 to), mutant_kernels(u32 from, u32 to);
int mutant_set(const char *id);

static const struct {
	const char *id;
	u32 from, to;
} mutants[] = {
ROWS
};

static const struct {
	const char *id, *from, *to;
} names[] = {
NAMES
};
static int renamed; /* which, from 1 on */

/* The instruction, or what it is taken for. */
const struct gcn_inst *
mutant_named(const struct gcn_inst *i, struct gcn_inst *copy)
{
	if (renamed == 0 || !str_is(i->name, names[renamed - 1].from))
		return i;
	*copy = *i;
	copy->name = str_of(names[renamed - 1].to);
	return copy;
}

/* False: no such mutant. */
int
mutant_set(const char *id)
{
	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(names[i].id, id) == 0) {
			renamed = (int)i + 1;
			return 1;
		}
	for (size_t i = 0; i < COUNT(mutants); i++)
		if (strcmp(mutants[i].id, id) == 0) {
			u32 from = mutants[i].from, to = mutants[i].to;
			gcn_mutant = (int)i + 1;
			if (from != 0) {
				mutant_rows(from, to);
				mutant_shapes(from, to);
				mutant_wides(from, to);
				mutant_helpers(from, to);
				mutant_kernels(from, to);
			}
			return 1;
		}
	return 0;
}

__attribute__((constructor)) static void
mutant_choose(void)
{
	const char *id = getenv("HEDDLE_MUTANT");
	if (id != NULL && *id != 0 && !mutant_set(id)) {
		fprintf(stderr, "HEDDLE_MUTANT: no mutant %s\\n", id);
		_Exit(2);
	}
}
"""

if __name__ == "__main__":
    main()
