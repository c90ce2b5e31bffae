# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""patterns.py SEED COUNT - writes a CUDA program of COUNT kernels of random barriers and spins to stdout.
patterns.py check BUILD FOLDER SEED COUNT EXPECTED [nvcc flags] - compiles and runs them on two targets.

Every kernel has one result under CUDA's rules, whatever the order in which warps run: each thread passes
the same number of barriers, at each of them it leaves a value and takes another thread's; what is done under
a lock commutes; waits have an order. But where the barriers stand, under which conditions, and what waits
for what, is random. So two warps that share a wave of 64 lanes without a right to it give another result,
or never end. The program prints `kernel hash` for each kernel; `patterns.py SEED COUNT only N` writes just
kernel N. Inputs/patterns-SEED.expected is what an NVIDIA H200 printed.
"""
import os
import random
import re
import subprocess
import sys

PRELUDE = r"""// made by tests/warp/patterns.py
#include <cstdio>
#include <cstdlib>
#include <vector>
typedef unsigned u32;
#define T (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))
#define SIZE (blockDim.x * blockDim.y * blockDim.z)
#define LANE (T & 31)
#define WARP (T >> 5)
#define WARPS ((SIZE + 31) / 32)
#define ALL 0xffffffffu
struct state {
	u32 v;   // what the thread has computed
	u32 ph;  // barriers it has passed
	u32 *s;  // [2][512]
	u32 e;   // times that all warps have waited for each other,
	u32 a;   // among them by counting who has arrived
};
struct global {
	u32 acc[8], lock[8], ticket[8], serving[8], flag[8], best[8];
};
static __device__ __forceinline__ u32 mix(u32 x)
{
	x ^= x >> 15;
	x *= 0x2c1b3c6du;
	return x ^ x >> 12;
}
#define LEAVE c.s[(c.ph & 1) * 512 + T] = c.v
#define TAKE(k) (c.v = mix(c.v + 3 * c.s[(c.ph & 1) * 512 + (T + (k)) % SIZE]), c.ph++)
#define SYNC(k) do { LEAVE; __syncthreads(); TAKE(k); } while (0)
#define SYNC_COUNT(k) do { LEAVE; c.v += __syncthreads_count(c.v & 1) * (k); TAKE(k); } while (0)
#define SYNC_OR(k) do { LEAVE; c.v += __syncthreads_or((c.v & 63) == (k)) ? 5 : 9; TAKE(k); } while (0)
#define OLD(i) c.s[((c.ph - 1) & 1) * 512 + (i)]
"""

MAIN = r"""
struct entry {
	const char *name;
	void (*kernel)(const u32 *, u32 *, global *, int);
	dim3 grid, block;
	int n;
};
static const entry entries[] = {
%s};

int main()
{
	u32 in[1024], *din, *dout;
	global *g;
	for (u32 i = 0; i < 1024; i++)
		in[i] = (i * 2654435761u) ^ i << 7;
	cudaMalloc((void **)&din, sizeof in);
	cudaMalloc((void **)&dout, 4 * 512 * sizeof(u32));
	cudaMalloc((void **)&g, sizeof *g);
	cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
	for (const entry &e : entries) {
		std::vector<u32> out(4 * 512);
		global h;
		cudaMemset(dout, 0, out.size() * sizeof(u32));
		cudaMemset(g, 0, sizeof *g);
		e.kernel<<<e.grid, e.block>>>(din, dout, g, e.n);
		cudaError_t launch = cudaGetLastError();
		cudaMemcpy(out.data(), dout, out.size() * sizeof(u32), cudaMemcpyDeviceToHost);
		cudaMemcpy(&h, g, sizeof h, cudaMemcpyDeviceToHost);
		cudaError_t error = cudaGetLastError();
		u32 hash = 1;
		for (u32 x : out)
			hash = (hash ^ x) * 16777619u;
		for (u32 x : h.acc)
			hash = (hash ^ x) * 16777619u;
		for (u32 x : h.best)
			hash = (hash ^ x) * 16777619u;
		printf("%%s %%08x %%s %%s\n", e.name, hash, cudaGetErrorName(launch), cudaGetErrorName(error));
		fflush(stdout);
		if (error != cudaSuccess)
			return 1;
	}
	return 0;
}
"""

SHAPES = [(64,), (96,), (128,), (160,), (256,), (32, 3), (16, 6), (8, 4, 4), (80,), (320,), (32, 8), (50,)]


class Kernel:
    def __init__(self, seed, number):
        self.r = random.Random("%d/%d" % (seed, number))
        self.name = "k%d_%d" % (seed, number)
        self.shape = self.r.choice(SHAPES)
        self.size = 1
        for x in self.shape:
            self.size *= x
        self.grid = self.r.choice([1, 2, 3])
        self.warps = (self.size + 31) // 32
        self.whole = self.size % 32 == 0  # no warp with missing lanes
        self.lanes_left = False           # some lanes have ended
        self.warps_left = False           # some warps have ended
        self.functions = []
        self.loops = 0
        # how much of each kind this kernel has, so that some have no waits, or no branches
        self.spins = self.r.choice([0, 0, 0, 1, 2])
        self.apart = self.r.choice([0, 0, 1, 2])
        self.lines = []

    def pick(self, *a):
        return self.r.choice(a)

    def out(self, depth, text):
        self.lines.append("\t" * depth + text)

    def loop(self):
        self.loops += 1
        return "i%d" % self.loops

    # --- conditions -------------------------------------------------------------------------------
    def uniform(self):
        r = self.r.randrange
        return self.pick("blockIdx.x & 1", "n > %d" % r(6), "in[%d] & %d" % (r(99), 1 << r(8)),
                         "OLD(%d) & %d" % (r(self.size), 1 << r(6)), "c.ph %% %d == 0" % (2 + r(3)))

    def by_warp(self):
        r, k = self.r.randrange, self.r.randrange(max(1, self.warps))
        choices = ["WARP & 1", "WARP == %d" % k, "WARP < %d" % (k + 1), "in[WARP] & %d" % (1 << r(8)),
                   "OLD(WARP * 32) & %d" % (1 << r(6)), "T >= 32", "T / 64 == %d" % (k // 2)]
        if not self.lanes_left:
            choices += ["__shfl_sync(ALL, c.v, 0) & %d" % (1 << r(8)), "__any_sync(ALL, (c.v & 31) == %d)" % r(32),
                        "__ballot_sync(ALL, c.v & 4) & 1", "__all_sync(ALL, c.v & 64)"]
        if self.shape[0] == 32 and len(self.shape) == 2:
            choices += ["threadIdx.y == %d" % k, "threadIdx.y & 1"]
        return self.r.choice(choices)

    def by_lane(self):
        r = self.r.randrange
        return self.pick("LANE > %d" % r(31), "c.v & %d" % (1 << r(8)), "T %% %d == 0" % (2 + r(5)), "in[T] & 1")

    # --- statements without barriers --------------------------------------------------------------
    def work(self, d):
        r = self.r.randrange
        kind = r(9)
        if kind < 3:
            self.out(d, "c.v = mix(c.v * %d + %s);" % (2 * r(50) + 1, self.pick("T", "WARP", "LANE", "in[T]", "n")))
        elif kind == 3:
            self.out(d, "if (%s)" % self.by_lane())
            self.out(d + 1, "c.v += %d;" % r(1000))
        elif kind == 4:
            i = self.loop()
            self.out(d, "for (u32 %s = 0; %s < (c.v & 3); %s++)" % (i, i, i))
            self.out(d + 1, "c.v = c.v * 5 + %s;" % i)
        elif kind == 5 and not self.lanes_left:
            self.out(d, "c.v ^= __shfl_sync(ALL, c.v, 0);")
        elif kind == 6 and not self.lanes_left and self.whole:
            self.out(d, "c.v += __shfl_%s_sync(ALL, c.v, %d);" % (self.pick("xor", "up", "down"), 1 << r(5)))
        elif kind == 7 and not self.lanes_left:
            self.out(d, "c.v += __popc(__ballot_sync(ALL, c.v & %d));" % (1 << r(8)))
        else:
            self.out(d, "__syncwarp();" if not self.lanes_left else "c.v++;")

    def spin(self, d, together):
        """A wait or an atomic loop; `together`: all warps of all blocks that have not ended come here."""
        r = self.r.randrange
        kinds = ["leader", "warp", "lane", "ticket", "casmax", "casadd", "count"]
        if together and not self.warps_left and not self.lanes_left:
            kinds += ["chain", "arrive", "produce", "wave", "reload"] * 2
        kind = self.r.choice(kinds)
        if self.lanes_left and kind in ("leader", "warp", "ticket"):
            kind = "lane"
        n = r(4) if kind in ("leader", "warp", "lane") else 4 + r(2) if kind == "ticket" else 6 + r(2)
        add = "volatile u32 *a = &g->acc[%d]; *a = *a + (c.v & 0xffff);" % n
        if kind == "leader":
            self.out(d, "if (LANE == 0) {")
            self.out(d + 1, "while (atomicExch(&g->lock[%d], 1u))" % n)
            self.out(d + 2, ";")
            self.out(d + 1, "__threadfence(); { %s } __threadfence();" % add)
            self.out(d + 1, "atomicExch(&g->lock[%d], 0u);" % n)
            self.out(d, "}")
        elif kind == "warp":
            self.out(d, "if (LANE == 0)")
            self.out(d + 1, "while (atomicCAS(&g->lock[%d], 0u, 1u) != 0u)" % n)
            self.out(d + 2, ";")
            self.out(d, "__syncwarp(); __threadfence();")
            self.out(d, "if (LANE == %d) { %s }" % (r(min(32, self.size % 32 or 32)), add))
            self.out(d, "__threadfence(); __syncwarp();")
            self.out(d, "if (LANE == 0)")
            self.out(d + 1, "atomicExch(&g->lock[%d], 0u);" % n)
        elif kind == "lane":
            self.out(d, "for (bool done = false; !done;)")
            self.out(d + 1, "if (atomicCAS(&g->lock[%d], 0u, 1u) == 0u) {" % n)
            self.out(d + 2, "__threadfence(); { %s } __threadfence();" % add)
            self.out(d + 2, "atomicExch(&g->lock[%d], 0u);" % n)
            self.out(d + 2, "done = true;")
            self.out(d + 1, "}")
        elif kind == "ticket":
            self.out(d, "if (LANE == 0) {")
            self.out(d + 1, "u32 mine = atomicAdd(&g->ticket[%d], 1u);" % n)
            self.out(d + 1, "while (*(volatile u32 *)&g->serving[%d] != mine)" % n)
            self.out(d + 2, ";")
            self.out(d + 1, "__threadfence(); { %s } __threadfence();" % add)
            self.out(d + 1, "atomicAdd(&g->serving[%d], 1u);" % n)
            self.out(d, "}")
        elif kind == "casmax":
            self.out(d, "for (u32 old = g->best[%d], seen; old < c.v; old = seen)" % n)
            self.out(d + 1, "if ((seen = atomicCAS(&g->best[%d], old, c.v)) == old)" % n)
            self.out(d + 2, "break;")
        elif kind == "casadd":
            self.out(d, "{ u32 old = g->acc[%d], seen;" % n)
            self.out(d, "do {")
            self.out(d + 1, "seen = old;")
            self.out(d + 1, "old = atomicCAS(&g->acc[%d], seen, seen + (c.v & 0xff));" % n)
            self.out(d, "} while (seen != old); }")
        elif kind == "count":
            self.out(d, "atomicAdd(&g->acc[%d], c.v);" % n)
        elif kind == "chain":  # each warp waits for the one before it
            self.out(d, "c.e++;")
            self.out(d, "if (LANE == 0) {")
            self.out(d + 1, "while (WARP && ((volatile u32 *)turn)[WARP - 1] < c.e)")
            self.out(d + 2, ";")
            self.out(d + 1, "__threadfence_block();")
            self.out(d + 1, "turn[32 + WARP] = WARP ? mix(((volatile u32 *)turn)[31 + WARP] + c.v) : c.v;")
            self.out(d + 1, "__threadfence_block();")
            self.out(d + 1, "((volatile u32 *)turn)[WARP] = c.e;")
            self.out(d, "}")
            self.out(d, "__syncwarp();")
            self.out(d, "c.v += ((volatile u32 *)turn)[32 + WARP];")
            self.out(d, "c.e++; __syncthreads(); if (LANE == 0) turn[WARP] = c.e; __syncthreads();")
        elif kind == "arrive":  # a barrier made of an atomic
            self.out(d, "c.e++, c.a++;")
            self.out(d, "if (%s) {" % self.pick("LANE == 0", "LANE < 1", "T % 32 == 0"))
            self.out(d + 1, "atomicAdd(&arrived, 1u);")
            self.out(d + 1, self.pick("while (*(volatile u32 *)&arrived < c.a * WARPS)", "while (atomicAdd(&arrived, 0u) < c.a * WARPS)"))
            self.out(d + 2, ";")
            self.out(d, "}")
            self.out(d, "__syncthreads(); if (LANE == 0) turn[WARP] = c.e; __syncthreads();")
        elif kind == "produce":  # one warp gives, the others wait
            k = r(self.warps)
            self.out(d, "c.e++;")
            self.out(d, "if (WARP == %d) {" % k)
            self.out(d + 1, "if (LANE == 0) {")
            self.out(d + 2, "turn[64] = c.v;")
            self.out(d + 2, "__threadfence_block();")
            self.out(d + 2, "*(volatile u32 *)&turn[65] = c.e;")
            self.out(d + 1, "}")
            self.out(d, "} else {")
            self.out(d + 1, "while (*(volatile u32 *)&turn[65] < c.e)")
            self.out(d + 2, ";")
            self.out(d + 1, "__threadfence_block();")
            self.out(d + 1, "c.v += *(volatile u32 *)&turn[64];")
            self.out(d, "}")
            self.out(d, "__syncthreads(); if (LANE == 0) turn[WARP] = c.e; __syncthreads();")
        elif kind == "reload":  # plain loads and a fence
            self.out(d, "c.e++;")
            self.out(d, "if (T == 0) { turn[65] = c.e; __threadfence_block(); }")
            self.out(d, "else if (WARP) while (turn[65] < c.e)")
            self.out(d + 1, "__threadfence_block();")
            self.out(d, "__syncthreads(); if (LANE == 0) turn[WARP] = c.e; __syncthreads();")
        else:  # all of them wait, together
            self.out(d, "c.e++;")
            self.out(d, "if (T == %d) *(volatile u32 *)&turn[65] = c.e;" % r(self.size))
            self.out(d, "while (*(volatile u32 *)&turn[65] < c.e)")
            self.out(d + 1, ";")
            self.out(d, "__syncthreads(); if (LANE == 0) turn[WARP] = c.e; __syncthreads();")

    # --- statements with `syncs` barriers ---------------------------------------------------------
    def sync(self, d, together):
        # CUDA forbids that some warps come to a barrier that counts, others to one that does not
        kind = self.pick("SYNC", "SYNC", "SYNC", "SYNC_COUNT", "SYNC_OR") if together else "SYNC"
        self.out(d, "%s(%d);" % (kind, self.r.randrange(1, 99)))

    def block(self, d, syncs, together, nest):
        """Statements that pass `syncs` barriers; `together`: all warps run them."""
        for _ in range(self.r.randrange(2)):
            self.work(d)
        while syncs > 0:
            take = self.r.randrange(1, min(syncs, 4) + 1)
            syncs -= take
            self.piece(d, take, together, nest)
            if self.r.random() < 0.4:
                self.work(d)
            if self.spins and self.r.random() < 0.35 and not (self.loops_open):
                self.spins -= 1
                self.spin(d, together)

    loops_open = 0

    def piece(self, d, syncs, together, nest):
        kind = self.r.randrange(12) if nest < 3 else 0
        if kind < 3:
            for _ in range(syncs):
                self.sync(d, together)
            return
        if kind < 6:
            if self.apart and self.r.random() < 0.6:
                self.apart -= 1
                condition, same = self.by_warp(), False
            else:
                condition, same = self.uniform(), True
            if kind == 5 and syncs == 1:
                self.switch(d, syncs, together and same, nest, condition)
                return
            self.out(d, "if (%s) {" % condition)
            self.block(d + 1, syncs, together and same, nest + 1)
            self.out(d, "} else {")
            self.block(d + 1, syncs, together and same, nest + 1)
            self.out(d, "}")
        elif kind == 6:  # a loop whose count all know
            i = self.loop()
            self.loops_open += 1
            self.out(d, "for (int %s = 0; %s < %d; %s++) {" % (i, i, syncs, i))
            if self.r.random() < 0.4:
                self.out(d + 1, "if (%s) {" % self.uniform())
                self.block(d + 2, 1, together, nest + 1)
                self.out(d + 2, "continue;")
                self.out(d + 1, "}")
            self.block(d + 1, 1, together, nest + 1)
            self.out(d, "}")
            self.loops_open -= 1
        elif kind == 7 and self.apart:  # one part of the barriers here, the rest there, by warp
            self.apart -= 1
            i = self.loop()
            self.loops_open += 1
            self.out(d, "{ u32 %s = 0; const u32 part = (%s) ? %d : %d;" %
                     (i, self.by_warp(), self.r.randrange(syncs + 1), self.r.randrange(syncs + 1)))
            self.out(d, "for (; %s < part; %s++) {" % (i, i))
            self.block(d + 1, 1, False, nest + 1)
            self.out(d, "}")
            self.out(d, "for (; %s < %d; %s++) {" % (i, syncs, i))
            self.block(d + 1, 1, False, nest + 1)
            self.out(d, "} }")
            self.loops_open -= 1
        elif kind == 8 and self.apart and not self.lanes_left:  # as long as the warp's lanes say
            self.apart -= 1
            i = self.loop()
            self.loops_open += 1
            self.out(d, "{ u32 %s = 0;" % i)
            self.out(d, "while (%s < %d && __any_sync(ALL, c.v & %d)) {" % (i, syncs, 1 << self.r.randrange(9)))
            self.block(d + 1, 1, False, nest + 1)
            self.out(d + 1, "%s++;" % i)
            self.out(d, "}")
            self.out(d, "for (; %s < %d; %s++)" % (i, syncs, i))
            self.out(d + 1, "SYNC(%d);" % self.r.randrange(1, 99))
            self.out(d, "}")
            self.loops_open -= 1
        elif kind == 9:  # a function
            self.function(d, syncs, together, nest)
        elif kind == 10 and nest == 0 and not self.loops_open:  # threads end
            self.leave(d)
            for _ in range(syncs):
                self.sync(d, together)
        else:
            i = self.loop()
            self.loops_open += 1
            self.out(d, "{ int %s = 0; do {" % i)
            self.block(d + 1, 1, together, nest + 1)
            self.out(d, "} while (++%s < %d); }" % (i, syncs))
            self.loops_open -= 1

    def switch(self, d, syncs, together, nest, condition):
        self.out(d, "switch ((%s) ? %s : 3) {" % (condition, self.pick("n & 1", "c.ph & 1", "1")))
        for k in range(2):
            self.out(d, "case %d:" % k)
            self.block(d + 1, syncs, together, nest + 1)
            self.out(d + 1, "break;")
        self.out(d, "default:")
        self.block(d + 1, syncs, together, nest + 1)
        self.out(d, "}")

    def function(self, d, syncs, together, nest):
        name = "%s_f%d" % (self.name, len(self.functions))
        self.functions.append("")
        outer, self.lines = self.lines, []
        kind = self.pick("__forceinline__", "__noinline__", "")
        self.out(0, "static __device__ %s void %s(state &c, const u32 *in, global *g, int n, u32 *turn, u32 &arrived)" %
                 (kind, name))
        self.out(0, "{")
        self.block(1, syncs, together, nest + 1)
        self.out(0, "}")
        self.functions.append("\n".join(self.lines))
        self.lines = outer
        self.out(d, "%s(c, in, g, n, turn, arrived);" % name)

    def leave(self, d):
        r = self.r.randrange
        kind = r(3)
        save = "{ out[blockIdx.x * 512 + T] = c.v; return; }"
        if kind == 0 and self.warps > 2:
            self.out(d, "if (WARP == %d) %s" % (r(self.warps), save))
            self.warps_left = True
        elif kind == 1:
            self.out(d, "if (T >= %d) %s" % (self.size - r(self.size // 2), save))
            self.lanes_left = self.warps_left = True
        else:
            self.out(d, "if (in[T] %% 5 == %d) %s" % (r(5), save))
            self.lanes_left = self.warps_left = True

    def text(self):
        self.out(0, "__global__ void %s(const u32 *in, u32 *out, global *g, int n)" % self.name)
        self.out(0, "{")
        self.out(1, "__shared__ u32 s[1024], turn[66], arrived;")
        self.out(1, "state c = {mix(in[T] + blockIdx.x), 1, s, 0, 0};")
        self.out(1, "s[T] = s[512 + T] = T * 77;")
        self.out(1, "if (T < 33) turn[T] = turn[T + 33] = 0, arrived = 0;")
        self.out(1, "__syncthreads();")
        self.block(1, self.r.randrange(2, 9), True, 0)
        self.out(1, "out[blockIdx.x * 512 + T] = c.v;")
        self.out(0, "}")
        return "\n".join([f for f in self.functions if f] + self.lines) + "\n"

    def entry(self):
        return '\t{"%s", %s, dim3(%d), dim3(%s), %d},\n' % (
            self.name, self.name, self.grid, ", ".join(map(str, self.shape)), self.r.randrange(6))


def program(seed, numbers):
    kernels = [Kernel(seed, i) for i in numbers]
    texts = [k.text() for k in kernels]
    return PRELUDE + "\n" + "\n".join(texts) + MAIN % "".join(k.entry() for k in kernels)


def check(build, folder, seed, count, expected, *flags):
    """Compiles them for waves of 32 and 64 lanes, runs both and compares with what is expected."""
    os.makedirs(folder, exist_ok=True)
    source, out = os.path.join(folder, "patterns.cu"), os.path.join(folder, "patterns")
    with open(source, "w") as f:
        f.write(program(int(seed), range(int(count))))
    subprocess.check_call([os.path.join(build, "bin/nvcc"), "-arch=gfx1100,gfx90a"] + list(flags) + [source, "-o", out])
    info = subprocess.check_output([os.path.join(build, "bin/heddle"), "info", out], text=True)
    modes = dict(re.findall(r"^  kernel \w*?(k\d+_\d+)PKj.*?warps (\w+)", info[info.index(" gfx90a:"):], re.M | re.S))
    with open(expected) as f:
        want = [line.split() for line in f][:int(count)]
    wrong = 0
    for target in ("gfx1100", "gfx90a"):
        env = dict(os.environ, HEDDLE_DEVICE="exec:" + target)
        if "HEDDLE_PRELOAD" in env:
            env["LD_PRELOAD"] = env["HEDDLE_PRELOAD"]
        try:
            done = subprocess.run([out], env=env, capture_output=True, text=True, timeout=500)
            said, errors = done.stdout, done.stderr
        except subprocess.TimeoutExpired as e:
            said, errors = (e.stdout or b"").decode(), (e.stderr or b"").decode() + "time is up\n"
        got = {line.split()[0]: line.split()[1:] for line in said.splitlines()}
        for name, hash in want:
            if got.get(name) != [hash, "cudaSuccess", "cudaSuccess"]:
                wrong += 1
                print("%s %s (%s): %s, not %s" % (name, target, modes.get(name), " ".join(got.get(name, ["nothing"])), hash))
        sys.stdout.write(errors)
    kinds = list(modes.values())
    print("%d kernels, %d paired, %d solo, %d wrong" % (len(kinds), kinds.count("paired"), kinds.count("solo"), wrong))
    return 1 if wrong or len(want) != int(count) or len(kinds) != int(count) else 0


if __name__ == "__main__":
    if sys.argv[1] == "check":
        sys.exit(check(*sys.argv[2:]))
    wanted = range(int(sys.argv[2]))
    if len(sys.argv) > 3:
        wanted = [int(sys.argv[4])]
    sys.stdout.write(program(int(sys.argv[1]), wanted))
