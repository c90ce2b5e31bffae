# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py BUILD TIER [FILE|FOLDER|NAME|lit option]… - runs the tests through lit and says what became of them.

Prints each failure with its output, each skipped test with its reason, for the long tier one line
`NAME count failures seconds` a folder, and last the line `N passed, N failed`.
"""
import collections
import json
import os
import re
import subprocess
import sys

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "EXCLUDED", "SKIPPED"}


def reason(test):
    text = test.get("output", "").strip()
    m = re.search(r"unavailable features: (.*)", text)
    if m and "tier-" in m.group(1):
        return "only in the %s tier" % re.search(r"tier-(\w+)", m.group(1)).group(1)
    return "needs " + m.group(1) if m else (text.splitlines() or ["no reason given"])[0]


def main(build, tier, *arguments):
    src = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(os.path.join(build, "build.ninja")) as f:
        llvm = re.search(r"^llvm = (.*)$", f.read(), re.M).group(1)
    results = os.path.join(build, "tests", "results.json")
    os.makedirs(os.path.dirname(results), exist_ok=True)
    if os.path.exists(results):
        os.remove(results)
    tests = os.path.join(src, "tests")
    options = ["-q", "--no-progress-bar", "-o", results] + [a for a in arguments if a.startswith("-")]
    names = [a for a in arguments if not a.startswith("-")]
    paths = [os.path.join(tests, n) if os.path.exists(os.path.join(tests, n)) else n for n in names]
    if not all(os.path.exists(p) for p in paths):  # parts of names
        options.append("--filter=" + "|".join(re.escape(n) for n in names))
        paths = []
    subprocess.call([sys.executable, os.path.join(llvm, "bin", "lit"), "--param", "build=" + build,
                     "--param", "tier=" + tier] + options + (paths or [tests]), stdout=subprocess.DEVNULL)
    if not os.path.exists(results):
        sys.exit("run.py: lit left no results")
    with open(results) as f:
        tests = json.load(f)["tests"]
    passed = [t for t in tests if t["code"] in PASSED]
    skipped = [t for t in tests if t["code"] in SKIPPED]
    failed = [t for t in tests if t["code"] not in PASSED | SKIPPED]
    if tier == "long":
        groups = collections.defaultdict(list)
        for t in tests:
            if t not in skipped:
                groups[t["name"].split(" :: ")[-1].split("/")[0]].append(t)
        for name, group in sorted(groups.items()):
            print("%s %d %d %.1f" % (name, len(group), sum(t in failed for t in group),
                                     sum(t["elapsed"] for t in group)))
    for t in failed:
        print("\n%s: %s\n%s" % (t["code"], t["name"], t.get("output", "")[-6000:]))
    for t in skipped:
        print("skipped: %s: %s" % (t["name"], reason(t)))
    for t in failed:
        print("failed: " + t["name"])
    print("%d passed, %d failed%s" % (len(passed), len(failed),
                                      ", %d skipped" % len(skipped) if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
