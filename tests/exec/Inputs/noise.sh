#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# noise.sh CLANG SRC OUT GPU… [-- NVCC]: code objects for `gcn-run --noise`: the tests of the executor, and with
# NVCC the examples with what they use of the device library.
set -eu
clang=$1 src=$2 out=$3; shift 3
rm -rf "$out"; mkdir -p "$out"
gpus=
while [ $# -gt 0 ] && [ "$1" != -- ]; do gpus="$gpus $1"; shift; done
for gpu in $gpus; do
	for name in atomic call index lanes mode sched fault; do
		"$clang" -x hip --cuda-device-only --offload-arch="$gpu" -nogpuinc -nogpulib --no-gpu-bundle-output \
			-mcode-object-version=5 -O2 -I"$src/tests/exec/Inputs" "$src/tests/exec/$name.cu" -o "$out/$name.$gpu" \
			2>"$out/log" || { rm -f "$out/$name.$gpu"; grep -q error: "$out/log"; }
	done
done
rm -f "$out/log"
[ $# -gt 1 ] || exit 0
for gpu in $gpus; do
	for file in "$src"/examples/*/*.cu; do
		"$2" -cubin -arch="$gpu" -O2 "$file" -o "$out/$(basename "$file" .cu).$gpu"
	done
done
