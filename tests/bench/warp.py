# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""warp.py - instructions that the waves of a gfx90a execute for one element: CUDA's source for 32 lanes, two
warps a wave (paired) and one (solo), against the same algorithm written by hand for waves of 64 lanes and
compiled by plain clang. The executor counts; all must give the same results.
"""
import os
import re
import subprocess

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "warp")
TARGET, ELEMENTS, LIMIT = "gfx90a", 256 * 8 * 8, 1.15
KERNELS = {"reduce": 64, "scan": ELEMENTS, "compact": 1 + ELEMENTS, "transpose": ELEMENTS}  # words of the result


def counted(command, kernel, env=None):
    """(words printed, instructions of the kernel)."""
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    m = re.search(r"counters: %s\b.*\n.*?instructions +(\d+)" % kernel, done.stderr)
    if done.returncode or not m:
        raise RuntimeError("%s: %s" % (command[0], (done.stderr + done.stdout).strip()[-300:]))
    words = [int(w, 16 if command[0].endswith("gcn-run") else 10)
             for line in done.stdout.splitlines() for w in line.split(":")[-1].split()]
    return words, int(m.group(1))


def same(kernel, a, b):
    n = KERNELS[kernel]
    a, b = a[:n], b[:n]
    if kernel == "compact":  # in any order
        a, b = a[:1] + sorted(a[1:1 + a[0]]), b[:1] + sorted(b[1:1 + b[0]])
    return a == b


def measure(build, llvm):
    """{kernel: (paired, solo, native)}, instructions of all waves; RuntimeError when something fails."""
    work = os.path.join(build, "bench")
    os.makedirs(work, exist_ok=True)
    native = os.path.join(work, "native.hsaco")
    subprocess.run([os.path.join(llvm, "clang"), "-x", "hip", "--cuda-device-only", "--offload-arch=" + TARGET,
                    "-nogpuinc", "-nogpulib", "--no-gpu-bundle-output", "-mcode-object-version=5", "-O3",
                    os.path.join(here, "native.hip"), "-o", native], check=True)
    programs = {}
    for mode, flag in (("paired", "auto"), ("solo", "solo")):
        programs[mode] = os.path.join(work, "warp-" + mode)
        subprocess.run([os.path.join(build, "bin/nvcc"), "-O3", "-arch=" + TARGET, "-fheddle-warp=" + flag,
                        os.path.join(here, "warp.cu"), "-o", programs[mode]], check=True)
    env = dict(os.environ, HEDDLE_DEVICE="exec:" + TARGET, HEDDLE_COUNTERS="1")
    found = {}
    for kernel in KERNELS:
        words, hand = counted([os.path.join(build, "tools/gcn-run"), "--counters", "--grid=8", "--block=256", native,
                               kernel, "iota:%d" % ELEMENTS, "out:%d" % (ELEMENTS + 1)], kernel)
        row = []
        for mode in ("paired", "solo"):
            got, n = counted([programs[mode], kernel], kernel, env)
            if not same(kernel, words, got):
                raise RuntimeError("%s: %s gives another result" % (kernel, mode))
            row.append(n)
        found[kernel] = (row[0], row[1], hand)
    return found


def bench_warp(build, llvm, report, absent):
    try:
        found = measure(build, llvm)
    except (RuntimeError, subprocess.CalledProcessError) as e:
        for kernel in KERNELS:
            absent("warp.%s.paired_ratio" % kernel, "<=%.2f" % LIMIT, str(e))
        return
    for kernel, (paired, solo, native) in found.items():
        report("warp.%s.native" % kernel, native / ELEMENTS, "-", True, "%.3f")
        report("warp.%s.solo_ratio" % kernel, solo / native, "-", True, "%.3f")
        report("warp.%s.paired_ratio" % kernel, paired / native, "<=%.2f" % LIMIT, paired / native <= LIMIT, "%.3f")
