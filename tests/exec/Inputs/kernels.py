#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kernels.py OUT.cu FIRST COUNT - random CUDA kernels that run on the host, too.

Kernel N is a list of steps. A phase is a function of one thread: statements of program.py with more of CUDA in
them (all sorts of integers, float, double, half, conversions, intrinsics, atomics), on a state that lives as long as the
thread. Between phases stand operations of a warp, barriers, and the votes of a block; shared memory is written in one
phase, each place by one thread or by atomics, and read in another. So the host runs a phase thread by thread, a
warp operation warp by warp, and must get the same bits. A program prints a checksum a kernel and what differs; with -d it
leaves the host out. kernels.h is its first part.
"""
import os
import random
import sys

import program

ROWS = {}  # result type: functions (name, types of arguments); u: 32 bits, l: 64 bits, f: float, d: double, h: half


def rows(result, text):
    for word in text.split():
        name, arguments = word.split(":")
        for m in ("rn", "rz", "ru", "rd") if "*" in name else ("",):
            ROWS.setdefault(result, []).append(("x_" + name.replace("*", m), arguments))


rows("u", "clz:u clzll:l popc:u popcll:l brev:u ffs:u ffsll:l byte_perm:uuu byte_perm:uuu funnel_l:uuu funnel_r:uuu funnel_lc:uuu funnel_rc:uuu "
     "mulhi:uu umulhi:uu mul24:uu umul24:uu sad:uuu usad:uuu hadd_i:uu rhadd:uu uhadd:uu urhadd:uu vadd4:uu vsub2:uu vabsdiffu4:uu "
     "vmaxs2:uu vminu4:uu vcmpgtu4:uu vcmpeq2:uu vavgu4:uu vaddss2:uu vsubus4:uu dp4a:uuu udp4a:uuu tab:u f2i_*:f f2u_*:f d2i_*:d d2u_*:d "
     "h2i_*:h h2u_*:h hlt:hh hge:hh heq:hh hadd2:uu hsub2:uu hmul2:uu hfma2:uuu")
rows("l", "brevll:l mul64hi:ll umul64hi:ll f2ll_*:f f2ull_*:f d2ll_*:d d2ull_*:d h2ll_*:h h2ull_*:h")
rows("f", "fadd_*:ff fsub_*:ff fmul_*:ff fdiv_*:ff fsqrt_*:f frcp_*:f fmaf_*:fff d2f_*:d i2f_*:u u2f_*:u ll2f_*:l ull2f_*:l h2f:h h2f:h h2f:h "
     "fminf:ff fmaxf:ff fmodf:ff copysignf:ff truncf:f rintf:f floorf:f ceilf:f roundf:f nextafterf:ff frexpf:f float:u")
rows("d", "dadd_*:dd dmul_*:dd ddiv_*:dd dsqrt_*:d ll2d_*:l ull2d_*:l fmin:dd fmax:dd fmod:dd floor:d rint:d round:d copysign:dd double:l")
rows("h", "hadd:hh hadd:hh hsub:hh hmul:hh hmul:hh hdiv:hh hfma:hhh hfma:hhh hneg:h habs:h f2h_*:f i2h_*:u u2h_*:u s2h_*:u us2h_*:u ll2h_*:l d2h:d")
PLAIN = ("fmodf", "copysignf", "truncf", "rintf", "floorf", "ceilf", "roundf", "nextafterf", "fmod", "floor", "rint", "round", "copysign")
GLOBALS = ("add", "min", "max", "imin", "imax", "and", "or", "xor")


class Kernel(program.Program):
    def __init__(self, seed):
        super().__init__(seed)
        self.r = random.Random("kernel %d" % seed)
        self.reads = False   # may this phase read shared memory?
        self.phases = []
        r = self.r
        self.warps = r.random() < 0.8
        self.size = self.pick(32, 64, 64, 96, 128, 128, 256) if self.warps else self.pick(50, 64, 100, 192)
        self.flat = self.size % 8 != 0 or r.random() < 0.7
        self.dynamic = r.random() < 0.4
        self.grid = r.randint(1, 3)

    # --- expressions

    def typed(self, t, depth):
        if t == "f":
            return self.fexpr(depth)
        if t == "d":
            return self.dexpr(depth)
        if t == "h":
            return self.hexpr(depth)
        return "(%s)%s" % ("u32" if t == "u" else "u64", self.expr(depth))

    def call(self, result, depth):
        name, arguments = self.r.choice(ROWS[result])
        if name[2:] in PLAIN:
            name = name[2:]
        return "%s(%s)" % (name, ", ".join(self.typed(a, depth - 1) for a in arguments))

    def leaf(self):
        r = self.r
        k = r.randrange(24)
        if k == 0:
            return self.pick("x", "(u32)y", "(u32)(y >> 32)", "r", "q", "j", "me")
        if k == 1:
            return self.pick("h0", "h1", "(u32)bits(d0)", "bits(f1)", "(u32)(bits(d1) >> 32)")
        if k < 5 and self.reads:
            i = "(%s) %% %du" % (self.pick("v0", "(u32)v2", "t * 7 + 3", "i0", "x", "(u32)v6", "me + 1", "me ^ 5"), self.size)
            return self.pick("sh->w[%s]", "sh->w[%s]", "(u32)sh->q[%s]", "sh->h[%s]", "sh->b[%s]", "sh->v[%s].x", "sh->v[%s].w",
                             "(u32)(sh->q[%s] >> 32)") % i if r.random() < 0.9 else self.pick("sh->atom[(%s) %% 72u]", "(u32)sh->atom64[(%s) %% 6u]") % i
        return super().leaf()

    def expr(self, depth=3):
        r = self.r
        if depth > 0 and r.random() < 0.3:
            k = r.randrange(8)
            if k < 5:
                return self.call(self.pick("u", "u", "u", "l"), depth)
            a, b = self.expr(depth - 1), self.expr(depth - 1)
            if k == 5:
                t, w = self.pick(("int", "u32"), ("i64", "u64"))
                return "((%s)%s %s ((%s)(((%s)%s >> 3) | 1)))" % (t, a, self.pick("/", "%"), t, w, b)
            if k == 6:
                return "((%s)%s %s %s)" % (self.pick("u32", "u64", "int", "i64"), a, self.pick("/", "%"), self.pick("7", "10", "1000", "255", "641", "8", "1000003"))
            return "(u32)(%s %s %s)" % (self.dexpr(1), self.pick("<", ">", "==", "<="), self.dexpr(1))
        return super().expr(depth)

    def fexpr(self, depth=2):
        return self.call("f", depth) if depth > 0 and self.r.random() < 0.4 else super().fexpr(depth)

    def dexpr(self, depth=2):
        r = self.r
        if depth <= 0 or r.random() < 0.2:
            return self.pick("d0", "d1", "d0", "1.25", "(-3e10)", "(double)f0", "(double)(i64)(%s)" % self.leaf())
        if r.random() < 0.4:
            return self.call("d", depth)
        a, b = self.dexpr(depth - 1), self.dexpr(depth - 1)
        k = r.randrange(6)
        if k < 4:
            return "(%s %s %s)" % (a, "+-*/"[k], b)
        return "fma(%s, %s, d1)" % (a, b) if k == 4 else "sqrt(fabs(%s))" % a

    def hexpr(self, depth=2):
        return self.call("h", depth) if depth > 0 else self.pick("h0", "h1", "h0", "h1", "x_canon((u16)%s)" % self.leaf(), "(u16)0x3c00")

    # --- statements

    def statement(self, ind):
        r = self.r
        tab = "\t" * ind
        k = r.randrange(20)
        if k == 0:
            return [tab + "%s = %s;" % (self.pick("d0", "d1"), self.dexpr())]
        if k == 1:
            return [tab + "%s = %s;" % (self.pick("h0", "h1"), self.hexpr(3))]
        if k == 2:
            return [tab + "%s = %s;" % (self.pick("f0", "f1"), self.fexpr(3))]
        if k == 3:
            return [tab + self.pick("x = (u32)%s;", "y = (u64)%s;", "y ^= (u64)%s;", "x += (u32)%s;") % self.expr(2)]
        if k == 4:
            n = r.randrange(len(GLOBALS) + 3)
            if n < len(GLOBALS):
                return [tab + "x_%s(&glob[%d + ((u32)%s & 7)], (u32)%s);" % (GLOBALS[n], 8 * n, self.expr(1), self.expr(1))]
            n -= len(GLOBALS)
            return [tab + "x_%s((u64 *)&glob[%d] + (u32)%s %% 2u, (u64)%s);" % (("add64", "max64", "xor64")[n], 80 + 4 * n, self.expr(1), self.expr(2))]
        if k == 5:
            at = "&io[%s & 31]" % self.expr(1)
            return [tab + self.pick("r = x_add(%s, %s);", "x ^= x_exch(%s, %s);", "r = x_inc(%s, %s);", "x += x_dec(%s, %s);", "r = x_imax(%s, %s);",
                                    "r ^= x_and(%s, %s);", "x = x_cas(%s, r, %s);") % (at, "(u32)" + self.expr(1))]
        if k == 7 and ind > 1:
            return [tab + "if (%s)" % self.cond(1), tab + "\treturn;"]
        if k < 11:
            # signed sums may not overflow, so they are made without a sign
            v = r.randrange(len(program.TYPES))
            return [tab + "v%d = (%s)(%s(u64)%s);" % (v, program.TYPES[v], self.pick("", "", "(u64)v%d + " % v, "(u64)v%d ^ " % v, "(u64)v%d - " % v), self.expr())]
        lines = super().statement(ind)
        if len(lines) == 1 and lines[0].lstrip().startswith("v"):
            lines[0] = lines[0].replace(" += ", " = ").replace(" -= ", " = ").replace(" ^= ", " = ")
        return lines

    def own(self, ind):
        """All stores of a phase to w use one numbering of the places, or two threads would meet in one."""
        tab = "\t" * ind
        i = self.pick("me", "(me * %du + %du) %% %du" % (self.stride, self.r.randrange(self.size), self.size))
        lines = [tab + "sh->w[%s] = (u32)%s;" % (i, self.expr(2))]
        for form in self.r.sample(["sh->q[me] = (u64)%s;", "sh->h[me] = (u16)%s;", "sh->b[me] ^= (u8)%s;", "sh->v[me].y = (u32)%s;", "sh->v[me] = quad{(u32)%s, x, r, v0};"], 2):
            lines.append(tab + form % self.expr(2))
        if self.r.random() < 0.5:
            lines.insert(self.r.randrange(3), tab + "if (%s) {" % self.cond(1))
            lines.append(tab + "}")
        for _ in range(self.r.randrange(3)):
            n = self.r.randrange(len(GLOBALS) + 1)
            if n < len(GLOBALS):
                lines.append(tab + "x_%s(&sh->atom[%d + ((u32)%s & 7)], (u32)%s);" % (GLOBALS[n], 8 * n, self.expr(1), self.expr(1)))
            else:
                n = self.r.randrange(3)
                lines.append(tab + "x_%s(&sh->atom64[%d + ((u32)%s & 1)], (u64)%s);" % (("add64", "max64", "xor64")[n], 2 * n, self.expr(1), self.expr(1)))
        return lines

    # --- steps: (device text, host text), by indentation

    def phase(self, body):
        """A new phase function; the step that runs it."""
        n, r = len(self.phases), self.r
        self.phases.append(["DEVICE static %svoid k%d_%d(State *S, u32 *io, Shared<%d> *sh, u32 *glob, u32 t, u32 me, u32 j)"
                            % ("__attribute__((noinline)) " if r.random() < 0.15 else "inline ", self.n, n, self.size), "{"] + body + ["}"])
        return (["k%d_%d(S, io, sh, glob, t, me, %s);" % (self.n, n, self.j)], ["EACH(%d, k%d_%d, %s)" % (self.size, self.n, n, self.j)])

    def work(self, most):
        lines = ["\tVARIABLES;"]
        for _ in range(self.r.randint(1, most)):
            lines += self.statement(1)
        return self.phase(lines)

    def set(self, *lines):
        """A phase that no thread leaves early: what the next step takes."""
        return self.phase(["\tVARIABLES;"] + ["\t" + x for x in lines])

    def collective(self):
        """A warp operation of all lanes, or of those whose c is odd."""
        some = self.r.random() < 0.4
        mask = "m" if some else "0xffffffffu"
        T, field, out = self.pick(("u32", "x", "r"), ("u32", "x", "r"), ("u64", "y", "q"), ("float", "f0", "f1"), ("double", "d0", "d1"), ("int", "v1", "v1"))
        w = self.pick(32, 32, 16, 8, 4)
        d = self.pick("1", "2", "3", "5", "8", "16", "17", "31", "S->c & 31")
        k = self.r.randrange(11)
        get = "S->" + field
        if k == 0 and not some:
            dev, host = "__shfl_sync(%s, %s, (int)S->c, %d)" % (mask, get, w), "lanes.idx(lane, S->c, %d)" % w
        elif k < 2:
            dev, host = "__shfl_sync(%s, %s, x_nth(%s, S->x))" % (mask, get, mask), "lanes.idx(lane, x_nth(lanes.m, S->x), 32)"
        elif k < 5:
            name, f, at = (("up", "up", "lane - (%s)"), ("down", "down", "lane + (%s)"), ("xor", "bfly", "lane ^ (%s)"))[k - 2]
            dev, host = "__shfl_%s_sync(%s, %s, %s, %d)" % (name, mask, get, d, w), "lanes.%s(lane, %s, %d)" % (f, d, w)
            if some:  # a lane that is not there gives anything
                # where the source is itself or out of range, the own value comes
                if k == 4:
                    d = self.pick("1", "2", "3")
                    dev, host = "__shfl_xor_sync(%s, %s, %s)" % (mask, get, d), "lanes.bfly(lane, %s, 32)" % d
                    at = "lane ^ %s" % d
                else:
                    dev, host = "__shfl_%s_sync(%s, %s, %s)" % (name, mask, get, d), "lanes.%s(lane, %s, 32)" % (f, d)
                at = at % d if "%" in at else at
                dev = "(m >> ((%s) & 31) & 1) ? %s : %s" % (at, dev, get)
                host = "(lanes.m >> ((%s) & 31) & 1) ? %s : %s" % (at, host, get)
                # the shuffle itself stands outside of the choice
                return self.some(T, get, out, dev, host, hoist=True)
        elif k == 5:
            T, get, out = "u32", "(S->x >> %d & 1)" % self.r.randrange(8), "r"
            dev, host = "__ballot_sync(%s, %s)" % (mask, get), "lanes.ballot()"
        elif k == 6:
            T, get, out = "u32", "(u32)(S->x %% 3 %s 0)" % self.pick("!=", "=="), "c"
            f, h = self.pick(("all", "lanes.ballot() == lanes.m"), ("any", "lanes.ballot() != 0"))
            dev, host = "(u32)__%s_sync(%s, (int)%s) + 2 * S->c" % (f, mask, get), "(u32)(%s) + 2 * S->c" % h
        elif k < 9:
            T, get, out = "u32", "S->x", "r"
            f, h, t = self.pick(("add", "a + b", "u32"), ("min", "a < b ? a : b", "u32"), ("max", "a > b ? a : b", "u32"), ("and", "a & b", "u32"), ("or", "a | b", "u32"),
                                ("xor", "a ^ b", "u32"), ("min", "(int)a < (int)b ? a : b", "int"), ("max", "(int)a > (int)b ? a : b", "int"))
            dev, host = "(u32)__reduce_%s_sync(%s, (%s)%s)" % (f, mask, t, get), "lanes.reduce([](u32 a, u32 b) { return %s; })" % h
        elif k == 9:
            T, get, out = self.pick(("u32", "(S->x & 3)", "r"), ("u64", "(S->y & 1) << 40", "r"))
            dev, host = "__match_any_sync(%s, %s)" % (mask, get), "lanes.match(lanes.v[lane])"
        else:
            T, get, out = "u32", "(S->x & 1)", "r"
            dev, host = None, "lanes.match(lanes.v[lane]) == lanes.m ? lanes.m + 1 : 77"
            dev = "all ? same + 1 : 77"
            pre = "int all; const u32 same = __match_all_sync(%s, %s, &all);" % (mask, get)
            return self.some(T, get, out, dev, host, pre=pre) if some else self.every(T, get, out, dev, host, pre)
        return self.some(T, get, out, dev, host) if some else self.every(T, get, out, dev, host)

    def every(self, T, get, out, dev, host, pre=""):
        return (["{ %s S->%s = %s; }" % (pre, out, dev)], ["WARPS(%d, %s, true, %s, S->%s = %s)" % (self.size, T, get, out, host)])

    def some(self, T, get, out, dev, host, hoist=False, pre=""):
        before = ["{", "\tconst u32 m = __ballot_sync(0xffffffffu, S->c & 1), lane = me & 31;", "\tif (S->c & 1) {"]
        if hoist:
            choice, rest = dev.split(" ? ", 1)
            shuffle, other = rest.rsplit(" : ", 1)
            body = ["\t\tconst %s other = %s;" % (T, shuffle), "\t\tS->%s = %s ? other : %s;" % (out, choice, other)]
        else:
            body = ["\t\t%s" % pre] * bool(pre) + ["\t\tS->%s = %s;" % (out, dev)]
        return (before + body + ["\t\t(void)lane;", "\t}", "}"], ["WARPS(%d, %s, S->c & 1, %s, S->%s = %s)" % (self.size, T, get, out, host)])

    SYNC = (["__syncthreads();"], [])

    def group(self, warps):
        r = self.r
        k = r.randrange(10)
        if warps and k < 5:
            steps = []
            for _ in range(r.randint(1, 2)):
                steps += [self.work(2), self.set("x = (u32)%s;" % self.expr(2), "c = (u32)%s;" % self.expr(1)), self.collective()]
            return steps
        if k < 9:
            write = self.phase(["\tVARIABLES;"] + self.own(1))
            self.reads = True
            read = [self.work(2), self.set("x ^= sh->w[(me + %du) %% %du];" % (r.randrange(self.size), self.size))]
            self.reads = False
            return [write, self.SYNC] + read + [self.SYNC]
        f, h = self.pick(("count", "n"), ("and", "(n == live)"), ("or", "(n != 0)"))
        return [self.work(1), self.set("c = (u32)%s;" % self.expr(1)),
                (["S->r += (u32)(__syncthreads_%s((int)(S->c & 1))%s);" % (f, "" if f == "count" else " != 0")], ["BLOCK_VOTE(%d, S->r += (u32)%s)" % (self.size, h)])]

    def nest(self, head, steps):
        tab = "\t"
        return ([head + " {"] + [tab + x for s in steps for x in s[0]] + ["}"], [head + " {"] + [tab + x for s in steps for x in s[1]] + ["}"])

    def text(self):
        r, n = self.r, self.n
        self.j = "0"
        lines = []
        for k in range(3):
            h = self.helper(k)
            self.helpers.append(k)
            lines += h
        B = self.size
        self.stride = next(s for s in (self.pick(3, 5, 7, 9, 11), 13, 17, 1) if gcd(s, B) == 1)
        first = ["\tVARIABLES;", "\ti0 = 0, x = t, r = me, c = io[6], y = io[7], q = 1;", "\tf0 = t, f1 = (float)(int)io[1];",
                 "\td0 = (double)(int)io[0], d1 = x_double((u64)io[2] << 32 | io[3]);", "\th0 = x_canon((u16)io[4]), h1 = x_i2h_rn((int)me);",
                 "\ts = {io[2], (short)io[3], {io[4], io[5], t}, 1.5f};", "\tfor (u32 i = 0; i < 16; i++)", "\t\tarr[i] = io[i] + i;"]
        for k, t in enumerate(program.TYPES):
            first.append("\tv%d = (%s)io[%d];" % (k, t, 8 + k))
        first += ["\tsh->v[me] = quad{t, io[9], 3, io[10]};", "\tsh->q[me] = (u64)io[11] << 20;", "\tsh->w[me] = io[12];", "\tsh->h[me] = (u16)io[13];",
                  "\tsh->b[me] = (u8)io[14];", "\tfor (u32 i = me; i < 72; i += %du)" % B, "\t\tsh->atom[i] = 0x1234567u * i;", "\tif (me < 6)",
                  "\t\tsh->atom64[me] = (u64)me << 33;", "\tif (me == 0)", "\t\tfor (u32 i = 0; i < 6; i++)", "\t\t\tsh->atom64[i] = (u64)i << 33;"]
        del first[-5:-3]
        steps = [self.phase(first), self.SYNC]
        for _ in range(r.randint(2, 4)):
            k = r.randrange(6)
            if k == 0:
                self.j = "j"
                steps.append(self.nest("for (u32 j = 0; j < %du; j++)" % r.randint(2, 4), self.group(self.warps)))
                self.j = "0"
            elif k == 1:
                steps.append(self.nest("if (%s & 1)" % self.pick("BLOCK", "(BLOCK >> 1)"), self.group(self.warps)))
            else:
                steps += self.group(self.warps)
        last = ["\tVARIABLES;"]
        for k in range(len(program.TYPES)):
            last.append("\tio[%d] ^= (u32)v%d;" % (k, k))
        last += ["\tfor (u32 i = 0; i < 16; i++)", "\t\tio[8 + i] += arr[i];", "\tio[24] ^= s.a + (u32)s.b;", "\tio[25] ^= bits(s.f);",
                 "\tio[26] ^= bits(f0);", "\tio[27] ^= bits(f1);", "\tio[28] += (u32)(s.c[0] ^ s.c[1] ^ s.c[2] >> 32);", "\tio[29] += i0;",
                 "\tio[30] += (u32)(v2 >> 32) ^ (u32)(v3 >> 32);", "\tio[32] = x, io[33] = r, io[34] = c, io[35] = (u32)y, io[36] = (u32)(y >> 32);",
                 "\tio[37] = (u32)q, io[38] = (u32)(q >> 32), io[39] = (u32)bits(d0), io[40] = (u32)(bits(d0) >> 32);",
                 "\tio[41] = (u32)bits(d1), io[42] = (u32)(bits(d1) >> 32), io[43] = (u32)h0 << 16 | h1, io[44] = (u32)s.c[2];",
                 "\tio[45] ^= sh->w[(me + 1) %% %du] ^ sh->h[me], io[46] ^= sh->atom[me %% 72] + sh->b[me], io[47] ^= (u32)(sh->atom64[me %% 6] >> 31) ^ (u32)sh->q[me] ^ sh->v[me].y;" % B]
        final = self.phase(last)
        if r.random() < 0.4:  # some threads leave early; the others go on and meet at barriers
            steps += [self.work(1), self.set("c = (u32)%s;" % self.expr(1))]
            steps.append((["if (S->c % 3 == 1) {", "\tk%d_out(S, io);" % n, "\treturn;", "}"],
                         ["for (u32 me = 0; me < %du; me++)" % B, "\tif (block[me].c % 3 == 1) {", "\t\tk%d_out(&block[me], all + WORDS * (b * %du + me));" % (n, B),
                          "\t\tblock[me].live = false;", "\t}"]))
            lines += ["DEVICE static void k%d_out(State *S, u32 *io)" % n, "{", "\tfor (u32 i = 0; i < 16; i++)", "\t\tio[i] ^= S->arr[i] + S->v0;", "\tio[20] = bits(S->f1);", "}"]
            for _ in range(r.randint(1, 2)):
                steps += self.group(False)
        steps += [self.SYNC, final]
        for p in self.phases:
            lines += p
        lines += ["__global__ void __launch_bounds__(%d) k%d(u32 *all, u32 *glob)" % (B, n), "{"]
        if self.dynamic:
            lines += ["\textern __shared__ quad dynamic[];", "\tShared<%d> *sh = (Shared<%d> *)dynamic;" % (B, B)]
        else:
            lines += ["\t__shared__ Shared<%d> shared;" % B, "\tShared<%d> *sh = &shared;" % B]
        me = "threadIdx.x" if self.flat else "threadIdx.x + 8 * threadIdx.y"
        lines += ["\tconst u32 me = %s, t = blockIdx.x * %du + me;" % (me, B), "\tu32 *io = all + WORDS * t;", "\tState state, *S = &state;"]
        lines += ["\t" + x.replace("BLOCK", "blockIdx.x") for s in steps for x in s[0]] + ["}"]
        lines += ["static void host%d(u32 *all, u32 *glob)" % n, "{", "\tstatic State block[%d];" % B, "\tstatic Shared<%d> shared;" % B,
                  "\tfor (u32 b = 0; b < %d; b++) {" % self.grid,
                  "\t\tfor (State &S : block)", "\t\t\tS.live = true;"]
        lines += ["\t\t" + (x if "BLOCK_VOTE" in x else x.replace("BLOCK", "b")) for s in steps for x in s[1]] + ["\t}", "}"]
        return "\n".join(lines) + "\n"

    def row(self):
        B = self.size
        return "\t{\"k%d\", k%d, host%d, dim3(%s), %d, %s}," % (self.n, self.n, self.n, "%d" % B if self.flat else "8, %d" % (B // 8), self.grid,
                                                        "(u32)sizeof(Shared<%d>)" % B if self.dynamic else "0")


def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)


VARIABLES = """#define VARIABLES                                                                                                     \\
	unsigned &v0 = S->v0; int &v1 = S->v1; u64 &v2 = S->v2; i64 &v3 = S->v3; u16 &v4 = S->v4; short &v5 = S->v5; u8 &v6 = S->v6; \\
	signed char &v7 = S->v7; u32 (&arr)[16] = S->arr; pair &s = S->s; float &f0 = S->f0, &f1 = S->f1; double &d0 = S->d0, &d1 = S->d1; \\
	u16 &h0 = S->h0, &h1 = S->h1; u32 &i0 = S->i0, &x = S->x, &r = S->r, &c = S->c; u64 &y = S->y, &q = S->q; \\
	(void)v0, (void)v1, (void)v2, (void)v3, (void)v4, (void)v5, (void)v6, (void)v7, (void)arr, (void)s, (void)f0, (void)f1, (void)d0, (void)d1, \\
		(void)h0, (void)h1, (void)i0, (void)x, (void)r, (void)c, (void)y, (void)q
"""

if __name__ == "__main__":
    path, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    kernels = [Kernel(n) for n in range(first, first + count)]
    with open(path, "w") as f:
        f.write("// kernels.py %d %d\n" % (first, count))
        f.write(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.h")).read())
        f.write(VARIABLES)
        for k in kernels:
            f.write(k.text())
        f.write("static const Kernel kernels[] = {\n%s\n};\nint main(int argc, char **argv) { return run_all(kernels, %d, argc, argv); }\n"
                % ("\n".join(k.row() for k in kernels), count))
