# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lint.py BUILD CLANG_FORMAT - what no compiler checks; ./dev lint has compiled every header alone before.

Tracked files: the licence line, at most 1,000 lines (tables exempt), no path of somebody's machine, no
NVIDIA install path in code; C and C++ formatted (where clang-format is there; headers align their comments
by hand); clang-tidy, where it is there.
"""
import os
import re
import shutil
import subprocess
import sys

src = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CODE = (".c", ".h", ".cpp", ".cu", ".re", ".def", ".py", ".sh", ".s", ".ll")
# spelled so that this file does not contain them
FORBIDDEN = re.compile("|".join(["/usr/local/" + "cuda", "/tmp/" + "b-", "/ho" + "me/", r"(?<![\w.])/wo" + "rk/"]))
TIDY = "-*,bugprone-*,-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions," \
       "-bugprone-reserved-identifier,-bugprone-macro-parentheses,-bugprone-assignment-in-if-condition," \
       "-bugprone-multi-level-implicit-pointer-conversion,-bugprone-branch-clone,clang-analyzer-core.*"


def main(build, formatter):
    tracked = subprocess.check_output(["git", "ls-files"], cwd=src, text=True).splitlines()
    found = []
    for name in tracked:
        path = os.path.join(src, name)
        if not os.path.isfile(path) or "/corpus/" in name or name == "LICENSE":
            continue
        try:
            with open(path) as f:
                text = f.read()
        except UnicodeDecodeError:
            continue
        lines = text.splitlines()
        for n, line in enumerate(lines, 1):
            if FORBIDDEN.search(line):
                found.append("%s:%d: a path of one machine: %s" % (name, n, line.strip()[:80]))
        if name.endswith(CODE):
            lit = name.startswith("tests/") and not name.endswith((".py", ".sh"))  # RUN comes first there
            if not lit and "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in "\n".join(lines[:3]):
                found.append("%s:1: no licence line" % name)
            if len(lines) > 1000 and not name.endswith(".def"):
                found.append("%s: %d lines, more than 1,000" % (name, len(lines)))
    sources = [n for n in tracked if n.endswith((".c", ".cpp")) and not n.startswith(("stdlib/", "examples/"))
               and "Inputs/" not in n and os.path.isfile(os.path.join(src, n))]
    if shutil.which(formatter):
        done = subprocess.run([formatter, "--dry-run", "-Werror"] + sources, cwd=src, capture_output=True, text=True)
        files = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error: code should be clang-formatted", done.stderr, re.M)))
        found += ["%s: not formatted (./dev fmt)" % f for f in files]
    else:
        print("lint: no %s: format not checked" % formatter)
    tidy = shutil.which("clang-tidy-22")
    if tidy:
        for n in sources:
            if not n.endswith(".c") or n.startswith("tests/"):
                continue
            done = subprocess.run([tidy, "-quiet", "-checks=" + TIDY, n, "--", "-std=c11", "-D_GNU_SOURCE", "-I.",
                                   "-I" + os.path.join(build, "obj")], cwd=src, capture_output=True, text=True)
            found += re.findall(r"^(?:.*/)?([^/\s]+:\d+:\d+: (?:warning|error): .*)$", done.stdout, re.M)
    else:
        print("lint: no clang-tidy-22: not run")
    for line in found:
        print(line)
    print("%d found" % len(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
