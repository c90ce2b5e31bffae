// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mandelbrot - draws the Mandelbrot set, or a part of it, into a PNG file.
// LIBS: -lpng
//
//   mandelbrot [FILE.png] [width height] [centre_x centre_y radius]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <png.h>
#include <vector>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t e = (call);                                                            \
		if (e != cudaSuccess) {                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

constexpr int LIMIT = 400;

struct View {
	float x, y, radius;
	int width, height;
};

// Steps until z leaves the circle of radius 16, as a smooth number; LIMIT if it never does.
__host__ __device__ inline float escape(float cx, float cy)
{
	float x = 0, y = 0;
	for (int i = 0; i < LIMIT; i++) {
		float x2 = x * x, y2 = y * y;
		if (x2 + y2 > 256)
			return i + 4 - log2f(log2f(x2 + y2));
		y = 2 * x * y + cy;
		x = x2 - y2 + cx;
	}
	return LIMIT;
}

__host__ __device__ inline float2 point(const View &view, int px, int py)
{
	float scale = 2 * view.radius / view.height;
	return make_float2(view.x + (px - view.width * 0.5f) * scale, view.y - (py - view.height * 0.5f) * scale);
}

__global__ void draw(View view, float *steps, uchar3 *image)
{
	int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	if (px >= view.width || py >= view.height)
		return;
	float2 c = point(view, px, py);
	float n = escape(c.x, c.y);
	steps[py * view.width + px] = n;
	uchar3 colour = make_uchar3(0, 0, 0);
	if (n < LIMIT) {
		float t = 0.35f * sqrtf(fmaxf(n, 0.0f)); // blue, white, gold, and round again
		colour.x = (unsigned char)(255 * (0.5f + 0.5f * cosf(2 * t + 2.2f)));
		colour.y = (unsigned char)(255 * (0.5f + 0.5f * cosf(2 * t + 3.0f)));
		colour.z = (unsigned char)(255 * (0.5f + 0.5f * cosf(2 * t + 3.6f)));
	}
	image[py * view.width + px] = colour;
}

static bool write_png(const char *path, const std::vector<uchar3> &image, int width, int height)
{
	png_image png = {};
	png.version = PNG_IMAGE_VERSION;
	png.width = width;
	png.height = height;
	png.format = PNG_FORMAT_RGB;
	return png_image_write_to_file(&png, path, 0, image.data(), 0, nullptr) != 0;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "mandelbrot.png";
	View view = {-0.65f, 0, 1.2f, 960, 640};
	if (argc > 3) {
		view.width = atoi(argv[2]);
		view.height = atoi(argv[3]);
	}
	if (argc > 6) {
		view.x = (float)atof(argv[4]);
		view.y = (float)atof(argv[5]);
		view.radius = (float)atof(argv[6]);
	}
	if (view.width <= 0 || view.height <= 0 || view.width > 16384 || view.height > 16384) {
		fprintf(stderr, "usage: mandelbrot [FILE.png] [width height] [centre_x centre_y radius]\n");
		return 2;
	}
	const size_t count = (size_t)view.width * view.height;
	std::vector<float> steps(count);
	std::vector<uchar3> image(count);
	float *dsteps;
	uchar3 *dimage;
	CHECK(cudaMalloc(&dsteps, count * sizeof(float)));
	CHECK(cudaMalloc(&dimage, count * sizeof(uchar3)));
	const dim3 block(32, 8), grid((view.width + 31) / 32, (view.height + 7) / 8);
	draw<<<grid, block>>>(view, dsteps, dimage);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(steps.data(), dsteps, count * sizeof(float), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(image.data(), dimage, count * sizeof(uchar3), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(dsteps));
	CHECK(cudaFree(dimage));

	// Close to the set a last bit decides when a point escapes: nearly all must agree with the host.
	size_t seen = 0, apart = 0, inside = 0;
	for (size_t i = 0; i < count; i += 101) {
		float2 c = point(view, (int)(i % view.width), (int)(i / view.width));
		seen++;
		apart += !(std::fabs(escape(c.x, c.y) - steps[i]) < 0.05f);
	}
	for (float n : steps)
		inside += n == LIMIT;
	if (!write_png(path, image, view.width, view.height)) {
		fprintf(stderr, "mandelbrot: cannot write %s\n", path);
		return 1;
	}
	printf("%s: %d x %d, %.1f %% of it in the set\n", path, view.width, view.height, 100.0 * inside / count);
	if (apart * 100 > seen) {
		printf("FAIL: %zu of %zu points differ from the host's\n", apart, seen);
		return 1;
	}
	printf("PASS\n");
	return 0;
}
