#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows.py SRC LLVM OUT - a test of each row of isa.def; what it must do is in reference.py and in rows_*.py.

A test is a kernel around one instruction, which reads operands from memory and writes what the instruction leaves; for
the first GPU whose assembler takes it. OUT gets GPU.so, `data` (memory before and after, and how each dword compares)
and tests.txt: ROW GPU KERNEL OFFSET DWORDS. rows.c runs them.
"""
import os
import re
import struct
import subprocess
import sys

import mutate
from rows_flow import flow_plan
from rows_help import help_plan
from rows_kernel import GPUS, Gpu, assembles, kernel_text, metadata
from rows_matrix import matrix_plan
from rows_memory import memory_test, memory_tries, sload_test, sload_tries
from rows_rare import rare_plan
from rows_scalar import scalar_float, scalar_row
from rows_small import wide_plan
from rows_vector import meaning, vector_test, vector_tries


def names_of(row, aliases):
    return [row.name] + aliases.get(row.name, [])


def plan(row, gpu, aliases, everything, llvm):
    """All (text, function that makes the test) of a row on a GPU."""
    names = names_of(row, aliases)
    name = row.name
    if name.endswith("_z"):
        if gpu.name != "gfx942":
            return []
        names = [name[:-2]]
    elif ("fp8" in name or "bf8" in name) and row.macro not in ("MATRIX", "SPARSE"):
        if gpu.name == "gfx942":
            return []
    if row.macro in ("SALU", "EXECOP", "EXECWR"):
        return scalar_row(row, gpu, names, llvm)
    if row.macro == "SFLOAT":
        return scalar_float(row, gpu, names, everything)
    if row.macro in ("MATRIX", "SPARSE", "SCALED"):
        return matrix_plan(row, gpu, names)
    if row.macro in ("FLOW", "NOP"):
        return flow_plan(row, gpu, names)
    if row.macro == "HELP":
        return help_plan(row, gpu, names)
    if row.macro == "RARE":
        return rare_plan(row, gpu, names)
    if row.macro == "WIDE" and "scalef32" in name:
        return wide_plan(row, gpu, names)
    if row.macro in ("LOAD", "SLOAD") and name.startswith("s_"):
        return [(t, lambda t=t, n=n, f=f: sload_test(gpu, row, t, n, "k%d" % len(gpu.kernels), f)) for t, n, f in sload_tries(row, gpu, names)]
    if row.macro in ("LOAD", "STORE", "ATOMIC", "DS2", "XCHG2"):
        if name.startswith("scratch") and gpu.name not in ("gfx942", "gfx1100", "gfx1201"):
            return []
        return [(t, lambda t=t, f=f, k=k: memory_test(gpu, row, t, f, k, "k%d" % len(gpu.kernels))) for t, f, k in memory_tries(row, gpu, names)]
    clamp = row.macro in ("SAT", "PKSAT", "XSAT")
    if row.macro in mutate.VALUE and meaning(name, clamp, row):
        row2 = row
        if clamp:
            row2 = mutate.Row({"SAT": "VALU", "PKSAT": "PK", "XSAT": "XOUT"}[row.macro], row.args)
        return [(t.text, lambda t=t: vector_test(gpu, t, "k%d" % len(gpu.kernels), clamp)) for t in vector_tries(row2, gpu, names, clamp)]
    return []


def main():
    src, llvm, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    rows = mutate.rows(src)
    aliases = {}
    for r in rows:
        if r.macro == "ALIAS":
            aliases.setdefault(r.args[1], []).append(r.args[0])
    everything = {r.name: r for r in rows if r.macro not in ("ALIAS", "SAT", "PKSAT", "XSAT")}
    gpus = [Gpu(g) for g in GPUS]
    waiting, tested = [r for r in rows if r.macro != "ALIAS"], 0
    seldom = {"v_s_exp_f32"}
    for gpu in gpus:
        plans = [(r, plan(r, gpu, aliases, everything, llvm)) for r in waiting]
        flat = [(r, t, make) for r, ps in plans for t, make in ps]
        ok = assembles(llvm, gpu, [t for r, t, make in flat])
        done = {}
        for (r, t, make), good in zip(flat, ok):
            key = (id(r), "0x" + t.split("0x")[1] if r.macro == "SALU" and re.match(r"s_(addk|mulk|movk|cmovk|cmpk)", r.name) else "")
            if good and key not in done:
                done[key] = True
                make()
        finished = {k[0] for k in done}
        tested += len(finished)
        waiting = [r for r in waiting if id(r) not in finished]
    at, listing = 0, []
    with open(out + "/data", "wb") as data:
        for gpu in gpus:
            if not gpu.kernels:
                continue
            text = [".text"]
            for k in gpu.kernels:
                text += kernel_text(gpu, *k)
            path = "%s/%s.s" % (out, gpu.name)
            open(path, "w").write("\n".join(text + metadata(gpu)) + "\n")
            subprocess.run([llvm + "/llvm-mc", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + gpu.name, "-filetype=obj", path, "-o", path[:-2] + ".o"], check=True)
            subprocess.run([llvm + "/ld.lld", "-shared", path[:-2] + ".o", "-o", path[:-2] + ".so"], check=True)
            for name, kernel, before, after, compare in gpu.tests:
                n = len(after)
                assert len(before) == n and len(compare) == n, (name, len(before), n, len(compare))
                listing.append("%s %s %s %d %d" % (name, gpu.name, kernel, at, n))
                raw = struct.pack("<%dI" % (2 * n), *(list(before) + list(after))) + "".join(compare).encode()
                raw += b"\0" * (-len(raw) % 4)
                data.write(raw)
                at += len(raw) // 4
    open(out + "/tests.txt", "w").write("\n".join(listing) + "\n")
    untested = [r.name for r in waiting]
    open(out + "/untested.txt", "w").write("\n".join(untested) + "\n")
    print("%d tests of %d rows; no reference or no GPU: %d" % (len(listing), tested, len(untested)))


if __name__ == "__main__":
    main()
