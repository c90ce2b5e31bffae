#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# build.sh SRC BUILD CC: the executor with its mutants (mutate.py), one instruction set, and with it
# tools/gcn-run-mutants, tools/row-run (rows.c) and lib/heddle/mutants/libhsa-runtime64.so.1.
set -eu
src=$1 cc=$3
cd "$2"
m=obj/mutants
mkdir -p $m/o tools lib/heddle/mutants
python3 "$src/tests/mutation/mutate.py" "$src" $m
flags="-std=c11 -D_GNU_SOURCE -w -fno-common -fvisibility=hidden -fPIC -pthread -I$m -I$src -Wno-psabi \
-ffp-contract=off -fno-math-errno -fno-trapping-math -fno-strict-aliasing"
# Objects are made again where a source of the copy is newer, or any header or table is.
newest=$(ls -t $m/amdgpu/exec/*.h $m/amdgpu/exec/*.def $m/amdgpu/exec/run/*.h | head -1)
for f in $m/amdgpu/exec/*.c $m/amdgpu/exec/run/*.c "$src"/amdgpu/exec/tool/*.c; do
	o=$m/o/$(echo "${f##*amdgpu/exec/}" | tr / _).o
	[ "$o" -nt "$f" ] && [ "$o" -nt "$newest" ] && continue
	more=-O0
	case $f in */run/*) more='-O0 -march=x86-64-v3 -DGCN_VARIANT=v3' ;; esac
	echo "$cc $flags $more -c $f -o $o.part && mv $o.part $o"
done >$m/commands
sort -r $m/commands | xargs -r -d '\n' -P 2 -n 1 sh -c
exec_o=$(ls $m/o/*.o | grep -v '/tool_')
libs="obj/amdgpu.a obj/base.a -pthread -ldl -lm -lstdc++"
$cc -o tools/gcn-run-mutants $m/o/tool_*.o $exec_o $libs
$cc $flags -O1 -o tools/row-run "$src/tests/mutation/rows.c" $exec_o $libs
$cc -shared -Wl,-soname,libhsa-runtime64.so.1 -Wl,--version-script="$src/amdgpu/hsa/hsa.map" \
	-o lib/heddle/mutants/libhsa-runtime64.so.1 -Wl,--whole-archive obj/hsa.a -Wl,--no-whole-archive $exec_o $libs
