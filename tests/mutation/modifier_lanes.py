# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""modifier_lanes.py - instructions that look at other lanes or at registers by number, and state of the wave.

"RDNA3 ISA" 11.3.2 and 16.14, "RDNA4 ISA" 16.14, "CDNA2 ISA" 11.4, "Vega ISA" 11.3 (ds_swizzle) and LLVM's guide for gfx950.
"""
import itertools

from modifier import IN, M32, OLD, OUT, Case, add, blend, patterns
from modifier_valu import GOOD, sign, to, written

A, B, C, D = IN, IN + 1, IN + 2, IN + 3


def scalar(gpu, rnd, pats):
    w, cases = gpu.wave, []
    ins = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(4)]
    olds = [[rnd.getrandbits(32) for _ in range(w)]]
    row = lambda v: [v] * w
    out = ["v_mov_b32 v3, s20"]
    for on in pats:
        first = next((i for i in range(w) if on >> i & 1), 0)
        cases.append(Case("lanes", "v_readfirstlane_b32 s20, v%d" % A, on, {3: row(ins[0][first])}, after=out))
        for lane in (0, 1, w // 2, w - 1, w + 3, rnd.getrandbits(32)):
            cases.append(Case("lanes", "v_readlane_b32 s20, v%d, s21" % A, on, {3: row(ins[0][lane % w])}, before=["s_mov_b32 s21, 0x%x" % lane], after=out))
            v = rnd.getrandbits(32)
            cases.append(Case("lanes", "v_writelane_b32 v%d, s22, s21" % OUT, on, {OUT: [v if i == lane % w else o for i, o in enumerate(olds[0])]},
                              before=["s_mov_b32 s21, 0x%x" % lane, "s_mov_b32 s22, 0x%x" % v]))
        cases.append(Case("lanes", "v_readlane_b32 s20, v%d, %d" % (A, w // 2 + 1), on, {3: row(ins[0][w // 2 + 1])}, after=out))
        cases.append(Case("lanes", "v_writelane_b32 v%d, 17, %d" % (OUT, w // 2 + 1), on, {OUT: [17 if i == w // 2 + 1 else o for i, o in enumerate(olds[0])]}))
        for high in (False, True):
            m = rnd.getrandbits(32)
            name = "v_mbcnt_%s_u32_b32" % ("hi" if high else "lo")
            for src, masks in (("v%d" % A, ins[0]), ("0x%x" % m, row(m)), ("-1", row(M32))):
                if src.startswith("0x") and gpu.major < 10:
                    continue
                new = []
                for i in range(w):
                    below = (1 << max(i - 32, 0)) - 1 if high else (1 << min(i, 32)) - 1
                    new.append(bin(masks[i] & below).count("1") + ins[1][i] & M32)
                cases.append(Case("lanes", "%s_e64 v%d, %s, v%d" % (name, OUT, src, B), on, {OUT: blend(on, new, olds[0])}))
        for pair in ("v_swap_b32 v%d, v%d" % (OUT, OUT + 1),):
            cases.append(Case("lanes", [pair], on, {OUT: blend(on, ins[0], ins[1]), OUT + 1: blend(on, ins[1], ins[0])},
                              before=["v_mov_b32 v%d, v%d" % (OUT, B), "v_mov_b32 v%d, v%d" % (OUT + 1, A)]))
    add(gpu, ins, olds, cases, 60)


def permutes(gpu, rnd, pats):
    w, cases = gpu.wave, []
    group = 32 if gpu.major >= 10 else w
    # byte addresses: any, also those that wrap; the lower bits do not matter
    ins = [[rnd.getrandbits(32) for _ in range(w)], [rnd.randrange(w) * 4 + rnd.getrandbits(2) for _ in range(w)], [4 * (w - 1 - i) for i in range(w)],
           [rnd.getrandbits(32) for _ in range(w)], [4 * (i // 3) for i in range(w)], [(i * 7 + 3) % 256 * 4 for i in range(w)]]
    olds = [[rnd.getrandbits(32) for _ in range(w)]]
    data = ins[0]
    for on, k, off in itertools.product(pats, (1, 2, 3, 4, 5), (0, 4, 0x44, 0xfffc)):
        if off == 0x44 and k > 2 or off == 0xfffc and k != 1:
            continue
        tail = " offset:%d" % off if off else ""
        at = lambda i: i & ~(group - 1) | ((ins[k][i] + off & M32) >> 2) & (group - 1)
        new = [data[at(i)] if on >> at(i) & 1 else 0 for i in range(w)]
        cases.append(Case("permute", "ds_bpermute_b32 v%d, v%d, v%d%s" % (OUT, IN + k, A, tail), on, {OUT: blend(on, new, olds[0])}))
        cases.append(Case("permute", "ds_bpermute_fi_b32 v%d, v%d, v%d%s" % (OUT, IN + k, A, tail), on, {OUT: blend(on, [data[at(i)] for i in range(w)], olds[0])}))
        new = [0] * w
        for i in range(w):
            if on >> i & 1:
                new[at(i)] = data[i]
        cases.append(Case("permute", "ds_permute_b32 v%d, v%d, v%d%s" % (OUT, IN + k, A, tail), on, {OUT: blend(on, new, olds[0])}))
    offs = [0x8000 | q for q in (0xe4, 0x1b, 0xb1, 0x00, 0xff, 0x4e, 0x72, 0x3fff)]
    offs += [a | o << 5 | x << 10 for a, o, x in ((31, 0, 1), (31, 0, 16), (31, 0, 31), (0, 0, 0), (0, 31, 0), (24, 5, 2), (16, 0, 0), (30, 1, 8), (7, 8, 4), (31, 31, 31), (28, 3, 0))]
    if gpu.major >= 9:
        offs += [0xc000 | m | by << 5 | back << 10 for m, by, back in ((0, 1, 0), (0, 1, 1), (16, 5, 0), (24, 3, 1), (0, 31, 0), (7, 8, 0), (1, 2, 1))]
        offs += [0xe000 | k for k in (0, 31)]
    for k, off in enumerate(offs):
        def source(i):
            j, up = i & 31, i & 32
            if off >= 0xe000:
                return up | (j if off & 31 == 31 else int("{:05b}".format(j)[::-1], 2))
            if off >= 0xc000:
                m, by = off & 31, off >> 5 & 31
                return up | j & m | (j + (-by if off >> 10 & 1 else by)) & 31 & ~m
            if off & 0x8000:
                return i & ~3 | off >> 2 * (i & 3) & 3
            return up | ((j & off & 31 | off >> 5 & 31) ^ off >> 10 & 31)
        for on in (pats[0], pats[1 + k % 2], pats[3 + k % 5], pats[8]):
            new = [data[source(i)] if on >> source(i) & 1 else 0 for i in range(w)]
            cases.append(Case("permute", "ds_swizzle_b32 v%d, v%d offset:0x%x" % (OUT, A, off), on, {OUT: blend(on, new, olds[0])}))
    add(gpu, ins, olds, cases, 60)


def permlanes(gpu, rnd, pats):
    w, cases = gpu.wave, []
    ins = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(2)]
    olds = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(2)]
    a, b = ins
    for on, fi, bound in itertools.product(pats, (0, 1), (0, 1)):
        lo, hi = rnd.getrandbits(32), rnd.getrandbits(32)
        pick = lo | hi << 32
        for x, name in ((0, "v_permlane16"), (16, "v_permlanex16")):
            def result(source):
                return [(a[source(i)] if fi or on >> source(i) & 1 else 0 if bound else olds[0][i]) if on >> i & 1 else olds[0][i] for i in range(w)]
            sel = " op_sel:[%d,%d]" % (fi, bound)
            cases.append(Case("permlane", "%s_b32 v%d, v%d, s21, s22%s" % (name, OUT, A, sel), on, {OUT: result(lambda i: (i & ~15 ^ x) + (pick >> 4 * (i & 15) & 15))},
                              before=["s_mov_b32 s21, 0x%x" % lo, "s_mov_b32 s22, 0x%x" % hi]))
            cases.append(Case("permlane", "%s_var_b32 v%d, v%d, v%d%s" % (name, OUT, A, B, sel), on, {OUT: result(lambda i: (i & ~15 ^ x) + (b[i] & 15))}))
        for size in (16, 32) if w == 64 else ():
            d, s = list(olds[0]), list(olds[1])
            for i in range(w):
                j = i ^ size
                valid = fi or on >> j & 1
                if not on >> i & 1 or not (valid or bound):
                    continue
                if i & size:
                    d[i] = olds[1][j] if valid else 0
                else:
                    s[i] = olds[0][j] if valid else 0
            cases.append(Case("permlane", "v_permlane%d_swap_b32_e64 v%d, v%d%s%s" % (size, OUT, OUT + 1, " bound_ctrl:1" if bound else "", " fi:1" if fi else ""), on, {OUT: d, OUT + 1: s}))
    for on in pats:
        new = [a[i ^ 32] for i in range(w)] if w == 64 else olds[0]
        cases.append(Case("permlane", "v_permlane64_b32 v%d, v%d" % (OUT, A), on, {OUT: blend(on, new, olds[0])}))
    add(gpu, ins, olds, cases)


def tables(gpu, rnd, pats):
    """v_bitop3: any function of three bits"""
    w, cases = gpu.wave, []
    ins = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(3)]
    olds = [[rnd.getrandbits(32) for _ in range(w)]]

    def value(x, y, z, t, n):
        r = 0
        for k in range(n):
            r |= (t >> ((x >> k & 1) * 4 + (y >> k & 1) * 2 + (z >> k & 1)) & 1) << k
        return r
    for k in range(30):
        t, on, sel = rnd.getrandbits(8), pats[k % len(pats)], rnd.getrandbits(4)
        cases.append(Case("bitop3", "v_bitop3_b32 v%d, v%d, v%d, v%d bitop3:0x%x" % (OUT, A, B, C, t), on, {OUT: blend(on, [value(x, y, z, t, 32) for x, y, z in zip(*ins)], olds[0])}))
        new = []
        for i in range(w):
            v = value(*[ins[j][i] >> (16 if sel >> j & 1 else 0) & 0xffff for j in range(3)], t, 16)
            new.append(olds[0][i] & 0xffff | v << 16 if sel & 8 else olds[0][i] & 0xffff0000 | v)
        cases.append(Case("bitop3", "v_bitop3_b16 v%d, v%d, v%d, v%d bitop3:0x%x op_sel:[%d,%d,%d,%d]" % (OUT, A, B, C, t, sel & 1, sel >> 1 & 1, sel >> 2 & 1, sel >> 3), on,
                          {OUT: blend(on, new, olds[0])}))
    add(gpu, ins, olds, cases)


def indexed(gpu, rnd, pats):
    """Registers by M0: v_movrel (gfx10 on) and the mode of s_set_gpr_idx (gfx9)."""
    w, cases = gpu.wave, []
    ins = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(8)]
    olds = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(4)]
    for on in pats:
        k, j = rnd.randrange(8), rnd.randrange(4)
        m0 = lambda v: ["s_mov_b32 m0, 0x%x" % v]
        rows = {OUT + i: olds[i] for i in range(4)}
        want = lambda dst, new: {**rows, OUT + dst: blend(on, new, olds[dst])}
        cases.append(Case("index", "v_movrels_b32 v%d, v%d" % (OUT, A), on, want(0, ins[k]), before=m0(k)))
        cases.append(Case("index", "v_movreld_b32 v%d, v%d" % (OUT, A), on, want(j, ins[0]), before=m0(j)))
        cases.append(Case("index", "v_movrelsd_b32 v%d, v%d" % (OUT, A), on, want(j, ins[j]), before=m0(j)))
        cases.append(Case("index", "v_movrelsd_2_b32 v%d, v%d" % (OUT, A), on, want(j, ins[k]), before=m0(k | j << 16 | 0xfc00 | 0xfc000000)))
        # far beyond the registers v0 is read, and that is four times the lane
        cases.append(Case("index", "v_movrels_b32 v%d, v%d" % (OUT, A), on, want(0, [4 * i for i in range(w)]), before=m0(0x12345)))
        both = {**rows, OUT + j: blend(on, ins[k], olds[j]), IN + k: blend(on, olds[j], ins[k])}
        cases.append(Case("index", "v_swaprel_b32 v%d, v%d" % (OUT, A), on, both, before=["v_mov_b32 v3, v%d" % (IN + k)] + m0(k | j << 16), after=[]))
        cases[-1].after = []
        if gpu.major >= 10:  # what it took is given back for the next case
            cases[-1].want = {r: v for r, v in both.items()}
            cases.append(Case("index", "v_mov_b32 v%d, v3" % (IN + k), gpu.all, {IN + k: ins[k]}))
        # M0 keeps its other bits: 0xa5000f00
        for name, mode in (("gpr_idx(SRC0)", 1), ("gpr_idx(DST)", 8), ("gpr_idx(SRC0,DST)", 9)):
            s = ins[j if mode & 1 else 0]
            d = j if mode & 8 else 0
            cases.append(Case("index", ["s_set_gpr_idx_on s20, %s" % name, "v_mov_b32 v%d, v%d" % (OUT, A), "s_set_gpr_idx_off"], on, want(d, s), before=["s_mov_b32 s20, %d" % (j + 256 * 5)]))
            cases.append(Case("index", ["s_set_gpr_idx_on s20, gpr_idx(SRC1)", "s_set_gpr_idx_idx s21", "s_set_gpr_idx_mode %s" % name, "v_mov_b32 v%d, v%d" % (OUT, A), "s_set_gpr_idx_off",
                                        "s_mov_b32 s22, m0"], on, {**want(d, s), 3: [0xa5000f00 | j | mode << 12] * w},
                              before=["s_mov_b32 s20, 1", "s_mov_b32 s21, %d" % (j + 0x700)] + m0(0xa5fa5f77 & 0xffff0fff & 0xa5000fff), after=["v_mov_b32 v3, s22"]))
    add(gpu, ins, olds, cases, 30)
    # scalar registers
    cases = []
    fill = ["s_mov_b32 s%d, 0x%x" % (20 + i, 0x1000 + i) for i in range(16)]
    read = ["v_mov_b32 v3, s20", "v_mov_b32 v%d, s21" % OUT, "v_mov_b32 v%d, s22" % (OUT + 1), "v_mov_b32 v%d, s23" % (OUT + 2)]

    def regs(**change):
        r = {20 + i: 0x1000 + i for i in range(4)}
        r.update({int(k[1:]): v for k, v in change.items()})
        return {reg: [r[n]] * w for reg, n in zip((3, OUT, OUT + 1, OUT + 2), range(20, 24))}
    for n in (2, 4, 6, 8, 10, 14):
        m0 = ["s_mov_b32 m0, %d" % n]
        cases.append(Case("index", "s_movrels_b32 s20, s21", gpu.all, regs(s20=0x1001 + n), before=fill + m0, after=read))
        cases.append(Case("index", "s_movrels_b64 s[20:21], s[20:21]", gpu.all, regs(s20=0x1000 + n, s21=0x1001 + n), before=fill + m0, after=read))
        cases.append(Case("index", "s_movreld_b32 s%d, s30" % (22 - n), gpu.all, regs(s22=0x100a), before=fill + m0, after=read))
        cases.append(Case("index", "s_movreld_b32 s%d, 5" % (22 - n), gpu.all, regs(s22=5), before=fill + m0, after=read))
        cases.append(Case("index", "s_movreld_b64 s[%d:%d], s[30:31]" % (22 - n, 23 - n), gpu.all, regs(s22=0x100a, s23=0x100b), before=fill + m0, after=read))
        cases.append(Case("index", "s_movrelsd_2_b32 s%d, s%d" % (23 - n, 26), gpu.all, regs(s23=0x1009), before=fill + ["s_mov_b32 m0, 0x%x" % (3 | n << 16 | 0xfc00fc00)], after=read))
    add(gpu, ins, olds, cases, 30)


def duals(gpu, rnd, pats):
    """v_dual: both parts read before either writes."""
    w, cases = gpu.wave, []
    ins = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(4)]
    olds = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(2)]
    o0, o1 = olds
    for on in pats:
        # v40 and v41 change places, meet, add what the other one writes
        cases.append(Case("dual", "v_dual_mov_b32 v%d, v%d :: v_dual_mov_b32 v%d, v%d" % (OUT, OUT + 1, OUT + 1, OUT), on, {OUT: blend(on, o1, o0), OUT + 1: blend(on, o0, o1)}))
        cases.append(Case("dual", "v_dual_mov_b32 v%d, v%d :: v_dual_add_nc_u32 v%d, v%d, v%d" % (OUT, A, OUT + 1, OUT, B), on,
                          {OUT: blend(on, ins[0], o0), OUT + 1: blend(on, [x + y & M32 for x, y in zip(o0, ins[1])], o1)}))
        cases.append(Case("dual", "v_dual_mov_b32 v%d, v%d :: v_dual_and_b32 v%d, v%d, v%d" % (OUT + 1, OUT, OUT, OUT + 1, B), on,
                          {OUT + 1: blend(on, o0, o1), OUT: blend(on, [x & y for x, y in zip(o1, ins[1])], o0)}))
        m = rnd.getrandbits(w)
        cases.append(Case("dual", "v_dual_cndmask_b32 v%d, v%d, v%d :: v_dual_mov_b32 v%d, v%d" % (OUT, A, OUT + 1, OUT + 1, OUT), on,
                          {OUT: blend(on, [y if m >> i & 1 else x for i, (x, y) in enumerate(zip(ins[0], o1))], o0), OUT + 1: blend(on, o0, o1)}, before=gpu.mask("vcc", m)))
    add(gpu, ins, olds, cases)


def floats(gpu, rnd):
    """Scalar floats with signs and clamp (gfx12's v_s_*), and their comparisons"""
    w, cases = gpu.wave, []
    out = ["v_mov_b32 v3, s20"]
    import math
    exact = {"v_s_sqrt_f32": (math.sqrt, [0.25, 1.0, 4.0, 16.0, 0.0625]), "v_s_rcp_f32": (lambda v: 1 / v, [0.25, 1.0, 4.0, -2.0, -0.5]),
             "v_s_exp_f32": (lambda v: 2.0 ** v, [1.0, -1.0, 3.0, 0.0, -2.0]), "v_s_log_f32": (math.log2, [1.0, 2.0, 0.5, 8.0])}
    for name, (f, values) in exact.items():
        for fmt, size in (("f", "f32"), ("e", "f16")):
            for v, ab, ng, clamp in itertools.product(values, (0, 1), (0, 1), (0, 1)):
                x = sign(v, ab, ng)
                if x < 0 and name[4:] in ("sqrt_f32", "log_f32"):
                    continue
                r = f(x)
                r = min(max(r, 0.0), 1.0) if clamp else r
                bits = to(fmt, v) | (rnd.getrandbits(16) << 16 if fmt == "e" else 0)
                op = "%s s20, %s%s" % (name.replace("f32", size), written(21, ab, ng, "s%d"), " clamp" if clamp else "")
                cases.append(Case("sfloat", op, gpu.all, {3: [to(fmt, r)] * w}, {3: "m" if fmt == "e" else "g"}, before=["s_mov_b32 s21, 0x%x" % bits], after=out))
    for k in range(24):
        a, b = rnd.choice(GOOD), rnd.choice(GOOD)
        for fmt, size in (("f", "f32"), ("e", "f16")):
            set_ = ["s_mov_b32 s21, 0x%x" % to(fmt, a), "s_mov_b32 s22, 0x%x" % to(fmt, b)]
            cases.append(Case("sfloat", "s_add_%s s20, s21, s22" % size, gpu.all, {3: [to(fmt, a + b)] * w}, before=set_, after=out))
            cases.append(Case("sfloat", "s_cmp_lt_%s s21, s22" % size, gpu.all, {3: [int(a < b)] * w}, before=set_, after=["s_cselect_b32 s20, 1, 0"] + out))
            cases[-1].inst.append("s_cselect_b32 s23, 1, 0")
            cases[-1].after = ["v_mov_b32 v3, s23"]
    ins = [[0] * w]
    add(gpu, ins, [[0] * w], cases, 60)


def state(gpu, rnd):
    """MODE and barriers"""
    w, cases = gpu.wave, []
    get = lambda at, n: "s_getreg_b32 s20, hwreg(HW_REG_MODE, %d, %d)" % (at, n)
    out = ["v_mov_b32 v3, s20"]
    set_ = lambda at, n, v: "s_setreg_imm32_b32 hwreg(HW_REG_MODE, %d, %d), 0x%x" % (at, n, v)
    back = [set_(0, 8, 0xf0)]
    for at, n in ((0, 8), (0, 2), (2, 2), (4, 2), (4, 4), (6, 2), (1, 5), (3, 1)):
        for v in (0xa5, 0x5a, 0xf0, 0):
            cases.append(Case("state", [set_(0, 8, v), get(at, n)], gpu.all, {3: [v >> at & ((1 << n) - 1)] * w}, after=back + out))
            u = rnd.getrandbits(8)
            new = v & ~(((1 << n) - 1) << at) | (u & ((1 << n) - 1)) << at
            cases.append(Case("state", [set_(0, 8, v), set_(at, n, u), get(0, 8)], gpu.all, {3: [new] * w}, after=back + out))
            cases.append(Case("state", [set_(0, 8, v), "s_setreg_b32 hwreg(HW_REG_MODE, %d, %d), s21" % (at, n), get(0, 8)], gpu.all, {3: [new] * w},
                              before=["s_mov_b32 s21, 0x%x" % u], after=back + out))
    for v in range(16):
        cases.append(Case("state", [set_(0, 8, 0x5a), "s_round_mode 0x%x" % v, get(0, 8)], gpu.all, {3: [0x50 | v] * w}, after=back + out))
        cases.append(Case("state", [set_(0, 8, 0x5a), "s_denorm_mode 0x%x" % v, get(0, 8)], gpu.all, {3: [0xa | v << 4] * w}, after=back + out))
    # a debug trap does nothing; SCC, EXECZ and VCCZ
    cases.append(Case("state", "s_trap 3", gpu.all, {3: [7] * w}, after=["v_mov_b32 v3, 7"]))
    if gpu.major < 12:
        for on, vcc, scc in itertools.product((gpu.all, 0, 1 << w - 1, 1), (0, 1, 1 << w - 1), (0, 1)):
            for at, v in ((0, scc), (9, int(on == 0)), (10, int(vcc == 0))):
                cases.append(Case("state", ["s_cmp_eq_u32 s21, 1", "s_getreg_b32 s20, hwreg(HW_REG_STATUS, %d, 1)" % at], on, {3: [v] * w}, before=["s_mov_b32 s21, %d" % scc] + gpu.mask("vcc", vcc), after=out))
    # gfx12: the only wave arrives first, and the barrier knows it
    cases.append(Case("state", ["s_barrier_signal_isfirst -1", "s_cselect_b32 s20, 1, 0", "s_barrier_wait -1"], gpu.all, {3: [1] * w}, before=["s_cmp_lg_u32 0, 0"], after=out))
    add(gpu, [[0] * w], [[0] * w], cases, 60)


def cases(gpu, rnd):
    pats = patterns(gpu, rnd)
    for f in (scalar, permutes, permlanes, tables, indexed, duals):
        f(gpu, rnd, pats)
    floats(gpu, rnd)
    state(gpu, rnd)
