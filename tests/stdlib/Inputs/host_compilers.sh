# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# host_compilers.sh BUILD INPUTS LLVM TEMPORARY - see host_compilers.test
set -eu
include=$1/include plain=$2/plain.c llvm=$3 t=$4
warn='-pedantic -Wall -Werror -fsyntax-only'
for s in c89 gnu89 c99 c17; do
	gcc -std=$s $warn -isystem "$include" "$plain"
done
for s in c++11 c++17 c++20; do
	g++ -std=$s $warn -isystem "$include" -x c++ "$plain"
done
"$llvm/clang" -std=c99 $warn -isystem "$include" "$plain"
"$llvm/clang++" -std=c++17 -Wall -Werror -fsyntax-only -isystem "$include" -x c++ "$plain"
for h in "$include"/*.h; do # alone, and twice
	printf '#include "%s"\n#include "%s"\n' "$h" "$h" >"$t.c"
	gcc -isystem "$include" -fsyntax-only "$t.c"
	g++ -isystem "$include" -fsyntax-only -x c++ "$t.c"
	"$1/bin/nvcc" -x cu -c "$t.c" -o "$t.o"
done
