/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device_types.h - names of the four roundings. */
#ifndef HEDDLE_DEVICE_TYPES_H
#define HEDDLE_DEVICE_TYPES_H

enum cudaRoundMode {
	cudaRoundNearest,
	cudaRoundZero,
	cudaRoundPosInf,
	cudaRoundMinInf
};

#endif
