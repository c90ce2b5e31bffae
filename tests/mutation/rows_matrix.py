# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows_matrix.py - tests of matrix instructions ("CDNA3 ISA" 7.1): small whole numbers, whose products and sums are exact."""
import random
import re

import number as N
import reference as R
from rows_kernel import M32, advance, loop, reg

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
