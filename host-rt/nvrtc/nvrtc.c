/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvrtc.c - run-time compilation. */
#include "lang/base.h"
int nvrtcVersion(int *major, int *minor);
EXPORT int
nvrtcVersion(int *major, int *minor)
{
	if (!major || !minor)
		return 3;
	*major = 12;
	*minor = 8;
	return 0;
}
