// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception service.cu - printf and assert of device
// code: they leave records in the buffer that the host reads (lang/services.h). printf walks its
// format twice: once to learn the record's size, which one atomic add reserves, and once to write
// it. The host formats, so that every conversion means what libc says.
#include "device.h"
#include "lang/services.h"

extern "C" {
// The host finds this variable by name in every code object that has it, and fills it at load;
// `used` keeps its name although the library is linked privately into each program.
__device__ __attribute__((used, visibility("protected"))) struct heddle_services __heddle_services;
}

typedef __builtin_va_list va_list;

static __device__ size_t
string_size(const char *s) // with its NUL, as a record holds it: a multiple of 8
{
	size_t n = 0;

	while (s[n])
		n++;
	return (n + 8) & ~(size_t)7;
}

static __device__ size_t
string_length(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

// Room for a record of `bytes` (a multiple of 8, header included); null if the buffer is full. Its
// kind is written last, by record_publish.
static __device__ struct heddle_record *
record_reserve(size_t bytes)
{
	struct heddle_buffer *b = __heddle_services.buffer;
	unsigned long long at;
	struct heddle_record *r;

	at = __hip_atomic_fetch_add(
		&b->head, (unsigned long long)bytes, __ATOMIC_RELAXED, SCOPE_SYSTEM);
	if (at > b->size || bytes > b->size - at) {
		__hip_atomic_fetch_add(&b->lost, 1u, __ATOMIC_RELAXED, SCOPE_SYSTEM);
		return 0;
	}
	r = (struct heddle_record *)((char *)(b + 1) + at);
	r->bytes = (unsigned)bytes;
	return r;
}

static __device__ void
record_publish(struct heddle_record *r, unsigned kind)
{
	__hip_atomic_store(&r->kind, kind, __ATOMIC_RELEASE, SCOPE_SYSTEM);
}

// Copies n bytes, pads with zeros to `padded`, returns the end.
static __device__ char *
put_bytes(char *to, const char *from, size_t n, size_t padded)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = from[i];
	for (; i < padded; i++)
		to[i] = 0;
	return to + padded;
}

static __device__ char *
put_u64(char *to, unsigned long long value)
{
	*(unsigned long long *)to = value;
	return to + 8;
}

enum { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG };

// The arguments of one conversion, *p just after its '%': writes them at `to`, or, if that is null,
// only takes them from the list. Adds their bytes to *bytes and their number to *count.
static __device__ char *
put_conversion(const char **p, va_list *args, char *to, size_t *bytes, int *count)
{
	const char *s = *p;
	int size = SIZE_INT;
	unsigned long long value = 0;

	for (; *s; s++) {
		char c = *s;
		if (c == '*') { // width or precision
			value = (unsigned long long)(long long)__builtin_va_arg(*args, int);
			if (to)
				to = put_u64(to, value);
			*bytes += 8;
			++*count;
		} else if (c == 'h') {
			size = size == SIZE_SHORT ? SIZE_CHAR : SIZE_SHORT;
		} else if (c == 'l' || c == 'L' || c == 'j' || c == 'z' || c == 't' || c == 'q') {
			size = SIZE_LONG;
		} else if (!(c == '-' || c == '+' || c == ' ' || c == '#' || c == '.' ||
				   c == '\'' || (c >= '0' && c <= '9'))) {
			break;
		}
	}
	*p = *s ? s + 1 : s;
	switch (*s) {
	case 'd':
	case 'i':
		if (size == SIZE_LONG)
			value = (unsigned long long)__builtin_va_arg(*args, long long);
		else
			value = (unsigned long long)(long long)__builtin_va_arg(*args, int);
		if (size == SIZE_SHORT)
			value = (unsigned long long)(long long)(short)value;
		else if (size == SIZE_CHAR)
			value = (unsigned long long)(long long)(signed char)value;
		break;
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		if (size == SIZE_LONG)
			value = __builtin_va_arg(*args, unsigned long long);
		else
			value = __builtin_va_arg(*args, unsigned);
		if (size == SIZE_SHORT)
			value = (unsigned short)value;
		else if (size == SIZE_CHAR)
			value = (unsigned char)value;
		break;
	case 'c':
		value = (unsigned long long)(long long)__builtin_va_arg(*args, int);
		break;
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
	case 'a':
	case 'A':
		value = __builtin_bit_cast(unsigned long long, __builtin_va_arg(*args, double));
		break;
	case 'p':
	case 'n': // takes its pointer; nothing is written through it
		value = (unsigned long long)__builtin_va_arg(*args, void *);
		break;
	case 's': {
		const char *string = __builtin_va_arg(*args, const char *);
		size_t n, padded;

		if (!string)
			string = "(null)";
		n = string_length(string);
		padded = (n + 7) & ~(size_t)7;
		if (to)
			to = put_bytes(put_u64(to, n), string, n, padded);
		*bytes += 8 + padded;
		++*count;
		return to;
	}
	default: // "%%", or a conversion that nobody knows: no argument
		return to;
	}
	if (to)
		to = put_u64(to, value);
	*bytes += 8;
	++*count;
	return to;
}

// As above for a whole format; returns the number of arguments.
static __device__ int
put_arguments(const char *format, va_list *args, char *to, size_t *bytes)
{
	int count = 0;

	while (*format)
		if (*format++ == '%')
			to = put_conversion(&format, args, to, bytes, &count);
	return count;
}

// CUDA's device printf returns the number of arguments; -1 for no format, -2 if it could not be
// kept.
extern "C" __device__ __attribute__((noinline)) int
printf(const char *format, ...)
{
	size_t bytes = sizeof(struct heddle_record), size;
	struct heddle_record *r;
	va_list args;
	int count;

	if (!format)
		return -1;
	size = string_size(format);
	bytes += size;
	__builtin_va_start(args, format);
	count = put_arguments(format, &args, 0, &bytes);
	__builtin_va_end(args);
	r = record_reserve(bytes);
	if (!r)
		return -2;
	__builtin_va_start(args, format);
	put_arguments(format, &args,
		put_bytes((char *)(r + 1), format, string_length(format), size), &bytes);
	__builtin_va_end(args);
	record_publish(r, HEDDLE_RECORD_PRINTF);
	return count;
}

// Ends the wave. Never inlined: on gfx1100 to 1103 the backend cannot place a trap into a kernel
// that adds 64-bit numbers.
extern "C" __device__ __attribute__((noinline, noreturn)) void
__heddle_trap()
{
	__builtin_trap();
}

static __device__ char *
put_string(char *to, const char *s)
{
	size_t n = string_length(s);

	return put_bytes(to, s, n, n + 1);
}

extern "C" __device__ __attribute__((noinline, noreturn)) void
__assert_fail(
	const char *expression, const char *file, unsigned line, const char *function) noexcept
{
	size_t bytes = sizeof(struct heddle_record) + 7 * sizeof(unsigned);
	struct heddle_record *r;

	if (!expression)
		expression = "";
	if (!file)
		file = "";
	if (!function)
		function = "";
	bytes += string_length(expression) + string_length(file) + string_length(function) + 3;
	bytes = (bytes + 7) & ~(size_t)7;
	r = record_reserve(bytes);
	if (r) {
		unsigned *n = (unsigned *)(r + 1);

		n[0] = line;
		n[1] = __builtin_amdgcn_workgroup_id_x();
		n[2] = __builtin_amdgcn_workgroup_id_y();
		n[3] = __builtin_amdgcn_workgroup_id_z();
		n[4] = __builtin_amdgcn_workitem_id_x();
		n[5] = __builtin_amdgcn_workitem_id_y();
		n[6] = __builtin_amdgcn_workitem_id_z();
		put_string(put_string(put_string((char *)(n + 7), expression), file), function);
		record_publish(r, HEDDLE_RECORD_ASSERT);
	}
	__heddle_trap();
}

extern "C" __device__ __attribute__((noreturn)) void
__assertfail(const char *expression, const char *file, unsigned line, const char *function, size_t)
{
	__assert_fail(expression, file, line, function);
}

// There is no device heap yet, so nothing that could be deleted; virtual destructors refer to
// these.
__device__ void
operator delete(void *) noexcept
{
	__heddle_trap();
}

__device__ void
operator delete[](void *) noexcept
{
	__heddle_trap();
}

__device__ void
operator delete(void *, size_t) noexcept
{
	__heddle_trap();
}

__device__ void
operator delete[](void *, size_t) noexcept
{
	__heddle_trap();
}

// What the table of an abstract class holds for a function that has no body.
extern "C" __device__ void
__cxa_pure_virtual()
{
	__heddle_trap();
}
