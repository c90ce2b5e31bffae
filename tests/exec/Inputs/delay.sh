# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# delay.sh GCN-RUN FILE - runs each kernel of ../delay.cu without and with --delay; the first four results of
# each, or the fault.
gcnrun=$1 file=$2
export HEDDLE_EXEC_DELAY=0 # also where all tests run in that mode
for k in first_of_two first_in_lds address_gone overwritten_in_order store_and_load generic_in_lds no_wait \
	second_of_two scalar_out_of_order other_counter generic_other_counter atomic_result crossbar overwritten \
	store_and_barrier store_wait_barrier same_register; do
	block=64
	case $k in store_*_barrier | store_and_barrier) block=256 ;; esac
	echo "$k"
	for mode in --threads=1 --delay; do
		"$gcnrun" $mode --block=$block "$file" $k outi:$block iota:256 >"$file.out" 2>&1 || true
		if grep -q '^fault' "$file.out"; then
			sed -n '/^fault/,$p' "$file.out"
		else
			sed -n 's/^arg0.0.: \([0-9]* [0-9]* [0-9]* [0-9]*\).*/\1/p' "$file.out"
		fi
	done
done
