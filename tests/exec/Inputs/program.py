#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""program.py OUT FIRST COUNT - random programs in the common language of the device and the host.

Program N is a function run(io, t) that reads and writes 32 words of its own: variables of every width, arrays,
structures, nested loops and branches that differ between threads, switches, calls, recursion, pointers to
locals. Nothing in it is undefined: shifts are masked, divisors odd and positive, indices masked, loops bounded.
"""
import random
import sys

TYPES = ["unsigned", "int", "unsigned long long", "long long", "unsigned short", "short", "unsigned char", "signed char"]
HEAD = """#ifdef __AMDGCN__
#define DEVICE __attribute__((device))
#define KERNEL extern "C" __attribute__((global)) void
#else
#define DEVICE
#define KERNEL extern "C" void
#endif
#define x_popcll __builtin_popcountll
#define x_clz __builtin_clz
#define x_ctzll __builtin_ctzll
#define x_bswap32 __builtin_bswap32
#define x_bswap64 __builtin_bswap64
#define x_sqrtf __builtin_sqrtf
#define x_fabsf __builtin_fabsf
typedef unsigned u32;
typedef unsigned long long u64;
struct pair { u32 a; short b; u64 c[3]; float f; };
DEVICE static inline u32 bits(float f) { return f == f ? __builtin_bit_cast(u32, f) : 0x7fc00000u; }
DEVICE static inline int to_int(float f) { return f > -1e9f && f < 1e9f ? (int)f : 7; }
"""


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n = seed
        self.depth = 0
        self.loops = 0
        self.out = []
        self.helpers = []

    def name(self):
        return "p%d" % self.n

    def pick(self, *what):
        return self.r.choice(what)

    def leaf(self):
        r = self.r
        k = r.randrange(10)
        if k < 5:
            return "v%d" % r.randrange(len(TYPES))
        if k == 5:
            return "arr[%s & 15]" % self.pick("v0", "v1", "(u32)v2", "t", "i0")
        if k == 6:
            return self.pick("s.a", "s.b", "s.c[v0 % 3u]", "bits(s.f)")
        if k == 7:
            return self.pick("t", "i0", "(u32)to_int(f0)", "io[(v0 + 3) & 31]")
        return self.pick("%d" % r.randrange(-100, 100), "0x%xu" % r.getrandbits(32), "0x%xull" % r.getrandbits(64), "1", "0")

    def expr(self, depth=3):
        r = self.r
        if depth == 0 or r.random() < 0.15:
            return "(%s)" % self.leaf()
        a, b = self.expr(depth - 1), self.expr(depth - 1)
        t = self.pick("u32", "u64")
        k = r.randrange(16)
        if k < 6:
            return "((%s)%s %s (%s)%s)" % (t, a, self.pick("+", "-", "*", "&", "|", "^"), t, b)
        if k < 8:
            w = 31 if t == "u32" else 63
            return "((%s)%s %s (%s & %d))" % (t, a, self.pick("<<", ">>"), b, w)
        if k == 8:
            s = self.pick("int", "long long")
            return "((%s)%s >> (%s & %d))" % (s, a, b, 31 if s == "int" else 63)
        if k == 9:
            # io: at -O0 clang 22 divides a sign-extended byte as if it had 8 bits, unsigned or not
            return "(((%s)%s ^ io[5]) %s (((%s)%s >> 3) | 1))" % (t, a, self.pick("/", "%"), t, b)
        if k == 10:
            s = self.pick("int", "short", "unsigned char", "long long", "u32")
            return "((%s)%s %s (%s)%s)" % (s, a, self.pick("<", ">", "==", "!=", "<=", ">="), s, b)
        if k == 11:
            return "((%s) ? (u64)%s : (u64)%s)" % (self.cond(depth - 1), a, b)
        if k == 12:
            return "(%s)%s" % (self.pick(*TYPES), a)
        if k == 13:
            return self.pick("x_popcll(%s)", "x_clz((u32)%s | 1)", "x_ctzll((u64)%s | 0x8000000000000000ull)",
                             "x_bswap32((u32)%s)", "x_bswap64(%s)") % a
        if k == 14 and self.helpers:
            return "h%d_%d((u32)%s, %s)" % (self.n, r.randrange(len(self.helpers)), a, b)
        return "(u32)(((u64)(u32)%s * (u32)%s) >> 32)" % (a, b)

    def cond(self, depth=2):
        t = self.pick("int", "u32", "long long", "short")
        return "(%s)%s %s (%s)%s" % (t, self.expr(depth), self.pick("<", ">", "==", "!=", "<="), t, self.expr(depth - 1 if depth else 0))

    def fexpr(self, depth=2):
        if depth == 0 or self.r.random() < 0.2:
            return self.pick("f0", "f1", "s.f", "(float)(int)(%s)" % self.leaf(), "0.75f", "(-3.0f)")
        a, b = self.fexpr(depth - 1), self.fexpr(depth - 1)
        k = self.r.randrange(7)
        if k < 4:
            return "(%s %s %s)" % (a, "+-*/"[k], b)
        if k == 4:
            return "(float)((double)%s * %s)" % (a, b)
        if k == 5:
            return "(%s < %s ? %s : - %s)" % (a, b, b, a)
        return "x_sqrtf(x_fabsf(%s))" % a

    def statement(self, ind):
        r = self.r
        k = r.randrange(18)
        tab = "\t" * ind
        if self.depth > 3:
            k = k % 8
        if k < 4:
            return [tab + "v%d %s %s;" % (r.randrange(len(TYPES)), self.pick("=", "=", "+=", "^=", "-="), self.expr())]
        if k == 4:
            return [tab + "arr[%s & 15] %s %s;" % (self.expr(1), self.pick("=", "+=", "^="), self.expr(2))]
        if k == 5:
            return [tab + "%s = %s;" % (self.pick("f0", "f1", "s.f"), self.fexpr())]
        if k == 6:
            return [tab + "%s = %s;" % (self.pick("s.a", "s.b", "s.c[%s %% 3u]" % self.pick("v0", "t")), self.expr(2))]
        if k == 7:
            return [tab + "io[%s & 31] %s (u32)%s;" % (self.expr(1), self.pick("=", "+="), self.expr(1))]
        self.depth += 1
        try:
            if k < 12:
                lines = [tab + "if (%s) {" % self.cond()] + self.block(ind + 1, 3)
                if r.random() < 0.5:
                    lines += [tab + "} else {"] + self.block(ind + 1, 3)
                return lines + [tab + "}"]
            if k < 15 and self.loops < 3:
                self.loops += 1
                i = "i%d" % self.loops
                bound = self.pick("4", "(t & 7)", "(v0 & 5) + 1", "(u32)v6 % 6u")
                body = self.block(ind + 1, 3)
                if r.random() < 0.6:
                    body.insert(r.randrange(len(body) + 1), tab + "\tif (%s) %s;" % (self.cond(1), self.pick("break", "continue")))
                self.loops -= 1
                return [tab + "for (u32 %s = 0, n = %s; %s < n; %s++) {" % (i, bound, i, i), # t: where lanes leave a loop at different times, clang 22 may give all of them a uniform sum's last value
                        tab + "\ti0 += %s ^ (t & 1);" % i] + body + [tab + "}"]
            if k == 15:
                lines = [tab + "switch (%s & 7) {" % self.expr(1)]
                for c in r.sample(range(8), 4):
                    lines += [tab + "case %d:" % c] + self.block(ind + 1, 2)
                    if r.random() < 0.8:
                        lines.append(tab + "\tbreak;")
                return lines + [tab + "default:"] + self.block(ind + 1, 1) + [tab + "}"]
            if k == 16:
                return [tab + "{", tab + "\tu32 *q = %s ? &arr[t & 15] : &s.a;" % self.cond(1), tab + "\t*q += (u32)%s;" % self.expr(1), tab + "}"]
            return [tab + "{", tab + "\tstruct pair o = s;", tab + "\to.c[t % 3u] ^= " + self.expr(1) + ";", tab + "\tif (%s)" % self.cond(1),
                    tab + "\t\ts = o;", tab + "}"]
        finally:
            self.depth -= 1

    def block(self, ind, most):
        lines = []
        for _ in range(self.r.randint(1, most)):
            lines += self.statement(ind)
        return lines

    def helper(self, k):
        """A function that is called; the last one calls itself."""
        inline = self.pick("__attribute__((noinline)) ", "__attribute__((noinline)) ", "inline ")
        lines = ["DEVICE static %su64 h%d_%d(u32 t, u64 x)" % (inline if k < 2 else "__attribute__((noinline)) ", self.n, k), "{"]
        if k == 2:
            lines += ["\tu32 local[6];", "\tfor (u32 i = 0; i < 6; i++)", "\t\tlocal[i] = t * %du + i;" % self.r.randrange(1, 99),
                      "\tif ((t & 7) == 0)", "\t\treturn x + local[x % 6u];",
                      "\treturn h%d_2((t & 7) - 1, x * 3 + local[t %% 6u]) ^ local[1];" % self.n]
        else:
            lines += ["\tu64 y = x ^ 0x%xull;" % self.r.getrandbits(40), "\tif (t & %d)" % (1 << self.r.randrange(5)),
                      "\t\ty = y * %du + t;" % self.r.randrange(3, 1000), "\telse", "\t\ty = (y >> %d) - x;" % self.r.randrange(1, 40), "\treturn y;"]
        return lines + ["}"]

    def text(self):
        r = self.r
        lines = []
        for k in range(3):
            h = self.helper(k)
            self.helpers.append(k)
            lines += h
        lines += ["DEVICE static void run%d(u32 *io, u32 t)" % self.n, "{", "\tu32 i0 = 0, arr[16];", "\tfloat f0 = t, f1 = (float)(int)io[1];",
                  "\tstruct pair s = {io[2], (short)io[3], {io[4], io[5], t}, 1.5f};", "\tfor (u32 i = 0; i < 16; i++)", "\t\tarr[i] = io[i] + i;"]
        for k, t in enumerate(TYPES):
            lines.append("\t%s v%d = (%s)io[%d];" % (t, k, t, 8 + k))
        for _ in range(r.randint(6, 14)):
            lines += self.statement(1)
        for k in range(len(TYPES)):
            lines.append("\tio[%d] ^= (u32)v%d;" % (k, k))
        lines += ["\tfor (u32 i = 0; i < 16; i++)", "\t\tio[8 + i] += arr[i];", "\tio[24] ^= s.a + (u32)s.b;", "\tio[25] ^= bits(s.f);",
                  "\tio[26] ^= bits(f0);", "\tio[27] ^= bits(f1);", "\tio[28] += (u32)(s.c[0] ^ s.c[1] ^ s.c[2] >> 32);", "\tio[29] += i0;",
                  "\tio[30] += (u32)(v2 >> 32) ^ (u32)(v3 >> 32);", "}",
                  "#ifdef __AMDGCN__", "KERNEL p%d(u32 *io)" % self.n, "{",
                  "\tu32 t = __builtin_amdgcn_workgroup_id_x() * 100 + __builtin_amdgcn_workitem_id_x();", "\trun%d(io + 32 * t, t);" % self.n, "}",
                  "#else", "KERNEL p%d(u32 *io, u32 t)" % self.n, "{", "\trun%d(io, t);" % self.n, "}", "#endif"]
        return "\n".join(lines) + "\n"


if __name__ == "__main__":
    path, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open(path, "w") as f:
        f.write(HEAD)
        for n in range(first, first + count):
            f.write(Program(n).text())
        f.write("#ifndef __AMDGCN__\nextern \"C\" const int first = %d, count = %d;\nextern \"C\" void (*const programs[])(u32 *, u32) = {%s};\n#endif\n"
                % (first, count, ", ".join("p%d" % n for n in range(first, first + count))))
