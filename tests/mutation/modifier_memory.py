# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""modifier_memory.py - loads, stores and atomics of all sizes by some of the lanes, in all ways to write an address.

A kernel's memory has three parts: global memory, what it copies to LDS, and sixteen dwords a lane that it copies to scratch;
it copies the latter two back, so all that a case writes where it should not is seen. Flat addresses of lanes side by side
lead to all three. "RDNA3 ISA" 10 and 11, "CDNA3 ISA" 9, 10 and 11.
"""
from modifier import IN, M32, OLD, OUT, Case, Kernel, blend, build, patterns, which

G, L, P = 4096, 4096, 64  # bytes: global, LDS, scratch of a lane
LOADS = [("ubyte u8", 1, 0, ""), ("sbyte i8", 1, 1, ""), ("ushort u16", 2, 0, ""), ("sshort i16", 2, 1, ""), ("ubyte_d16 d16_u8", 1, 0, "lo"), ("ubyte_d16_hi d16_hi_u8", 1, 0, "hi"),
         ("sbyte_d16 d16_i8", 1, 1, "lo"), ("sbyte_d16_hi d16_hi_i8", 1, 1, "hi"), ("short_d16 d16_b16", 2, 0, "lo"), ("short_d16_hi d16_hi_b16", 2, 0, "hi"), ("dword b32", 4, 0, ""),
         ("dwordx2 b64", 8, 0, ""), ("dwordx3 b96", 12, 0, ""), ("dwordx4 b128", 16, 0, "")]
STORES = [("byte b8", 1, 0), ("byte_d16_hi d16_hi_b8", 1, 1), ("short b16", 2, 0), ("short_d16_hi d16_hi_b16", 2, 1), ("dword b32", 4, 0), ("dwordx2 b64", 8, 0), ("dwordx3 b96", 12, 0),
          ("dwordx4 b128", 16, 0)]
DS_LOADS = [("read_u8 load_u8", 1, 0, ""), ("read_i8 load_i8", 1, 1, ""), ("read_u16 load_u16", 2, 0, ""), ("read_i16 load_i16", 2, 1, ""), ("read_u8_d16 load_u8_d16", 1, 0, "lo"),
            ("read_u8_d16_hi load_u8_d16_hi", 1, 0, "hi"), ("read_i8_d16 load_i8_d16", 1, 1, "lo"), ("read_i8_d16_hi load_i8_d16_hi", 1, 1, "hi"), ("read_u16_d16 load_u16_d16", 2, 0, "lo"),
            ("read_u16_d16_hi load_u16_d16_hi", 2, 0, "hi"), ("read_b32 load_b32", 4, 0, ""), ("read_b64 load_b64", 8, 0, ""), ("read_b96 load_b96", 12, 0, ""), ("read_b128 load_b128", 16, 0, "")]
DS_STORES = [("write_b8 store_b8", 1, 0), ("write_b8_d16_hi store_b8_d16_hi", 1, 1), ("write_b16 store_b16", 2, 0), ("write_b16_d16_hi store_b16_d16_hi", 2, 1), ("write_b32 store_b32", 4, 0),
             ("write_b64 store_b64", 8, 0), ("write_b96 store_b96", 12, 0), ("write_b128 store_b128", 16, 0)]
ATOMICS = [("add add_u32", 1, lambda o, x, c: o + x), ("swap swap_b32", 1, lambda o, x, c: x), ("umax max_u32", 1, lambda o, x, c: max(o, x)), ("xor xor_b32", 1, lambda o, x, c: o ^ x),
           ("cmpswap cmpswap_b32", 1, lambda o, x, c: x if o == c else o), ("add_x2 add_u64", 2, lambda o, x, c: o + x), ("swap_x2 swap_b64", 2, lambda o, x, c: x),
           ("umin_x2 min_u64", 2, lambda o, x, c: min(o, x)), ("cmpswap_x2 cmpswap_b64", 2, lambda o, x, c: x if o == c else o)]
RETURN = ["glc", "sc0", "th:TH_ATOMIC_RETURN"]
DATA = IN + 4  # four rows
FLAT, FLATU, ABS, SCR, SCRU = 12, 14, 16, 18, 19  # registers that `setup` makes


def reg(at, n):
    return "v%d" % at if n == 1 else "v[%d:%d]" % (at, at + n - 1)


class Memory:
    def __init__(self, gpu, rnd):
        w = gpu.wave
        self.w, self.rnd = w, rnd
        self.g, self.l = bytearray(rnd.getrandbits(8) for _ in range(G)), bytearray(rnd.getrandbits(8) for _ in range(L))
        self.p = [bytearray(rnd.getrandbits(8) for _ in range(P)) for _ in range(w)]
        order = list(range(w))
        rnd.shuffle(order)
        self.own = [1024 + 32 * k for k in order]                    # a place of 32 bytes each, 16 of them used
        self.odd = [a + rnd.choice([1, 2, 3, 5, 6, 7]) for a in self.own]
        self.one = [1024 + 64] * w                                    # all at one place
        self.row = [1024 + 4 * i for i in range(w)]                   # side by side
        self.data = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(4)]
        self.olds = [[rnd.getrandbits(32) for _ in range(w)] for _ in range(4)]
        self.kind = [rnd.choice("glp") for _ in range(w)]
        self.scr = [rnd.randrange(5) * 4 + 16 for _ in range(w)]
        self.scru = [a + rnd.choice([1, 2, 3]) for a in self.scr]

    def words(self):
        """as the kernel sees it: the scratch of lanes dword by dword"""
        raw = bytes(self.g + self.l)
        out = [int.from_bytes(raw[i:i + 4], "little") for i in range(0, len(raw), 4)]
        for k in range(P // 4):
            out += [int.from_bytes(p[4 * k:4 * k + 4], "little") for p in self.p]
        return out

    def place(self, lane, kind, at):
        return {"g": self.g, "l": self.l}.get(kind, self.p[lane]), at

    def load(self, on, where, n, sext, part):
        rows = [list(o) for o in self.olds]
        for i in range(self.w):
            if not on >> i & 1:
                continue
            m, at = self.place(i, *where(i))
            v = int.from_bytes(m[at:at + n], "little")
            if sext and v >> (8 * n - 1):
                v -= 1 << 8 * n
            v &= 0xffff if part else (1 << max(32, 8 * n)) - 1
            if part:
                o = rows[0][i]
                v = o & 0xffff0000 | v if part == "lo" else o & 0xffff | v << 16
            for k in range(max(1, n // 4)):
                rows[k][i] = v >> 32 * k & M32
        return {OUT + k: rows[k] for k in range(4)}

    def store(self, on, where, n, hi, first=0):
        for i in range(self.w):
            if on >> i & 1:
                m, at = self.place(i, *where(i))
                v = sum(self.data[first + k][i] << 32 * k for k in range(min(4 - first, max(1, n // 4)))) >> 16 * hi
                m[at:at + n] = (v & ((1 << 8 * n) - 1)).to_bytes(n, "little")

    def atomic(self, on, where, dwords, f, returns):
        rows = [list(o) for o in self.olds]
        for i in range(self.w):
            if on >> i & 1:
                m, at = self.place(i, *where(i))
                n = 4 * dwords
                o = int.from_bytes(m[at:at + n], "little")
                x = sum(self.data[k][i] << 32 * k for k in range(dwords))
                c = sum(self.data[dwords + k][i] << 32 * k for k in range(dwords))
                m[at:at + n] = (f(o, x, c) & ((1 << 8 * n) - 1)).to_bytes(n, "little")
                for k in range(dwords if returns else 0):
                    rows[k][i] = o >> 32 * k & M32
        return {OUT + k: rows[k] for k in range(4)}


def setup(gpu, m, scratch):
    """Copies to LDS and scratch, and makes addresses; v63: what picks the kind of a lane's flat address."""
    out = ["v_mov_b32 v62, v0"]
    for k in range(L // 4 // gpu.wave):
        out += ["s_add_u32 s10, s8, 0x%x" % (G + 4 * gpu.wave * k), "s_addc_u32 s11, s9, 0", "%s v60, v0, s[10:11]" % gpu.load] + gpu.wait
        out += ["v_add_%s 0x%x, v0" % ("nc_u32 v61," if gpu.major >= 10 else "u32 v61,", 4 * gpu.wave * k), "%s v61, v60" % gpu.ds[1]]
    for k in range(P // 4 if scratch else 0):
        out += ["s_add_u32 s10, s8, 0x%x" % (G + L + 4 * gpu.wave * k), "s_addc_u32 s11, s9, 0", "%s v60, v0, s[10:11]" % gpu.load] + gpu.wait + ["%s off, v60, off offset:%d" % (gpu.scratch[1], 4 * k)]
    add = ("v_add_co_u32 %s, vcc_lo, %s, %s", "v_add_co_ci_u32 %s, vcc_lo, %s, %s, vcc_lo") if gpu.wave == 32 else \
        ("v_add_co_u32 %s, vcc, %s, %s", "v_%s %%s, vcc, %%s, %%s, vcc" % ("addc_co_u32" if gpu.major < 10 else "add_co_ci_u32"))
    out += ["v_mov_b32 v60, s8", "v_mov_b32 v61, s9", "v_mov_b32 v59, 0"]
    for dst, src in ((FLAT, IN), (FLATU, IN + 1), (ABS, IN)):
        out += [add[0] % ("v%d" % dst, "v%d" % src, "v60"), add[1] % ("v%d" % (dst + 1), "v59", "v61")]
    out += ["s_mov_b64 s[10:11], src_shared_base", "s_mov_b64 s[12:13], src_private_base"]
    for kind, s, a in (("l", 11, (IN, IN + 1)), ("p", 13, (SCR, SCRU))):
        mask = sum(1 << i for i, k in enumerate(m.kind) if k == kind)
        if kind == "p":
            for r, row in ((SCR, m.scr), (SCRU, m.scru)):
                for v in sorted(set(row)):
                    out += gpu.mask("exec", sum(1 << i for i, x in enumerate(row) if x == v)) + ["v_mov_b32 v%d, %d" % (r, v)]
        if kind == "p" and not scratch:
            continue
        out += gpu.mask("exec", mask)
        for f, r in zip((FLAT, FLATU), a):
            out += ["v_mov_b32 v%d, v%d" % (f, r), "v_mov_b32 v%d, s%d" % (f + 1, s)]
        out += gpu.mask("exec", gpu.all)
    return out + gpu.mask("exec", gpu.all) + gpu.wait


def back(gpu, scratch):
    out = []
    for k in range(L // 4 // gpu.wave):
        out += ["s_add_u32 s10, s8, 0x%x" % (G + 4 * gpu.wave * k), "s_addc_u32 s11, s9, 0", "v_add_%s 0x%x, v0" % ("nc_u32 v61," if gpu.major >= 10 else "u32 v61,", 4 * gpu.wave * k),
                "%s v60, v61" % gpu.ds[0]] + gpu.wait + ["%s v0, v60, s[10:11]" % gpu.store]
    for k in range(P // 4 if scratch else 0):
        out += ["s_add_u32 s10, s8, 0x%x" % (G + L + 4 * gpu.wave * k), "s_addc_u32 s11, s9, 0", "%s v60, off, off offset:%d" % (gpu.scratch[0], 4 * k)] + gpu.wait + ["%s v0, v60, s[10:11]" % gpu.store]
    return out + gpu.wait


def forms(m, gpu, scratch):
    """(space, text after the name with %s for the data of a load, of a store, where, whether any alignment will do)"""
    low = -1024 if gpu.major < 12 else -1000
    out = []
    for off in (0, 12, low, -16):
        o = " offset:%d" % off if off else ""
        for v, at, any_ in ((IN, m.own, 0), (IN + 1, m.odd, 1), (IN + 2, m.one, 2), (IN + 3, m.row, 3)):
            out.append(("global", "{d}, v%d, s[8:9]%s" % (v, o), "v%d, {d}, s[8:9]%s" % (v, o), lambda i, at=at, off=off: ("g", at[i] + off), any_))
            if off >= 0:
                out.append(("ds", "{d}, v%d%s" % (v, o), "v%d, {d}%s" % (v, o), lambda i, at=at, off=off: ("l", at[i] + off), any_))
        out.append(("global", "{d}, v[%d:%d], off%s" % (ABS, ABS + 1, o), "v[%d:%d], {d}, off%s" % (ABS, ABS + 1, o), lambda i, off=off: ("g", m.own[i] + off), 0))
    kind = lambda i: m.kind[i] if scratch or m.kind[i] != "p" else "g"
    for v, at, scr, any_ in ((FLAT, m.own, m.scr, 0), (FLATU, m.odd, m.scru, 1)):
        for off in (0, 8):
            o = " offset:%d" % off if off else ""
            out.append(("flat", "{d}, v[%d:%d]%s" % (v, v + 1, o), "v[%d:%d], {d}%s" % (v, v + 1, o),
                        lambda i, at=at, scr=scr, off=off: (kind(i), (scr if kind(i) == "p" else at)[i] + off), any_))
    if scratch:
        for off in (0, 8, -16):
            o = " offset:%d" % off if off else ""
            for v, at, any_ in ((SCR, m.scr, 0), (SCRU, m.scru, 1)):
                out.append(("scratch", "{d}, v%d, off%s" % (v, o), "v%d, {d}, off%s" % (v, o), lambda i, at=at, off=off: ("p", at[i] + off), any_))
                if off == 0:
                    out.append(("scratch", "{d}, v%d, s20 offset:4" % v, "v%d, {d}, s20 offset:4" % v, lambda i, at=at: ("p", at[i] + 8), any_))
            out.append(("scratch", "{d}, off, s20%s" % o if off >= 0 else "{d}, off, off offset:20", "off, {d}, s20%s" % o if off >= 0 else "off, {d}, off offset:20",
                        lambda i, off=off: ("p", off + 4 if off >= 0 else 20), 2))
            out.append(("scratch", "{d}, off, off offset:%d" % (off + 21), "off, {d}, off offset:%d" % (off + 21), lambda i, off=off: ("p", off + 21), 1))
        for off in (23, 30):
            out.append(("scratch", "{d}, off, off offset:%d" % off, "off, {d}, off offset:%d" % off, lambda i, off=off: ("p", off), 1))
    return out


def plan(gpu, m, rnd, scratch):
    """[(text, function that runs it on the memory and gives what registers hold)]"""
    out, pats, k = [], patterns(gpu, rnd), 0

    def put(names, text, f, tail=""):
        texts = ["%s %s%s" % (n, text, tail) for n in names]
        out.append((texts, f))

    for space, load, store, where, kind in forms(m, gpu, scratch):
        for names, n, sext, part in DS_LOADS if space == "ds" else LOADS:
            if (space == "ds" and kind == 1 and n > 4) or (space == "ds" and kind and n > 4):
                continue
            on = pats[k % len(pats)]
            k += 1
            put(["%s_%s%s" % (space, "" if space == "ds" else "load_", x) for x in names.split()], load.format(d=reg(OUT, max(1, n // 4))),
                lambda on=on, where=where, n=n, sext=sext, part=part: (on, m.load(on, where, n, sext, part)))
        for names, n, hi in DS_STORES if space == "ds" else STORES:
            if space == "ds" and kind and n > 4 or kind == 2 and space != "scratch":
                continue  # who wins is not said
            if kind == 3 and n > 4 or kind == 1 and n > 8:
                continue
            on = pats[k % len(pats)]
            k += 1
            put(["%s_%s%s" % (space, "" if space == "ds" else "store_", x) for x in names.split()], store.format(d=reg(DATA, max(1, n // 4))),
                lambda on=on, where=where, n=n, hi=hi: (on, m.store(on, where, n, hi) or {}))
        if space in ("global", "flat") and kind in (0, 3):
            for names, d, f in ATOMICS:
                if d == 2 and (kind == 3 or "offset:12" in load):
                    continue
                if space == "flat" and d == 2 and scratch and "p" in m.kind and any(x % 8 for x in m.scr):
                    continue
                for ret in (False, True):
                    on = pats[k % len(pats)]
                    k += 1
                    data = reg(DATA, 2 * d if "cmp" in names else d)
                    text = store.format(d=data)
                    if ret:
                        text = "%s, %s" % (reg(OUT, d), text)
                    put(["%s_atomic_%s %s%s" % (space, x, text, " " + g if ret else "") for x in names.split() for g in (RETURN if ret else [""])], "",
                        lambda on=on, where=where, d=d, f=f, ret=ret: (on, m.atomic(on, where, d, f, ret)))
    for bytes_, stride, o0, o1, v, at in ((4, 1, 0, 3, IN, m.own), (4, 1, 5, 2, IN, m.own), (8, 1, 0, 1, IN, m.own), (4, 64, 1, 2, IN + 3, m.row), (8, 64, 0, 1, IN, m.own), (4, 1, 1, 0, IN + 3, m.row)):
        st = "st64" if stride == 64 else ""
        st2 = "_stride64" if stride == 64 else ""
        d = bytes_ // 4
        o = "offset0:%d offset1:%d" % (o0, o1)
        for on in pats:
            if stride == 64 and at is m.own:  # the second place of a lane is no other lane's first
                on &= sum(1 << i for i, a in enumerate(m.own) if a < 1024 + 512)

            def load(on=on, at=at, a=o0 * bytes_ * stride, b=o1 * bytes_ * stride, n=bytes_, d=d):
                x, y = m.load(on, lambda i: ("l", at[i] + a), n, 0, ""), m.load(on, lambda i: ("l", at[i] + b), n, 0, "")
                r = {OUT + k: x[OUT + k] for k in range(d)}
                for k in range(d):
                    r[OUT + d + k] = blend(on, y[OUT + k], m.olds[d + k])
                return on, r
            put(["ds_read2%s_b%d" % (st, 8 * bytes_), "ds_load_2addr%s_b%d" % (st2, 8 * bytes_)], "%s, v%d %s" % (reg(OUT, 2 * d), v, o), load)

            def store(on=on, at=at, a=o0 * bytes_ * stride, b=o1 * bytes_ * stride, n=bytes_, d=d):
                m.store(on, lambda i: ("l", at[i] + a), n, 0)
                m.store(on, lambda i: ("l", at[i] + b), n, 0, 2)
                return on, {}
            put(["ds_write2%s_b%d" % (st, 8 * bytes_), "ds_store_2addr%s_b%d" % (st2, 8 * bytes_)], "v%d, %s, %s %s" % (v, reg(DATA, d), reg(DATA + 2, d), o), store)

            def exchange(on=on, at=at, a=o0 * bytes_ * stride, b=o1 * bytes_ * stride, n=bytes_, d=d, load=load, store=store):
                r = load()
                store()
                return r
            if v == IN:
                put(["ds_wrxchg2%s_rtn_b%d" % (st, 8 * bytes_), "ds_storexchg_2addr%s_rtn_b%d" % (st2, 8 * bytes_)],
                    "%s, v%d, %s, %s %s" % (reg(OUT, 2 * d), v, reg(DATA, d), reg(DATA + 2, d), o), exchange)
    # a load over its own address
    for on in pats[:3] + pats[5:8]:
        def over(on=on):
            x, y = m.load(on, lambda i: ("l", m.own[i]), 4, 0, "")[OUT], m.load(on, lambda i: ("l", m.own[i] + 8), 4, 0, "")[OUT]
            return on, {OUT: blend(on, x, m.olds[0]), OUT + 1: blend(on, y, m.olds[1])}
        put(["v_mov_b32 v%d, v%d\n%s v[%d:%d], v%d offset0:0 offset1:2" % (OUT, IN, n, OUT, OUT + 1, OUT) for n in ("ds_read2_b32", "ds_load_2addr_b32")], "", over)
    return out


def cases(gpu, rnd):
    scratch = gpu.major >= 11 or gpu.name == "gfx950"
    m = Memory(gpu, rnd)
    jobs = plan(gpu, m, rnd, scratch)
    rnd.shuffle(jobs)
    flat = [t.strip().split("\n")[-1] for texts, f in jobs for t in texts]
    ok = dict(zip(flat, which(gpu, flat)))
    jobs = [([t for t in texts if ok[t.strip().split("\n")[-1]]], f) for texts, f in jobs]
    jobs = [(t[0].strip(), f) for t, f in jobs if t]
    limit = 30000 - 2 * len(m.words()) - 2048
    while jobs:
        part, rows, start = [], 16, m.words()
        while jobs and rows * gpu.wave < limit - len(start) and len(part) < 90:
            text, f = jobs.pop()
            on, want = f()
            lines = text.split("\n")
            c = Case("memory", lines[-1], on, want, before=["s_mov_b32 s20, 4"])
            if len(lines) > 1:
                c.inst = lines
            part.append(c)
            rows += len(want)
        gpu.counted += len(part)
        ins = [m.own, m.odd, m.one, m.row] + m.data
        k = Kernel(gpu, ins, m.olds, part, lds=L, scratch=P * 2 if scratch else 0, extra=start, setup=setup(gpu, m, scratch))
        k.extra_after, k.back = m.words(), back(gpu, scratch)
        if not scratch:
            k.extra_after[-len(m.p) * P // 4:] = start[-len(m.p) * P // 4:]
        build(gpu, "k%d" % len(gpu.kernels), k)
