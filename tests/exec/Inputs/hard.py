# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hard.py TESTS: hard.txt names tests for all places from 1 to 37, and they exist; those in exec/hard-*.cu say which."""
import os
import re
import sys

tests = sys.argv[1]
named = {}
with open(os.path.join(tests, "exec/Inputs/hard.txt")) as f:
    for line in f:
        m = re.match(r"\s*(\d+)  (\S+\.\w+(?: \S+\.\w+)*)  ", line)
        if m:
            named[int(m.group(1))] = m.group(2).split()
bad = [n for n in range(1, 38) if n not in named]
for n, files in named.items():
    for name in files:
        path = os.path.join(tests, name)
        if not os.path.exists(path):
            bad.append("%d: no %s" % (n, name))
        elif re.match(r"exec/hard-", name) and n < 34:
            text = open(path).read()
            places = {int(k) for s in re.findall(r"hard places? ([\d, and]+)", text) for k in re.findall(r"\d+", s)}
            spans = re.findall(r"hard places [^.]*?(\d+) to (\d+)", text)
            if n not in places and not any(int(a) <= n <= int(b) for a, b in spans):
                bad.append("%d: %s does not say so" % (n, name))
print("bad:", bad) if bad else print("all places are named")
sys.exit(bool(bad))
