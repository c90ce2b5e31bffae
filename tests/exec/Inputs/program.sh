#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# program.sh SRC BUILD LLVM OUT FIRST COUNT [GPU…]: program.py's programs on the executor (-O0 and -O3) and on the host.
set -eu
src=$1 build=$2 llvm=$3 out=$4 first=$5 count=$6
shift 6
[ $# != 0 ] || set -- gfx1100 gfx90a
here=$src/tests/exec/Inputs o=$build/obj
mkdir -p "$out"
python3 "$here/program.py" "$out/program.hip" "$first" "$count"
flags='-ffp-contract=off -w -std=c++17'
"$llvm/clang" $flags -O1 -fwrapv -x c++ -c "$out/program.hip" -o "$out/host.o"
"$llvm/clang" -std=c11 -D_GNU_SOURCE -O1 -I"$src" "$here/program.c" "$out/host.o" -Wl,--start-group \
	"$o/exec.a" "$o/exec_v1.a" "$o/exec_v3.a" "$o/amdgpu.a" "$o/base.a" -Wl,--end-group -pthread -ldl -lm -lstdc++ -o "$out/run"
status=0
for gpu; do
	for opt in -O0 -O3; do
		repair= # what nvcc asks of clang 22, too (lang/driver/args.c)
		case $gpu$opt in
		gfx1[12]*-O0) repair='-Xclang -target-feature -Xclang -real-true16' ;;
		gfx908-* | gfx90a-* | gfx942-* | gfx950-*) repair='-mllvm -disable-peephole' ;;
		esac
		"$llvm/clang" $flags $repair $opt -fwrapv -x hip --cuda-device-only --offload-arch=$gpu -nogpuinc -nogpulib --no-gpu-bundle-output \
			-mcode-object-version=5 -Xclang -load -Xclang "$build/lib/heddle/libheddle-lower.so" "$out/program.hip" -o "$out/$gpu$opt.so"
		"$out/run" "$out/$gpu$opt.so" || status=1
	done
done
exit $status
