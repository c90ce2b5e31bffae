# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows_rare.py - tests of memory instructions that take an address from M0 or the lane: loads into LDS ("CDNA3 ISA" 9.1.9),
of a dword a lane, counters, and loads that transpose."""
import random
import re
import struct

import reference as R
from rows_kernel import DST, M32, advance, loop, reg

M0, OFFSET = 64, 8
BYTES = {"ubyte": (1, 1, False), "sbyte": (1, 1, True), "ushort": (2, 1, False), "sshort": (2, 1, True), "dword": (4, 1, False),
         "dwordx3": (4, 3, False), "dwordx4": (4, 4, False)}
# Bits of an element, lanes of a group, elements of a lane, and row and column of a lane's first element; lane c gets column c.
HALVES = lambda rows: lambda l, n: (l // (2 * rows) * rows + l % rows, l // rows % 2 * n)
TRANSPOSED = {"ds_read_b64_tr_b16": (16, 16, 4, lambda l, n: (l // 4, l % 4 * 4)), "ds_read_b64_tr_b8": (8, 16, 8, HALVES(4)),
              "ds_read_b64_tr_b4": (4, 32, 16, HALVES(8)), "ds_read_b96_tr_b6": (6, 32, 16, HALVES(4)),
              "global_load_tr_b64": (8, 16, 8, HALVES(4)), "global_load_tr_b128": (16, 8, 8, lambda l, n: (l, 0))}
LDS_DWORDS, ROUNDS = 6, 3  # a lane; a wave's memory has four


def rare_plan(row, gpu, names):
    """All (text, function that makes the test): what happens is told by memory(memory, lds, old, data), which returns a lane's result."""
    out = []
    m = re.match(r"(global|scratch)_load_lds_(\w+)$", row.name)
    if m:
        size, n, signed = BYTES[m.group(2)]

        def into_lds(memory, lds, lane, waves, old, data):
            for k in range(n):
                at = 16 * lane + OFFSET * (n < 3) + 4 * k
                v = int.from_bytes(memory[at:at + size], "little")
                lds[M0 // 4 + (OFFSET // 4 if n < 3 else 0) + lane * n + k] = R.s(v, 8 * size) & M32 if signed else v
            return old
        at = " offset:%d" % OFFSET if n < 3 else ""
        where = "v1, s[8:9]" if m.group(1) == "global" else "v1, off"
        if m.group(1) == "scratch" and gpu.name not in ("gfx942", "gfx950"):
            return []
        texts = ["%s %s%s" % (name, where, at) for name in names]
        return [(t, lambda t=t: rare_test(gpu, row, t, into_lds, m.group(1) == "scratch")) for t in texts]
    m = re.match(r"(ds|global)_(load|store)_addtid_b32$", row.name)
    if m:
        ds, load = m.group(1) == "ds", m.group(2) == "load"

        def by_lane(memory, lds, lane, waves, old, data):
            at = lane + OFFSET // 4 + (M0 // 4 if ds else 0)
            if load:
                return lds[at] if ds else struct.unpack_from("<I", memory, 4 * at)[0]
            if ds:
                lds[at] = data
            else:
                struct.pack_into("<I", memory, 4 * at, data)
            return old
        operand = reg(DST if load else 30, 1)
        texts = ["%s %s%s offset:%d" % (name, operand, "" if ds else ", s[8:9]", OFFSET) for name in names]
        return [(t, lambda t=t: rare_test(gpu, row, t, by_lane)) for t in texts]
    m = re.match(r"ds_(append|consume)$", row.name)
    if m:
        def counter(memory, lds, lane, waves, old, data):
            at = (M0 + OFFSET) // 4
            if lane == 0:
                lds[at] = lds[at] + (waves if m.group(1) == "append" else -waves) & M32
            return lds[at] - (waves if m.group(1) == "append" else -waves) & M32
        texts = ["%s %s offset:%d" % (name, reg(DST, 1), OFFSET) for name in names]
        return [(t, lambda t=t: rare_test(gpu, row, t, counter)) for t in texts]
    if row.name == "ds_condxchg32_rtn_b64":
        def exchange(memory, lds, lane, waves, old, data):
            was = lds[4 * lane + 2] | lds[4 * lane + 3] << 32
            for k, v in enumerate((data, old)):
                if v >> 31:  # only then, and without that bit
                    lds[4 * lane + 2 + k] = v & 0x7fffffff
            return was
        texts = ["%s %s, v1, v[30:31] offset:8" % (name, reg(DST, 2)) for name in names]
        return [(t, lambda t=t: rare_test(gpu, row, t, exchange, results=2)) for t in texts]
    if row.name in TRANSPOSED:
        bits, group, n, first = TRANSPOSED[row.name]
        where = {}
        for l in range(group):
            r, c = first(l, n)
            where.update({(r, c + e): (l, e) for e in range(n)})
        ds = row.name.startswith("ds")

        def column(memory, lds, lane, waves, old, data):
            v = 0
            for e in range(n):
                l, k = where[e, lane % group]
                at = 4 * (lane // group * group + l)
                held = sum(w << 32 * i for i, w in enumerate(lds[at:at + 4])) if ds else int.from_bytes(memory[4 * at:4 * at + 16], "little")
                v |= (held >> bits * k & ((1 << bits) - 1)) << bits * e
            return v
        results = bits * n // 32
        texts = ["%s %s, v1%s" % (name, reg(DST, results), "" if ds else ", s[8:9]") for name in names]
        return [(t, lambda t=t: rare_test(gpu, row, t, column, results=results)) for t in texts]
    return []


def rare_test(gpu, row, text, effect, scratch=False, results=1):
    body = ["%s v%d, v0, s[4:5]" % (gpu.load, DST)] + advance() + ["%s v30, v0, s[4:5]" % gpu.load] + advance()
    body += ["s_mov_b32 s8, s4", "s_mov_b32 s9, s5", "v_lshlrev_b32 v1, 2, v0"] + gpu.wait + ["v_mov_b32 v31, v%d" % DST]
    wave = gpu.wave
    if scratch:
        for k in range(4):
            body += ["%s v20, v1, s[8:9] offset:%d" % (gpu.load, 4 * k)] + gpu.wait + ["%s v1, v20, off offset:%d" % (gpu.scratch[1], 4 * k)]
    for k in range(4):
        body += advance()
    for k in range(LDS_DWORDS):
        body += ["%s v20, v0, s[4:5]" % gpu.load] + advance() + gpu.wait + ["%s v0, v20 offset:%d" % (gpu.ds[1], 4 * wave * k)]
    body += gpu.wait + ["s_movk_i32 m0, 0x%x" % M0, "s_nop 4", text] + gpu.wait + ["s_movk_i32 m0, 0x7fff"]
    for k in range(LDS_DWORDS):
        body += ["%s v20, v0 offset:%d" % (gpu.ds[0], 4 * wave * k)] + gpu.wait + ["%s v0, v20, s[4:5]" % gpu.store] + advance()
    for k in range(results):
        body += ["%s v0, v%d, s[4:5]" % (gpu.store, DST + k)] + advance()
    kernel = "k%d" % len(gpu.kernels)
    gpu.kernels.append((kernel, loop(gpu, body, ROUNDS), 4 * wave * LDS_DWORDS, 2048 if scratch else 0))
    rnd = random.Random(row.name)
    before, after, compare = [], [], []
    for _ in range(ROUNDS):
        old, data = [[rnd.getrandbits(32) for _ in range(wave)] for _ in range(2)]
        memory = [rnd.getrandbits(32) for _ in range(4 * wave)]
        lds = [rnd.getrandbits(32) for _ in range(LDS_DWORDS * wave)]
        before += old + data + memory + lds + [0] * (len(lds) + results * wave)
        raw = bytearray(struct.pack("<%dI" % len(memory), *memory))
        new = lds[:]
        result = [effect(raw, new, lane, wave, old[lane], data[lane]) for lane in range(wave)]
        after += old + data + list(struct.unpack("<%dI" % len(memory), raw)) + lds + new + [v >> 32 * k & M32 for k in range(results) for v in result]
        compare += ["."] * (2 * wave) + ["x"] * len(memory) + ["."] * len(lds) + ["x"] * (len(lds) + results * wave)
    gpu.tests.append((row.name, kernel, before, after, compare))
