#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# device.sh CLANG SOURCE OUT FLAG GPU…: code objects OUT.GPU for each GPU, with lines.
set -eu
clang=$1 source=$2 out=$3 flag=$4; shift 4
for gpu; do
	"$clang" -x hip --cuda-device-only --offload-arch="$gpu" -nogpuinc -nogpulib --no-gpu-bundle-output \
		-mcode-object-version=5 "$flag" -gline-tables-only -I"$(dirname "$0")" "$source" -o "$out.$gpu"
done
