# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""modifier_valu.py - DPP, SDWA, op_sel, neg, abs, clamp, omod: "RDNA3 ISA" 7.4 to 7.7, "CDNA2 ISA" 6.3 to 6.6."""
import itertools
import math
import struct

from modifier import IN, M32, OLD, OUT, Case, add, blend, patterns

A, B, C, D = IN, IN + 1, IN + 2, IN + 3


def s(v, n):
    v &= (1 << n) - 1
    return v - (1 << n) if v >> (n - 1) else v


# --- DPP -----------------------------------------------------------------------------------------------------

def dpp_controls(gpu):
    """(text, function of the lane that gives the lane it reads, or None)"""
    w, out = gpu.wave, []

    def row(f):
        return lambda i: None if f(i & 15) is None else (i & ~15) + f(i & 15)

    for q in ((0, 1, 2, 3), (3, 2, 1, 0), (1, 0, 3, 2), (2, 2, 0, 0), (0, 0, 0, 0), (3, 3, 3, 3), (1, 3, 0, 2)):
        out.append(("quad_perm:[%d,%d,%d,%d]" % q, lambda i, q=q: (i & ~3) + q[i & 3]))
    for n in (1, 2, 7, 8, 14, 15):
        out.append(("row_shl:%d" % n, row(lambda i, n=n: i + n if i + n < 16 else None)))
        out.append(("row_shr:%d" % n, row(lambda i, n=n: i - n if i >= n else None)))
        out.append(("row_ror:%d" % n, row(lambda i, n=n: (i - n) & 15)))
    out.append(("row_mirror", row(lambda i: 15 - i)))
    out.append(("row_half_mirror", row(lambda i: i ^ 7)))
    if gpu.major >= 10:
        for n in (0, 1, 9, 15):
            out.append(("row_share:%d" % n, row(lambda i, n=n: n)))
            out.append(("row_xmask:%d" % n, row(lambda i, n=n: i ^ n)))
    else:
        out.append(("wave_shl:1", lambda i: i + 1 if i + 1 < w else None))
        out.append(("wave_shr:1", lambda i: i - 1 if i else None))
        out.append(("wave_rol:1", lambda i: (i + 1) % w))
        out.append(("wave_ror:1", lambda i: (i - 1) % w))
        out.append(("row_bcast:15", lambda i: (i & ~15) - 1 if i >= 16 else None))
        out.append(("row_bcast:31", lambda i: 31 if i >= 32 else None))
        for n in (0, 5, 15):
            out.append(("row_newbcast:%d" % n, row(lambda i, n=n: n)))
    return out


def dpp_apply(gpu, a, on, source, rows=15, banks=15, bound=False, fi=False):
    """(what the lanes read, the lanes that are written)"""
    got, write = [], 0
    for i in range(gpu.wave):
        j = source(i)
        valid = j is not None and (fi or on >> j & 1)
        got.append(a[j] if valid else 0)
        if on >> i & 1 and (valid or bound) and rows >> i // 16 & 1 and banks >> i // 4 % 4 & 1:
            write |= 1 << i
    return got, write


def dpp(gpu, rnd):
    w = gpu.wave
    ins = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(3)]
    olds = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(2)]
    pats, cases = patterns(gpu, rnd), []
    new = gpu.major >= 10
    ops = [("v_mov_b32_dpp v%d, v%d" % (OUT, A), lambda a, b: a),
           ("v_%s_dpp v%d, v%d, v%d" % ("add_nc_u32" if new else "add_u32", OUT, A, B), lambda a, b: a + b),
           ("v_%s_dpp v%d, v%d, v%d" % ("sub_nc_u32" if new else "sub_u32", OUT, A, B), lambda a, b: a - b),
           ("v_xor_b32_dpp v%d, v%d, v%d" % (OUT, A, B), lambda a, b: a ^ b),
           ("v_lshlrev_b32_dpp v%d, v%d, v%d" % (OUT, A, B), lambda a, b: b << (a & 31))]
    options = [(15, 15), (15, 15), (5, 15), (15, 6), (10, 9), (3, 8), (0, 15), (15, 0), (12, 15)]
    k = 0
    for text, source in dpp_controls(gpu):
        for bound, fi, (op, f) in itertools.product((False, True), (False, True) if new else (False,), ops):
            for _ in range(2 if op.startswith("v_mov") else 1):
                on, (rows, banks) = pats[k % len(pats)], options[k // 3 % len(options)]
                k += 1
                got, write = dpp_apply(gpu, ins[0], on, source, rows, banks, bound, fi)
                inst = "%s %s row_mask:0x%x bank_mask:0x%x%s%s" % (op, text, rows, banks, " bound_ctrl:1" if bound else "", " fi:1" if fi else "")
                cases.append(Case("dpp", inst, on, {OUT: blend(write, [f(a, b) & M32 for a, b in zip(got, ins[1])], olds[0])}))
    if gpu.name == "gfx90a":  # two dwords
        for on in pats:
            for n in (0, 6, 15):
                source = lambda i, n=n: (i & ~15) + n
                lo, write = dpp_apply(gpu, ins[0], on, source, 15, 15, True)
                hi, _ = dpp_apply(gpu, ins[1], on, source, 15, 15, True)
                cases.append(Case("dpp", "v_mov_b64_dpp v[%d:%d], v[%d:%d] row_newbcast:%d row_mask:0xf bank_mask:0xf bound_ctrl:1" % (OUT, OUT + 1, A, A + 1, n), on,
                                  {OUT: blend(write, lo, olds[0]), OUT + 1: blend(write, hi, olds[1])}))
    if new:
        for sel in ([7, 6, 5, 4, 3, 2, 1, 0], [0, 0, 0, 0, 7, 7, 7, 7], [1, 2, 3, 4, 5, 6, 7, 0], [5, 3, 1, 7, 2, 0, 6, 4]):
            for fi, (op, f), on in itertools.product((False, True), ops[:3], (pats[1], pats[5], pats[7], pats[0])):
                source = lambda i: (i & ~7) + sel[i & 7]
                got, write = dpp_apply(gpu, ins[0], on, source, 15, 15, True, fi)
                inst = "%s dpp8:[%s]%s" % (op, ",".join(map(str, sel)), " fi:1" if fi else "")
                cases.append(Case("dpp8", inst, on, {OUT: blend(write, [f(a, b) & M32 for a, b in zip(got, ins[1])], olds[0])}))
    if gpu.major >= 11:  # comparisons, and three operands
        for on in pats:
            source = lambda i: (i & ~15) + (15 - (i & 15))
            for bound, fi in itertools.product((False, True), (False, True)):
                tail = "row_mirror row_mask:0xf bank_mask:0xf%s%s" % (" bound_ctrl:1" if bound else "", " fi:1" if fi else "")
                got, write = dpp_apply(gpu, ins[0], on, source, 15, 15, bound, fi)
                if bound:
                    bits = [int(a < b and write >> i & 1) for i, (a, b) in enumerate(zip(got, ins[1]))]
                    cases.append(Case("dpp", "v_cmp_lt_u32_e64_dpp %s, v%d, v%d %s" % (gpu.sreg(20), A, B, tail), on, {3: bits},
                                      after=["v_cndmask_b32_e64 v3, 0, 1, %s" % gpu.sreg(20)]))
                cases.append(Case("dpp", "v_add3_u32_e64_dpp v%d, v%d, v%d, v%d %s" % (OUT, A, B, C, tail), on,
                                  {OUT: blend(write, [a + b + c & M32 for a, b, c in zip(got, ins[1], ins[2])], olds[0])}))
    add(gpu, ins, olds, cases)


# --- SDWA ----------------------------------------------------------------------------------------------------

SELS = ["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"]
UNUSED = ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"]


def field(sel):
    kind, _, n = sel.partition("_")
    return (0, 32) if kind == "DWORD" else (8 * int(n), 8) if kind == "BYTE" else (16 * int(n), 16)


def sdwa_in(v, sel, sext):
    at, n = field(sel)
    v = v >> at & ((1 << n) - 1)
    return s(v, n) & M32 if sext else v


def sdwa_out(r, old, sel, unused):
    at, n = field(sel)
    mask = (1 << n) - 1
    v = (r & mask) << at
    if unused == "UNUSED_PRESERVE":
        return v | old & ~(mask << at)
    if unused == "UNUSED_SEXT" and r >> (n - 1) & 1:
        v |= M32 << (at + n) & M32
    return v


def sdwa(gpu, rnd):
    if gpu.major > 10 or gpu.name == "gfx950":
        return
    w = gpu.wave
    ins = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(2)]
    olds = [[rnd.getrandbits(32) for _ in range(w)]]
    pats, cases = patterns(gpu, rnd), []
    add_, sub = ("add_nc_u32", "sub_nc_u32") if gpu.major >= 10 else ("add_u32", "sub_u32")
    for k, (d, u, x) in enumerate(itertools.product(SELS, UNUSED, SELS)):
        y, sx, sy, on = SELS[k * 5 % 7], k % 2, k // 2 % 2, pats[k % len(pats)]
        op, f = [(add_, lambda a, b: a + b), (sub, lambda a, b: a - b), ("xor_b32", lambda a, b: a ^ b), ("min_u32", min), ("mul_u32_u24", lambda a, b: (a & 0xffffff) * (b & 0xffffff))][k % 5]
        px, py = ["sext(v%d)" % r if e else "v%d" % r for r, e in ((A, sx), (B, sy))]
        inst = "v_%s_sdwa v%d, %s, %s dst_sel:%s dst_unused:%s src0_sel:%s src1_sel:%s" % (op, OUT, px, py, d, u, x, y)
        new = [sdwa_out(f(sdwa_in(a, x, sx), sdwa_in(b, y, sy)) & M32, o, d, u) for a, b, o in zip(ins[0], ins[1], olds[0])]
        cases.append(Case("sdwa", inst, on, {OUT: blend(on, new, olds[0])}))
    for k, (x, y) in enumerate(itertools.product(SELS, SELS)):
        on = pats[k % len(pats)]
        bits = [int(sdwa_in(a, x, False) > sdwa_in(b, y, False)) if on >> i & 1 else 0 for i, (a, b) in enumerate(zip(ins[0], ins[1]))]
        cases.append(Case("sdwa", "v_cmp_gt_u32_sdwa %s, v%d, v%d src0_sel:%s src1_sel:%s" % (gpu.vcc, A, B, x, y), on, {3: bits},
                          after=["v_cndmask_b32_e64 v3, 0, 1, %s" % gpu.vcc]))
    add(gpu, ins, olds, cases)


# --- floats --------------------------------------------------------------------------------------------------

def f16(v):
    return struct.unpack("<e", struct.pack("<H", v & 0xffff))[0]


def f32(v):
    return struct.unpack("<f", struct.pack("<I", v & M32))[0]


def f64(v):
    return struct.unpack("<d", struct.pack("<Q", v))[0]


def to(fmt, v):
    size = {"e": "H", "f": "I", "d": "Q"}[fmt]
    return struct.unpack("<" + size, struct.pack("<" + fmt, v))[0]


GOOD = [0.0, -0.0, 0.25, -0.25, 0.5, -0.5, 0.75, 1.0, -1.0, 1.25, 1.5, -1.75, 2.0, -2.0, 2.5, 3.0, -3.25, 4.0, 6.0, -7.5, 8.0, 0.125, -0.875]


def sign(v, abs_, neg):
    v = math.copysign(v, 1.0) if abs_ else v
    return -v if neg else v


def written(k, abs_, neg, name="v%d"):
    t = name % k
    t = "|%s|" % t if abs_ else t
    return "-" + t if neg else t


def scaled(v, omod, clamp):
    v *= {0: 1, 1: 2, 2: 4, 3: 0.5}[omod]
    return (v if 0 < v < 1 else 1.0 if v >= 1 else 0.0) if clamp else v


OMOD = ["", " mul:2", " mul:4", " div:2"]


def denormals(n):
    """MODE's bits for denormals: 32 bits 5:4, others 7:6"""
    return ["s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), %d" % n]


def signs(gpu, rnd):
    """neg, abs, clamp and omod of one to three operands in three sizes"""
    w, pats = gpu.wave, patterns(gpu, rnd)
    pick = lambda: [rnd.choice(GOOD) for _ in range(w)]
    new = gpu.major >= 10
    for fmt, width in (("f", 1), ("e", 1), ("d", 2)):
        n = {"f": "f32", "e": "f16", "d": "f64"}[fmt]
        vals = [pick() for _ in range(3)]
        ins, cases = [], []
        for v in vals:
            bits = [to(fmt, x) for x in v]
            junk = [rnd.getrandbits(16) << 16 if fmt == "e" else 0 for _ in v]
            ins.append([b & M32 | j for b, j in zip(bits, junk)])
            if width == 2:
                ins.append([b >> 32 for b in bits])
        olds = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(2)]
        r = lambda k: "v%d" % (IN + k) if width == 1 else "v[%d:%d]" % (IN + 2 * k, IN + 2 * k + 1)
        dst = "v%d" % OUT if width == 1 else "v[%d:%d]" % (OUT, OUT + 1)
        ops = [("v_add_" + n, 2, lambda a, b: a + b), ("v_mul_" + n, 2, lambda a, b: a * b), ("v_fma_" + n, 3, lambda a, b, c: a * b + c), ("v_ceil_" + n, 1, lambda a: float(math.ceil(a)) if a > 0 or a <= -1 else -0.0 if a < 0 or str(a) == "-0.0" else 0.0),
               ("v_max_" + n, 2, lambda a, b: max(a, b)), ("v_max_num_" + n, 2, lambda a, b: max(a, b))]
        k = 0
        for op, count, f in ops:
            for m in range(4 ** count if count < 3 else 24):
                m = m if count < 3 else rnd.randrange(64)
                ab, ng = [m >> 2 * j & 1 for j in range(count)], [m >> 2 * j + 1 & 1 for j in range(count)]
                omod, clamp, on = [0, 0, 1, 2, 3, 0][k % 6], k % 4 == 3, pats[k % len(pats)]
                k += 1
                ask = [written(0, x, y, "%.0s" + r(j)) for j, (x, y) in enumerate(zip(ab, ng))]
                den = rnd.choice([0, 1, 4, 5]) if omod else 15
                # the scale needs that denormal results are flushed
                new_ = []
                for i in range(w):
                    v = f(*[sign(vals[j][i], ab[j], ng[j]) for j in range(count)])
                    if op.startswith("v_max") and v == 0:
                        v = max([sign(vals[j][i], ab[j], ng[j]) for j in range(2)], key=lambda z: math.copysign(1, z) + 10 * z)
                    new_.append(to(fmt, scaled(v, omod, clamp)))
                name = op + "_e64"
                inst = "%s %s, %s%s%s" % (name, dst, ", ".join(ask), " clamp" if clamp else "", OMOD[omod])
                want, how = {OUT: blend(on, [v & M32 for v in new_], olds[0])}, {}
                if fmt == "e":  # the upper half: kept from gfx10 on, zero before; here only the lower one counts
                    how = {OUT: "l"}
                if width == 2:
                    want[OUT + 1] = blend(on, [v >> 32 for v in new_], olds[1])
                cases.append(Case("signs", inst, on, want, how, before=denormals(den), after=denormals(15)))
        # what a mode that keeps denormals makes of a scale: nothing
        for omod in (1, 2, 3):
            new_ = [to(fmt, a + b) for a, b in zip(*vals[:2])]
            want = {OUT: [v & M32 for v in new_]}
            if width == 2:
                want[OUT + 1] = [v >> 32 for v in new_]
            cases.append(Case("signs", "v_add_%s_e64 %s, %s, %s%s" % (n, dst, r(0), r(1), OMOD[omod]), gpu.all, want, {OUT: "l"} if fmt == "e" else {},
                              before=denormals(15)))
        add(gpu, ins, olds, cases)


def nans(gpu, rnd):
    """Clamping a NaN: 0 where MODE.DX10_CLAMP is set, else the NaN stays."""
    if gpu.major >= 12:
        return
    w = gpu.wave
    specials = [0x7fc00000, 0x7f800000, 0xff800000, 0x3f800000, 0xbf800000, 0x80000000, 0x3f000000, 0x40000000]
    a = [specials[i % 8] for i in range(w)]
    d = [to("d", f32(v)) if (v & 0x7fffffff) <= 0x7f800000 else 0x7ff8000000000000 for v in a]
    h = [to("e", f32(v)) if (v & 0x7fffffff) <= 0x7f800000 else 0x7e00 for v in a]
    ins = [a, [0] * w, [x & M32 for x in d], [x >> 32 for x in d], [0] * w, [0] * w, h, [0] * w]
    olds, cases = [[7] * w, [9] * w], []
    for dx in (0, 1):
        set_ = lambda v: ["s_setreg_imm32_b32 hwreg(HW_REG_MODE, 8, 1), %d" % v]

        def clamp(v, nan):
            return (nan if not dx else 0.0) if v != v else 0.0 if v <= 0 else 1.0 if v > 1 else v
        nan = float("nan")
        want = [to("f", clamp(f32(x), nan)) for x in a]
        cases.append(Case("nans", "v_add_f32_e64 v%d, v%d, v%d clamp" % (OUT, A, A + 1), gpu.all, {OUT: want}, {OUT: "f"}, before=set_(dx), after=set_(1)))
        want = [to("d", clamp(f64(x), nan)) for x in d]
        cases.append(Case("nans", "v_add_f64 v[%d:%d], v[%d:%d], v[%d:%d] clamp" % (OUT, OUT + 1, A + 2, A + 3, A + 4, A + 5), gpu.all,
                          {OUT: [x & M32 for x in want], OUT + 1: [x >> 32 & ~0x80000000 for x in want]}, {OUT: "."}, before=set_(dx), after=set_(1)))
        want = [to("e", clamp(f16(x), nan)) for x in h]
        cases.append(Case("nans", "v_add_f16_e64 v%d, v%d, v%d clamp" % (OUT, A + 6, A + 7), gpu.all, {OUT: want}, {OUT: "l"}, before=set_(dx), after=set_(1)))
    add(gpu, ins, olds, cases)


# --- packed --------------------------------------------------------------------------------------------------

def packed(gpu, rnd):
    w, pats, cases = gpu.wave, patterns(gpu, rnd), []
    halves = [[(rnd.choice(GOOD), rnd.choice(GOOD)) for _ in range(w)] for _ in range(3)]
    ins = [[to("e", x) | to("e", y) << 16 for x, y in v] for v in halves]
    olds = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(2)]
    ops = [("v_pk_add_f16", 2, lambda a, b: a + b), ("v_pk_mul_f16", 2, lambda a, b: a * b), ("v_pk_fma_f16", 3, lambda a, b, c: a * b + c)]
    bits = lambda n, m: "[%s]" % ",".join(str(m >> k & 1) for k in range(n))
    for k in range(72):
        op, n, f = ops[k % 3]
        lo, hi, nl, nh, clamp, on = rnd.getrandbits(n), rnd.getrandbits(n), rnd.getrandbits(n), rnd.getrandbits(n), k % 5 == 4, pats[k % len(pats)]
        if k < 9:
            lo, hi, nl, nh = [(0, 7, 0, 0), (1, 7, 0, 0), (0, 6, 7, 0)][k // 3]
        new = []
        for i in range(w):
            x = f(*[sign(halves[j][i][lo >> j & 1], False, nl >> j & 1) for j in range(n)])
            y = f(*[sign(halves[j][i][hi >> j & 1], False, nh >> j & 1) for j in range(n)])
            new.append(to("e", scaled(x, 0, clamp)) | to("e", scaled(y, 0, clamp)) << 16)
        inst = "%s v%d, %s op_sel:%s op_sel_hi:%s neg_lo:%s neg_hi:%s%s" % (op, OUT, ", ".join("v%d" % (IN + j) for j in range(n)), bits(n, lo), bits(n, hi), bits(n, nl), bits(n, nh),
                                                                        " clamp" if clamp else "")
        cases.append(Case("packed", inst, on, {OUT: blend(on, new, olds[0])}))
    for k in range(24):
        lo, hi, on = rnd.getrandbits(2), rnd.getrandbits(2), pats[k % len(pats)]
        half = lambda v, up: v >> 16 * up & 0xffff
        f = [lambda a, b: a + b, lambda a, b: a - b][k % 2]
        new = [f(half(a, lo & 1), half(b, lo >> 1)) & 0xffff | (f(half(a, hi & 1), half(b, hi >> 1)) & 0xffff) << 16 for a, b in zip(ins[0], ins[1])]
        cases.append(Case("packed", "v_pk_%s_u16 v%d, v%d, v%d op_sel:%s op_sel_hi:%s" % (["add", "sub"][k % 2], OUT, A, B, bits(2, lo), bits(2, hi)), on, {OUT: blend(on, new, olds[0])}))
    add(gpu, ins, olds, cases)
    # two floats
    cases, pairs = [], [[(rnd.choice(GOOD), rnd.choice(GOOD)) for _ in range(w)] for _ in range(3)]
    ins = [[to("f", x[j]) for x in v] for v in pairs for j in (0, 1)]
    ops = [("v_pk_add_f32", 2, lambda a, b: a + b), ("v_pk_mul_f32", 2, lambda a, b: a * b), ("v_pk_fma_f32", 3, lambda a, b, c: a * b + c)]
    for k in range(48):
        op, n, f = ops[k % 3]
        lo, hi, nl, nh, on = rnd.getrandbits(n), rnd.getrandbits(n), rnd.getrandbits(n), rnd.getrandbits(n), pats[k % len(pats)]
        clamp = k % 6 == 5
        res = [[to("f", scaled(f(*[sign(pairs[j][i][m >> j & 1], False, g >> j & 1) for j in range(n)]), 0, clamp)) for i in range(w)] for m, g in ((lo, nl), (hi, nh))]
        inst = "%s v[%d:%d], %s op_sel:%s op_sel_hi:%s neg_lo:%s neg_hi:%s%s" % (op, OUT, OUT + 1, ", ".join("v[%d:%d]" % (IN + 2 * j, IN + 2 * j + 1) for j in range(n)),
                                                                             bits(n, lo), bits(n, hi), bits(n, nl), bits(n, nh), " clamp" if clamp else "")
        cases.append(Case("packed", inst, on, {OUT: blend(on, res[0], olds[0]), OUT + 1: blend(on, res[1], olds[1])}))
    add(gpu, ins, olds, cases)


def mixed(gpu, rnd):
    """v_fma_mix: op_sel_hi says that an operand is a half, op_sel which; neg_lo the sign, neg_hi the absolute value."""
    w, pats, cases = gpu.wave, patterns(gpu, rnd), []
    # a float whose halves are small halves too: its own value is not exact in sums, so floats stand in D.. and halves in A..
    halves = [[(rnd.choice(GOOD), rnd.choice(GOOD)) for _ in range(w)] for _ in range(3)]
    floats = [[rnd.choice(GOOD) for _ in range(w)] for _ in range(3)]
    ins = [[to("e", x) | to("e", y) << 16 for x, y in v] for v in halves] + [[to("f", x) for x in v] for v in floats]
    olds = [[rnd.getrandbits(32) for _ in range(w)]]
    bits = lambda m: "[%s]" % ",".join(str(m >> k & 1) for k in range(3))
    for k in range(120):
        half, up, neg, abs_ = [rnd.getrandbits(3) for _ in range(4)]
        up &= half
        clamp, on = k % 5 == 4, pats[k % len(pats)]
        kind = ["v_fma_mix_f32", "v_fma_mixlo_f16", "v_fma_mixhi_f16"][k % 3]
        new = []
        for i in range(w):
            a, b, c = [sign(halves[j][i][up >> j & 1] if half >> j & 1 else floats[j][i], abs_ >> j & 1, neg >> j & 1) for j in range(3)]
            v = scaled(a * b + c, 0, clamp)
            o = olds[0][i]
            new.append(to("f", v) if k % 3 == 0 else o & 0xffff0000 | to("e", v) if k % 3 == 1 else o & 0xffff | to("e", v) << 16)
        ops = [written(IN + j + (0 if half >> j & 1 else 3), abs_ >> j & 1, neg >> j & 1) for j in range(3)]
        inst = "%s v%d, %s op_sel:%s op_sel_hi:%s%s" % (kind, OUT, ", ".join(ops), bits(up), bits(half), " clamp" if clamp else "")
        cases.append(Case("mixed", inst, on, {OUT: blend(on, new, olds[0])}))
    # every bit of a half counts
    whole = [to("f", f16(a)) for a in range(0x3c01, 0x3c01 + w)]
    ins.append([0x3c01 + i | 0x4001 + i << 16 for i in range(w)])
    cases.append(Case("mixed", "v_fma_mix_f32 v%d, v%d, 1.0, 0 op_sel_hi:[1,0,0]" % (OUT, IN + 6), gpu.all, {OUT: whole}))
    cases.append(Case("mixed", "v_fma_mix_f32 v%d, v%d, 1.0, 0 op_sel:[1,0,0] op_sel_hi:[1,0,0]" % (OUT, IN + 6), gpu.all, {OUT: [v + (1 << 23) for v in whole]}))
    add(gpu, ins, olds, cases)


def sixteen(gpu, rnd):
    """op_sel of VOP3: which half of each operand, and which half is written, the other one stays."""
    w, pats, cases = gpu.wave, patterns(gpu, rnd), []
    ins = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(3)]
    olds = [[rnd.getrandbits(32) for _ in range(w)]]
    fh = [[(rnd.choice(GOOD), rnd.choice(GOOD)) for _ in range(w)] for _ in range(3)]
    fins = [[to("e", x) | to("e", y) << 16 for x, y in v] for v in fh]
    iops = [("v_add_nc_u16", 2, lambda a, b: a + b), ("v_sub_nc_i16", 2, lambda a, b: a - b), ("v_mad_u16", 3, lambda a, b, c: a * b + c), ("v_lshrrev_b16", 2, lambda a, b: b >> (a & 15)),
            ("v_max_u16", 2, max), ("v_xor_b16", 2, lambda a, b: a ^ b)]
    fops = [("v_add_f16", 2, lambda a, b: a + b), ("v_fma_f16", 3, lambda a, b, c: a * b + c), ("v_mad_f16", 3, lambda a, b, c: a * b + c)]
    real = []
    for (op, n, f), sel in itertools.product(iops + fops, range(16)):
        if n == 2 and sel & 4:
            continue
        up, dst = [sel >> j & 1 for j in range(n)], sel >> 3
        on = pats[(sel * 7 + n) % len(pats)]
        name = op
        plain = "%s%s v%d, %s op_sel:[%s]" % (name, "_e64" if n == 2 and "f16" in op else "", OUT, ", ".join("v%d" % (IN + j) for j in range(n)), ",".join(map(str, up + [dst])))
        halved = "%s%s v%d.%s, %s" % (name, "_e64" if "_f16" in op else "", OUT, "lh"[dst], ", ".join("v%d.%s" % (IN + j, "lh"[up[j]]) for j in range(n)))
        res = []
        for i in range(w):
            if (op, n, f) in fops:
                v = to("e", f(*[fh[j][i][up[j]] for j in range(n)]))
            else:
                v = f(*[ins[j][i] >> 16 * up[j] & 0xffff for j in range(n)]) & 0xffff
            o = olds[0][i]
            res.append(o & 0xffff | v << 16 if dst else o & 0xffff0000 | v)
        for inst in (plain, halved):
            (real if (op, n, f) in fops else cases).append(Case("sixteen", inst, on, {OUT: blend(on, res, olds[0])}, {OUT: "x"}))
    add(gpu, ins, olds, cases)
    add(gpu, fins, olds, real)


def carries(gpu, rnd):
    """Masks in and out: only bits of active lanes are written, the others become 0."""
    w, cases = gpu.wave, []
    ins = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(2)]
    olds = [[rnd.getrandbits(32) for _ in range(w)]]
    s20, s22 = gpu.sreg(20), gpu.sreg(22)
    for k, on in enumerate(patterns(gpu, rnd)):
        m = rnd.getrandbits(w)
        ci = [m >> i & 1 for i in range(w)]
        on_ = [on >> i & 1 for i in range(w)]
        total = [a + b + c for a, b, c in zip(ins[0], ins[1], ci)]
        read = ["v_cndmask_b32_e64 v3, 0, 1, %s" % s22]
        new = "addc_co_u32" if gpu.major == 9 else "add_co_ci_u32"
        cases.append(Case("carries", "v_%s_e64 v%d, %s, v%d, v%d, %s" % (new, OUT, s22, A, B, s20), on,
                          {OUT: blend(on, [t & M32 for t in total], olds[0]), 3: [int(t > M32) & o for t, o in zip(total, on_)]}, before=gpu.mask(20, m), after=read))
        cases.append(Case("carries", "v_cmp_lt_u32_e64 %s, v%d, v%d" % (s22, A, B), on, {3: [int(a < b) & o for a, b, o in zip(ins[0], ins[1], on_)]}, before=gpu.mask(22, m), after=read))
        cases.append(Case("carries", "v_cmp_lt_f32_e64 %s, -|v%d|, v%d" % (s22, A, B), on,
                          {3: [int(sign(f32(a), 1, 1) < f32(b)) & o for a, b, o in zip(ins[0], ins[1], on_)]}, before=gpu.mask(22, m), after=read))
        cases.append(Case("carries", "v_cndmask_b32_e64 v%d, -v%d, |v%d|, %s" % (OUT, A, B, s20), on,
                          {OUT: blend(on, [b & 0x7fffffff if c else a ^ 0x80000000 for a, b, c in zip(ins[0], ins[1], ci)], olds[0])}, before=gpu.mask(20, m)))
        # v_cmpx: EXEC is what compares
        both = [int(sign(f32(a), 1, 0) < f32(b)) & o for a, b, o in zip(ins[0], ins[1], on_)]
        x = "v_cmpx_lt_f32_e64 %s|v%d|, v%d" % (s22 + ", " if gpu.major == 9 else "", A, B)
        cases.append(Case("carries", [x, "v_mov_b32 v%d, v%d" % (OUT, A)], on, {OUT: [a if c else o for a, c, o in zip(ins[0], both, olds[0])]}))
    add(gpu, ins, olds, cases)


def cases(gpu, rnd):
    for f in (dpp, sdwa, signs, nans, packed, mixed, sixteen, carries):
        f(gpu, rnd)
