#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""modifier.py SRC LLVM OUT - tests of what surrounds an operation: modifiers, lanes that are off, other lanes, addresses.

A case is a few instructions under a pattern of EXEC, with the rows of registers that they must leave; a kernel runs many
cases on the same operands. modifier_valu.py, _lanes, _memory and _fault say what the cases are, from AMD's
manuals and not from the executor. OUT gets what rows.c reads (see rows.py). Cases that an assembler refuses are left out.
"""
import os
import random
import re
import struct
import subprocess
import sys

import rows_kernel as K

M32 = (1 << 32) - 1
GPUS = [("gfx90a", 64), ("gfx1030", 32), ("gfx1030", 64), ("gfx1100", 32), ("gfx1100", 64), ("gfx1201", 32), ("gfx950", 64)]
IN, OLD, OUT = 4, 20, 40  # first registers: operands, what the results hold before, results
NIN, NOLD = 8, 4


class Gpu(K.Gpu):
    def __init__(self, name, wave):
        super().__init__(name)
        self.wave = wave
        self.label = name + ("w64" if wave == 64 and self.major >= 10 else "")
        self.vcc, self.exec = ("vcc", "exec") if wave == 64 else ("vcc_lo", "exec_lo")
        self.all = (1 << wave) - 1
        self.cases, self.counted, self.faults = [], 0, {}

    def mask(self, reg, m):
        """Lines that put a mask of lanes into `exec`, `vcc` or s[N:N+1]."""
        pair = (reg + "_lo", reg + "_hi") if isinstance(reg, str) else ("s%d" % reg, "s%d" % (reg + 1))
        return ["s_mov_b32 %s, 0x%x" % (r, m >> 32 * k & M32) for k, r in enumerate(pair[:self.wave // 32])]

    def sreg(self, at):
        """a mask in scalar registers"""
        return "s[%d:%d]" % (at, at + 1) if self.wave == 64 else "s%d" % at


class Case:
    """lines: what runs with EXEC = on; want: {register: row of its values}; how: letters of rows.c by register.
    inst: what an assembler must take; after: lines with all lanes on."""

    def __init__(self, name, inst, on, want, how=None, before=(), after=()):
        self.name, self.inst, self.on, self.want, self.how = name, [inst] if isinstance(inst, str) else inst, on, want, how or {}
        self.before, self.after = list(before), list(after)


def patterns(gpu, rnd):
    """EXEC: all, alternate lanes, one lane, none, an upper half, any."""
    w = gpu.wave
    return [gpu.all, 0x5555555555555555 & gpu.all, 0xaaaaaaaaaaaaaaaa & gpu.all, 1 << rnd.randrange(w), 0, gpu.all >> w // 2 << w // 2,
            gpu.all >> w // 2, rnd.getrandbits(w), 0xffff0000ff00f0f0 & gpu.all, rnd.getrandbits(w)]


def blend(on, new, old):
    return [n if on >> i & 1 else o for i, (n, o) in enumerate(zip(new, old))]


class Kernel:
    def __init__(self, gpu, ins, olds, cases, lds=0, scratch=0, extra=(), setup=()):
        """extra: dwords that follow the rows of operands, at s[8:9]; extra_after: what they must become, when `back` has run."""
        self.gpu, self.ins, self.olds, self.cases, self.lds, self.scratch, self.extra, self.setup = gpu, ins, olds, cases, lds, scratch, list(extra), list(setup)
        self.extra_after, self.back = self.extra, []


def build(gpu, name, k):
    """The kernel's text and its test."""
    w, step = gpu.wave, ["s_add_u32 s4, s4, s7", "s_addc_u32 s5, s5, 0"]
    body = [gpu.s_load(2, "s[4:5]", "s[0:1]"), "v_lshlrev_b32 v0, 2, v0", "s_movk_i32 s7, 0x%x" % (4 * w)] + gpu.wait
    before, after, how = [], [], []
    for first, rows in ((IN, k.ins), (OLD, k.olds)):
        for i, row in enumerate(rows):
            body += ["%s v%d, v0, s[4:5]" % (gpu.load, first + i)] + step
            before += row
    body += ["s_mov_b32 s8, s4", "s_mov_b32 s9, s5", "s_add_u32 s4, s4, 0x%x" % (4 * len(k.extra)), "s_addc_u32 s5, s5, 0"] + gpu.wait + k.setup
    before += k.extra
    after, how = before[:len(before) - len(k.extra)] + k.extra_after, ["."] * (len(before) - len(k.extra)) + ["x"] * len(k.extra)
    for c in k.cases:
        body += ["v_mov_b32 v%d, v%d" % (OUT + i, OLD + i) for i in range(len(k.olds))] + c.before + gpu.mask("exec", c.on) + c.inst + gpu.wait
        body += gpu.mask("exec", gpu.all) + c.after + gpu.wait
        for r, row in sorted(c.want.items()):
            body += ["%s v0, v%d, s[4:5]" % (gpu.store, r)] + step
            after += [v & M32 for v in row]
            how += list(c.how.get(r, "x")) * w
    before += [0] * (len(after) - len(before))
    gpu.kernels.append((name, body + k.back + ["s_endpgm"], k.lds, k.scratch))
    gpu.tests.append((k.cases[0].name, name, before, after, how))


def chunks(cases, n):
    return [cases[i:i + n] for i in range(0, len(cases), n)]


def add(gpu, ins, olds, cases, n=40, **more):
    """Kernels of those cases that this GPU has."""
    gpu.cases.append((ins, olds, cases, n, more))


def finish(gpu):
    flat = [i for ins, olds, cases, n, more in gpu.cases for c in cases for i in c.inst]
    ok, at, count, left = which(gpu, flat), 0, gpu.counted, []
    for ins, olds, cases, n, more in gpu.cases:
        have = []
        for c in cases:
            good = all(ok[at:at + len(c.inst)])
            at += len(c.inst)
            (have if good else left).append(c)
        count += len(have)
        for part in chunks(have, n):
            build(gpu, "k%d" % len(gpu.kernels), Kernel(gpu, ins, olds, part, **more))
    return count, left


def which(gpu, lines):
    """Which of the instructions this GPU has."""
    llvm = sys.argv[2]
    if not gpu.label.endswith("w64"):
        return K.assembles(llvm, gpu, lines)
    p = subprocess.run([llvm + "/llvm-mc", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + gpu.name, "-mattr=+wavefrontsize64", "-filetype=null"],
                       input="\n".join(lines) + "\n", capture_output=True, text=True)
    bad = {int(m.group(1)) - 1 for m in re.finditer(r"^<stdin>:(\d+):\d+: error", p.stderr, re.M)}
    return [i not in bad for i in range(len(lines))]


def assemble(gpu, llvm, out):
    text = [".text"]
    for k in gpu.kernels:
        lines = K.kernel_text(gpu, *k)
        text += [l.replace("wavefront_size32 1", "wavefront_size32 0") if gpu.wave == 64 else l for l in lines]
    path = "%s/%s.s" % (out, gpu.label)
    open(path, "w").write("\n".join(text + K.metadata(gpu)) + "\n")
    attr = ["-mattr=+wavefrontsize64"] if gpu.wave == 64 and gpu.major >= 10 else []
    subprocess.run([llvm + "/llvm-mc", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + gpu.name, "-filetype=obj", path, "-o", path[:-2] + ".o"] + attr, check=True)
    subprocess.run([llvm + "/ld.lld", "-shared", path[:-2] + ".o", "-o", path[:-2] + ".so"], check=True)


def main():
    import modifier_fault
    import modifier_lanes
    import modifier_memory
    import modifier_valu
    src, llvm, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    at, listing, total = 0, [], 0
    with open(out + "/data", "wb") as data:
        for name, wave in GPUS:
            gpu = Gpu(name, wave)
            rnd = random.Random(gpu.label)
            for part in (modifier_valu, modifier_lanes, modifier_memory, modifier_fault):
                part.cases(gpu, rnd)
            n, left = finish(gpu)
            total += n
            if os.environ.get("LEFT"):
                print(gpu.label, len(left), [c.inst[-1] for c in left][::max(1, len(left) // 12)])
            assemble(gpu, llvm, out)
            for test, kernel, before, after, how in gpu.tests:
                fault = "".join(" %d" % v for v in gpu.faults.get(kernel, ()))
                listing.append("%s %s %s %d %d%s" % (test, gpu.label, kernel, at, len(after), fault))
                raw = struct.pack("<%dI" % (2 * len(after)), *(list(before) + after)) + "".join(how).encode()
                raw += b"\0" * (-len(raw) % 4)
                data.write(raw)
                at += len(raw) // 4
    open(out + "/tests.txt", "w").write("\n".join(listing) + "\n")
    print("%d cases in %d tests" % (total, len(listing)))


if __name__ == "__main__":
    main()
