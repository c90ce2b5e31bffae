# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""build_info.py - what the tests and benches ask about the build folder and the machine."""
import os
import re
import shutil


def ninja_variables(build):
    """The `name = value` lines of build.ninja."""
    with open(os.path.join(build, "build.ninja")) as f:
        pairs = re.findall(r"^(\w+) = (.*)$", f.read(), re.M)
    variables = {}
    for name, value in pairs:
        expanded = re.sub(r"\$(\w+)", lambda m: variables.get(m.group(1), m.group(0)), value)
        variables.setdefault(name, expanded)
    return variables


def peer_nvcc(build):
    """NVIDIA's nvcc, to compare with: HEDDLE_PEER_NVCC, else one on PATH that is not ours."""
    path = os.environ.get("HEDDLE_PEER_NVCC") or shutil.which("nvcc")
    if not path or os.path.realpath(path).startswith(os.path.realpath(build) + os.sep):
        return None
    return path
