/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * nvrtc.c - libnvrtc. Programs can be made and asked for their log; compiling at run time does not exist
 * yet: nvrtcCompileProgram fails, and the log, which programs print then, says so. Nothing that a
 * compilation would give can be had.
 */
#include "lang/base.h"

#include <string.h>

#pragma GCC visibility push(default)
#include "stdlib/include/nvrtc.h"
#pragma GCC visibility pop

struct _nvrtcProgram {
	const struct _nvrtcProgram *self; /* of a live one */
	const char *log;
};

static bool
is_program(nvrtcProgram p)
{
	return p && p->self == p;
}

const char *
nvrtcGetErrorString(nvrtcResult result)
{
	switch (result) {
#define RESULT(name)                                                                               \
	case name:                                                                                 \
		return #name;
		RESULT(NVRTC_SUCCESS)
		RESULT(NVRTC_ERROR_OUT_OF_MEMORY)
		RESULT(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
		RESULT(NVRTC_ERROR_INVALID_INPUT)
		RESULT(NVRTC_ERROR_INVALID_PROGRAM)
		RESULT(NVRTC_ERROR_INVALID_OPTION)
		RESULT(NVRTC_ERROR_COMPILATION)
		RESULT(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
		RESULT(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
		RESULT(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
		RESULT(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
		RESULT(NVRTC_ERROR_INTERNAL_ERROR)
		RESULT(NVRTC_ERROR_TIME_FILE_WRITE_FAILED)
#undef RESULT
	}
	return "NVRTC_ERROR unknown";
}

nvrtcResult
nvrtcVersion(int *major, int *minor)
{
	if (!major || !minor)
		return NVRTC_ERROR_INVALID_INPUT;
	*major = 12;
	*minor = 8;
	return NVRTC_SUCCESS;
}

/* None: nothing can be compiled yet. */
nvrtcResult
nvrtcGetNumSupportedArchs(int *numArchs)
{
	if (!numArchs)
		return NVRTC_ERROR_INVALID_INPUT;
	*numArchs = 0;
	return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetSupportedArchs(int *supportedArchs)
{
	return supportedArchs ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT;
}

nvrtcResult
nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name, int numHeaders,
	const char *const *headers, const char *const *includeNames)
{
	(void)name;
	if (!prog || !src || numHeaders < 0 || (numHeaders && (!headers || !includeNames)))
		return NVRTC_ERROR_INVALID_INPUT;
	nvrtcProgram p = calloc(1, sizeof *p);
	if (!p)
		return NVRTC_ERROR_OUT_OF_MEMORY;
	p->self = p;
	p->log = "";
	*prog = p;
	return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcDestroyProgram(nvrtcProgram *prog)
{
	if (!prog || !is_program(*prog))
		return NVRTC_ERROR_INVALID_PROGRAM;
	(*prog)->self = NULL;
	free(*prog);
	*prog = NULL;
	return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char *const *options)
{
	if (!is_program(prog))
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (numOptions < 0 || (numOptions && !options))
		return NVRTC_ERROR_INVALID_INPUT;
	prog->log = "heddle: compilation at run time (NVRTC) is not supported yet\n";
	return NVRTC_ERROR_COMPILATION;
}

nvrtcResult
nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet)
{
	if (!is_program(prog))
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (!logSizeRet)
		return NVRTC_ERROR_INVALID_INPUT;
	*logSizeRet = strlen(prog->log) + 1;
	return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetProgramLog(nvrtcProgram prog, char *log)
{
	if (!is_program(prog))
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (!log)
		return NVRTC_ERROR_INVALID_INPUT;
	memcpy(log, prog->log, strlen(prog->log) + 1);
	return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcAddNameExpression(nvrtcProgram prog, const char *const name_expression)
{
	if (!is_program(prog))
		return NVRTC_ERROR_INVALID_PROGRAM;
	return name_expression ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT;
}

nvrtcResult
nvrtcGetLoweredName(nvrtcProgram prog, const char *const name_expression, const char **lowered_name)
{
	if (!is_program(prog))
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (!name_expression || !lowered_name)
		return NVRTC_ERROR_INVALID_INPUT;
	return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
}

/* What a compilation gives: there was none that succeeded. */
#define RESULTS(name)                                                                              \
	nvrtcResult nvrtcGet##name##Size(nvrtcProgram prog, size_t *size)                          \
	{                                                                                          \
		if (!is_program(prog) || !size)                                                    \
			return is_program(prog) ? NVRTC_ERROR_INVALID_INPUT                        \
						: NVRTC_ERROR_INVALID_PROGRAM;                     \
		return NVRTC_ERROR_INVALID_PROGRAM;                                                \
	}                                                                                          \
	nvrtcResult nvrtcGet##name(nvrtcProgram prog, char *out)                                   \
	{                                                                                          \
		if (!is_program(prog) || !out)                                                     \
			return is_program(prog) ? NVRTC_ERROR_INVALID_INPUT                        \
						: NVRTC_ERROR_INVALID_PROGRAM;                     \
		return NVRTC_ERROR_INVALID_PROGRAM;                                                \
	}
RESULTS(PTX)
RESULTS(CUBIN)
RESULTS(LTOIR)
RESULTS(OptiXIR)
RESULTS(NVVM)
