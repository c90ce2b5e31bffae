/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Debian's rocRAND, a library of HIP kernels that another compiler made, on the executor's HSA library: Philox
 * 4x32-10 gives the words that the host computes, the other generators the same bits on both GPUs.
 *
 * REQUIRES: librocrand1, tier-default
 * UNSUPPORTED: thread
 * RUN: %clang -I%S/Inputs -o %t %s %librocrand %libamdhip64 -lm
 * RUN: %foreign HEDDLE_DEVICE=exec:gfx1030,gfx90a %t | FileCheck %s
 * CHECK: Radeon {{.*}} (Heddle executor): good
 * CHECK-NEXT: Instinct {{.*}} (Heddle executor): good
 */
#include "hip.h"
#include <math.h>
#include <stdint.h>

/* From rocRAND's documentation. */
typedef struct rocrand_generator_base_type *rocrand_generator;
int rocrand_create_generator(rocrand_generator *, int);
int rocrand_destroy_generator(rocrand_generator);
int rocrand_set_seed(rocrand_generator, unsigned long long);
int rocrand_generate(rocrand_generator, unsigned *, size_t);
int rocrand_generate_uniform(rocrand_generator, float *, size_t);
int rocrand_generate_normal_double(rocrand_generator, double *, size_t, double, double);
enum { XORWOW = 401, MRG32K3A, MTGP32, PHILOX };

#define N    50000
#define SEED 0x123456789abull

/* Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011. */
static void
philox(uint32_t c[4], uint32_t k0, uint32_t k1)
{
	for (int round = 0; round < 10; round++) {
		uint64_t a = (uint64_t)0xd2511f53 * c[0], b = (uint64_t)0xcd9e8d57 * c[2];
		uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k0, (uint32_t)b,
			(uint32_t)(a >> 32) ^ c[3] ^ k1, (uint32_t)a};
		memcpy(c, next, sizeof next);
		k0 += 0x9e3779b9;
		k1 += 0xbb67ae85;
	}
}

static unsigned words[N];
static float uniform[N];
static double normal[N];
static unsigned long long hash; /* of all that was drawn on one GPU */

static void
mix(const void *p, size_t n)
{
	for (const unsigned char *c = p; n-- > 0; c++)
		hash = (hash ^ *c) * 0x100000001b3ull;
}

static void
draw(int type)
{
	rocrand_generator g;
	void *d;
	double sum = 0, square = 0;
	OK(rocrand_create_generator(&g, type));
	OK(rocrand_set_seed(g, SEED));
	OK(hipMalloc(&d, sizeof normal));
	OK(rocrand_generate(g, d, N));
	OK(hipMemcpy(words, d, sizeof words, hipMemcpyDeviceToHost));
	for (uint32_t i = 0; type == PHILOX && i < N; i += 4) {
		uint32_t c[4] = {i / 4};
		philox(c, (uint32_t)SEED, SEED >> 32);
		SAME(memcmp(words + i, c, sizeof c), 0);
	}
	OK(rocrand_generate_uniform(g, d, N));
	OK(hipMemcpy(uniform, d, sizeof uniform, hipMemcpyDeviceToHost));
	for (int i = 0; i < N; i++) {
		SAME(uniform[i] > 0 && uniform[i] <= 1, 1);
		sum += uniform[i];
	}
	SAME(fabs(sum / N - 0.5) < 0.01, 1);
	sum = 0;
	OK(rocrand_generate_normal_double(g, d, N, 3, 2));
	OK(hipMemcpy(normal, d, sizeof normal, hipMemcpyDeviceToHost));
	for (int i = 0; i < N; i++) {
		sum += normal[i];
		square += (normal[i] - 3) * (normal[i] - 3);
	}
	SAME(fabs(sum / N - 3) < 0.05 && fabs(square / N - 4) < 0.1, 1);
	mix(words, sizeof words);
	mix(uniform, sizeof uniform);
	mix(normal, sizeof normal);
	OK(hipFree(d));
	OK(rocrand_destroy_generator(g));
}

int
main(void)
{
	unsigned long long first = 0;
	for (int i = 0; i < 2; i++) {
		char name[100];
		OK(hipSetDevice(i));
		OK(hipDeviceGetName(name, sizeof name, i));
		hash = 0xcbf29ce484222325ull;
		for (int type = XORWOW; type <= PHILOX; type++)
			draw(type);
		first = i ? first : hash;
		SAME(hash, first);
		printf("%s: good\n", name);
	}
	return 0;
}
