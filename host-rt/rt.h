/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * rt.h - what the files of host-rt share. All state of both CUDA APIs is one `struct rt`, made on the
 * first call that needs a device. Its one lock guards devices, streams, operations, allocations and
 * modules; it is never held while the HSA library waits, copies or calls back, nor while a host
 * function of the program runs.
 *
 *   hsa.c      the only caller of hsa_*: agents, memory, queues, signals, code objects
 *   rt.c       the state, the current device, errors of a thread
 *   stream.c   operations, their order, the thread of a stream; events
 *   memory.c   allocations;  copy.c: memcpy and memset of all kinds
 *   module.c   fat binaries, kernels, variables;  launch.c: launches;  service.c: printf and assert
 *   api.c      table of the runtime API;  runtime_*.c: its functions rt_NAME
 *   driver_*.c the driver API
 */
#ifndef HEDDLE_RT_H
#define HEDDLE_RT_H

#include "amdgpu/code.h"
#include "amdgpu/target.h"
#include "lang/base.h"
#include "lang/services.h"

#define HEDDLE_API_DEF "host-rt/api.def"
#include "stdlib/include/cuda_runtime_api.h"

#include <pthread.h>

#define RT_DEVICES 16     /* most devices */
#define RT_SHARED_DEFAULT                                                                          \
	49152u /* dynamic and static shared memory of a block that did not opt in */
#define RT_MAX_BLOCK 1024u

struct rt_device;
struct rt_stream;
struct rt_op;
struct rt_module;

/* --- hsa.c: the HSA library --------------------------------------------------------------------- */

/* A GPU as HSA shows it. Handles are HSA's. */
struct hal_gpu {
	u64 agent;
	u64 pool; /* of device memory */
	u64 pool_bytes;
	char arch[64]; /* "gfx90a:sramecc+:xnack-" */
	char product[64];
	u32 cus, clock_mhz, memory_clock_mhz, bus_bits, l2_bytes, bdf, domain, chip;
	u32 max_queue; /* packets */
	u8 uuid[16];
};

/* Opens the library that HEDDLE_DEVICE names and finds its GPUs (at most `cap`). False, and one line
 * that says why, when there is none. `on_fault` is called by a thread of the library. */
bool hal_open(
	struct hal_gpu *gpus, int cap, int *n, void (*on_fault)(u64 agent, cudaError_t error));
u64 hal_now(void); /* nanoseconds of the clock of all times below */

void *hal_device_alloc(const struct hal_gpu *g, size_t n); /* NULL: out of memory */
void *hal_host_alloc(size_t n); /* host memory that all devices may use */
void hal_free(void *p); /* of either; waits for nothing */
bool hal_allow(const struct hal_gpu *g, void *p); /* lets g use p as well as p's own device */
void *hal_lock(void *p, size_t n); /* what devices call the range; NULL: failed */
bool hal_unlock(void *p);
bool hal_copy(void *dst, const void *src, size_t n); /* waits; any two ranges */
bool hal_fill(void *dst, u32 word, size_t words); /* waits; dst is 4-byte aligned */

u64 hal_signal_new(void); /* value 1; 0: failed */
void hal_signal_reset(u64 signal);
void hal_signal_end(u64 signal); /* as if the work had ended */
bool hal_signal_done(u64 signal); /* acquires what the work wrote */
void hal_signal_wait(u64 signal);
void hal_signal_free(u64 signal);
u64 hal_signal_time(const struct hal_gpu *g, u64 signal); /* when the kernel ended; 0: unknown */

struct hal_dispatch {
	u64 object; /* kernel object */
	void *kernarg;
	u32 grid[3]; /* work-items */
	u16 block[3];
	u32 group, private_size;
	u64 signal;
};
void *hal_queue_new(const struct hal_gpu *g, cudaError_t *error); /* NULL: failed */
void hal_queue_free(void *queue); /* its packets have ended, or it is dead */
/* Puts packets into the queue; they run in order. Waits only while the queue is full. */
void hal_queue_dispatch(void *queue, const struct hal_dispatch *d);
void hal_queue_barrier(
	void *queue, const u64 *signals, size_t n); /* what follows waits for these */

/* Loads a code object for a device; 0 and a line when it cannot be loaded. `image` must stay. */
u64 hal_code_load(const struct hal_gpu *g, const void *image, size_t n);
void hal_code_free(u64 code);
bool hal_code_kernel(const struct hal_gpu *g, u64 code, const char *symbol, u64 *object);
bool hal_code_variable(
	const struct hal_gpu *g, u64 code, const char *symbol, u64 *address, u32 *size);

/* --- rt.c: state -------------------------------------------------------------------------------- */

struct rt_map { /* from addresses to things; no key is NULL */
	const void **keys;
	void **values;
	size_t n, cap;
};
void *rt_map_find(const struct rt_map *m, const void *key); /* NULL: absent */
bool rt_map_add(
	struct rt_map *m, const void *key, void *value); /* replaces; false: out of memory */
void rt_map_del(struct rt_map *m, const void *key);

struct rt_block { /* an allocation, or a registered range */
	u8 *base;
	size_t size;
	enum cudaMemoryType type;
	int device;
	unsigned flags;
	bool registered; /* the program's own memory */
	void *seen_as; /* its address for devices */
	bool symbol; /* a variable of a module: not to be freed */
};

struct rt_device {
	int ordinal;
	struct hal_gpu gpu;
	const struct target *target;
	struct cudaDeviceProp prop;
	struct rt_stream *streams; /* all, the legacy one first */
	struct rt_stream *legacy;
	cudaError_t error; /* sticky; cleared by cudaDeviceReset */
	u64 faults; /* how many there were */
	unsigned flags;
	size_t limits[7]; /* by enum cudaLimit */
	enum cudaFuncCache cache;
	enum cudaSharedMemConfig bank;
	u32 peers; /* bit a device: access enabled */
	size_t allocated; /* bytes of device memory */
	VEC(struct rt_module *) modules; /* all that are loaded */
	VEC(u64) free_signals;
	VEC(void *) free_kernargs[8]; /* by size: 256 << i bytes */
	struct heddle_buffer *buffer; /* printf and assert; host memory that the device sees */
	u64 drained; /* bytes of it that were printed */
	unsigned lost; /* records that were reported as lost */
	bool active, primary_retained;
	bool legacy_used;
};

struct rt {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* an operation went on, or a device failed */
	struct rt_device devices[RT_DEVICES];
	int ndevices;
	cudaError_t failed; /* why there are no devices */
	VEC(struct rt_block) blocks; /* by address */
	struct rt_map functions; /* host address: struct rt_function */
	struct rt_map variables; /* host address: struct rt_variable */
	struct rt_map handles; /* live streams, events, modules …: their kind */
	VEC(struct rt_fatbin *) fatbins;
	u64 next_id;
};

enum rt_handle { RT_STREAM = 1, RT_EVENT, RT_MODULE, RT_KERNEL, RT_CONTEXT };

struct rt *rt_state(void); /* without devices: for registration */
cudaError_t rt_init(struct rt **r); /* with devices */
void rt_lock(struct rt *r);
void rt_unlock(struct rt *r);
cudaError_t rt_device_get(struct rt_device **d); /* the thread's current one; its sticky error */
cudaError_t rt_device_at(int ordinal, struct rt_device **d); /* cudaErrorInvalidDevice */
int rt_current(void);
void rt_current_set(int ordinal);
cudaError_t rt_device_start(struct rt_device *d); /* makes what a device needs before it works */
void rt_device_reset(struct rt_device *d);
void rt_device_describe(struct rt_device *d); /* fills prop */
cudaError_t rt_error(cudaError_t e); /* the thread's last error becomes e, if it is one */
cudaError_t rt_error_last(bool clear);
bool rt_handle_is(const void *handle, enum rt_handle kind);
const char *rt_error_name(cudaError_t e); /* NULL: no such code */
const char *rt_error_text(cudaError_t e);
const char *rt_cu_error_name(int e); /* of the driver API */

/* --- stream.c: order ------------------------------------------------------------------------------ */

enum rt_op_kind { RT_OP_KERNEL, RT_OP_HOST, RT_OP_MARK };
enum rt_op_state {
	RT_OP_WAITING, /* something before it has not gone far enough */
	RT_OP_SUBMITTED, /* in a queue (a mark: linked) */
	RT_OP_RUNNING, /* a host operation, on some thread */
	RT_OP_DONE
};

struct rt_op {
	struct rt_op *next; /* in its stream */
	int refs;
	enum rt_op_kind kind;
	enum rt_op_state state;
	struct rt_device *device;
	struct rt_stream *stream;
	VEC(struct rt_op *) deps; /* referenced */
	u64 born, ended;
	struct hal_dispatch dispatch;
	size_t kernarg_class;
	bool always; /* a host operation that runs on a failed device, too */
	void (*run)(void *arg); /* of a host operation; outside the lock */
	void (*drop)(void *arg); /* frees arg, run or not; may be NULL */
	void *arg;
};

struct rt_stream {
	struct rt_stream *next;
	struct rt_device *device;
	unsigned flags;
	int priority;
	u64 id;
	bool legacy, stop, has_worker;
	struct rt_op *head, *tail; /* not yet retired, oldest first */
	struct rt_op *submitted; /* of the list: the kernel that went into the queue last */
	void *queue; /* made by the first kernel */
	pthread_t worker;
	int users; /* threads that wait for it; its end waits for them */
	size_t length; /* of the list */
};

struct rt_event {
	struct rt_device *device;
	unsigned flags;
	struct rt_op *op; /* referenced; NULL before the first record */
};

/* The stream that a handle means on the current device; 0 and cudaStreamPerThread included. */
cudaError_t rt_stream_find(cudaStream_t handle, struct rt_stream **s);
struct rt_stream *rt_stream_new(
	struct rt_device *d, unsigned flags, int priority); /* NULL: memory */
void rt_stream_free(struct rt_stream *s); /* waits for its work */
extern _Thread_local bool rt_per_thread; /* handle 0 means the thread's own stream (_ptsz) */

struct rt_op *rt_op_new(struct rt_stream *s, enum rt_op_kind kind); /* NULL: out of memory */
void rt_op_drop(struct rt_op *op); /* gives a reference back; lock held */
/* Appends op to its stream, after which it belongs to the stream; `after` may be NULL. */
cudaError_t rt_op_add(struct rt_op *op, struct rt_op *after);
/* Runs fn in the caller, in order with the stream's operations; returns when it has run. */
cudaError_t rt_run_in_order(struct rt_stream *s, void (*fn)(void *), void *arg);
/* Has fn run in order by the stream's thread. RT_SOON: by the caller if the stream is idle; RT_ALWAYS:
 * also when the device has failed. */
enum rt_run { RT_SOON = 1, RT_ALWAYS = 2 };
cudaError_t rt_run_async(
	struct rt_stream *s, void (*fn)(void *), void (*drop)(void *), void *arg, unsigned how);
bool rt_op_done(struct rt_op *op); /* lock held */
void rt_op_wait(struct rt *r, struct rt_op *op); /* lock held, let go meanwhile */
bool rt_stream_idle(struct rt_stream *s); /* lock held */
cudaError_t rt_stream_sync(struct rt_stream *s);
cudaError_t rt_device_sync(struct rt_device *d);
void rt_device_fault(struct rt_device *d, cudaError_t error); /* lock held: everything ends */
bool rt_device_busy(struct rt_device *d); /* lock held: is a kernel in flight? */

/* --- memory.c, copy.c ------------------------------------------------------------------------------ */

/* The block that holds p; NULL: none. Lock held. */
struct rt_block *rt_block_find(struct rt *r, const void *p);
cudaError_t rt_memory_new(
	struct rt_device *d, size_t n, enum cudaMemoryType type, unsigned flags, void **p);
cudaError_t rt_memory_free(
	void *p, enum cudaMemoryType a, enum cudaMemoryType b); /* it is of type a or b */
void rt_memory_free_all(struct rt_device *d);
bool rt_block_add_symbol(struct rt *r, struct rt_device *d, void *base, size_t n);
void rt_block_del_symbol(struct rt *r, void *base);

struct rt_copy { /* slices of rows of bytes */
	u8 *dst;
	const u8 *src;
	size_t dst_pitch, src_pitch, dst_slice,
		src_slice; /* from row to row, from slice to slice */
	size_t width, height, depth;
};
/* Checks and copies in order with the stream; does not wait if `async` and CUDA's rules allow it. */
cudaError_t rt_copy(
	const struct rt_copy *c, enum cudaMemcpyKind kind, struct rt_stream *s, bool async);
/* Fills rows of units of 1, 2 or 4 bytes; widths, pitches and slices in bytes, `src` unused. */
cudaError_t rt_fill(const struct rt_copy *c, u32 value, u32 unit, struct rt_stream *s, bool async);

/* --- module.c, launch.c ---------------------------------------------------------------------------- */

struct rt_kernel { /* a kernel on a device */
	const struct code_kernel *code;
	struct rt_module *module;
	u64 object;
	u32 most_dynamic; /* dynamic shared memory that was opted in */
	bool refused; /* and it was said why */
};

struct rt_module { /* a code object on a device */
	struct rt_device *device;
	struct arena arena;
	struct code_object code;
	u64 hal;
	struct rt_kernel *kernels; /* as code.kernels */
	void *owned; /* the image, if the module keeps it */
};

struct rt_fatbin {
	const void *data;
	struct rt_module *modules[RT_DEVICES];
	bool reported[RT_DEVICES]; /* that it has nothing for the device */
};

struct rt_function { /* what the program calls a kernel */
	const void *host;
	char *name;
	struct rt_fatbin *fatbin;
	u32 most_dynamic[RT_DEVICES];
	int carveout;
};

struct rt_variable {
	const void *host;
	char *name;
	size_t size;
	struct rt_fatbin *fatbin;
	void **managed; /* the program's pointer to a managed variable, else NULL */
};

cudaError_t rt_kernel_find(
	const void *host, struct rt_device *d, struct rt_kernel **k, struct rt_function **f);
cudaError_t rt_variable_find(const void *host, struct rt_device *d, void **address, size_t *size);
cudaError_t rt_module_load(struct rt_device *d, const void *data, size_t n, struct rt_module **m);
void rt_module_free(struct rt_module *m);
struct rt_kernel *rt_module_kernel(struct rt_module *m, struct str name); /* NULL: none */
cudaError_t rt_module_variable(struct rt_module *m, const char *name, void **address, size_t *size);
void rt_modules_unload(struct rt_device *d);

struct rt_launch {
	dim3 grid, block;
	size_t shared;
	void **args; /* a pointer an argument, or */
	const void *packed; /* … the bytes of all */
	size_t packed_size;
};
cudaError_t rt_launch(
	struct rt_stream *s, struct rt_kernel *k, u32 most_dynamic, const struct rt_launch *l);
/* Memory for arguments, of a class of sizes. NULL: out of memory. Lock held. */
void *rt_kernarg_new(struct rt_device *d, size_t n, size_t *class_of);
void rt_kernarg_free(struct rt_device *d, void *p, size_t class_of);
bool rt_kernel_may_run(const struct rt_kernel *k); /* its warp mode on its device */
u32 rt_kernel_most_threads(const struct rt_kernel *k);
u32 rt_kernel_residency(const struct rt_kernel *k, u32 threads, size_t dynamic); /* blocks an SM */

/* --- service.c, format.c ---------------------------------------------------------------------------- */

bool rt_service_start(struct rt_device *d);
void rt_service_stop(struct rt_device *d);
bool rt_service_resize(struct rt_device *d); /* to the limit of the device; nothing runs */
void rt_service_relieve(
	struct rt_device *d); /* before a launch: drains a buffer that is half full. Lock held. */
void rt_service_attach(
	struct rt_module *m); /* fills the module's __heddle_services, if it has it */
/* Prints what the device left. Lock held. Returns cudaErrorAssert when there was a failed assertion. */
cudaError_t rt_service_drain(struct rt_device *d);
/* Appends what a printf record says; args of `n` bytes as in lang/services.h. Bad records are safe. */
void rt_format(struct buf *out, const char *payload, size_t n);

/* --- api.c ------------------------------------------------------------------------------------------ */

/* And rt_NAME for every row of api.def that is not `none`. */
void rt_unsupported(const char *name); /* says once, by name, that it does not exist yet */
const void *rt_table_find(const void *uuid); /* the table of register.h, or NULL */

#define HEDDLE_RT_done(name, params) cudaError_t rt_##name params;
#define HEDDLE_RT_peek(name, params) cudaError_t rt_##name params;
#define HEDDLE_RT_none(name, params)
#define __dv(v)
#define API(name, variant, params, args, status, section) HEDDLE_RT_##status(name, params)
#define API_AS(name, type, params, args, status, section) type rt_##name params;
#define API_OTHER(name, status, section)
#define API_HEADER(name, status, section)
#include "host-rt/api.def"
#undef API
#undef API_AS
#undef API_OTHER
#undef API_HEADER
#undef __dv

#endif
