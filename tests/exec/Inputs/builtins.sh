# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# builtins.sh PYTHON CLANG GCN-RUN OUT TARGET…: for each GPU, all builtins compiled, and what the executor lacks.
set -eu
python=$1 clang=$2 run=$3 out=$4
shift 4
for gpu; do
	"$python" "$(dirname "$0")/builtins.py" "$clang" "$gpu" "$out.hip"
	"$clang" -x hip --cuda-device-only --offload-arch="$gpu" -nogpuinc -nogpulib --no-gpu-bundle-output \
		-mcode-object-version=5 -O1 -w "$out.hip" -o "$out.$gpu"
	"$run" --check "$out.$gpu"
	echo "$gpu: all are there"
done
