# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows_kernel.py - what all tests of rows need: the GPUs, random operands, and kernels as text for the assembler."""
import re
import subprocess

import number as N
import reference as R

GPUS = ["gfx90a", "gfx1030", "gfx942", "gfx950", "gfx1100", "gfx1151", "gfx1201", "gfx908", "gfx1010"]
ROUNDS = 8
DWORDS = {"NONE": 0, "u64": 2, "i64": 2, "f64": 2, "pkf32": 2, "pk32": 2, "u128": 4}
SIXTEEN = ("u16", "i16", "f16", "mixout", "word")
M32 = R.M32


class Gpu:
    def __init__(self, name):
        self.name = name
        self.major = int(name[3:-2])
        self.wave = 32 if self.major >= 10 else 64
        self.vcc = "vcc" if self.wave == 64 else "vcc_lo"
        self.exec = "exec" if self.wave == 64 else "exec_lo"
        new = self.major >= 11
        self.load = "global_load_" + ("b32" if new else "dword")
        self.store = "global_store_" + ("b32" if new else "dword")
        self.sload = "s_load_" + ("b%d" if new else "dwordx%d")
        self.ds = ("ds_load_b32", "ds_store_b32") if new else ("ds_read_b32", "ds_write_b32")
        self.scratch = ("scratch_load_b32", "scratch_store_b32") if new else ("scratch_load_dword", "scratch_store_dword")
        self.wait = ["s_wait_loadcnt 0x0", "s_wait_dscnt 0x0", "s_wait_kmcnt 0x0", "s_wait_storecnt 0x0"] if self.major >= 12 else ["s_waitcnt vmcnt(0) lgkmcnt(0)"]
        self.text, self.kernels, self.tests = [], [], []

    def s_load(self, n, dst, base, at=0):
        word = {11: "b%d" % (32 * n), 12: "b%d" % (32 * n)}.get(self.major, "dword" + ("x%d" % n if n > 1 else ""))
        return "s_load_%s %s, %s, %d" % (word, dst, base, at)


# --- values -----------------------------------------------------------------------------------------------

INTS = [0, 1, 2, 3, 7, 8, 15, 16, 23, 24, 30, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff,
        0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xffff8000, 0x00ff00ff, 0x01020304, 0xff800000, 0x7fff8000, 0x80007fff, 0x00010001]
F32S = [0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 1, 0x80000001, 0x7fffff, 0x800000, 0x7f7fffff,
        0xff7fffff, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0x40600000, 0xbfc00000, 0xc0200000, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001,
        0x4f7fffff, 0x4f800000, 0x437f8000, 0x437f0000, 0x437f8001, 0x43800000, 0x46fffe00, 0x47000000, 0x477fe000, 0x477ff000, 0x33000000, 0x38800000, 0x387fffff, 0x3effffff,
        0x3f7fffff, 0x3eaaaaab, 0x40490fdb, 0x42c80000, 0xc2c80000, 0x4b000001, 0x4b7fffff, 0xbf7fffff, 0x38000000, 0x33800000, 0x33800001, 0x46fffeff, 0xc7000080, 0x7fbfffff]
F16S = [0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfd23, 1, 0x8001, 0x3ff, 0x400, 0x7bff, 0xfbff, 0x3800, 0xb800, 0x3e00, 0x4100, 0x4300,
        0xbe00, 0x3bff, 0x3555, 0x5bf8, 0x77ff, 0x7800, 0xf800, 0x6400, 0x3c01, 0x0200, 0x8200, 0x5c00, 0x7dff]
F64S = [0, 1 << 63, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001, 0xfff8000000001234, 1,
        0xfffffffffffff, 0x10000000000000, 0x7fefffffffffffff, 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0xc004000000000000,
        0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41effffffff00000, 0x41f0000000000000,
        0x3fefffffffffffff, 0x3fd5555555555555, 0x4330000000000001, 0x40f0000000000000, 0x7fd0000000000000, 0x0360000000000000, 0x7ff7ffffffffffff]


# operands that tell a rounding from two, and 0 * infinity
PAIRS = {"f32": [(0, 0x7f800000, 0x40000000), (0xff800000, 0x80000000, 0x40400000), (0, 0x7fc00000, 0x3f800000), (0x7fc00001, 0, 0x3f800000),
                 (0x3f800000, 0x7f800000, 0xff800000)],
         "f16": [(0x3e00, 0x3956, 1), (0x3e00, 0x3956, 0x8001), (0xbe00, 0x3956, 0x8001), (0xbe00, 0x3956, 1)],
         "pkf16": [(0x3e003e00, 0x39563956, 0x00018001), (0xbe003e00, 0x39563956, 0x80010001)]}


def spread(rnd, fmt, mode, specials):
    e, m = fmt
    bits = N.width(fmt)
    if mode == 2 or (mode == 3 and rnd.random() < 0.6):
        v = rnd.choice(specials)
        return v ^ (1 << (bits - 1) if rnd.random() < 0.2 else 0)
    if mode == 0:
        return rnd.getrandbits(bits)
    bias = (1 << (e - 1)) - 1
    man = rnd.getrandbits(m)
    if mode == 4:  # few bits: ties, integers, exact results
        man = man >> (m - 3) << (m - 3)
    return rnd.getrandbits(1) << (bits - 1) | (bias + rnd.randint(-2, 9 if mode == 4 else 3)) << m | man


def value(rnd, t, mode):
    if t in ("f32", "mix"):
        return spread(rnd, N.F32, mode, F32S)
    if t == "f64":
        return spread(rnd, N.F64, mode, F64S)
    if t in ("f16",):
        return spread(rnd, N.F16, mode, F16S) | rnd.getrandbits(16) << 16
    if t == "bf16":
        return spread(rnd, N.BF16, mode, [v >> 16 for v in F32S]) | rnd.getrandbits(16) << 16
    if t == "pkf16":
        return spread(rnd, N.F16, mode, F16S) | spread(rnd, N.F16, mode, F16S) << 16
    if t == "pkbf16":
        return spread(rnd, N.BF16, mode, [v >> 16 for v in F32S]) | spread(rnd, N.BF16, mode, [v >> 16 for v in F32S]) << 16
    if t == "pkf32":
        return spread(rnd, N.F32, mode, F32S) | spread(rnd, N.F32, mode, F32S) << 32
    if t == "mask":
        return rnd.getrandbits(1)
    n = 32 * DWORDS.get(t, 1)
    v = 0
    for k in range(n // 32):
        x = rnd.getrandbits(32)
        if mode in (2, 3):
            x = rnd.choice(INTS) if rnd.random() < 0.8 else x
        elif mode == 1:
            x = rnd.randint(-20, 40) & M32
        elif mode == 4:
            x = (1 << rnd.randrange(32)) - rnd.getrandbits(1) & M32
        v |= x << 32 * k
    if n == 64 and mode == 1:
        v = rnd.randint(-20, 40) & R.M64
    return v


# --- assembling --------------------------------------------------------------------------------------------

def assembles(llvm, gpu, lines):
    """Which of the instructions (lists of lines) this GPU has."""
    text = "\n".join(" ; ".join([]) + l for l in lines) + "\n"
    p = subprocess.run([llvm + "/llvm-mc", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + gpu.name, "-filetype=null"], input=text, capture_output=True, text=True)
    bad = {int(m.group(1)) - 1 for m in re.finditer(r"^<stdin>:(\d+):\d+: error", p.stderr, re.M)}
    return [i not in bad for i in range(len(lines))]


def reg(at, n):
    return "v%d" % at if n == 1 else "v[%d:%d]" % (at, at + n - 1)


DST = 40


def advance():
    return ["s_add_u32 s4, s4, s7", "s_addc_u32 s5, s5, 0"]


def loop(gpu, body, rounds):
    return [gpu.s_load(2, "s[4:5]", "s[0:1]"), "v_lshlrev_b32 v0, 2, v0", "s_movk_i32 s7, 0x%x" % (4 * gpu.wave), "s_movk_i32 s6, 0x%x" % rounds] + gpu.wait + \
        ["L%d:" % len(gpu.kernels)] + body + ["s_sub_u32 s6, s6, 1", "s_cmp_lg_u32 s6, 0", "s_cbranch_scc1 L%d" % len(gpu.kernels), "s_endpgm"]


def kernel_text(gpu, name, lines, lds, scratch):
    k = [".p2align 8", ".globl %s" % name, ".type %s,@function" % name, name + ":"] + ["  " + l for l in lines]
    k += [".size %s, .-%s" % (name, name), ".section .rodata", ".p2align 6", ".amdhsa_kernel %s" % name, ".amdhsa_next_free_vgpr 64", ".amdhsa_next_free_sgpr 64",
          ".amdhsa_user_sgpr_kernarg_segment_ptr 1", ".amdhsa_kernarg_size 8", ".amdhsa_float_denorm_mode_32 3", ".amdhsa_float_denorm_mode_16_64 3",
          ".amdhsa_group_segment_fixed_size %d" % lds, ".amdhsa_private_segment_fixed_size %d" % scratch]
    if gpu.name in ("gfx90a", "gfx942", "gfx950"):
        k.append(".amdhsa_accum_offset 64")
    if scratch:
        k.append(".amdhsa_enable_private_segment 1" if gpu.major >= 11 or gpu.name in ("gfx942", "gfx950") else ".amdhsa_system_sgpr_private_segment_wavefront_offset 1")
    if gpu.major >= 10:
        k.append(".amdhsa_wavefront_size32 1")
    return k + [".end_amdhsa_kernel", ".text"]


def metadata(gpu):
    out = [".amdgpu_metadata", "---", "amdhsa.version: [1, 2]", "amdhsa.target: amdgcn-amd-amdhsa--" + gpu.name, "amdhsa.kernels:"]
    for name, lines, lds, scratch in gpu.kernels:
        out += ["  - .name: %s" % name, "    .symbol: %s.kd" % name, "    .kernarg_segment_size: 8", "    .kernarg_segment_align: 8", "    .group_segment_fixed_size: %d" % lds,
                "    .private_segment_fixed_size: %d" % scratch, "    .wavefront_size: %d" % gpu.wave, "    .sgpr_count: 64", "    .vgpr_count: 64", "    .max_flat_workgroup_size: 1024",
                "    .args: [{.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}]"]
    return out + ["...", ".end_amdgpu_metadata"]
