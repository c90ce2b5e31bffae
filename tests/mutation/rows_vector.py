# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows_vector.py - tests of vector instructions, a case a lane."""
import random
import re

import number as N
import reference as R
from rows_kernel import DST, DWORDS, M32, PAIRS, ROUNDS, SIXTEEN, advance, loop, reg, value


class Try:
    """One way to write a row's instruction on a GPU: text, and what surrounds it."""

    def __init__(self, row, text, regs, mask_in=None, mask_out=None, types=(), literal=None, dst=None):
        self.row, self.text, self.regs, self.mask_in, self.mask_out, self.types, self.literal, self.dst = row, text, regs, mask_in, mask_out, types, literal, dst


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


RANGE = {"fp8": (-9, 8), "bf8": (-16, 15), "fp4": (-3, 2), "f16": (-20, 15), "bf16": (-100, 100)}  # exponents


def in_range(rnd, name):
    """One or two floats that a conversion can turn into its small format, and random bits that are just enough to round up."""
    to, of_ = re.search(r"_([fb]p?f?\d+)_([fb]f?\d+)(_z)?$", name).group(1, 2)
    fmt = {"f32": N.F32, "f16": N.F16, "bf16": N.BF16}[of_]
    v, bias, below = 0, (1 << fmt[0] - 1) - 1, fmt[1] - R.SMALL[to][1]
    for k in range(2):
        exp = max(1, min(2 * bias, bias + rnd.randint(*RANGE[to])))
        man = rnd.getrandbits(fmt[1])
        if rnd.random() < 0.6:  # a tie, or a bit more
            man = man >> below - 1 << below - 1 | rnd.getrandbits(1)
        v |= (rnd.getrandbits(1) << sum(fmt) | exp << fmt[1] | man) << N.width(fmt) * k
    seed = (1 << below) - (v & ((1 << below) - 1)) << 32 - below & M32
    return v if "pk_" in name else v & ((1 << N.width(fmt)) - 1), seed


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
            if "_sr_" in row.name or re.match(r"v_cvt_scalef32_pk_(fp|bf)[48]_b?f16", row.name):
                ops[0], seed = in_range(rnd, row.name)
                if "_sr_" in row.name and rnd.random() < 0.3:
                    ops[1] = seed
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
