# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows_memory.py - tests of loads, stores and atomics: each lane has memory of its own."""
import random
import re
import struct

import reference as R
from rows_kernel import DST, M32, advance, loop, reg, value

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
                    texts = ["%s %s, v1, s[12:15], %s offen offset:%d %s" % (name, reg(DST, 2 * n if two else n), zero, o, g)
                             for zero in ("0", "null") for g in ("glc", "th:TH_ATOMIC_RETURN", "sc0")]
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
