#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# differential.sh SRC BUILD LLVM OUT EVERY: differential.py's functions on the executor and on the host.
set -eu
src=$1 build=$2 llvm=$3 out=$4 every=$5
here=$src/tests/exec/Inputs
mkdir -p "$out"
python3 "$here/differential.py" "$out" "$every"
"$llvm/llc" -O1 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -relocation-model=pic -filetype=obj "$out/host.ll" -o "$out/host.o"
o=$build/obj
"$llvm/clang" -std=c11 -D_GNU_SOURCE -O1 -I"$src" "$here/differential.c" "$out/host.o" -Wl,--start-group \
	"$o/exec.a" "$o/exec_v1.a" "$o/exec_v3.a" "$o/amdgpu.a" "$o/base.a" -Wl,--end-group -pthread -ldl -lm -lstdc++ -o "$out/run"
status=0
for gpu in gfx1100 gfx90a; do
	"$llvm/llc" -O2 -mtriple=amdgcn-amd-amdhsa -mcpu=$gpu -filetype=obj "$out/device.ll" -o "$out/$gpu.o"
	"$llvm/ld.lld" -shared "$out/$gpu.o" -o "$out/$gpu.so"
	"$out/run" "$out/functions.txt" "$out/$gpu.so" || status=1
done
exit $status
