# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""coverage.py BUILD runtime|driver|device|ptx|flags|isa - what is there and what is not, read from the tables.

One line a name: `name status reason`; status is done, part (some forms, which the reason names), accepted
(taken, without effect here) or missing.
The last line counts them, on stderr.
"""
import collections
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build_info  # noqa: E402

src = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def rows(path, macros):
    """The rows of a .def: (macro, [columns]); columns are split at commas outside of brackets and quotes."""
    with open(os.path.join(src, path)) as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    for m in re.finditer(r"^(%s)\((.*)\)\s*$" % macros, text, re.M):
        columns = re.findall(r'\s*((?:"(?:\\.|[^"\\])*"|\((?:[^()]|\([^()]*\))*\)|[^,"()])+)(?:,|$)', m.group(2))
        yield m.group(1), [c.strip() for c in columns]


def text(column):
    return column[1:-1] if column.startswith('"') else column


def api(table, error, headers):
    for macro, c in rows(table, r"API\w*"):
        # the status stands before the section, which is the last column
        if macro == "API_HEADER":
            done = c[1] in ("done", "peek") or c[0] in headers
            yield c[0], "done" if done else "missing", "" if done else "no header has it"
        else:
            done = c[-2] in ("done", "peek")
            yield c[0], "done" if done else "missing", "" if done else "returns " + error


def declared(build):
    """The text that our own headers contribute to a device pass, by preprocessing them."""
    clang, include = build_info.ninja_variables(build)["clang"], os.path.join(build, "include")
    have = {}
    for header in sorted(h for h in os.listdir(include) if h.endswith(".h")):
        done = subprocess.run(
            [clang, "-x", "hip", "--cuda-device-only", "--offload-arch=gfx1100", "-nogpuinc", "-nogpulib", "-E",
             "-D__CUDACC__", "-D__CUDA_ARCH__=860", "-I" + include, "-include", "cuda_runtime.h",
             "-include", header, "/dev/null"], capture_output=True, text=True)
        ours, out = False, []
        for line in done.stdout.splitlines():
            m = re.match(r'# \d+ "(.*?)"', line)
            if m:
                ours = os.path.realpath(m.group(1)).startswith(os.path.realpath(include) + os.sep)
            elif ours:
                out.append(line)
        have[header] = set(re.findall(r"\b(\w+)\s*\(", "\n".join(out)))
        macros = subprocess.run(done.args[:-1] + ["-dM", "/dev/null"], capture_output=True, text=True).stdout
        have[header] |= set(re.findall(r"^#define (\w+)\(", macros, re.M))
    return have


def device(build):
    have = declared(build)
    for _, (name, header) in rows("stdlib/functions.def", "FUNCTION"):
        header = text(header)
        if header not in have:
            yield name, "missing", "no header " + header
        elif name in have[header]:
            yield name, "done", ""
        else:
            yield name, "missing", "not declared by " + header


def runtime(build):
    include = os.path.join(build, "include")
    names = set()
    for folder, _, files in os.walk(include):
        for f in files:
            with open(os.path.join(folder, f), errors="replace") as h:
                names |= set(re.findall(r"\b(cuda\w+)\s*\(", h.read()))
    return api("host-rt/api.def", "cudaErrorNotSupported", names)


def driver(build):
    return api("host-rt/driver.def", "CUDA_ERROR_NOT_SUPPORTED", set())


def ptx(build):
    """The base names of names.def; op.def has the forms that are lowered."""
    forms = [text(c[0]) for _, c in rows("lower/ptx/op.def", "OP")]
    names = [text(c[0]) for _, c in rows("lower/ptx/names.def", "PTX")]

    def base(form):  # the longest name that the form begins with, or has without its middle ("add.cc.u32")
        fits = [n for n in names if form == n or form.startswith(n + ".")]
        return max(fits, key=len) if fits else form.split(".")[0]

    have = collections.defaultdict(list)
    for form in forms:
        have[base(form)].append(form)
    for name in names:
        if have[name]:
            yield name, "part", " ".join(have[name])
        else:
            yield name, "missing", "a compile error at its source line"


def flags(build):
    for _, c in rows("lang/flags.def", "FLAG"):
        name, status, why = "--" + text(c[1]), c[5], text(c[-1])
        yield name, {"DONE": "done", "ACCEPTED": "accepted"}.get(status, "missing"), "" if status == "DONE" else why


def isa(build):
    """Instructions of the GPUs' disassembler (gcn-run --isa): with a row in the executor, or without, the reason; and on
    which GPUs they are. On stderr the numbers of each GPU."""
    count = collections.Counter()
    done = subprocess.run([os.path.join(build, "tools/gcn-run"), "--isa"], capture_output=True, text=True)
    if done.returncode:
        sys.exit("coverage: gcn-run --isa: " + done.stderr.strip())
    for line in done.stdout.splitlines():
        words = (line.split(None, 2) + ["", ""])[:3]
        for gpu in re.findall(r"\bgfx\w+", words[2].split(":")[-1]):
            count[gpu, words[1]] += 1
        yield words
    for gpu in sorted({g for g, _ in count}, key=lambda g: (len(g), g)):
        print("isa: %s: %d done, %d missing" % (gpu, count[gpu, "done"], count[gpu, "missing"]), file=sys.stderr)


def main(build, *what):
    tables = {f.__name__: f for f in (runtime, driver, device, ptx, flags, isa)}
    if len(what) != 1 or what[0] not in tables:
        sys.exit("coverage: one of %s" % " ".join(tables))
    count = collections.Counter()
    for name, status, reason in tables[what[0]](build):
        count[status] += 1
        print(("%s %s %s" % (name, status, reason)).rstrip())
    print("%s: %s" % (what[0], ", ".join("%d %s" % (n, s) for s, n in sorted(count.items())) or "nothing"), file=sys.stderr)
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
