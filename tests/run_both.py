# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_both.py BUILD FOLDER [--status N] [--no-compare] [--targets LIST|all] FILE.cu… [nvcc flags] [-- arguments]

Compiles a program once for two targets of the executor, or for all, and runs it on each. All runs must end with
status N (0) and, but for --no-compare, print the same; what the first one printed is passed on.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys


def fail(text):
    sys.exit("run_both: " + text)


def main(build, folder, *rest):
    rest, status, compare, targets = list(rest), 0, True, "gfx1100,gfx90a"
    while rest and rest[0].startswith("--"):
        option = rest.pop(0)
        if option == "--status":
            status = int(rest.pop(0))
        elif option == "--no-compare":
            compare = False
        elif option == "--targets":
            targets = rest.pop(0)
            if targets == "all":
                with open(os.path.join(os.path.dirname(__file__), "../amdgpu/targets.def")) as f:
                    targets = ",".join(re.findall(r"^TARGET\((\w+),", f.read(), re.M))
        else:
            fail("unknown option " + option)
    at = rest.index("--") if "--" in rest else len(rest)
    flags, arguments = rest[:at], rest[at + 1:]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    program = os.path.join(folder, "program")
    if subprocess.call([os.path.join(build, "bin/nvcc"), "-arch=" + targets, "-o", program] + flags):
        fail("does not compile")
    first = None
    for target in targets.split(","):
        env = dict(os.environ, HEDDLE_DEVICE="exec:" + target)
        if "HEDDLE_PRELOAD" in env:
            env["LD_PRELOAD"] = env["HEDDLE_PRELOAD"]
        done = subprocess.run([program] + arguments, cwd=folder, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace")
        if done.returncode != status:
            sys.stderr.write(done.stdout + done.stderr)
            fail("%s: status %d, not %d" % (target, done.returncode, status))
        if first is None:
            first = done
            sys.stdout.write(done.stdout)
            sys.stderr.write(done.stderr)
        elif compare and done.stdout != first.stdout:
            sys.stderr.writelines(difflib.unified_diff(
                first.stdout.splitlines(True), done.stdout.splitlines(True), *targets.split(",")[:2]))
            fail("the targets print different things")


if __name__ == "__main__":
    main(*sys.argv[1:])
