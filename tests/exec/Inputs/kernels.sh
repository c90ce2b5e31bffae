#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kernels.sh SRC BUILD OUT FIRST COUNT [STEP [TARGETS]]: kernels.py's kernels on targets (a,b,…; all of them) of the executor and on the
# host, STEP in a program. Each program must find no difference from the host, and the targets must print the same: for kernels
# that kernels.expected knows, what an H200 printed.
set -eu
src=$1 build=$2 out=$3 first=$4 count=$5 step=${6:-$5}
targets=${7:-$(sed -n 's/^TARGET(\([a-z0-9]*\),.*/\1/p' "$src/amdgpu/targets.def" | paste -sd, -)}
here=$src/tests/exec/Inputs
mkdir -p "$out"
status=0
end=$((first + count))
while [ "$first" -lt "$end" ]; do
	[ "$step" -lt $((end - first)) ] || step=$((end - first))
	python3 "$here/kernels.py" "$out/kernels.cu" "$first" "$step"
	"$build/bin/nvcc" -arch="$targets" -std=c++17 -fmad=false -w -Xcompiler -ffp-contract=off ${NVCC_FLAGS:-} "$out/kernels.cu" -o "$out/kernels"
	for target in $(echo "$targets" | tr , ' '); do
		HEDDLE_DEVICE=exec:$target "$out/kernels" >"$out/$target.txt" || status=1
		grep -v '^k[0-9]* [0-9a-f]*$' "$out/$target.txt" | sed "s/^/$target: /" || :
		while read -r name sum; do
			! grep -q "^$name " "$here/kernels.expected" || grep -qx "$name $sum" "$here/kernels.expected" || {
				echo "$target: $name: $sum is not what an H200 printed"
				status=1
			}
		done <"$out/$target.txt"
		cmp "$out/$target.txt" "$out/${targets%%,*}.txt" || status=1
	done
	first=$((first + step))
done
exit $status
