/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* hsa_code.h - for the tests that run hsa_kernels.hip through the HSA library: compile, load, dispatch. */
#include "clang_run.h"
#include "hsa_test.h"

static struct arena arena;
static const char *dir;

static inline struct str
compile(const char *gpu, const char *flags)
{
	char *llvm = ninja_value(&arena, "llvm");
	const char *src = getenv("HEDDLE_SRC");
	char *out = arena_printf(&arena, "%s/%s.o", dir, gpu);
	char *command = arena_printf(&arena,
		"%s/bin/clang -x hip --cuda-device-only --offload-arch=%s -nogpuinc -nogpulib "
		"--no-gpu-bundle-output -mcode-object-version=5 -O2 -gline-tables-only %s "
		"%s/tests/unit/Inputs/hsa_kernels.hip -o %s",
		llvm ? llvm : "/usr", gpu, flags, src ? src : ".", out);
	size_t n = 0;
	char *bytes = system(command) == 0 ? file_read(out, &n) : NULL;
	CHECK(bytes != NULL);
	remove(out);
	struct str image = {arena_strdup(&arena, (struct str){bytes, n}), n};
	free(bytes);
	return image;
}

static hsa_executable_t exe;

static inline hsa_status_t
load(struct str image, hsa_executable_t *e)
{
	hsa_code_object_reader_t reader;
	OK(hsa_executable_create_alt(
		HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, e));
	OK(hsa_code_object_reader_create_from_memory(image.p, image.n, &reader));
	hsa_status_t s = hsa_executable_load_agent_code_object(*e, gpus[0], reader, NULL, NULL);
	OK(hsa_code_object_reader_destroy(reader));
	return s;
}

static inline hsa_executable_symbol_t
symbol(const char *name)
{
	hsa_executable_symbol_t y = {0};
	OK(hsa_executable_get_symbol_by_name(exe, name, &gpus[0], &y));
	return y;
}

/* One dimension of groups of 64; `a` becomes the arguments. */
static inline hsa_kernel_dispatch_packet_t
packet_make(const char *kernel, u32 groups, void *args, const void *a, size_t n, hsa_signal_t done)
{
	hsa_kernel_dispatch_packet_t p = {.setup = 1,
		.workgroup_size_x = 64,
		.workgroup_size_y = 1,
		.workgroup_size_z = 1,
		.grid_size_x = groups * 64,
		.grid_size_y = 1,
		.grid_size_z = 1,
		.kernarg_address = args,
		.completion_signal = done};
	hsa_executable_symbol_t y = symbol(kernel);
	u32 size = 0;
	OK(hsa_executable_symbol_get_info(
		y, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &p.kernel_object));
	OK(hsa_executable_symbol_get_info(
		y, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &size));
	OK(hsa_executable_symbol_get_info(
		y, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &p.group_segment_size));
	OK(hsa_executable_symbol_get_info(y, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
		&p.private_segment_size));
	CHECK(size >= n && size <= 2048);
	memcpy(args, a, n);
	return p;
}

static inline void
submit(hsa_queue_t *q, const hsa_kernel_dispatch_packet_t *p)
{
	hsa_signal_store_screlease(
		q->doorbell_signal, (i64)packet_put(q, p, HEADER(HSA_PACKET_TYPE_KERNEL_DISPATCH)));
}
