# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""modifier_fault.py - accesses by one lane or several of which the last byte is within memory, or one byte beyond it.

A kernel of each: what must fault says kind, address, size, store and atomic, and the first lane at fault.
"""
from modifier import IN, OUT, Case, Kernel, build, which

ADDRESS, MISALIGNED, SHARED, PRIVATE = 1, 2, 3, 4
MEMORY, LDS = 1 << 17, 512  # rows.c's memory
SIZES = [(1, "ubyte u8", "byte b8", "u8"), (2, "ushort u16", "short b16", "u16"), (4, "dword b32", "dword b32", "b32"), (8, "dwordx2 b64", "dwordx2 b64", "b64"),
         (12, "dwordx3 b96", "dwordx3 b96", "b96"), (16, "dwordx4 b128", "dwordx4 b128", "b128")]


def reg(at, n):
    return "v%d" % at if n <= 1 else "v[%d:%d]" % (at, at + n - 1)


def cases(gpu, rnd):
    w, jobs = gpu.wave, []
    lane = w - 3

    def put(texts, row, on, fault):
        jobs.append((texts, row, on, fault))

    def rows(bad, good):
        return [bad if i == lane else good + 16 * (i % 8) for i in range(w)]
    for size, loads, stores, ds in SIZES:
        d = size // 4
        for store in (0, 1):
            g = ["global_%s_%s" % ("store" if store else "load", x) for x in (stores if store else loads).split()]
            l = ["ds_%s_%s" % (x, ds.replace("u", "b") if store else ds) for x in (("write", "store") if store else ("read", "load"))]
            for on in (gpu.all, 1 << lane, gpu.all ^ 1):
                # the last place that is whole, and what crosses the end
                for over in (0, 4 if size >= 4 else size):
                    at = MEMORY - size + over
                    f = (ADDRESS, at, size, store, lane) if over else None
                    put(["%s v%d, %s, s[4:5]" % (x, IN, reg(OUT, d)) if store else "%s %s, v%d, s[4:5]" % (x, reg(OUT, d), IN) for x in g], rows(at, 65536), on, f)
                    if over or not size > 4:
                        at = LDS - size + over
                        f = (SHARED, at, size, store, lane) if over else None
                        put(["%s v%d, %s" % (x, IN, reg(OUT, d)) if store else "%s %s, v%d" % (x, reg(OUT, d), IN) for x in l], rows(at, 0), on, f)
    # two places in LDS: either may be beyond
    for names, text, store in ((("ds_read2_b32", "ds_load_2addr_b32"), "v[%d:%d], v%d" % (OUT, OUT + 1, IN), 0), (("ds_write2_b32", "ds_store_2addr_b32"), "v%d, v%d, v%d" % (IN, OUT, OUT + 1), 1)):
        for on in (gpu.all, 1 << lane):
            put(["%s %s offset0:0 offset1:1" % (n, text) for n in names], rows(LDS - 4, 0), on, (SHARED, LDS, 4, store, lane))
            put(["%s %s offset0:1 offset1:0" % (n, text) for n in names], rows(LDS - 4, 0), on, (SHARED, LDS, 4, store, lane))
            put(["%s %s offset0:0 offset1:1" % (n, text) for n in names], rows(LDS - 8, 0), on, None)
    for names, d in (("add add_u32", 1), ("add_x2 add_u64", 2)):
        for on in (gpu.all, 1 << lane):
            for at, kind in ((MEMORY - 4 * d, 0), (MEMORY, ADDRESS), (65536 + 2, MISALIGNED), (65536 + 4, MISALIGNED if d == 2 else 0)):
                put(["global_atomic_%s v%d, %s, s[4:5]" % (n, IN, reg(OUT, d)) for n in names.split()], rows(at, 65536 + 1024), on, (kind, at, 4 * d, 2, lane) if kind else None)
    for on in (gpu.all, 1 << lane):
        for at, kind in ((LDS - 4, 0), (LDS, SHARED), (2, MISALIGNED)):
            put(["ds_add_u32 v%d, v%d" % (IN, OUT)], rows(at, 0), on, (kind, at, 4, 2, lane) if kind else None)
    flat = [t for texts, *_ in jobs for t in texts]
    ok = dict(zip(flat, which(gpu, flat)))
    for texts, row, on, fault in jobs:
        text = next((t for t in texts if ok[t]), None)
        if text is None or fault and fault[0] == MISALIGNED and "ds_" in text:
            continue
        gpu.counted += 1
        name = "k%d" % len(gpu.kernels)
        k = Kernel(gpu, [row], [[0] * w] * 4, [Case("fault", text, on, {})], lds=LDS)
        # addresses count from the start of memory
        k.setup = [gpu.s_load(2, "s[4:5]", "s[0:1]")] + gpu.wait
        build(gpu, name, k)
        if fault:
            gpu.faults[name] = fault
