# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# counters.sh GCN-RUN FILE THREADS - counters of the kernels of ../counters.cu, single spaces for columns.
while read -r kernel value; do
	echo "$kernel $value"
	"$1" --counters --threads="$3" --grid=10 --block=64 "$2" "$kernel" iota:65536 "$value" 2>&1 | tr -s ' '
done <<END
lds_stride 1
lds_stride 2
lds_stride 32
lds_stride 0
lds_wide 1
lds_wide 8
lds_atomic 1
global_stride 1
global_stride 2
global_stride 16
global_stride 0
half_lanes 10000
scratch 3
END
