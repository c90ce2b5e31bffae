#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# vectors.sh GCNRUN SRC EXCEPTIONS: runs the recorded vectors of gfx1100, which are not part of this repository.
# HEDDLE_VECTORS names their folder; without it, shared/vectors beside the repository is looked at.
dir=${HEDDLE_VECTORS:-$2/../shared/vectors}
if [ ! -f "$dir/gfx1100_alu.jsonl" ]; then
	echo "skipped: no vectors in $dir (HEDDLE_VECTORS names another folder)"
	exit 0
fi
status=0
for f in "$dir"/gfx1100_*.jsonl; do
	"$1" --vectors "$f" "$3" || status=1
done
exit $status
