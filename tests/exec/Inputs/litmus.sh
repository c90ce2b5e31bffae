# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# litmus.sh CLANG GCN-RUN SOURCE TEMPORARY TARGET BATCHES - the tests of ../litmus.cu with fences of each scope:
# prints the outcomes of each (in random order of
# waves for those within a workgroup) and FORBIDDEN where one was forbidden. Without a fence store buffering is expected to
# show now and then, which is printed and no failure. With the host's fence left out (--no-fence) it must show
# in the test that has a fence: so the test can fail. (Only the long tier insists: two busy processors seldom show it.)
clang=$1 gcnrun=$2 source=$3 file=$4.$5 batches=$6
"$clang" -x hip --cuda-device-only --offload-arch="$5" -nogpuinc -nogpulib --no-gpu-bundle-output \
	-mcode-object-version=5 -O2 -I"$(dirname "$0")" "$source" -o "$file" || exit 1
wave=32
case $5 in gfx9*) wave=64 ;; esac

outcomes() # outcomes KERNEL [options]
{
	kernel=$1
	shift
	roles=2
	case $kernel in iriw*) roles=4 ;; esac
	how="--at-once=2 --grid=$((roles / 2)) --block=$wave"
	case $kernel in *WORKGROUP) how="--seed=7 --grid=1 --block=$((roles * wave))" ;; esac
	"$gcnrun" "$@" $how "$file" "$kernel" outi:16 iota:8192 words:0,0 "$batches" | sed -n 's/^arg0.0.: //p'
}
forbidden() # forbidden KERNEL OUTCOMES…: how many there were
{
	case $1 in
	sb*) shift 1 ;;         # both read old
	mp* | corr*) shift 3 ;; # the first read new, the second old
	lb*) shift 4 ;;         # both read new
	iriw*) shift 11 ;;      # 1010: new, old; new, old
	esac
	echo "$1"
}

tests=0 bad=0
for scope in WORKGROUP AGENT SYSTEM; do
	for test in sb mp lb corr iriw; do
		o=$(outcomes ${test}_$scope)
		f=$(forbidden $test $o)
		tests=$((tests + 1))
		echo "${test}_$scope:" $o
		[ "$f" = 0 ] || { echo "FORBIDDEN ${f:-?} times" && bad=$((bad + 1)); }
	done
done
for test in sb mp lb corr iriw; do
	o=$(outcomes ${test}_NONE)
	echo "${test}_NONE:" $o "(weak $(forbidden $test $o))"
done
batches=$((batches < 200 ? 200 : batches))
export HEDDLE_EXEC_DELAY=0 # stores would go together with the loads behind them
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	o=$(outcomes sb_AGENT --no-fence)
	f=$(forbidden sb $o)
	[ "$f" = 0 ] || break
done
if [ "$f" = 0 ]; then
	echo "sb_AGENT without the host's fence: no forbidden outcome found"
else
	echo "sb_AGENT without the host's fence: found forbidden outcomes" "($f of $o)"
fi
[ $bad != 0 ] || echo "$tests tests, none forbidden"
