# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""warp_coverage.py BUILD TABLE [--target=gfx90a] [ID…] - which kernels may share a wave of 64 lanes.

Compiles the programs of a table (apps.py says what stands in it) and asks `heddle info` for the warp mode
of each kernel: `ID kernel mode reason`; for a program that does not compile, `ID - missing reason`. The
last line counts the kernels. The status is 0 when at least 80 % are proved paired.
"""
import collections
import csv
import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import apps  # noqa: E402
import build_info  # noqa: E402

TARGET_PERCENT = 80


def modes(text):
    """(kernel, mode, reason) of each kernel that `heddle info` lists."""
    for part in re.split(r"^  kernel ", text, flags=re.M)[1:]:
        m = re.search(r"^    wave \d+, warps (\w+)", part, re.M)
        why = re.search(r"^    \w+ because: (.*)", part, re.M)
        yield part.split("\n", 1)[0], m.group(1), why.group(1) if why else ""


def demangle(build, names):
    tool = os.path.join(build_info.ninja_variables(build)["llvm"], "bin", "llvm-cxxfilt")
    done = subprocess.run([tool, "-p"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, (re.sub(r"^void ", "", n).replace(" ", "") for n in done.stdout.split("\n"))))


def kernels(build, row, base, target):
    """The kernels of a program's files; a string when one does not compile."""
    found = {}
    work = os.path.join(build, "warp", row["id"])
    os.makedirs(work, exist_ok=True)
    for i, source in enumerate(row["sources"].split()):
        if not source.endswith((".cu", ".cpp", ".cc")):
            continue
        out = os.path.join(work, "%d.o" % i)
        flags = [f for f in shlex.split(row["nvcc"]) if not re.match(r"-[lL]", f)]  # nothing is linked here
        status, text, err = apps.run([os.path.join(build, "bin/nvcc"), "-arch=" + target, "-c", "-o", out] + flags +
                                     [source], 600, cwd=os.path.join(base, row["folder"]))
        if status != 0:
            return "time is up" if status is None else apps.first_line(err + text)
        status, text, err = apps.run([os.path.join(build, "bin/heddle"), "info", out], 60)
        for name, mode, why in modes(text):
            found[name] = (mode, why)
    return found


def main(build, *arguments):
    options = dict(a[2:].split("=", 1) for a in arguments if a.startswith("--"))
    names = [a for a in arguments if not a.startswith("--")]
    if not names:
        sys.exit("warp coverage: which table?")
    table, only = os.path.abspath(names[0]), names[1:]
    build, base = os.path.abspath(build), os.path.dirname(table)
    with open(table, newline="") as f:
        rows = list(csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t",
                                   quoting=csv.QUOTE_NONE, restval=""))
    count = collections.Counter()
    for row in rows:
        if only and row["id"] not in only:
            continue
        row = {k: (row.get(k) or "").strip() for k in ("id", "folder", "sources", "nvcc")}
        found = kernels(build, row, base, options.get("target", "gfx90a"))
        if isinstance(found, str):
            print("%s - missing %s" % (row["id"], found), flush=True)
            continue
        plain = demangle(build, list(found))
        for name, (mode, why) in found.items():
            count[mode] += 1
            print(("%s %s %s %s" % (row["id"], plain[name], mode, why)).rstrip(), flush=True)
    total = sum(count.values())
    if not total:
        sys.exit("warp coverage: no kernel")
    percent = 100 * count["paired"] / total
    print("warp: %d kernels: %s; %.1f %% paired" %
          (total, ", ".join("%d %s" % (n, s) for s, n in sorted(count.items())), percent))
    return 0 if percent >= TARGET_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
