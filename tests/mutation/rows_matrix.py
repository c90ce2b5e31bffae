# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows_matrix.py - tests of matrix instructions ("CDNA3 ISA" 7.1, "RDNA3 ISA" 7.9, "RDNA4 ISA" 7.12): small whole numbers,
whose products and sums are exact, with the elements where the manuals put them."""
import random
import re

import number as N
import reference as R
from rows_kernel import M32, advance, loop, reg

NAME = re.compile(r"v_(mfma|smfmac|wmma|swmmac)_(f32|i32|f64|f16|bf16)_(\d+)x(\d+)x(\d+)_?(\w+?)(_1k)?$")
SCALED = re.compile(r"v_mfma_(scale_)?f32_(\d+)x(\d+)x(\d+)_f8f6f4$")
FORMATS = {"f32": N.F32, "xf32": N.F32, "f16": N.F16, "bf16": N.BF16, "f64": N.F64}
WIDTH = {"i8": 8, "iu8": 8, "iu4": 4, "f64": 64, "f32": 32, "i32": 32, "xf32": 32, "f16": 16, "bf16": 16}
A, B, C, INDEX, SCALES = 8, 16, 32, 4, (4, 5)


def element(v, t):
    if t in ("i8", "iu8", "iu4", "i32"):
        return v & ((1 << WIDTH[t]) - 1)
    if t in FORMATS:
        return N.encode(R.Fraction(v), FORMATS[t])
    return R.small_bits(R.Fraction(v), t)


class Shape:
    """D = A * B + C of M x M x K, so many times; n elements of B are in a lane."""

    def __init__(self, gpu, kind, to, M, K, of, blocks):
        self.wave, self.kind, self.to, self.M, self.K, self.of, self.blocks = gpu.wave, kind, to, M, K, of, blocks
        z = "_z" if gpu.name == "gfx942" else ""
        self.types = [t + z if t in ("fp8", "bf8") else t for t in (of.split("_") * 2)[:2]]
        self.bits = WIDTH.get(of, 8)
        self.old = gpu.major == 11  # WMMA of gfx11: both halves of the wave hold the same, halves are not packed
        self.sparse = kind in ("smfmac", "swmmac")
        self.wmma = kind in ("wmma", "swmmac")
        self.n = (K if self.old else K // 2) if self.wmma else M * K * blocks // 64
        self.a = self.n * self.bits // (64 if self.sparse else 32)
        self.b = self.n * self.bits // 32
        # elements of D in a lane, and its registers
        self.d_elements = 8 if self.wmma else M * M * blocks // 64
        self.d = self.d_elements * WIDTH[to] // 32 if not (self.old and WIDTH[to] == 16) else 8

    def possible(self):
        if self.wmma:
            return True
        whole = self.n > 0 and self.n * 64 == self.M * self.K * self.blocks and self.n * self.bits % 32 == 0
        return whole and 0 < self.d <= 32 and self.b <= 8 and (self.blocks == 1 or self.blocks * self.M == 64 or self.to == "f64" and self.M == self.blocks == 4)

    def of_b(self, lane, e):
        """Block and k of a lane's element e."""
        rest = lane // self.M
        if self.wmma:
            return 0, e if self.old else rest * self.n + e
        if self.to == "f64" and self.blocks > 1:
            return rest % 4, rest // 4
        return (rest, e) if self.blocks > 1 else (0, rest * self.n + e)

    def of_d(self, lane, v):
        """Block, row, column."""
        M = self.M
        if self.wmma:
            return 0, 2 * v + lane // 16 if self.old else 8 * (lane // 16) + v, lane % 16
        if M == 32:
            return v // 16, 8 * (v % 16 // 4) + 4 * (lane // 32) + v % 4, lane % 32
        if M == 16:
            return (v // 4, 4 * (lane // 16) + v % 4, lane % 16) if self.to != "f64" else (0, 4 * v + lane // 16, lane % 16)
        return (lane // 4, v, lane % 4) if self.to != "f64" else (lane // 4 % 4, lane // 16, lane % 4)


def matrix_plan(row, gpu, names):
    """All (text, function that makes the test): how many blocks there are is known by the registers that the assembler wants."""
    m = SCALED.match(row.name)
    if m and gpu.name == "gfx950":
        return scaled_plan(row, gpu, names, *m.groups())
    m = NAME.match(row.name)
    if not m or (m.group(1) in ("wmma", "swmmac")) != (gpu.major >= 11):
        return []
    kind, to, M, K, of = m.group(1), m.group(2), int(m.group(3)), int(m.group(5)), m.group(6)
    out = []
    for blocks in (1, 2, 4, 16):
        s = Shape(gpu, kind, to, M, K, of, blocks)
        if not s.possible() or blocks > 1 and kind != "mfma":
            continue
        sets = 32 // s.n if s.sparse else 1
        for name in names:
            for k in range(min(sets, 2)):
                part = k * (sets - 1)
                last = reg(INDEX, 1) if s.sparse else reg(C, s.d)
                text = "%s %s, %s, %s, %s" % (name, reg(C, s.d), reg(A, s.a), reg(B, s.b), last)
                if part:
                    text += (" index_key:%d" if s.wmma else " abid:%d") % part
                if of[:2] == "iu":
                    text += " neg_lo:[1,0,0]"
                out.append((text, lambda s=s, text=text, part=part: matrix_test(gpu, row, s, text, part)))
    return out


def run(gpu, row, text, loads, want):
    """The test: registers loaded, [(first, rows of lanes)], and what is stored of those from C on."""
    body, ins = [], []
    for first, rows in loads:
        for k, lanes in enumerate(rows):
            body += ["%s v%d, v0, s[4:5]" % (gpu.load, first + k)] + advance()
            ins += lanes
    body += gpu.wait + [text]
    out = sum(want, [])
    for k in range(len(want)):
        body += ["%s v0, v%d, s[4:5]" % (gpu.store, C + k)] + advance()
    kernel = "k%d" % len(gpu.kernels)
    gpu.kernels.append((kernel, loop(gpu, body, 1), 0, 0))
    gpu.tests.append((row.name, kernel, ins + [0] * len(out), ins + out, ["."] * len(ins) + ["x"] * len(out)))


def put(rows, lane, e, bits, v):
    for w in range(max(1, bits // 32)):
        rows[(e * bits) // 32 + w][lane] |= v >> 32 * w << e * bits % 32 & M32


def matrix_test(gpu, row, s, text, part):
    rnd = random.Random(row.name)
    M, K, blocks = s.M, s.K, s.blocks
    most, far = (2, 30) if s.to == "bf16" else (6, 99)  # sums of brain floats are exact up to 256
    low = 0 if s.of[:2] == "iu" else -most  # B is unsigned there
    a = [[[rnd.randint(-most, most) for k in range(K)] for i in range(M)] for b in range(blocks)]
    x = [[[rnd.randint(low, 13 if s.of[:2] == "iu" else most) for j in range(M)] for k in range(K)] for b in range(blocks)]
    c = [[[rnd.randint(-far, far) for j in range(M)] for i in range(M)] for b in range(blocks)]
    lanes = [[0] * s.wave for _ in range(s.a)], [[0] * s.wave for _ in range(s.b)]
    index = [rnd.getrandbits(32) for _ in range(s.wave)]
    two = [[sorted(rnd.sample(range(4), 2)) for g in range(K // 4)] for i in range(M)]
    if s.sparse:
        a[0] = [[v if k % 4 in two[i][k // 4] else 0 for k, v in enumerate(line)] for i, line in enumerate(a[0])]

    def noise():  # XF32: bits that are dropped, less than half of the last one
        return rnd.getrandbits(11) if s.of == "xf32" else 0
    for lane in range(s.wave):
        i = lane % M
        for e in range(s.n):
            b, k = s.of_b(lane, e)
            put(lanes[1], lane, e, s.bits, element(x[b][k][i], s.types[1]) | (noise() if x[b][k][i] else 0))
            if not s.sparse:
                put(lanes[0], lane, e, s.bits, element(a[b][i][k], s.types[0]) | (noise() if a[b][i][k] else 0))
            elif e % 4 == 0:
                p = two[i][k // 4]
                for h in range(2):
                    put(lanes[0], lane, e // 2 + h, s.bits, element(a[0][i][k + p[h]], s.types[0]))
                at = part * s.n + e
                index[lane] = index[lane] & ~(15 << at) | (p[0] | p[1] << 2) << at

    def result(get):
        rows = [[0] * s.wave for _ in range(s.d)]
        for lane in range(s.wave):
            for v in range(s.d_elements):
                bits = 32 if s.old else WIDTH[s.to]
                put(rows, lane, v, bits, element(get(*s.of_d(lane, v)), s.to) | (0x4d0000 if s.old and WIDTH[s.to] == 16 else 0))
        return rows
    loads = [(A, lanes[0]), (B, lanes[1])] + ([(INDEX, [index])] if s.sparse else []) + [(C, result(lambda b, i, j: c[b][i][j]))]
    run(gpu, row, text, loads, result(lambda b, i, j: c[b][i][j] + sum(a[b][i][k] * x[b][k][j] for k in range(K))))


# --- of gfx950: FP8, with a power of two for each row and 32 k ------------------------------------------------------

def scaled_plan(row, gpu, names, scale, M, M2, K):
    M, K = int(M), int(K)
    d = M * M // 64
    out = []
    for name in names:
        text = "%s %s, %s, %s, %s" % (name, reg(C, d), reg(A, 8), reg(B, 8), reg(C, d))
        if scale:
            text += ", v%d, v%d op_sel_hi:[0,0,0]" % SCALES
        out.append((text, lambda text=text: scaled_test(gpu, row, text, bool(scale), M, K)))
    return out


def scaled_test(gpu, row, text, scale, M, K):
    rnd = random.Random(row.name)
    s = Shape(gpu, "mfma", "f32", M, K, "fp8", 1)
    a = [[rnd.randint(-6, 6) for k in range(K)] for i in range(M)]
    x = [[rnd.randint(-6, 6) for j in range(M)] for k in range(K)]
    c = [[rnd.randint(-99, 99) for j in range(M)] for i in range(M)]
    exps = [[[rnd.randint(0, 2) if scale else 0 for k in range(K // 32)] for i in range(M)] for _ in range(2)]
    lanes = [[[0] * 64 for _ in range(8)] for _ in range(2)]
    scales = [[127 + exps[o][lane % M][lane // M] | rnd.getrandbits(24) << 8 for lane in range(64)] for o in range(2)]
    for lane in range(64):
        i = lane % M
        for e in range(32):
            k = 16 * (64 // M) * (e // 16) + 16 * (lane // M) + e % 16
            put(lanes[0], lane, e, 8, element(a[i][k], "fp8"))
            put(lanes[1], lane, e, 8, element(x[k][i], "fp8"))

    def result(get):
        rows = [[0] * 64 for _ in range(M * M // 64)]
        for lane in range(64):
            for v in range(M * M // 64):
                rows[v][lane] = element(get(*s.of_d(lane, v)[1:]), "f32")
        return rows
    loads = [(A, lanes[0]), (B, lanes[1])] + [(SCALES[o], [scales[o]]) for o in range(2) if scale] + [(C, result(lambda i, j: c[i][j]))]
    run(gpu, row, text, loads, result(lambda i, j: c[i][j] + sum(a[i][k] * x[k][j] << exps[0][i][k // 32] + exps[1][j][k // 32] for k in range(K))))
