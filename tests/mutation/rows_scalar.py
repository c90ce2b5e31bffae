# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows_scalar.py - tests of scalar instructions, a case a turn of a loop."""
import random
import re

import reference as R
from rows_kernel import DWORDS, M32, SIXTEEN, loop, value
from rows_vector import meaning

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
