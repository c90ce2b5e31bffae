// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// histogram - how often each byte occurs in a text, and its entropy. Each block counts in shared
// memory and adds its counts to the whole with atomics.
//
//   histogram [FILE]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t e = (call);                                                            \
		if (e != cudaSuccess) {                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

constexpr int BINS = 256;
__constant__ unsigned char fold[BINS]; // which bin a byte belongs to: here, upper case with lower

__global__ void histogram(const unsigned char *text, size_t n, unsigned *bins)
{
	__shared__ unsigned count[BINS];
	for (int i = threadIdx.x; i < BINS; i += blockDim.x)
		count[i] = 0;
	__syncthreads();
	const size_t step = (size_t)gridDim.x * blockDim.x;
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
		atomicAdd(&count[fold[text[i]]], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < BINS; i += blockDim.x)
		if (count[i])
			atomicAdd(&bins[i], count[i]);
}

static std::vector<unsigned char> read(const char *path)
{
	std::vector<unsigned char> text;
	FILE *f = fopen(path, "rb");
	if (!f) {
		perror(path);
		exit(1);
	}
	for (int c; (c = getc(f)) != EOF;)
		text.push_back((unsigned char)c);
	fclose(f);
	return text;
}

// Letters by the rate of English prose, by a small generator, so that every run sees the same text.
static std::vector<unsigned char> write(size_t n)
{
	static const char letters[] = "eeeeeeeeeeeetttttttttaaaaaaaaoooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrdddd"
				      "lllluuucccmmmwwffggyyppbbvk                    ETAOINSHRDLU,.\n";
	std::vector<unsigned char> text(n);
	unsigned state = 7;
	for (size_t i = 0; i < n; i++) {
		state = state * 1664525u + 1013904223u;
		text[i] = letters[(state >> 8) % (sizeof(letters) - 1)];
	}
	return text;
}

int main(int argc, char **argv)
{
	std::vector<unsigned char> text = argc > 1 ? read(argv[1]) : write(1 << 22);
	const size_t n = text.size();
	unsigned char map[BINS];
	for (int i = 0; i < BINS; i++)
		map[i] = i >= 'A' && i <= 'Z' ? i + 'a' - 'A' : i;
	if (n == 0) {
		fprintf(stderr, "histogram: nothing to count\n");
		return 1;
	}

	unsigned char *dtext;
	unsigned *dbins, bins[BINS], want[BINS] = {0};
	CHECK(cudaMalloc(&dtext, n));
	CHECK(cudaMalloc(&dbins, sizeof(bins)));
	CHECK(cudaMemcpy(dtext, text.data(), n, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpyToSymbol(fold, map, sizeof(map)));
	CHECK(cudaMemset(dbins, 0, sizeof(bins)));
	histogram<<<64, 256>>>(dtext, n, dbins);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(bins, dbins, sizeof(bins), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(dtext));
	CHECK(cudaFree(dbins));

	for (size_t i = 0; i < n; i++)
		want[map[text[i]]]++;
	double bits = 0;
	for (int i = 0; i < BINS; i++) {
		if (bins[i] != want[i]) {
			printf("FAIL: byte %d counted %u times, not %u\n", i, bins[i], want[i]);
			return 1;
		}
		if (bins[i])
			bits -= (double)bins[i] / n * std::log2((double)bins[i] / n);
	}
	for (int c = 'a'; c <= 'z'; c++) {
		printf("%c %8u ", c, bins[c]);
		for (unsigned k = 0; k < 400.0 * bins[c] / n; k++)
			putchar('#');
		putchar('\n');
	}
	printf("%zu bytes, %.3f bits each\n", n, bits);
	printf("PASS\n");
	return 0;
}
