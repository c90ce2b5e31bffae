# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench.py BUILD [NAME…] [--tsv] - measures and compares with what is asked for.

One line a metric: `metric value target ok|short|absent`; absent names what could not be measured, on
stderr. The status is 0 unless something is short.
  exec     instructions a second of the executor, scaling, and a product of matrices beside PoCL (speed.py)
  compile  wall time of Heddle's nvcc over that of NVIDIA's nvcc (on PATH, or HEDDLE_PEER_NVCC)
  warp     instructions that warps of 32 lanes cost on waves of 64, over code written for 64 (warp.py)
"""
import os
import statistics
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
src = os.path.dirname(os.path.dirname(here))
sys.path.insert(0, os.path.dirname(here))
sys.path.insert(0, here)
import build_info  # noqa: E402
import speed  # noqa: E402
import warp  # noqa: E402

results = []


def report(metric, value, target, ok, form="%.3g"):
    word = "absent" if value is None else "ok" if ok else "short"
    results.append((metric, "-" if value is None else form % value, target, word))


def absent(metric, target, why):
    print("bench: %s: %s" % (metric, why), file=sys.stderr)
    report(metric, None, target, False)


def bench_exec(build):
    speed.bench_exec(build, report, absent)


def templated(path):
    """A file of about 1,000 lines: kernels over small types and operations, each instantiated."""
    out = ["#include <cuda_runtime.h>", "#include <cstdio>", ""]
    kinds = ["float", "double", "int", "unsigned", "long long"]
    for k in range(60):
        out += ["template <typename T, int N> struct Op%d {" % k,
                "\tT c[N];",
                "\t__host__ __device__ T at(T x) const",
                "\t{",
                "\t\tT y = x;",
                "\t\tfor (int i = 0; i < N; i++)",
                "\t\t\ty = y * x + c[i] + T(%d);" % k,
                "\t\treturn y;",
                "\t}",
                "};",
                "template <typename T> __global__ void apply%d(const T *in, T *out, int n, Op%d<T, %d> op)" % (k, k, 1 + k % 4),
                "{",
                "\tint i = blockIdx.x * blockDim.x + threadIdx.x;",
                "\tif (i < n)",
                "\t\tout[i] = op.at(in[i]);",
                "}"]
    out.append("int main()\n{")
    for k in range(60):
        t = kinds[k % len(kinds)]
        out.append("\tapply%d<%s><<<1, 32>>>(nullptr, (%s *)nullptr, 0, Op%d<%s, %d>{});" % (k, t, t, k, t, 1 + k % 4))
    out.append("\tcudaError_t e = cudaDeviceSynchronize();\n\tprintf(\"%s\\n\", cudaGetErrorString(e));")
    out.append("\treturn e != cudaSuccess;\n}")
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n")


def seconds(command):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("%s: %s" % (command[0], (done.stderr or done.stdout).strip()[:300]))
    return time.perf_counter() - start


def bench_compile(build):
    """Alternating runs, the median of seven pairs; both compile and link an executable at -O3."""
    work = os.path.join(build, "bench")
    os.makedirs(work, exist_ok=True)
    templated(os.path.join(work, "templated.cu"))
    ours, peer = os.path.join(build, "bin/nvcc"), build_info.peer_nvcc(build)
    files = {"saxpy": "examples/saxpy/saxpy.cu", "nbody": "examples/nbody/nbody.cu",
             "templated": os.path.join(work, "templated.cu")}
    for name, path in files.items():
        metric, path, times = "compile.%s.ratio" % name, os.path.join(src, path), ([], [])
        commands = [[c, "-O3", "-o", os.path.join(work, name), path] for c in (ours, peer or ours)]
        try:
            for command in commands:  # once to warm the disk's cache
                seconds(command)
            for _ in range(7):
                for command, list_ in zip(commands, times):
                    list_.append(seconds(command))
        except RuntimeError as e:
            absent(metric, "<=0.4", str(e))
            continue
        a, b = statistics.median(times[0]), statistics.median(times[1])
        report("compile.%s.s" % name, a, "-", True)
        if peer:
            report("compile.%s.peer_s" % name, b, "-", True)
            report(metric, a / b, "<=0.4", a / b <= 0.4)
        else:
            absent(metric, "<=0.4", "no NVIDIA nvcc on PATH or in HEDDLE_PEER_NVCC")


def bench_warp(build):
    warp.bench_warp(build, os.path.join(build_info.ninja_variables(build)["llvm"], "bin"), report, absent)


def main(build, *arguments):
    benches = {"exec": bench_exec, "compile": bench_compile, "warp": bench_warp}
    names = [a for a in arguments if not a.startswith("-")] or list(benches)
    for name in names:
        if name not in benches:
            sys.exit("bench: no %s; there are %s" % (name, " ".join(benches)))
        benches[name](build)
    for row in results:
        print(("\t" if "--tsv" in arguments else " ").join(row))
    return 1 if any(row[3] == "short" for row in results) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
