// Prints how many threads ran; with an argument it ends with that status.
#include <cstdio>
#include <cstdlib>

__global__ void count(int *n)
{
	atomicAdd(n, 1);
}

int main(int argc, char **argv)
{
	int *dn, n = 0;
	cudaMalloc(&dn, sizeof(n));
	cudaMemset(dn, 0, sizeof(n));
	count<<<4, 96>>>(dn);
	cudaMemcpy(&n, dn, sizeof(n), cudaMemcpyDeviceToHost);
	printf("%d threads\nelapsed time: %f ms\n", n, rand() / 1e9);
	return argc > 1 ? atoi(argv[1]) : 0;
}
