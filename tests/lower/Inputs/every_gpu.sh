#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# every_gpu.sh targets.def WORD COMMAND…: runs COMMAND with --offload-arch= each GPU of the table and
# -c -o a scratch file; the disassembly must hold WORD.
set -eu
table=$1 word=$2; shift 2
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
n=0
for gpu in $(sed -n 's/^TARGET(\(gfx[0-9a-f]*\),.*/\1/p' "$table"); do
	"$@" --offload-arch="$gpu" -c -o "$t/co" || { echo "$gpu: does not compile"; exit 1; }
	llvm-objdump -d "$t/co" >"$t/s"
	grep -q "$word" "$t/s" || { echo "$gpu: no $word"; exit 1; }
	n=$((n + 1))
done
echo "$n GPUs"
