#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fresh.sh [FOLDER] - proves the two commands of README.md on a fresh Debian 12: debootstrap into a
# temporary folder (or FOLDER), chroot, a clone of HEAD, both commands, no NVIDIA file in sight. Prints
# times; removes what it made. Root only. The packages come from where this machine's apt gets them.
set -eu
[ "$(id -u)" = 0 ] || { echo "fresh.sh: only root can chroot" >&2; exit 2; }
src=$(cd "$(dirname "$0")/.." && pwd)
root=${1:-$(mktemp -d)/debian}
say() { echo "fresh: $*"; }
now() { date +%s; }
clean()
{
	status=$?
	trap - EXIT
	for d in dev/pts dev proc; do
		mountpoint -q "$root/$d" && umount -l "$root/$d"
	done
	if grep -q " $root" /proc/mounts; then
		say "something is still mounted below $root; left as it is"
	else
		rm -rf --one-file-system "$root"
	fi
	exit $status
}
trap clean EXIT
trap 'exit 1' INT TERM HUP

if ! command -v debootstrap >/dev/null; then
	apt-get update -qq
	apt-get install -qq -y --no-install-recommends debootstrap >/dev/null
fi
# The mirror that apt uses here, and whatever else it needs to reach it (proxy, keys).
mirror=$(apt-cache policy | sed -n 's/^ *[0-9]* \(https\?:[^ ]*\) bookworm\/main.*/\1/p' | head -n 1)
mirror=${mirror:-http://deb.debian.org/debian}
proxy=$(apt-config shell p Acquire::http::Proxy | sed "s/^p='\(.*\)'$/\1/")
[ -z "$proxy" ] || export http_proxy="$proxy"

start=$(now)
mkdir -p "$root"
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || { tail -20 "$root.log"; exit 1; }
rm -f "$root.log"
say "debootstrap: $(($(now) - start)) s"

rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d"
for f in sources.list sources.list.d apt.conf.d auth.conf.d trusted.gpg.d keyrings; do
	[ ! -e "/etc/apt/$f" ] || { rm -rf "$root/etc/apt/$f"; cp -a "/etc/apt/$f" "$root/etc/apt/$f"; }
done
cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
for f in /etc/resolv.conf /etc/hosts; do [ ! -e $f ] || cp -L $f "$root$f"; done
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev" && mount -t devpts devpts "$root/dev/pts" || true
git clone -q --no-hardlinks "$src" "$root/heddle"

inside() # inside COMMAND: as a newcomer's shell, nothing of our environment but the way to the mirror
{
	chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		sh -c "cd /heddle && $1" </dev/null
}
nvidia=$(chroot "$root" find / -xdev \( -iname '*nvidia*' -o -iname 'libcud*' -o -name nvcc -o -name cuda_runtime.h \) \
	-not -path '/proc/*' -not -path '/heddle/*' | head -n 3)
[ -z "$nvidia" ] || { say "NVIDIA files: $nvidia"; exit 1; }

sed -n 's/^    \(\.\/dev .*\)/\1/p' "$src/README.md" | sed 's/ *#.*//' | head -n 2 >"$root/commands"
[ "$(wc -l <"$root/commands")" = 2 ] || { say "README.md has no two commands"; exit 1; }
while IFS= read -r command <&3; do
	say "\$ $command"
	start=$(now)
	inside "$command" || { say "FAIL: $command"; exit 1; }
	say "$command: $(($(now) - start)) s"
done 3<"$root/commands"
start=$(now)
inside 'ninja -C build -t clean >/dev/null && ninja -C build --quiet' || { say "FAIL: clean build"; exit 1; }
took=$(($(now) - start))
say "full build from clean: $took s"
[ $took -lt 120 ] || { say "FAIL: the build takes 2 minutes or more"; exit 1; }
say PASS
