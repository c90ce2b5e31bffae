#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# seeds.sh GCNRUN FILE: a seed gives one order of the waves, different seeds different orders.
set -eu
case $2 in *gfx9*) block=128 ;; *) block=64 ;; esac
order() { "$1" --threads=1 --seed="$3" --grid=10 --block=$block "$2" order words:0 outi:40; }
order "$1" "$2" 0 >"$2.0"
echo "$(sed 's/.*: //' "$2.0" | wc -w) entries"
for seed in 1 2 3 4; do
	order "$1" "$2" $seed >"$2.$seed"
	order "$1" "$2" $seed | cmp - "$2.$seed" && echo "seed $seed: the same twice"
done
echo "different orders: $(cat "$2".[01234] | sort -u | wc -l)"
