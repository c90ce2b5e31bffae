# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""speed.py - `./dev bench exec`: how fast the executor is.

exec.KERNEL.minstr_per_s    millions of wave instructions a second on one thread, as the executor counts them
                            (waits, delays and the like are none; the halves of a VOPD are two), by that thread's
                            processor time: what else runs on the machine counts less. Median of five.
exec.KERNEL.half.…          the same with every second lane off. Target: half of what it is with all of them, or
                            of what is asked for, whichever is more.
exec.KERNEL.gfx90a.…        waves of 64 lanes, for comparison.
exec.threads                wall time of one thread over that of two, of a tiled product; the best of five.
exec.product1024.s          a program: fp32 product of 1024 x 1024, wall time from launch to synchronisation on
                            two processors. Median of five.
exec.KERNEL.over_pocl       wall time over that of the same kernel in OpenCL C on PoCL, which compiles it for
                            this processor: one work-group of 32 for alu and fma, all of it for the product.
Kernels: alu (integers and floats in a loop), fma (a chain of 64, unrolled), product16 and product32 (tiles of
that size in LDS). Runs that are compared alternate.
"""
import os
import re
import statistics
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
import build_info  # noqa: E402

RUNS = 5
MATRIX = ["floats:1048576", "floats:1048576", "out:1x1048576", "1024"]
# name: target in M/s, kernel, options, arguments but for `off`
KERNELS = {
    "alu": (150, "alu", ["--block=32"], ["out:32", "3000000"]),
    "fma": (150, "fma_chain", ["--block=32"], ["out:32", "500000", "0.5f", "0.5f"]),
    "product16": (80, "matmul16", ["--block=16,16", "--grid=64,16"], MATRIX),
    "product32": (80, "matmul32", ["--block=32,32", "--grid=32,8"], MATRIX),
}
PEERS = {"alu": ("alu", "3000000"), "fma": ("fma_chain", "500000"), "product1024": ("product", "1024")}


def output(command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if done.returncode:
        raise RuntimeError("%s: %s" % (os.path.basename(command[0]), (done.stderr or done.stdout).strip()[-300:]))
    return done.stdout


def number(pattern, text):
    return float(re.search(pattern, text).group(1))


def two_processors():
    return sorted(os.sched_getaffinity(0))[:2]


class Bench:
    def __init__(self, build):
        self.build, self.work = build, os.path.join(build, "bench")
        os.makedirs(self.work, exist_ok=True)
        self.peer = None

    def path(self, name):
        return os.path.join(self.work, name)

    def compile(self):
        nvcc = os.path.join(self.build, "bin/nvcc")
        for gpu in ("gfx1100", "gfx90a"):
            output([nvcc, "-O3", "-arch=" + gpu, "-cubin", "-o", self.path("kernels." + gpu),
                    os.path.join(here, "exec/kernels.cu")])
        output([nvcc, "-O3", "-o", self.path("product"), os.path.join(here, "exec/product.cu")])

    def compile_peer(self):
        """Why there is no PoCL to compare with, or None."""
        try:
            output(["cc", "-O2", "-o", self.path("peer"), os.path.join(here, "exec/peer.c"), "-lOpenCL"])
            self.peer = self.path("peer")
            self.pocl("alu")
        except (RuntimeError, FileNotFoundError) as e:
            self.peer = None
            return "no PoCL (pocl-opencl-icd, ocl-icd-opencl-dev, opencl-headers): %s" % e

    def gcn_run(self, name, off=0, gpu="gfx1100", threads=1):
        _, kernel, options, arguments = KERNELS[name]
        return output([os.path.join(self.build, "tools/gcn-run"), "--bench", "--threads=%d" % threads] + options +
                      [self.path("kernels." + gpu), kernel] + arguments + [str(off)])

    def rate(self, *arguments):
        return number(r"cpu ([\d.]+) M/s", self.gcn_run(*arguments))

    def wall(self, *arguments, **options):
        return number(r"instructions, ([\d.]+) s", self.gcn_run(*arguments, **options))

    def product(self):
        env = dict(os.environ, HEDDLE_DEVICE="exec:gfx1100")
        command = ["taskset", "-c", ",".join(map(str, two_processors())), self.path("product")]
        return number(r"([\d.]+) s", output(command, env))

    def pocl(self, name):
        kernel, n = PEERS[name]
        command = [self.peer, os.path.join(here, "exec/peer.cl"), kernel, n]
        return number(r"([\d.]+) s", output(["taskset", "-c", ",".join(map(str, two_processors()))] + command))


def rates(b, report):
    ways = [(name, off, gpu) for name in KERNELS for gpu, off in (("gfx1100", 0), ("gfx1100", 1), ("gfx90a", 0))]
    seen = {way: [] for way in ways}
    for _ in range(RUNS):
        for way in ways:
            seen[way].append(b.rate(*way))
    for name, (target, *_) in KERNELS.items():
        full, half, wave64 = (statistics.median(seen[w]) for w in ways if w[0] == name)
        least = max(full, target) / 2
        report("exec.%s.minstr_per_s" % name, full, ">=%d" % target, full >= target, "%.1f")
        report("exec.%s.half.minstr_per_s" % name, half, ">=%.1f" % least, half >= least, "%.1f")
        report("exec.%s.gfx90a.minstr_per_s" % name, wave64, "-", True, "%.1f")


def threads(b, report, absent):
    if len(os.sched_getaffinity(0)) < 2:
        return absent("exec.threads", ">=1.6", "one processor")
    best = max(b.wall("product32") / b.wall("product32", threads=2) for _ in range(RUNS))
    report("exec.threads", best, ">=1.6", best >= 1.6, "%.2f")


def product(b, report, absent):
    why = b.compile_peer()
    ours, peer = {name: [] for name in PEERS}, {name: [] for name in PEERS}
    for _ in range(RUNS):
        for name in PEERS:
            ours[name].append(b.product() if name == "product1024" else b.wall(name))
            if not why:
                peer[name].append(b.pocl(name))
    seconds = statistics.median(ours["product1024"])
    report("exec.product1024.s", seconds, "<=1.2", seconds <= 1.2)
    for name in PEERS:
        if why:
            absent("exec.%s.over_pocl" % name, "-", why)
        else:
            report("exec.%s.over_pocl" % name, statistics.median(ours[name]) / statistics.median(peer[name]), "-", True)


def bench_exec(build, report, absent):
    b = Bench(build)
    try:
        b.compile()
        rates(b, report)
        threads(b, report, absent)
        product(b, report, absent)
    except RuntimeError as e:
        absent("exec", "-", str(e))
