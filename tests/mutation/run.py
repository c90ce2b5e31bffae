#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py BUILD [--row R] [--sample N] [--jobs N] [--rows-only] - which mutants of the executor (mutate.py) a test kills.

Quickest first: the tests of the rows that a mutant touches (rows.py, all in one process that forks), for helper
functions those of modifiers, lanes and addresses (modifier.py), then the commands of
tests/exec whose kernels hold such an instruction, then the recorded vectors. What killed a mutant last time is
tried first. equivalent.txt lists mutants that mean the same, each with the reason. Fails above 2 % survivors.
The list of those that survived is BUILD/mutation/survived.txt.
"""
import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import time

import mutate

here = os.path.dirname(os.path.abspath(__file__))
src = os.path.dirname(os.path.dirname(here))
SOURCES = "lanes atomic index rare matrix sparse small buffer mode newer call order stuck fault".split()
LIMIT = 2.0  # per cent


def ninja_variables(build):
    out = {}
    for line in open(build + "/build.ninja"):
        m = re.match(r"(\w+) = (.*)", line)
        if m:
            out[m.group(1)] = m.group(2).strip()
    return out


class Command:
    def __init__(self, name, text, code, kernel):
        self.name, self.text, self.code, self.kernel, self.names = name, text, code, kernel, set()


def mnemonics(llvm, code):
    """{symbol: names of its instructions}"""
    out, symbol = {}, None
    for line in subprocess.run([llvm + "/llvm-objdump", "-d", code], capture_output=True, text=True).stdout.splitlines():
        m = re.match(r"[0-9a-f]+ <([^>+]+)>:", line)
        if m:
            symbol = m.group(1)
            out[symbol] = set()
        elif symbol and line.startswith("\t"):
            for part in line.split("//")[0].split("::"):
                word = part.split()[:1]
                if word:
                    out[symbol].add(re.sub(r"(_e32|_e64|_dpp|_sdwa)+$", "", word[0]).replace("v_dual_", "v_").replace("v_cmpx_", "v_cmp_"))
    return out


def commands(build, llvm, folder):
    """What tests/exec runs on its kernels, compiled once."""
    out = []
    for name in SOURCES:
        path = "%s/tests/exec/%s.cu" % (src, name)
        target = "%s/%s" % (folder, name)
        stamp = os.path.exists(target + ".done") and os.path.getmtime(target + ".done") > os.path.getmtime(path)
        codes = {}
        for n, line in enumerate(open(path)):
            m = re.match(r"// RUN: (.*)", line)
            if not m:
                continue
            text = m.group(1)
            for a, b in (("%gcnrun", build + "/tools/gcn-run-mutants"), ("%clang", llvm + "/clang"), ("%llvm", llvm), ("%S", src + "/tests/exec"),
                         ("%src", src), ("%s", path), ("%t", target), ("%FileCheck", "FileCheck")):
                text = re.sub(a + r"\b", b, text)
            text = re.sub(r"(^|[ |])FileCheck\b", r"\1" + llvm + "/FileCheck", text)
            if "gcn-run-mutants" not in text:
                if not stamp and "objdump" not in text:
                    subprocess.run(text, shell=True, check=True, cwd=folder, env=dict(os.environ, PATH=llvm + ":" + os.environ["PATH"]))
                continue
            text = re.sub(r"^not (env \S+ )?(\S*gcn-run-mutants.*?) \| ", r"{ ! \1\2; } | ", text)
            m = re.search(r"gcn-run-mutants (?:--\S+ )*(\S+) (\w+)", text)
            if not m or "--spin" in text or "--limit" in text or ".sh " in text:
                continue
            if m.group(1) not in codes:
                codes[m.group(1)] = mnemonics(llvm, m.group(1))
            c = Command("%s.cu:%d" % (name, n + 1), text, m.group(1), m.group(2))
            own = codes[m.group(1)].get(m.group(2), set())
            c.names = set().union(*codes[m.group(1)].values()) if own & {"s_swappc_b64", "s_setpc_b64"} else own
            out.append(c)
        open(target + ".done", "w").close()
    return out


def passes(command, mutant):
    try:
        p = subprocess.run(["/bin/sh", "-c", command.text], env=dict(os.environ, HEDDLE_MUTANT=mutant, LC_ALL="C"), stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=20)
        return p.returncode == 0
    except subprocess.TimeoutExpired:
        return False


def killed(row_run, folder, tests, todo, jobs):
    """What row-run says of mutants, for the tests of one folder."""
    random.Random(1).shuffle(todo)
    parts, result = [], {}
    for j in range(jobs):
        path = "%s/todo.%d" % (folder, j)
        open(path, "w").writelines(todo[j::jobs])
        parts.append(subprocess.Popen([row_run, folder + "/" + tests, path], stdout=subprocess.PIPE, text=True))
    for p in parts:
        for line in p.communicate()[0].splitlines():
            ident, what = line.split(None, 1)
            if what.startswith("killed"):
                result[ident] = what
    return result


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--row")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rows-only", action="store_true", help="all mutants of rows, and only the tests of rows")
    o = parser.parse_args()
    build = os.path.abspath(o.build)
    ninja = ninja_variables(build)
    llvm = ninja["llvm"] + "/bin"
    folder = build + "/mutation"
    os.makedirs(folder, exist_ok=True)
    start = time.time()
    subprocess.run(["ninja", "-C", build, "mutants"], check=True, stdout=subprocess.DEVNULL)
    inputs = [here + "/" + f for f in os.listdir(here) if f.endswith(".py")] + [src + "/amdgpu/exec/" + f for f in os.listdir(src + "/amdgpu/exec") if f.endswith(".def")]
    stamp = folder + "/rows/tests.txt"
    row_run = build + "/tools/row-run"
    for tests, script in (("rows", "rows.py"), ("modifier", "modifier.py")):
        made = "%s/%s/tests.txt" % (folder, tests)
        if not os.path.exists(made) or max(map(os.path.getmtime, inputs)) > os.path.getmtime(made):
            subprocess.run([sys.executable, here + "/" + script, src, llvm, folder + "/" + tests], check=True, stdout=subprocess.DEVNULL)
        p = subprocess.run([row_run, folder + "/" + tests], capture_output=True, text=True)
        if p.returncode != 0:
            sys.exit("without a mutant tests of rows fail:\n" + p.stdout)
        print(p.stdout.strip(), flush=True)

    equivalent = {}
    for line in open(here + "/equivalent.txt"):
        if line.strip() and not line.startswith("#"):
            ident, reason = line.split(None, 1)
            equivalent[ident] = reason.strip()
    mutants = [line.split() for line in open(build + "/obj/mutants/mutants.txt")]
    unknown = set(equivalent) - {m[0] for m in mutants}
    if unknown:
        print("equivalent.txt: no longer a mutant: " + " ".join(sorted(unknown)))
    if o.rows_only:
        mutants = [m for m in mutants if m[1] == "row"]
    if o.row:
        mutants = [m for m in mutants if re.search(o.row, m[0]) or o.row in m[2].split(",")]
    if o.sample:
        mutants = random.Random(o.seed).sample(mutants, min(o.sample, len(mutants)))
    total = len(mutants)
    same = [m for m in mutants if m[0] in equivalent]
    mutants = [m for m in mutants if m[0] not in equivalent]

    tests, names = {}, []
    for i, line in enumerate(open(stamp)):
        tests.setdefault(line.split()[0], []).append(i)
        names.append(line.split()[0])
    result = {}
    todo = []
    for ident, kind, rows in mutants:
        own = sorted({t for r in rows.split(",") for t in tests.get(r, [])})
        if own or (kind == "function" and rows == "-"):
            todo.append("%s %s\n" % (ident, ",".join(map(str, own)) if own else "*"))
    result.update(killed(row_run, folder, "rows", todo, o.jobs))
    if not o.rows_only:  # what surrounds the operations
        rest = ["%s *\n" % m[0] for m in mutants if m[1] == "function" and m[0] not in result]
        result.update(killed(row_run, folder, "modifier", rest, o.jobs))
    print("%d of %d killed by tests of rows (%.0f s)" % (len(result), len(mutants), time.time() - start), flush=True)

    if not o.rows_only:
        rest = [m for m in mutants if m[0] not in result]
        known = {}
        if os.path.exists(folder + "/killers.txt"):
            known = dict(line.split() for line in open(folder + "/killers.txt"))
        cmds = commands(build, llvm, folder)
        cmds = [c for c in cmds if passes(c, "")]
        vectors = "sh %s/tests/exec/Inputs/vectors.sh %s/tools/gcn-run-mutants %s %s/tests/exec/Inputs/vectors.txt" % (src, build, src, src)
        cmds.append(Command("vectors", vectors, None, None))
        aliases = {}
        for r in mutate.rows(src):
            if r.macro == "ALIAS":
                aliases.setdefault(r.args[1], []).append(r.args[0])

        def kill(m):
            ident, kind, rows = m
            wanted = set()
            for r in rows.split(","):
                r = re.sub(r"_z$", "", r)
                wanted |= {r, re.sub(r"(iu\d)_\d$", r"\1", r)} | set(aliases.get(r, []))
            which = [c for c in cmds if (c.name == "vectors" and kind == "function" and "small" not in ident and "matrix" not in ident)
                     or rows == "-" or wanted & c.names]
            which.sort(key=lambda c: c.name != known.get(ident))
            for c in which:
                if not passes(c, ident):
                    return ident, c.name
            return ident, None

        with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
            done = open(folder + "/progress.txt", "w", 1)
            for ident, by in pool.map(kill, rest):
                done.write("%s %s\n" % (ident, by))
                if by:
                    result[ident] = "killed by " + by
                    known[ident] = by
        open(folder + "/killers.txt", "w").writelines("%s %s\n" % kv for kv in sorted(known.items()))
    survived = [m for m in mutants if m[0] not in result]
    open(folder + "/survived.txt", "w").writelines("%s %s\n" % (m[0], m[2][:100]) for m in survived)
    open(folder + "/killed.txt", "w").writelines("%s %s\n" % kv for kv in sorted(result.items()))
    per_cent = 100.0 * len(survived) / max(1, len(mutants))
    print("mutants %d, killed %d, equivalent %d (listed), survived %d (%.1f %%), %.0f s" % (total, len(result), len(same), len(survived), per_cent, time.time() - start))
    if o.sample or o.row:
        for m in survived:
            print("survived: " + m[0])
    return per_cent > LIMIT


if __name__ == "__main__":
    sys.exit(main())
