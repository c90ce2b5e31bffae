# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows_small.py - tests of conversions of 32 floats to and from codes of six bits ("CDNA4 ISA", v_cvt_scalef32_pk32_…)."""
import random
import re

import number as N
import reference as R
from rows_kernel import M32, advance, loop, reg

FORMATS = {"f32": N.F32, "f16": N.F16, "bf16": N.BF16}
PACK = re.compile(r"v_cvt_scalef32_(sr_pk32|pk32|2xpk16)_(fp6|bf6)_(f32|f16|bf16)$")
UNPACK = re.compile(r"v_cvt_scalef32_pk32_(f32|f16|bf16)_(fp6|bf6)$")
ROUNDS = 2


def wide_plan(row, gpu, names):
    if gpu.name != "gfx950":
        return []
    m, u = PACK.match(row.name), UNPACK.match(row.name)
    out = []
    for name in names:
        if m:
            kind, code, t = m.groups()
            n = N.width(FORMATS[t])  # dwords of 32 numbers
            regs = [(8, 16), (24, 16), (4, 1)] if kind == "2xpk16" else [(8, n), (4, 1), (5, 1)] if kind == "sr_pk32" else [(8, n), (4, 1)]
            out.append((regs, (40, 6), name, lambda regs, text, kind=kind, code=code, t=t: pack_test(gpu, row, text, regs, kind, code, t)))
        elif u:
            t, code = u.groups()
            out.append(([(8, 6), (4, 1)], (32, N.width(FORMATS[t])), name, lambda regs, text, code=code, t=t: unpack_test(gpu, row, text, regs, code, t)))
    made = []
    for regs, d, name, make in out:
        text = "%s %s, %s" % (name, reg(*d), ", ".join(reg(*r) for r in regs))
        made.append((text, lambda regs=regs, text=text, make=make: make(regs, text)))
    return made


def join(values, bits):
    """Numbers of so many bits as dwords, least first."""
    v = sum(x << bits * k for k, x in enumerate(values))
    return [v >> 32 * k & M32 for k in range(bits * len(values) // 32)]


def run(gpu, row, text, regs, at, cases):
    """cases: for each round and lane, dwords loaded and dwords that are left"""
    loads = [r + k for r, n in regs for k in range(n)]
    n = len(cases[0][0][1])
    body = []
    for r in loads:
        body += ["%s v%d, v0, s[4:5]" % (gpu.load, r)] + advance()
    body += gpu.wait + [text]
    for k in range(n):
        body += ["%s v0, v%d, s[4:5]" % (gpu.store, at + k)] + advance()
    kernel = "k%d" % len(gpu.kernels)
    gpu.kernels.append((kernel, loop(gpu, body, ROUNDS), 0, 0))
    before, after, compare = [], [], []
    for lanes in cases:
        ins = [l[0][k] for k in range(len(loads)) for l in lanes]
        outs = [l[1][k] for k in range(n) for l in lanes]
        before += ins + [0] * len(outs)
        after += ins + outs
        compare += ["."] * len(ins) + ["x"] * len(outs)
    gpu.tests.append((row.name, kernel, before, after, compare))


def scale(rnd):
    """A float whose exponent counts."""
    e = rnd.randint(-4, 4)
    return e, rnd.getrandbits(1) << 31 | 127 + e << 23 | rnd.getrandbits(23)


def pack_test(gpu, row, text, regs, kind, code, t):
    rnd = random.Random(row.name)
    fmt = FORMATS[t]

    def number(e):
        man = rnd.getrandbits(fmt[1])
        if rnd.random() < 0.4:  # few bits: ties
            man = man >> (fmt[1] - 4) << (fmt[1] - 4)
        return rnd.getrandbits(1) << sum(fmt) | ((1 << fmt[0] - 1) - 1 + e + rnd.randint(-4, 1)) << fmt[1] | man

    def case():
        e, s = scale(rnd)
        seed = first = rnd.getrandbits(32)
        x = [number(e) for _ in range(32)]
        codes = []
        for i in range(32):
            v = R.scaled(N.decode(x[i // 2 + 16 * (i & 1)] if kind == "2xpk16" else x[i], fmt), s, False)
            codes.append(R.small_bits(v, code) if kind != "sr_pk32" else R.small_random(v, code, seed))
            seed = R.next_seed(seed)
        assert None not in codes
        return join(x, N.width(fmt)) + ([first] if kind == "sr_pk32" else []) + [s], join(codes, 6)
    run(gpu, row, text, regs, 40, [[case() for _ in range(64)] for _ in range(ROUNDS)])


def unpack_test(gpu, row, text, regs, code, t):
    rnd = random.Random(row.name)

    def case():
        e, s = scale(rnd)
        codes = [rnd.getrandbits(6) for _ in range(32)]
        numbers = [N.encode(R.scaled(R.small_value(c, code), s, True), FORMATS[t]) for c in codes]
        return join(codes, 6) + [s], join(numbers, N.width(FORMATS[t]))
    run(gpu, row, text, regs, 32, [[case() for _ in range(64)] for _ in range(ROUNDS)])
