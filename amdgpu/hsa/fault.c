/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * fault.c - what becomes of a kernel's fault: one line for the user, the system event for memory
 * faults (hsa_amd_register_system_event_handler), and the status for the queue's error callback.
 *
 *   fault                    event                              status
 *   ADDRESS                  PAGE_NOT_PRESENT, or READ_ONLY     MEMORY_FAULT
 *   PC                       PAGE_NOT_PRESENT and NX            MEMORY_FAULT
 *   SHARED PRIVATE           PAGE_NOT_PRESENT                   MEMORY_FAULT
 *   MISALIGNED                                                  MEMORY_APERTURE_VIOLATION
 *   INSTRUCTION                                                 ILLEGAL_INSTRUCTION
 *   TRAP DEADLOCK                                               EXCEPTION
 *   PACKET                                                      INVALID_PACKET_FORMAT
 *   MEMORY                                                      OUT_OF_RESOURCES
 *
 * ROCr ends the process when a memory fault finds no handler; this library only prints the line.
 */
#include "hx.h"

#include <stdio.h>
#include <stdlib.h>

char *__cxa_demangle(const char *name, char *buf, size_t *n, int *status); /* of the C++ runtime */

static void
describe(const struct exec_fault *f, char *to, size_t n)
{
	const char *access = f->is_atomic ? "atomic" : f->is_store ? "store" : "load";
	const char *what = f->kind == EXEC_FAULT_ADDRESS      ? "illegal address"
			   : f->kind == EXEC_FAULT_MISALIGNED ? "misaligned address"
			   : f->kind == EXEC_FAULT_SHARED     ? "illegal shared memory address"
			   : f->kind == EXEC_FAULT_PRIVATE    ? "illegal local memory address"
							      : NULL;
	if (what) {
		int m = snprintf(to, n, "%s %#llx (%s of %llu bytes)%s%s", what,
			(unsigned long long)f->addr, access, (unsigned long long)f->size,
			f->what[0] ? ": " : "", f->what);
		if (m > 0 && f->addr == 0)
			snprintf(to, n, "%s 0x0 (%s of %llu bytes)%s%s", what, access,
				(unsigned long long)f->size, f->what[0] ? ": " : "", f->what);
		return;
	}
	what = f->kind == EXEC_FAULT_INSTRUCTION ? "illegal instruction"
	       : f->kind == EXEC_FAULT_TRAP      ? "trap"
	       : f->kind == EXEC_FAULT_PC        ? "illegal program counter"
	       : f->kind == EXEC_FAULT_DEADLOCK  ? "deadlock at a barrier"
	       : f->kind == EXEC_FAULT_PACKET    ? "invalid packet"
	       : f->kind == EXEC_FAULT_MEMORY    ? "the host is out of memory"
						 : "fault";
	snprintf(to, n, "%s%s%s", what, f->what[0] ? ": " : "", f->what);
}

static void
print_line(struct hx_agent *a, const hsa_kernel_dispatch_packet_t *p, const struct exec_fault *f)
{
	char what[320], line[300];
	struct hx_kernel_info k = {.name = "?"};
	describe(f, what, sizeof what);
	hx_kernel_find(a, p->kernel_object, &k);
	hx_line_find(f->pc, line, sizeof line);
	char *plain = __cxa_demangle(k.name, NULL, NULL, NULL);
	sink_printf("%s in kernel %s%s%s, block (%u,%u,%u), thread (%u,%u,%u)", what,
		plain ? plain : k.name, line[0] ? " at " : "", line, f->block[0], f->block[1],
		f->block[2], f->thread[0], f->thread[1], f->thread[2]);
	free(plain);
}

static void
send_event(struct hx_agent *a, const struct exec_fault *f)
{
	pthread_mutex_lock(&hx.lock);
	hsa_amd_system_event_callback_t fn = hx.on_event;
	void *data = hx.on_event_data;
	pthread_mutex_unlock(&hx.lock);
	if (!fn)
		return;
	hsa_amd_event_t e = {.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT};
	e.memory_fault.agent = hx_agent_handle(a);
	e.memory_fault.virtual_address = f->kind == EXEC_FAULT_PC ? f->pc : f->addr;
	struct hx_mem_info i;
	bool present = hx_mem_find((void *)(uintptr_t)f->addr, &i);
	e.memory_fault.fault_reason_mask =
		f->kind == EXEC_FAULT_PC
			? HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT | HSA_AMD_MEMORY_FAULT_NX
		: present && f->is_store ? HSA_AMD_MEMORY_FAULT_READ_ONLY
					 : HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT;
	fn(&e, data);
}

hsa_status_t
hx_fault_report(
	struct hx_agent *a, const hsa_kernel_dispatch_packet_t *p, const struct exec_fault *f)
{
	print_line(a, p, f);
	switch (f->kind) {
	case EXEC_FAULT_ADDRESS:
	case EXEC_FAULT_SHARED:
	case EXEC_FAULT_PRIVATE:
	case EXEC_FAULT_PC:
		send_event(a, f);
		return (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT;
	case EXEC_FAULT_MISALIGNED:
		return (hsa_status_t)HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION;
	case EXEC_FAULT_INSTRUCTION:
		return (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION;
	case EXEC_FAULT_TRAP:
	case EXEC_FAULT_DEADLOCK:
		return HSA_STATUS_ERROR_EXCEPTION;
	case EXEC_FAULT_PACKET:
		return HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
	case EXEC_FAULT_MEMORY:
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	case EXEC_FAULT_NONE:
		break;
	}
	return HSA_STATUS_ERROR;
}

hsa_status_t
hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback, void *data)
{
	HX_CHECK_INIT();
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&hx.lock);
	bool taken = hx.on_event != NULL;
	if (!taken) {
		hx.on_event = callback;
		hx.on_event_data = data;
	}
	pthread_mutex_unlock(&hx.lock);
	return taken ? hx_misuse(HSA_STATUS_ERROR, __func__, "there is a handler already")
		     : HSA_STATUS_SUCCESS;
}
