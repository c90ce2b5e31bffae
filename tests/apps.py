# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""apps.py BUILD TABLE [--targets=LIST] [--timeout=SECONDS] [--nvcc=PATH] [ID…] - builds and runs the programs of a table.

The table is tab-separated; its first line names the columns:
  id       what the report calls the program
  folder   where it lies, from the table's own folder; compiler and program run there
  sources  files to compile, separated by blanks
  nvcc     arguments of nvcc besides (may be empty, as the next ones)
  args     arguments of the program
  pass     regular expression that its output must match ("." matches newlines, "^" and "$" at lines)
  fail     regular expression that its output must not match
  expected file of what it should print; times, rates and what belongs to the device may differ
Each program is compiled once for all targets and run on each: `id target pass|fail reason`.
The status is 0 when all passed. With --nvcc (another compiler) it runs once, as target `peer`.
"""
import csv
import difflib
import os
import re
import shlex
import subprocess
import sys
import time

NUMBER = r"[-+]?(?:\d[\d,]*(?:\.\d*)?(?:e[-+]?\d+)?|inf|nan)"
UNITS = r"(?:[munk]?s|[munk]?secs?|m?seconds?|%|[KMGT]?(?:FLOPS?|Flops?|FLOP/s|Flop/s)|[KMGT]?i?B(?:ytes)?/s(?:ec)?)"
# What may differ from machine to machine: (pattern, replacement), applied in turn.
VARYING = [(re.compile(p, re.I), r) for p, r in [
    (NUMBER + r"(\s*[\[(]?" + UNITS + r"[\])]?)(?![\w/])", r"#\1"),
    (r"(\btime\b[^:=\n]*[:=]\s*)" + NUMBER, r"\1#"),
    (r"(\bexecuted )\d+( iterations while)", r"\1#\2"),
    (r'^GPU Device \d+: ".*" with compute capability .*', "GPU Device #"),
    (r"(device \[).*?(\])(?: has \d+ Multi-?Processors)?", r"\1#\2"),
    (r"GPU device has \d+ Multi-?Processors, SM \d+\.\d+", "GPU device has # Multi-Processors, SM #"),
    (r"^(\s*Device(?: name)?\s*: ).*", r"\1#"),
    (r"(setting device \d+ with name ).*", r"\1#"),
]]


def invariant(text):
    """The lines of a program's output without what may differ."""
    lines, rates = [], False
    for line in text.splitlines():
        for pattern, replacement in VARYING:
            line = pattern.sub(replacement, line)
        if rates:  # a table whose last column is a rate
            line = re.sub(NUMBER + r"\s*$", "#", line)
        rates = bool(line.strip()) and (rates or bool(re.search(r"bandwidth \(\w+/s\)\s*$", line, re.I)))
        lines.append(re.sub(r"\s+", " ", line).strip())
    while lines and not lines[-1]:
        lines.pop()
    return lines


def run(command, timeout, **more):
    """(status, stdout, stderr); status None when time ran out."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", **more)
    try:
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        return None, out, err


def first_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if "error" in line or line.startswith("heddle:")]
    return (told + lines + ["no output"])[0][:200]


def judge(row, base, status, out, err):
    """Why the run failed; empty if it passed."""
    if status is None:
        return "time is up"
    if status:
        return "status %d: %s" % (status, first_line(err + "\n" + out))
    if row["fail"] and re.search(row["fail"], out + err, re.S | re.M):
        return "prints " + re.search(row["fail"], out + err, re.S | re.M).group(0).splitlines()[0]
    if row["pass"] and not re.search(row["pass"], out + err, re.S | re.M):
        return "does not print " + row["pass"]
    if row["expected"]:
        with open(os.path.join(base, row["expected"]), errors="replace") as f:
            want, got = invariant(f.read()), invariant(out)
        for line in difflib.unified_diff(want, got, n=0, lineterm=""):
            if not line.startswith(("---", "+++", "@@")):
                return "differs from %s: %s" % (os.path.basename(row["expected"]), line)
    return ""


def main(build, *arguments):
    options = dict(a[2:].split("=", 1) for a in arguments if a.startswith("--"))
    names = [a for a in arguments if not a.startswith("--")]
    table, names = os.path.abspath(names[0]), names[1:]
    base, build = os.path.dirname(table), os.path.abspath(build)
    targets = options.get("targets", "gfx1100,gfx90a")
    timeout = float(options.get("timeout", 600))
    peer = options.get("nvcc")
    with open(table, newline="") as f:
        rows = list(csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t",
                                   quoting=csv.QUOTE_NONE, restval=""))
    unknown = [n for n in names if n not in [r["id"] for r in rows]]
    if unknown:
        sys.exit("apps: no %s in %s" % (unknown[0], table))
    failures = 0

    def report(row, target, why, seconds):
        nonlocal failures
        failures += bool(why)
        print("%s %s %s %s" % (row["id"], target, "fail" if why else "pass", why or "%.1f s" % seconds), flush=True)

    for row in rows:
        if names and row["id"] not in names:
            continue
        row = {k: (row.get(k) or "").strip() for k in
               ("id", "folder", "sources", "nvcc", "args", "pass", "fail", "expected")}
        folder = os.path.join(base, row["folder"])
        work = os.path.join(build, "apps", row["id"])
        os.makedirs(work, exist_ok=True)
        program = os.path.join(work, "program")
        command = [peer] if peer else [os.path.join(build, "bin/nvcc"), "-arch=" + targets]
        command += shlex.split(row["nvcc"]) + row["sources"].split() + ["-o", program]
        start = time.time()
        status, out, err = run(command, timeout, cwd=folder)
        with open(os.path.join(work, "compile.log"), "w") as f:
            f.write(shlex.join(command) + "\n" + out + err)
        for target in ["peer"] if peer else targets.split(","):
            if status != 0:
                report(row, target, "compile: " + ("time is up" if status is None else first_line(err + out)), 0)
                continue
            env = dict(os.environ)
            if not peer:
                env["HEDDLE_DEVICE"] = "exec:" + target
                if "HEDDLE_PRELOAD" in env:  # the runtime is sanitized
                    env["LD_PRELOAD"] = env["HEDDLE_PRELOAD"]
            start = time.time()
            ran, out, err = run(["./prog"] + shlex.split(row["args"]), timeout, executable=program, cwd=folder, env=env)
            with open(os.path.join(work, target + ".log"), "w") as f:
                f.write(out + err)
            report(row, target, judge(row, base, ran, out, err), time.time() - start)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
