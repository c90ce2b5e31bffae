#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows.py SRC LLVM OUT - a test of each row of isa.def that reference.py has a meaning for.

A test is a kernel around one instruction, which reads operands from memory and writes what the instruction leaves; for
the first GPU whose assembler takes it. OUT gets GPU.so, `data` (memory before and after, and how each dword compares)
and tests.txt: ROW GPU KERNEL OFFSET DWORDS. rows.c runs them.
"""
import os
import random
import re
import struct
import subprocess
import sys

import mutate
import number as N
import reference as R

GPUS = ["gfx90a", "gfx1030", "gfx942", "gfx950", "gfx1100", "gfx1151", "gfx1201", "gfx908"]
ROUNDS = 8
DWORDS = {"NONE": 0, "u64": 2, "i64": 2, "f64": 2, "pkf32": 2, "pk32": 2, "u128": 4}
SIXTEEN = ("u16", "i16", "f16", "mixout", "word")
M32 = R.M32


class Gpu:
    def __init__(self, name):
        self.name = name
        self.major = int(name[3:-2])
        self.wave = 32 if self.major >= 10 else 64
        self.vcc = "vcc" if self.wave == 64 else "vcc_lo"
        self.exec = "exec" if self.wave == 64 else "exec_lo"
        new = self.major >= 11
        self.load = "global_load_" + ("b32" if new else "dword")
        self.store = "global_store_" + ("b32" if new else "dword")
        self.sload = "s_load_" + ("b%d" if new else "dwordx%d")
        self.ds = ("ds_load_b32", "ds_store_b32") if new else ("ds_read_b32", "ds_write_b32")
        self.scratch = ("scratch_load_b32", "scratch_store_b32") if new else ("scratch_load_dword", "scratch_store_dword")
        self.wait = ["s_wait_loadcnt 0x0", "s_wait_dscnt 0x0", "s_wait_kmcnt 0x0", "s_wait_storecnt 0x0"] if self.major >= 12 else ["s_waitcnt vmcnt(0) lgkmcnt(0)"]
        self.text, self.kernels, self.tests = [], [], []

    def s_load(self, n, dst, base, at=0):
        word = {11: "b%d" % (32 * n), 12: "b%d" % (32 * n)}.get(self.major, "dword" + ("x%d" % n if n > 1 else ""))
        return "s_load_%s %s, %s, %d" % (word, dst, base, at)


# --- values -----------------------------------------------------------------------------------------------

INTS = [0, 1, 2, 3, 7, 8, 15, 16, 23, 24, 30, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff,
        0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xffff8000, 0x00ff00ff, 0x01020304, 0xff800000, 0x7fff8000, 0x80007fff, 0x00010001]
F32S = [0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 1, 0x80000001, 0x7fffff, 0x800000, 0x7f7fffff,
        0xff7fffff, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0x40600000, 0xbfc00000, 0xc0200000, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001,
        0x4f7fffff, 0x4f800000, 0x437f8000, 0x437f0000, 0x437f8001, 0x43800000, 0x46fffe00, 0x47000000, 0x477fe000, 0x477ff000, 0x33000000, 0x38800000, 0x387fffff, 0x3effffff,
        0x3f7fffff, 0x3eaaaaab, 0x40490fdb, 0x42c80000, 0xc2c80000, 0x4b000001, 0x4b7fffff, 0xbf7fffff, 0x38000000, 0x33800000, 0x33800001, 0x46fffeff, 0xc7000080, 0x7fbfffff]
F16S = [0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfd23, 1, 0x8001, 0x3ff, 0x400, 0x7bff, 0xfbff, 0x3800, 0xb800, 0x3e00, 0x4100, 0x4300,
        0xbe00, 0x3bff, 0x3555, 0x5bf8, 0x77ff, 0x7800, 0xf800, 0x6400, 0x3c01, 0x0200, 0x8200, 0x5c00, 0x7dff]
F64S = [0, 1 << 63, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001, 0xfff8000000001234, 1,
        0xfffffffffffff, 0x10000000000000, 0x7fefffffffffffff, 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0xc004000000000000,
        0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41effffffff00000, 0x41f0000000000000,
        0x3fefffffffffffff, 0x3fd5555555555555, 0x4330000000000001, 0x40f0000000000000, 0x7fd0000000000000, 0x0360000000000000, 0x7ff7ffffffffffff]


# operands that tell a rounding from two, and 0 * infinity
PAIRS = {"f32": [(0, 0x7f800000, 0x40000000), (0xff800000, 0x80000000, 0x40400000), (0, 0x7fc00000, 0x3f800000), (0x7fc00001, 0, 0x3f800000),
                 (0x3f800000, 0x7f800000, 0xff800000)],
         "f16": [(0x3e00, 0x3956, 1), (0x3e00, 0x3956, 0x8001), (0xbe00, 0x3956, 0x8001), (0xbe00, 0x3956, 1)],
         "pkf16": [(0x3e003e00, 0x39563956, 0x00018001), (0xbe003e00, 0x39563956, 0x80010001)]}


def spread(rnd, fmt, mode, specials):
    e, m = fmt
    bits = N.width(fmt)
    if mode == 2 or (mode == 3 and rnd.random() < 0.6):
        v = rnd.choice(specials)
        return v ^ (1 << (bits - 1) if rnd.random() < 0.2 else 0)
    if mode == 0:
        return rnd.getrandbits(bits)
    bias = (1 << (e - 1)) - 1
    man = rnd.getrandbits(m)
    if mode == 4:  # few bits: ties, integers, exact results
        man = man >> (m - 3) << (m - 3)
    return rnd.getrandbits(1) << (bits - 1) | (bias + rnd.randint(-2, 9 if mode == 4 else 3)) << m | man


def value(rnd, t, mode):
    if t in ("f32", "mix"):
        return spread(rnd, N.F32, mode, F32S)
    if t == "f64":
        return spread(rnd, N.F64, mode, F64S)
    if t in ("f16",):
        return spread(rnd, N.F16, mode, F16S) | rnd.getrandbits(16) << 16
    if t == "pkf16":
        return spread(rnd, N.F16, mode, F16S) | spread(rnd, N.F16, mode, F16S) << 16
    if t == "pkbf16":
        return spread(rnd, N.BF16, mode, [v >> 16 for v in F32S]) | spread(rnd, N.BF16, mode, [v >> 16 for v in F32S]) << 16
    if t == "pkf32":
        return spread(rnd, N.F32, mode, F32S) | spread(rnd, N.F32, mode, F32S) << 32
    if t == "mask":
        return rnd.getrandbits(1)
    n = 32 * DWORDS.get(t, 1)
    v = 0
    for k in range(n // 32):
        x = rnd.getrandbits(32)
        if mode in (2, 3):
            x = rnd.choice(INTS) if rnd.random() < 0.8 else x
        elif mode == 1:
            x = rnd.randint(-20, 40) & M32
        elif mode == 4:
            x = (1 << rnd.randrange(32)) - rnd.getrandbits(1) & M32
        v |= x << 32 * k
    if n == 64 and mode == 1:
        v = rnd.randint(-20, 40) & R.M64
    return v


# --- assembling --------------------------------------------------------------------------------------------

def assembles(llvm, gpu, lines):
    """Which of the instructions (lists of lines) this GPU has."""
    text = "\n".join(" ; ".join([]) + l for l in lines) + "\n"
    p = subprocess.run([llvm + "/llvm-mc", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + gpu.name, "-filetype=null"], input=text, capture_output=True, text=True)
    bad = {int(m.group(1)) - 1 for m in re.finditer(r"^<stdin>:(\d+):\d+: error", p.stderr, re.M)}
    return [i not in bad for i in range(len(lines))]


def reg(at, n):
    return "v%d" % at if n == 1 else "v[%d:%d]" % (at, at + n - 1)


DST = 40


class Try:
    """One way to write a row's instruction on a GPU: text, and what surrounds it."""

    def __init__(self, row, text, regs, mask_in=None, mask_out=None, types=(), literal=None, dst=None):
        self.row, self.text, self.regs, self.mask_in, self.mask_out, self.types, self.literal, self.dst = row, text, regs, mask_in, mask_out, types, literal, dst


def names_of(row, aliases):
    return [row.name] + aliases.get(row.name, [])


def vector_tries(row, gpu, names, clamp):
    macro, a = row.macro, row.args
    if macro == "CMP":
        d, types = "NONE", a[1:3]
    elif macro == "CLASS":
        d, types = "NONE", [a[1], "u32"]
    elif macro in ("PK", "PKFP"):
        d, types = a[2], a[3:6]
    elif macro == "PKACC":
        d, types = a[2], a[3:5] + [a[2]]
    elif macro == "PK32":
        d, types = "pkf32", ["pkf32", "pkf32", a[1]]
    elif macro in ("ACC", "ACCFP"):
        d, types = a[1], a[2:4] + [a[1]]
    elif macro == "WIDE":
        d, types = "u128", ["u64", "u32", "u128"]
    else:
        d, types = a[1], a[2:5]
    types = [t for t in types if t != "NONE"]
    acc = macro in ("ACC", "ACCFP", "PKACC")
    regs, at = [], 4
    for k, t in enumerate(types):
        if t == "mask":
            regs.append(None)
        elif acc and k == 2:
            regs.append(DST)
        else:
            n = DWORDS.get(t, 1)
            at += at % 2 if n < 4 else -at % 4
            regs.append(at)
            at += n
    out = []
    for name in names:
        tail = ""
        m = re.match(r"(v_dot\d_i32_iu\d)_(\d)$", name)
        if m:
            name, k = m.group(1), int(m.group(2))
            tail = " neg_lo:[%d,%d,0]" % (k & 1, k >> 1)
        if clamp:
            tail += " clamp"
        literal = None
        for half in ("", ".l"):
            ops, printed = [], []
            for k, (t, r) in enumerate(zip(types, regs)):
                if t == "mask":
                    printed.append(gpu.vcc)
                elif acc and k == 2:
                    continue
                elif re.search(r"(fma|mad)ak_", name) and k == 2 or re.search(r"(fma|mad)mk_", name) and k == 1:
                    literal = (k, 0x3fa00000 if "f32" in name else 1 if k == 2 else 0x3d00)
                    printed.append("0x%x" % literal[1])
                else:
                    printed.append(reg(r, DWORDS.get(t, 1)) + (half if t in SIXTEEN else ""))
            if half and not any(t in SIXTEEN for t in list(types) + [d]):
                continue
            mask_out = None
            if macro in ("CMP", "CLASS"):
                mask_out = gpu.vcc
                head = [gpu.vcc]
            else:
                head = [reg(DST, DWORDS.get(d, 1)) + (half if d in SIXTEEN else "")]
                if macro in ("XOUT", "XSAT"):
                    mask_out = gpu.vcc
                    head.append(gpu.vcc)
            mask_in = "mask" in types or macro == "XINFP"
            for suffix in (("_e64", "") if clamp else ("", "_e64")):
                if literal and suffix:
                    continue
                out.append(Try(row, "%s%s %s%s" % (name, suffix, ", ".join(head + printed), tail), regs, mask_in, mask_out, types, literal, d))
    return out


def advance():
    return ["s_add_u32 s4, s4, s7", "s_addc_u32 s5, s5, 0"]


def vector_kernel(gpu, t):
    rows = []  # registers loaded
    for k, (ty, r) in enumerate(zip(t.types, t.regs)):
        if r is not None and not (t.literal and t.literal[0] == k):
            rows += [r + i for i in range(DWORDS.get(ty, 1))]
    nd = DWORDS.get(t.dst, 1)
    old = [DST + i for i in range(nd) if DST not in t.regs]
    body = []
    for r in rows + old + ([2] if t.mask_in else []):
        body += ["%s v%d, v0, s[4:5]" % (gpu.load, r)] + advance()
    body += gpu.wait
    if t.mask_in:
        body.append("v_cmp_ne_u32_e64 %s, 0, v2" % gpu.vcc)
    body += [t.text]
    stored = [DST + i for i in range(nd)]
    if t.mask_out:
        body.append("v_cndmask_b32_e64 v3, 0, 1, %s" % gpu.vcc)
        stored.append(3)
    for r in stored:
        body += ["%s v0, v%d, s[4:5]" % (gpu.store, r)] + advance()
    return body, rows, old, len(stored)


def loop(gpu, body, rounds):
    return [gpu.s_load(2, "s[4:5]", "s[0:1]"), "v_lshlrev_b32 v0, 2, v0", "s_movk_i32 s7, 0x%x" % (4 * gpu.wave), "s_movk_i32 s6, 0x%x" % rounds] + gpu.wait + \
        ["L%d:" % len(gpu.kernels)] + body + ["s_sub_u32 s6, s6, 1", "s_cmp_lg_u32 s6, 0", "s_cbranch_scc1 L%d" % len(gpu.kernels), "s_endpgm"]


def letters(how, nd):
    return (how + "." if how in "dD" else how * nd if len(how) == 1 else how)[:max(nd, 1)]


def meaning(name, clamp, row):
    """(function of operands, letters, gives a mask)"""
    base = re.sub(r"_z$", "", name)
    if clamp:
        f = R.CLAMP.get(name)
        if f:
            return f, "s" if row.args[1] in SIXTEEN else "x", False
        m = R.MASKED.get(name)
        if m and "_co_" in name:
            sub = "sub" in name
            return lambda *a: (0 if sub and m(*a)[1] else M32 if m(*a)[1] else m(*a)[0], m(*a)[1]), "x", True
        return None
    if row.macro == "CMP":
        _, op, t = re.match(r"v_(cmp)_(\w+)_(\w+)$", name).group(1, 2, 3)
        return lambda a, b: (0, R.compare_typed(op, t, a, b)), "", True
    if row.macro == "CLASS":
        fmt = {"f16": N.F16, "f32": N.F32, "f64": N.F64}[row.args[1]]
        return lambda a, b: (0, b >> R.classes(a, fmt) & 1), "", True
    if name in R.MASKED:
        return R.MASKED[name], {"v_div_scale_f32": "f", "v_div_scale_f64": "d"}.get(name, "x"), True
    if name in R.INT:
        return R.INT[name], "s" if row.args[1] in SIXTEEN else "x", False
    for table in (R.FLOAT, R.CVT):
        if name in table:
            f, how = table[name]
            return f, {"h": "l"}.get(how, how), False
    m = re.match(r"v_cvt_f32_([fb]p?f?8)(_z)?$", name)
    if m:
        return lambda a: N.encode(R.small_value(a & 255, m.group(1) + (m.group(2) or "")), N.F32), "f", False
    m = re.match(r"v_cvt_pk_f32_([fb]p?f?8)(_z)?$", name)
    if m:
        f = lambda x: N.encode(R.small_value(x & 255, m.group(1) + (m.group(2) or "")), N.F32)
        return lambda a: f(a) | f(a >> 8) << 32, "ff", False
    found = R.small(name)
    return (found[0], found[1], False) if found else None


def vector_test(gpu, t, kernel, clamp):
    row = t.row
    f, how, masked = meaning(row.name, clamp, row)
    body, rows, old, nstored = vector_kernel(gpu, t)
    gpu.kernels.append((kernel, loop(gpu, body, ROUNDS), 0, 0))
    rnd = random.Random(row.name)
    before, after, compare = [], [], []
    nd = DWORDS.get(t.dst, 1)
    for r in range(ROUNDS):
        lanes = []
        for i in range(gpu.wave):
            mode = (r + i // 8) % 5
            ops = [value(rnd, ty, mode) for ty in t.types]
            if row.macro == "CLASS":
                ops[1] = rnd.getrandbits(10) if rnd.random() < 0.5 else 1 << rnd.randrange(10)
            if "div_scale" in row.name:
                ops[0] = ops[1 + rnd.getrandbits(1)]
            elif len(ops) > 1 and rnd.random() < 0.12 and t.types[0] == t.types[1]:
                ops[1] = ops[0]
            if len(ops) > 1 and t.types[:2] == ["u32", "u32"] and rnd.random() < 0.06:
                ops[1] = ops[0] ^ M32
            if len(ops) > 1 and t.types[0] == t.types[1] and t.types[0] in PAIRS and rnd.random() < 0.1:
                few = rnd.choice(PAIRS[t.types[0]])
                ops[:2] = few[:2]
                if len(ops) > 2 and t.types[2] == t.types[0]:
                    ops[2] = few[2]
            if "scalef32" in row.name:
                ops[-1] = rnd.getrandbits(1) << 31 | rnd.randint(121, 133) << 23 | rnd.getrandbits(23)
            if t.literal:
                ops[t.literal[0]] = t.literal[1]
            lanes.append((ops, rnd.getrandbits(32 * nd) if nd else 0, rnd.getrandbits(1)))
        for k, (ty, rg) in enumerate(zip(t.types, t.regs)):
            if rg is None or (t.literal and t.literal[0] == k):
                continue
            for w in range(DWORDS.get(ty, 1)):
                before += [l[0][k] >> 32 * w & M32 for l in lanes]
        for w in range(len(old)):
            before += [l[1] >> 32 * w & M32 for l in lanes]
        if t.mask_in:
            before += [l[0][t.types.index("mask")] if "mask" in t.types else l[2] for l in lanes]
        after += before[len(after):]
        compare += ["."] * (len(before) - len(compare))
        results, unknown = [], []
        for ops, o, m in lanes:
            args = [v & 0xffff if ty in SIXTEEN else v for v, ty in zip(ops, t.types)]
            if row.macro == "XINFP":
                args.append(m)
            got = f(*args)
            value_, mask = got if masked else (got, 0)
            unknown.append(value_ is None)
            value_ = value_ or 0
            if row.name == "v_fma_mixhi_f16":
                value_ |= o & 0xffff
            results.append((value_, mask))
        h = letters(how, nd)
        if row.name == "v_fma_mixhi_f16":
            h = "p"
        for w in range(nd):
            after += [v >> 32 * w & M32 for v, _ in results]
            letter = h[w] if w < len(h) else "x"
            for (v, _), skip in zip(results, unknown):
                skip = skip or letter in "b" and any(x & 0x7f80 == 0x7f80 and x & 0x7f for x in (v & 0xffff, v >> 16 & 0xffff))
                compare.append("." if skip else "x" if letter == "b" else letter)
        if t.mask_out:
            after += [m for _, m in results]
            compare += ["x"] * gpu.wave
        before += [0] * (len(after) - len(before))
    gpu.tests.append((row.name, kernel, before, after, compare))


# --- scalar ---------------------------------------------------------------------------------------------------

CASES = 96


def scalar_tries(row, gpu, names):
    a = row.args
    if row.macro == "SFLOAT":
        return [(n, "%s %%s" % n) for n in names]
    w = lambda t: DWORDS.get(t, 1)
    sreg = lambda at, n: "s%d" % at if n == 1 else "s[%d:%d]" % (at, at + n - 1)
    ops = []
    if row.macro in ("EXECOP", "EXECWR"):
        ops = [sreg(20, w(a[1])), sreg(16, w(a[1]))]
    else:
        if a[1] != "NONE":
            ops.append(sreg(20, w(a[1])))
        ops.append("0x%x" % LITERAL[0] if re.search(r"_(addk|mulk|movk|cmovk)_", row.name + "_") or re.match(r"s_(addk|mulk|movk|cmovk)_", row.name) else sreg(16, w(a[2])))
        if a[3] != "NONE":
            ops.append("0x%x" % LITERAL[0] if "cmpk" in row.name else sreg(18, w(a[3])))
    return ["%s %s" % (n, ", ".join(ops)) for n in names]


LITERAL = [0x8765, 0x1234]


def scalar_test(gpu, row, text, kernel, f, how="x", literal=None, width=1, prepare=None, exec_op=False):
    x = gpu.exec
    head = [gpu.s_load(16, "s[16:31]", "s[4:5]")] + gpu.wait + ["s_mov_b64 s[26:27], exec" if gpu.wave == 64 else "s_mov_b32 s26, exec_lo"]
    if exec_op:
        head.append("s_mov_b64 exec, s[24:25]" if gpu.wave == 64 else "s_mov_b32 exec_lo, s24")
    body = head + ["s_cmp_lg_u32 s22, 0"] + text + ["s_cselect_b32 s23, 1, 0"] + (["s_delay_alu 0"] if gpu.major >= 11 else [])
    body += ["s_mov_b64 s[28:29], exec", "s_mov_b64 exec, s[26:27]"] if gpu.wave == 64 else ["s_mov_b32 s28, exec_lo", "s_mov_b32 exec_lo, s26"]
    for k, r in enumerate((20, 21, 23, 28, 29)):
        body += ["v_mov_b32 v2, s%d" % r, "%s v0, v2, s[4:5] offset:%d" % (gpu.store, 64 + 4 * k)]
    body += ["s_add_u32 s4, s4, 128", "s_addc_u32 s5, s5, 0"]
    lines = loop(gpu, body, CASES)
    lines[1] = "v_mov_b32 v0, 0"
    gpu.kernels.append((kernel, lines, 0, 0))
    rnd = random.Random(row.name + kernel)
    before, after, compare = [], [], []
    for c in range(CASES):
        mode = c % 5
        types = prepare or ["u64", "u64"]
        a, b = [value(rnd, t, mode) for t in types[:2]]
        if len(types) > 2:
            d = value(rnd, types[2], mode)
        else:
            d = rnd.getrandbits(64)
        if rnd.random() < 0.15:
            b = a
        elif rnd.random() < 0.2:
            a, b = rnd.choice([(R.M64, R.M64 ^ 1), (R.M64, R.M64), (R.M64 ^ 1, R.M64), (0, 1), (1, 0), (1, 1), (R.M64, 1), (0, R.M64 ^ 1), (1, R.M64)])
        elif rnd.random() < 0.2:
            k = int(row.name[6]) if row.name.startswith("s_lshl") and row.name[6].isdigit() else 0
            b = ~(a << k) & R.M64
        if "bfe" in row.name and rnd.random() < 0.7:
            b = rnd.getrandbits(6) | rnd.choice([0, 1, 5, 8, 15, 16, 31, 32, 33, 47, 63, 64, 65, 127, rnd.getrandbits(6), rnd.getrandbits(5)]) << 16
            if rnd.random() < 0.4:
                b = (b & 63) | (int(row.name[-2:]) - (b & 63) + rnd.randint(-1, 1) & 127) << 16
        if literal is not None and rnd.random() < 0.4:
            a = (R.s(literal, 16) if rnd.random() < 0.5 else literal) + rnd.randint(-1, 1) & R.M64
        scc, ex = c & 1, value(rnd, "u64", mode)
        if exec_op and rnd.random() < 0.3:
            ex = [0, R.M64, a, ~a & R.M64][rnd.randrange(4)]
        ins = [a & M32, a >> 32 & M32, b & M32, b >> 32 & M32, d & M32, d >> 32 & M32, scc, 0, ex & M32, ex >> 32] + [0] * 6
        result, after_scc, after_exec = f(a, b, d, scc, ex)
        out = d if result is None else result
        outs = [out & M32, out >> 32 & M32 if width == 2 else d >> 32 & M32, scc if after_scc is None else after_scc,
                after_exec & M32 if after_exec is not None else 0, after_exec >> 32 & M32 if after_exec is not None else 0]
        before += ins + [0] * 16
        after += ins + outs + [0] * 11
        h = "x" if result is None else how
        compare += ["."] * 16 + [h, "x", "x", "x" if after_exec is not None else ".", "x" if after_exec is not None and gpu.wave == 64 else "."] + ["."] * 11
    gpu.tests.append((row.name, kernel, before, after, compare))


def scalar_row(row, gpu, names, llvm):
    """(texts to try, function that makes the tests)"""
    a = row.args
    if row.macro in ("EXECOP", "EXECWR"):
        m = re.match(r"s_(\w+)_(saveexec|wrexec)_b(\d+)", row.name)
        op, kind, w = m.group(1), m.group(2), int(m.group(3))
        if gpu.wave == 64 and w == 32 or gpu.wave == 32 and w == 64:
            return []

        def f(x, y, d, scc, ex, op=op, kind=kind, w=w):
            mask = (1 << w) - 1
            new = R.EXEC_OPS[op](x & mask, ex & mask) & mask
            return ((ex if kind == "saveexec" else new) & mask) | (0 if w == 64 else d >> 32 << 32), int(new != 0), new
        return [(t, lambda t=t, k="": scalar_test(gpu, row, [t], "k%d" % len(gpu.kernels), f, width=w // 32, exec_op=True)) for t in scalar_tries(row, gpu, names)]
    if row.macro == "SALU" and row.name in R.SCALAR:
        g = R.SCALAR[row.name]
        w = DWORDS.get(a[1], 1) if a[1] != "NONE" else 1
        wa, wb = 32 * DWORDS.get(a[2], 1), 32 * DWORDS.get(a[3], 1)
        out = []
        for lit in LITERAL if re.match(r"s_(addk|mulk|movk|cmovk|cmpk)_", row.name) else [None]:
            def f(x, y, d, scc, ex, lit=lit):
                x, y = x & ((1 << wa) - 1), y & ((1 << wb) - 1) if wb else 0
                if lit is not None:
                    x, y = (x, lit) if "cmpk" in row.name else (lit, y)
                dd = d & ((1 << 32 * w) - 1)
                r, c = g(x, y, dd, scc, 32 * w)
                return None if r is None else r & ((1 << 32 * w) - 1), c, None
            LITERAL.insert(0, lit) if lit is not None else None
            for t in scalar_tries(row, gpu, names):
                out.append((t, lambda t=t, f=f, lit=lit: scalar_test(gpu, row, [t], "k%d" % len(gpu.kernels), f, literal=lit, width=w)))
            LITERAL.pop(0) if lit is not None else None
        return out
    return []


def scalar_float(row, gpu, names, everything):
    v = everything.get(row.args[1])
    if v is None:
        return []
    m = meaning(v.name, False, v)
    if m is None:
        return []
    f0, how, masked = m
    types = {"CMP": v.args[1:3]}.get(v.macro, v.args[2:5] if v.macro not in ("ACC", "ACCFP") else v.args[2:4] + [v.args[1]])
    types = [t for t in types if t != "NONE"]
    acc = v.macro in ("ACC", "ACCFP")
    out = []
    for name in names:
        regs = ["s16", "s18", "s20"][:len(types)]
        lit = None
        if "fmaak" in name:
            regs[2], lit = "0x3fa00000", (2, 0x3fa00000)
        elif "fmamk" in name:
            regs[1], lit = "0x3fa00000", (1, 0x3fa00000)
            regs[2] = "s18"
        printed = regs[:2] if acc else regs
        text = "%s %s" % (name, ", ".join(([] if masked else ["s20"]) + printed))
        high = "cvt_hi" in name

        def f(a, b, d, scc, ex, lit=lit, high=high):
            ops = [a & M32, b & M32, d & M32][:len(types)]
            if lit:
                ops = [ops[0], ops[1], lit[1]] if lit[0] == 2 else [ops[0], lit[1], ops[1]]
            if high:
                ops[0] >>= 16
            ops = [x & 0xffff if t in SIXTEEN else x for x, t in zip(ops, types)]
            r = f0(*ops)
            if masked:
                return None, r[1], None
            return r & M32 | d >> 32 << 32, None, None
        prep = (types + ["u32", "u32"])[:2] + ([types[2]] if len(types) > 2 else ["u32"])
        if high:
            prep[0] = "pkf16"
        out.append((text, lambda t=text, f=f, prep=prep: scalar_test(gpu, row, [t], "k%d" % len(gpu.kernels), f, how=how, prepare=prep)))
    return out


# --- memory ---------------------------------------------------------------------------------------------------

PER_LANE = 12  # dwords of a lane's memory: three times four, 1,024 bytes apart
ATOMIC = {"SWAP": "swap", "CMPSWAP": "cmpswap", "CMPSWAP_OLD": "cmpswap", "ADD": "add", "SUB": "sub", "RSUB": "rsub", "CONDSUB": "cond_sub", "CSUB": "csub",
          "FCMPSWAP": "fcmpswap", "FCMPSWAP_OLD": "fcmpswap", "SMIN": "min_i", "SMAX": "max_i", "UMIN": "min_u", "UMAX": "max_u", "AND": "and", "OR": "or",
          "XOR": "xor", "INC": "inc", "DEC": "dec", "FADD": "add_f", "FMIN": "min_f", "FMAX": "max_f", "PKADD_F16": "pk_f16", "PKADD_BF16": "pk_bf16",
          "MSKOR": "mskor", "WRAP": "wrap"}


def operation(name):
    """What the name of an atomic says: operation, bytes. From the manuals' tables of opcodes, not from isa_mem.def."""
    n = re.sub(r"^(global|flat|buffer)_atomic_|^ds_", "", name)
    n = n.replace("_rtn", "")
    width = 8 if n.endswith("64") else 4
    if n.startswith("pk_add_f16"):
        return "pk_f16", 4
    if n.startswith("pk_add_bf16"):
        return "pk_bf16", 4
    m = re.match(r"(storexchg|swap|cmpswap|cmpstore|cmpst|cond_sub|csub|add|sub|rsub|min|max|and|or|xor|inc|dec|mskor|wrap)(?:_num)?_([uifb])(\d+)", n)
    if not m:
        return None
    op, t = m.group(1), m.group(2)
    op = {"storexchg": "swap", "cmpstore": "cmpswap", "cmpst": "cmpst"}.get(op, op)
    if op in ("min", "max"):
        op += "_" + t
    if op == "add" and t == "f":
        op = "add_f"
    if op in ("cmpswap", "cmpst") and t == "f":
        op = "f" + op
    return op, width


def memory_setup(gpu, space, offset_reg):
    """Lines after which the memory of a lane is at hand: v1 = 16 * lane."""


def memory_tries(row, gpu, names):
    """(text, nd dwords of result, ndata dwords of data, before/after function) for each way."""
    out = []
    space = row.name.split("_")[0]
    off = 4
    for name in names:
        data = lambda n, at=30: reg(at, n)
        d = lambda n: reg(DST, n)
        a = row.args
        if space == "global":
            where = lambda reg_first: "v1, %s, s[8:9] offset:4"
        forms = {"global": ("v1", "s[8:9] offset:4"), "flat": ("v[10:11]", "offset:4"), "buffer": ("v1", "s[12:15], 0 offen offset:4"), "ds": ("v1", "offset:4"),
                 "scratch": ("v1", "off offset:4")}[space]
        # the bytes in memory and the registers, by the name
        m = re.search(r"_(load|store)_(d16_hi|d16)?_?(u8|i8|u16|i16|b8|b16|b32|b64|b96|b128)(_d16_hi|_d16)?$", row.name)
        if row.macro in ("LOAD", "STORE") and m:
            bits = int(m.group(3)[1:])
            d16 = m.group(2) or (m.group(4) or "")[1:]
            at = 0 if bits == 128 and space == "scratch" else 4
            if row.macro == "LOAD":
                n = max(1, bits // 32)
                if space == "flat":
                    t = "%s %s, v[10:11] offset:4" % (name, d(n))
                elif space == "global":
                    t = "%s %s, v1, s[8:9] offset:4" % (name, d(n))
                elif space == "scratch":
                    t = "%s %s, v1, off offset:%d" % (name, d(n), at)
                elif space == "buffer":
                    t = "%s %s, v1, s[12:15], 0 offen offset:4" % (name, d(n))
                else:
                    t = "%s %s, v1 offset:4" % (name, d(n))

                def f(mem, lane, old, data, bits=bits, d16=d16, n=n, m=m, at=at):
                    v = int.from_bytes(mem[lane + at:lane + at + bits // 8], "little")
                    if m.group(3)[0] == "i":
                        v = R.s(v, bits) & (0xffff if d16 else M32)
                    if d16 == "d16":
                        v |= old & 0xffff0000
                    if d16 == "d16_hi":
                        v = v << 16 | old & 0xffff
                    return v, n
                out.append((t, f, None))
            else:
                n = max(1, bits // 32)
                x = data(n)
                t = {"flat": "%s v[10:11], %s offset:4", "global": "%s v1, %s, s[8:9] offset:4", "scratch": "%%s v1, %%s, off offset:%d" % at, "ds": "%s v1, %s offset:4"}.get(space, "%s") \
                    % ((name, x) if space != "buffer" else ("%s %s, v1, s[12:15], 0 offen offset:4" % (name, x),))

                def f(mem, lane, old, data, bits=bits, d16=d16, at=at):
                    mem[lane + at:lane + at + bits // 8] = (data >> (16 if d16 else 0) & ((1 << bits) - 1)).to_bytes(bits // 8, "little")
                    return None, 0
                out.append((t, f, None))
        elif row.macro == "ATOMIC":
            op = operation(row.name)
            if op is None:
                continue
            op, width = op
            n = width // 4
            two = op in ("cmpswap", "fcmpswap", "cmpst", "fcmpst", "mskor", "wrap")
            old_order = op.endswith("cmpst")
            op = op.replace("cmpst", "cmpswap") if old_order else op
            o = 8 if n == 2 else 4
            returns = space != "ds" or "rtn" in name
            dst = d(n)
            if space == "ds":
                xs = data(n) + (", " + data(n, 34) if two else "")
                t = "%s %sv1, %s offset:%d" % (name, dst + ", " if returns else "", xs, o)
                texts = [t]
            else:
                xs = data(2 * n if two else n)
                pos = {"flat": "%s %s, v[10:11], %s offset:%d", "global": "%s %s, v1, %s, s[8:9] offset:%d"}.get(space)
                if space == "buffer":
                    # data is overwritten by what was there
                    texts = ["%s %s, v1, s[12:15], 0 offen offset:%d %s" % (name, reg(DST, 2 * n if two else n), o, g) for g in ("glc", "th:TH_ATOMIC_RETURN", "sc0")]
                else:
                    texts = [(pos % (name, dst, xs, o)) + " " + g for g in ("glc", "th:TH_ATOMIC_RETURN", "sc0")]

            def f(mem, lane, old, data, op=op, n=n, o=o, two=two, old_order=old_order, returns=returns, space=space, second=None):
                v = int.from_bytes(mem[lane + o:lane + o + 4 * n], "little")
                mask = (1 << 32 * n) - 1
                x = data & mask
                y = (data >> 128 if space == "ds" else data >> 32 * n) & mask
                if space == "buffer":
                    x, y = old & mask, old >> 32 * n & mask
                if old_order:  # "cmpst": the first is compared
                    x, y = y, x
                if space == "ds" and op == "mskor":
                    pass
                new = R.atomic(op, v, x, y, 32 * n)
                mem[lane + o:lane + o + 4 * n] = new.to_bytes(4 * n, "little")
                return (v, n) if returns else (None, 0)
            kind = {"add_f": "f", "min_f": "f", "max_f": "f", "fcmpswap": "f", "pk_f16": "p", "pk_bf16": "b"}.get(op)
            out += [(t, f, kind and (kind, n)) for t in texts]
        elif row.macro in ("DS2", "XCHG2"):
            m = re.search(r"_b(\d+)$", row.name)
            n, stride = int(m.group(1)) // 32, 64 if "stride64" in row.name else 1
            o0, o1 = (0, 4 // n) if stride == 64 else (2, 1)
            b0, b1 = [k * 4 * n * stride for k in (o0, o1)]
            d2, x0, x1 = reg(DST, 2 * n), data(n), data(n, 34)
            if row.macro == "DS2" and "load" in row.name:
                t = "%s %s, v1 offset0:%d offset1:%d" % (name, d2, o0, o1)
            elif row.macro == "DS2":
                t = "%s v1, %s, %s offset0:%d offset1:%d" % (name, x0, x1, o0, o1)
            else:
                t = "%s %s, v1, %s, %s offset0:%d offset1:%d" % (name, d2, x0, x1, o0, o1)

            def f(mem, lane, old, data, n=n, b0=b0, b1=b1, row=row):
                v = [int.from_bytes(mem[lane + b:lane + b + 4 * n], "little") for b in (b0, b1)]
                if "store" in row.name:
                    for b, x in ((b0, data), (b1, data >> 128)):
                        mem[lane + b:lane + b + 4 * n] = (x & ((1 << 32 * n) - 1)).to_bytes(4 * n, "little")
                return (v[0] | v[1] << 32 * n, 2 * n) if "load" in row.name or row.macro == "XCHG2" else (None, 0)
            out.append((t, f, None))
    return out


def memory_test(gpu, row, text, f, kind, kernel):
    space = row.name.split("_")[0]
    wide = 1024
    body = []
    loads = [DST + i for i in range(4)] + [30 + i for i in range(8)]
    for r in loads:
        body += ["%s v%d, v0, s[4:5]" % (gpu.load, r)] + advance()
    # s[8:9]: the lanes' memory; v1: the lane's in it
    body += ["s_mov_b32 s8, s4", "s_mov_b32 s9, s5", "v_lshlrev_b32 v1, 2, v0"] + gpu.wait
    mem_size = PER_LANE * 256
    if space in ("ds", "scratch"):
        for k in range(PER_LANE):
            at = k // 4 * wide + k % 4 * 4
            body += ["%s v20, v1, s[8:9] offset:%d" % (gpu.load, at % 1024 + (0 if k < 4 else 0))] if k < 4 else \
                ["s_add_u32 s10, s8, %d" % (k // 4 * wide), "s_addc_u32 s11, s9, 0", "%s v20, v1, s[10:11] offset:%d" % (gpu.load, k % 4 * 4)]
            body += gpu.wait
            body += ["%s v1, v20 offset:%d" % (gpu.ds[1], at) if space == "ds" else "%s v1, v20, off offset:%d" % (gpu.scratch[1], k * 4)] if space == "ds" or k < 4 else []
    elif space == "flat":
        mad = "v_mad_co_u64_u32" if gpu.major >= 12 else "v_mad_u64_u32"
        body += ["v_mov_b32 v12, s8", "v_mov_b32 v13, s9", "%s v[10:11], %s, v1, 1, v[12:13]" % (mad, gpu.vcc)]
    elif space == "buffer":
        word = {9: 0x00027000, 10: 0x31016000, 11: 0x31004000, 12: 0x31004000}[gpu.major]
        body += ["s_mov_b32 s12, s8", "s_mov_b32 s13, s9", "s_movk_i32 s14, 0x4000", "s_mov_b32 s15, 0x%x" % word]
    body += gpu.wait + [text] + gpu.wait
    if space == "scratch":
        for k in range(4):
            body += ["%s v20, v1, off offset:%d" % (gpu.scratch[0], 4 * k)] + gpu.wait + ["%s v1, v20, s[8:9] offset:%d" % (gpu.store, 4 * k)] + gpu.wait
    if space == "ds":
        for k in range(PER_LANE):
            body += ["%s v20, v1 offset:%d" % (gpu.ds[0], k // 4 * wide + k % 4 * 4)] + gpu.wait
            body += ["s_add_u32 s10, s8, %d" % (k // 4 * wide), "s_addc_u32 s11, s9, 0", "%s v1, v20, s[10:11] offset:%d" % (gpu.store, k % 4 * 4)]
    body += ["s_mov_b32 s10, 0x%x" % (3 * wide), "s_add_u32 s4, s4, s10", "s_addc_u32 s5, s5, 0"]
    for r in range(4):
        body += ["%s v0, v%d, s[4:5]" % (gpu.store, DST + r)] + advance()
    rounds = 4
    gpu.kernels.append((kernel, loop(gpu, body, rounds), 3 * wide if space == "ds" else 0, 2048 if space == "scratch" else 0))
    rnd = random.Random(row.name)
    before, after, compare = [], [], []
    t = "u32"
    n = 1
    if kind:
        letter, n = kind
        t = {"f": "f32" if n == 1 else "f64", "p": "pkf16", "b": "pkbf16"}[letter]
    for r in range(rounds):
        def words(count, mode):
            v = []
            while len(v) < count:
                x = value(rnd, t, mode)
                if t == "f32" and (x << 1 & M32) > 0xff000000:
                    x |= 1 << 22  # what a signalling NaN does is not written
                if t == "f64" and (x << 1 & R.M64) > 0xffe << 52:
                    x |= 1 << 51
                v += [x >> 32 * k & M32 for k in range(n)]
            return v[:count]
        olds = [words(4, (r + i // 4) % 5) for i in range(gpu.wave)]
        datas = [words(8, (r + i // 4) % 5) for i in range(gpu.wave)]
        mem = bytearray(3 * wide)
        for at in range(0, 3 * wide, 16):
            mem[at:at + 16] = struct.pack("<4I", *words(4, (r + at // 64) % 5))
        for i in range(gpu.wave):  # where a compare may succeed, or both are equal
            if rnd.random() < 0.5:
                p = struct.unpack_from("<4I", mem, 16 * i)
                two = 2 if "64" in row.name else 1
                which = olds[i] if space == "buffer" else datas[i]
                to = two if space == "buffer" else 4 if space == "ds" and rnd.random() < 0.5 else two if rnd.random() < 0.7 else 0
                for k in range(two):
                    which[to + k] = p[two + k]
                if "cmp" in row.name and kind and rnd.random() < 0.4:  # -0 equals 0
                    zero = [0] * (two - 1) + [rnd.getrandbits(1) << 31]
                    which[to:to + two] = zero
                    struct.pack_into("<%dI" % two, mem, 16 * i + 4 * two, *[0] * (two - 1), zero[-1] ^ 1 << 31)
        start = len(before)
        for k in range(4):
            before += [o[k] for o in olds]
        for k in range(8):
            before += [o[k] for o in datas]
        before += struct.unpack("<%dI" % (3 * wide // 4), mem)
        after += before[start:len(before) - 3 * wide // 4]
        compare += ["."] * (len(after) - len(compare))
        results = []
        for i in range(gpu.wave):
            o = sum(v << 32 * k for k, v in enumerate(olds[i]))
            v, nv = f(mem, 16 * i, o, sum(v << 32 * k for k, v in enumerate(datas[i])))
            keep = o >> 32 * nv << 32 * nv
            results.append(o if v is None else keep | v)
        letter = kind[0] if kind else "x"
        after += struct.unpack("<%dI" % (3 * wide // 4), mem)
        for k in range(3 * wide // 4):
            compare.append(letter if kind and kind[1] == 1 and letter != "b" else ("a" if k % 2 == 0 else ".") if kind and letter != "b" else "x")
        for k in range(4):
            after += [v >> 32 * k & M32 for v in results]
            compare += ["x"] * gpu.wave
        before += [0] * (len(after) - len(before))
        if letter == "b":
            for k in range(len(after)):
                for h in (after[k] & 0xffff, after[k] >> 16):
                    if h & 0x7f80 == 0x7f80 and h & 0x7f:
                        compare[k] = "."
    gpu.tests.append((row.name, kernel, before, after, compare))


def sload_test(gpu, row, text, n, kernel, f=None):
    at = 20 if n > 1 else 16
    body = ["s_mov_b32 s12, s4", "s_mov_b32 s13, s5", "s_movk_i32 s14, 0x400", "s_mov_b32 s15, 0x%x" % {9: 0x27000, 10: 0x31016000, 11: 0x31004000, 12: 0x31004000}[gpu.major],
            "s_mov_b32 s36, 0x55", "s_mov_b32 s37, 0x66"] + ["s_mov_b32 s%d, 0x77" % (20 + k) for k in range(16)] + [text] + gpu.wait
    for k in range(17):
        body += ["v_mov_b32 v2, s%d" % (20 + k), "%s v0, v2, s[4:5] offset:%d" % (gpu.store, 128 + 4 * k)]
    lines = loop(gpu, body, 1)
    lines[1] = "v_mov_b32 v0, 0"
    gpu.kernels.append((kernel, lines, 0, 0))
    rnd = random.Random(row.name)
    mem = [rnd.getrandbits(32) | 0x80808080 for _ in range(32)]
    got = f(mem) if f else mem[4:4 + n]
    after = mem + (list(got) + [0x77] * 16)[:16] + [0x55]
    gpu.tests.append((row.name, kernel, mem + [0] * 17, after, ["."] * 32 + ["x"] * 17))


def sload_tries(row, gpu, names):
    out = []
    for name in names:
        base = "s[12:15]" if "buffer" in name else "s[4:5]"
        if row.macro == "SLOAD":
            n = int(re.search(r"_b(\d+)$", row.name).group(1)) // 32
            dst = "s20" if n == 1 else "s[20:%d]" % (19 + n)
            for imm in ("0x10", "0x10 offset:0x0"):
                out.append(("%s %s, %s, %s" % (name, dst, base, imm), n, None))
        elif row.name.startswith("s_"):
            bits = int(row.name[-2:].lstrip("ui"))
            signed = "_i" in row.name[-4:]

            def f(mem, bits=bits, signed=signed):
                v = mem[4] >> 16 & ((1 << bits) - 1)
                return [R.s(v, bits) & M32 if signed else v]
            out.append(("%s s20, %s, 0x12" % (name, base), 1, f))
    return out


# --- matrices: "CDNA3 ISA" 7.1; small whole numbers, whose products and sums are exact -------------------------------

MFMA = re.compile(r"v_mfma_(f32|i32|f64)_(\d+)x(\d+)x(\d+)_?(\w+?)(_1k)?$")
FORMATS = {"f32": N.F32, "xf32": N.F32, "f16": N.F16, "bf16": N.BF16, "f64": N.F64}


def element(v, t):
    if t == "i8":
        return v & 255
    if t == "i32":
        return v & M32
    if t in FORMATS:
        return N.encode(R.Fraction(v), FORMATS[t])
    return R.small_bits(R.Fraction(v), t)


def matrix_plan(row, gpu, names):
    m = MFMA.match(row.name)
    if not m or gpu.major != 9:
        return []
    to, M, K, of = m.group(1), int(m.group(2)), int(m.group(4)), m.group(5)
    ta, tb = (of.split("_") * 2)[:2]
    z = "_z" if gpu.name == "gfx942" else ""
    ta, tb = [t + z if t in ("fp8", "bf8") else t for t in (ta, tb)]
    bits = {"i8": 8, "f64": 64, "f32": 32, "xf32": 32}.get(of, 16 if of in ("f16", "bf16") else 8)
    out = []
    for blocks in (1, 2, 4, 16):
        # how many blocks there are is known by the registers that the assembler wants
        n = M * K * blocks // 64
        if n == 0 or n * 64 != M * K * blocks or n * bits % 32:
            continue
        ab, cd = n * bits // 32, M * M * blocks * (2 if to == "f64" else 1) // 64
        if cd > 32 or cd == 0 or ab > 8 or (blocks > 1 and blocks * M != 64):
            continue
        for name in names:
            text = "%s %s, %s, %s, %s" % (name, reg(32, cd), reg(8, ab), reg(16, ab), reg(32, cd))
            out.append((text, lambda text=text, blocks=blocks, n=n, ab=ab, cd=cd:
                        matrix_test(gpu, row, text, "k%d" % len(gpu.kernels), to, ta, tb, bits, M, K, blocks, n, ab, cd)))
    return out


def matrix_test(gpu, row, text, kernel, to, ta, tb, bits, M, K, blocks, n, ab, cd):
    body = []
    for r in [8 + i for i in range(ab)] + [16 + i for i in range(ab)] + [32 + i for i in range(cd)]:
        body += ["%s v%d, v0, s[4:5]" % (gpu.load, r)] + advance()
    body += gpu.wait + [text]
    for r in range(cd):
        body += ["%s v0, v%d, s[4:5]" % (gpu.store, 32 + r)] + advance()
    gpu.kernels.append((kernel, loop(gpu, body, 1), 0, 0))
    rnd = random.Random(row.name)
    wide = 2 if to == "f64" else 1
    a = [[[rnd.randint(-6, 6) for k in range(K)] for i in range(M)] for b in range(blocks)]
    x = [[[rnd.randint(-6, 6) for j in range(M)] for k in range(K)] for b in range(blocks)]
    c = [[[rnd.randint(-99, 99) for j in range(M)] for i in range(M)] for b in range(blocks)]
    before, after = [], []

    def operand(get, t):
        rows = [[0] * 64 for _ in range(ab)]
        for lane in range(64):
            i, rest = lane % M, lane // M
            for e in range(n):
                b, k = (rest, e) if blocks > 1 else (0, rest * n + e)
                v = element(get(b, i, k), t) << (e * bits)
                for w in range(ab):
                    rows[w][lane] |= v >> 32 * w & M32
        return sum(rows, [])

    def result(get):
        rows = [[0] * 64 for _ in range(cd)]
        for lane in range(64):
            for v in range(cd // wide):
                if M == 32:
                    b, i, j = v // 16, 8 * (v % 16 // 4) + 4 * (lane // 32) + v % 4, lane % 32
                elif M == 16:
                    b, i, j = (v // 4, 4 * (lane // 16) + v % 4, lane % 16) if to != "f64" else (0, 4 * v + lane // 16, lane % 16)
                else:
                    b, i, j = (lane // 4, v, lane % 4) if to != "f64" else (lane // 4 % 4, lane // 16, lane % 4)
                e = element(get(b, i, j), to)
                for w in range(wide):
                    rows[wide * v + w][lane] = e >> 32 * w & M32
        return sum(rows, [])
    ins = operand(lambda b, i, k: a[b][i][k], ta) + operand(lambda b, j, k: x[b][k][j], tb) + result(lambda b, i, j: c[b][i][j])
    out = result(lambda b, i, j: c[b][i][j] + sum(a[b][i][k] * x[b][k][j] for k in range(K)))
    gpu.tests.append((row.name, kernel, ins + [0] * len(out), ins + out, ["."] * len(ins) + ["x"] * len(out)))


# --- all -----------------------------------------------------------------------------------------------------

def kernel_text(gpu, name, lines, lds, scratch):
    k = [".p2align 8", ".globl %s" % name, ".type %s,@function" % name, name + ":"] + ["  " + l for l in lines]
    k += [".size %s, .-%s" % (name, name), ".section .rodata", ".p2align 6", ".amdhsa_kernel %s" % name, ".amdhsa_next_free_vgpr 64", ".amdhsa_next_free_sgpr 64",
          ".amdhsa_user_sgpr_kernarg_segment_ptr 1", ".amdhsa_kernarg_size 8", ".amdhsa_float_denorm_mode_32 3", ".amdhsa_float_denorm_mode_16_64 3",
          ".amdhsa_group_segment_fixed_size %d" % lds, ".amdhsa_private_segment_fixed_size %d" % scratch]
    if gpu.name in ("gfx90a", "gfx942", "gfx950"):
        k.append(".amdhsa_accum_offset 64")
    if scratch:
        k.append(".amdhsa_enable_private_segment 1" if gpu.major >= 11 or gpu.name in ("gfx942", "gfx950") else ".amdhsa_system_sgpr_private_segment_wavefront_offset 1")
    if gpu.major >= 10:
        k.append(".amdhsa_wavefront_size32 1")
    return k + [".end_amdhsa_kernel", ".text"]


def metadata(gpu):
    out = [".amdgpu_metadata", "---", "amdhsa.version: [1, 2]", "amdhsa.target: amdgcn-amd-amdhsa--" + gpu.name, "amdhsa.kernels:"]
    for name, lines, lds, scratch in gpu.kernels:
        out += ["  - .name: %s" % name, "    .symbol: %s.kd" % name, "    .kernarg_segment_size: 8", "    .kernarg_segment_align: 8", "    .group_segment_fixed_size: %d" % lds,
                "    .private_segment_fixed_size: %d" % scratch, "    .wavefront_size: %d" % gpu.wave, "    .sgpr_count: 64", "    .vgpr_count: 64", "    .max_flat_workgroup_size: 1024",
                "    .args: [{.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}]"]
    return out + ["...", ".end_amdgpu_metadata"]


def plan(row, gpu, aliases, everything, llvm):
    """All (text, function that makes the test) of a row on a GPU."""
    names = names_of(row, aliases)
    name = row.name
    if name.endswith("_z"):
        if gpu.name != "gfx942":
            return []
        names = [name[:-2]]
    elif ("fp8" in name or "bf8" in name) and row.macro != "MATRIX":
        if gpu.name == "gfx942":
            return []
    if row.macro in ("SALU", "EXECOP", "EXECWR"):
        return scalar_row(row, gpu, names, llvm)
    if row.macro == "SFLOAT":
        return scalar_float(row, gpu, names, everything)
    if row.macro == "MATRIX":
        return matrix_plan(row, gpu, names)
    if row.macro in ("LOAD", "SLOAD") and name.startswith("s_"):
        return [(t, lambda t=t, n=n, f=f: sload_test(gpu, row, t, n, "k%d" % len(gpu.kernels), f)) for t, n, f in sload_tries(row, gpu, names)]
    if row.macro in ("LOAD", "STORE", "ATOMIC", "DS2", "XCHG2"):
        if name.startswith("scratch") and gpu.name not in ("gfx942", "gfx1100", "gfx1201"):
            return []
        return [(t, lambda t=t, f=f, k=k: memory_test(gpu, row, t, f, k, "k%d" % len(gpu.kernels))) for t, f, k in memory_tries(row, gpu, names)]
    clamp = row.macro in ("SAT", "PKSAT", "XSAT")
    if row.macro in mutate.VALUE and meaning(name, clamp, row):
        row2 = row
        if clamp:
            row2 = mutate.Row({"SAT": "VALU", "PKSAT": "PK", "XSAT": "XOUT"}[row.macro], row.args)
        return [(t.text, lambda t=t: vector_test(gpu, t, "k%d" % len(gpu.kernels), clamp)) for t in vector_tries(row2, gpu, names, clamp)]
    return []


def main():
    src, llvm, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    rows = mutate.rows(src)
    aliases = {}
    for r in rows:
        if r.macro == "ALIAS":
            aliases.setdefault(r.args[1], []).append(r.args[0])
    everything = {r.name: r for r in rows if r.macro not in ("ALIAS", "SAT", "PKSAT", "XSAT")}
    gpus = [Gpu(g) for g in GPUS]
    waiting, tested = [r for r in rows if r.macro != "ALIAS"], 0
    seldom = {"v_s_exp_f32"}
    for gpu in gpus:
        plans = [(r, plan(r, gpu, aliases, everything, llvm)) for r in waiting]
        flat = [(r, t, make) for r, ps in plans for t, make in ps]
        ok = assembles(llvm, gpu, [t for r, t, make in flat])
        done = {}
        for (r, t, make), good in zip(flat, ok):
            key = (id(r), "0x" + t.split("0x")[1] if r.macro == "SALU" and re.match(r"s_(addk|mulk|movk|cmovk|cmpk)", r.name) else "")
            if good and key not in done:
                done[key] = True
                make()
        finished = {k[0] for k in done}
        tested += len(finished)
        waiting = [r for r in waiting if id(r) not in finished]
    at, listing = 0, []
    with open(out + "/data", "wb") as data:
        for gpu in gpus:
            if not gpu.kernels:
                continue
            text = [".text"]
            for k in gpu.kernels:
                text += kernel_text(gpu, *k)
            path = "%s/%s.s" % (out, gpu.name)
            open(path, "w").write("\n".join(text + metadata(gpu)) + "\n")
            subprocess.run([llvm + "/llvm-mc", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + gpu.name, "-filetype=obj", path, "-o", path[:-2] + ".o"], check=True)
            subprocess.run([llvm + "/ld.lld", "-shared", path[:-2] + ".o", "-o", path[:-2] + ".so"], check=True)
            for name, kernel, before, after, compare in gpu.tests:
                n = len(after)
                assert len(before) == n and len(compare) == n, (name, len(before), n, len(compare))
                listing.append("%s %s %s %d %d" % (name, gpu.name, kernel, at, n))
                raw = struct.pack("<%dI" % (2 * n), *(list(before) + list(after))) + "".join(compare).encode()
                raw += b"\0" * (-len(raw) % 4)
                data.write(raw)
                at += len(raw) // 4
    open(out + "/tests.txt", "w").write("\n".join(listing) + "\n")
    untested = [r.name for r in waiting if r.macro not in ("HELP", "FLOW", "NOP")]
    open(out + "/untested.txt", "w").write("\n".join(untested) + "\n")
    print("%d tests of %d rows; no reference or no GPU: %d" % (len(listing), tested, len(untested)))


if __name__ == "__main__":
    main()
