/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* noise.h - code that nobody meant: random bytes, and kernels with flipped bits. */
#ifndef HEDDLE_EXEC_TOOL_NOISE_H
#define HEDDLE_EXEC_TOOL_NOISE_H

/* argv: bytes|code|file SEED COUNT [FILE…]. Prints how the runs ended; 0: all of them did, else the exit status. */
int noise_run(int argc, char **argv);

#endif
