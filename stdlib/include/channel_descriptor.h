/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* channel_descriptor.h - the format of a texture's element, by its C++ type. */
#ifndef HEDDLE_CHANNEL_DESCRIPTOR_H
#define HEDDLE_CHANNEL_DESCRIPTOR_H
#define __CHANNEL_DESCRIPTOR_H__ /* user code asks for this name */

#include "cuda_runtime_api.h"

#if defined(__cplusplus)
/* No element for types without a row below */
template <class T>
static __inline__ __host__ struct cudaChannelFormatDesc
cudaCreateChannelDesc()
{
	return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define HEDDLE_CHANNEL(type, x, y, z, w, kind)                                            \
	template <>                                                                       \
	__inline__ __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc<type>()    \
	{                                                                                 \
		return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind);    \
	}
#define HEDDLE_CHANNELS(scalar, vector, kind)                                                    \
	HEDDLE_CHANNEL(scalar, 8 * (int)sizeof(scalar), 0, 0, 0, kind)                           \
	HEDDLE_CHANNEL(vector##1, 8 * (int)sizeof(scalar), 0, 0, 0, kind)                        \
	HEDDLE_CHANNEL(vector##2, 8 * (int)sizeof(scalar), 8 * (int)sizeof(scalar), 0, 0, kind)  \
	HEDDLE_CHANNEL(vector##4, 8 * (int)sizeof(scalar), 8 * (int)sizeof(scalar),              \
		8 * (int)sizeof(scalar), 8 * (int)sizeof(scalar), kind)
HEDDLE_CHANNEL(char, 8, 0, 0, 0, Signed)
HEDDLE_CHANNELS(signed char, char, Signed)
HEDDLE_CHANNELS(unsigned char, uchar, Unsigned)
HEDDLE_CHANNELS(short, short, Signed)
HEDDLE_CHANNELS(unsigned short, ushort, Unsigned)
HEDDLE_CHANNELS(int, int, Signed)
HEDDLE_CHANNELS(unsigned int, uint, Unsigned)
HEDDLE_CHANNELS(float, float, Float)
#undef HEDDLE_CHANNELS
#undef HEDDLE_CHANNEL
#endif

#endif
