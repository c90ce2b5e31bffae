# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit.cfg.py - how lit finds and runs the tests of Heddle.

A test is one file in the folder that mirrors its source. Most are RUN lines with the substitutions
below; tests/unit and tests/fuzz are C programs with a format of their own (lit_formats.py).
Parameters: build=FOLDER (default ../build), tier=quick|default|long. A test that is too slow for the
quick tier says `REQUIRES: tier-default`, one for the long tier only `REQUIRES: tier-long`.
"""
import importlib.util
import os
import sys

import lit.formats

src = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(src, "tests"))
import lit_formats  # noqa: E402

build = os.path.abspath(lit_config.params.get("build", os.path.join(src, "build")))
tier = lit_config.params.get("tier", "default")
ninja = lit_formats.ninja_variables(build)
llvm = os.path.join(ninja["llvm"], "bin")

config.name = "heddle"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".cu", ".ll", ".s", ".test"]
config.excludes = ["Inputs", "corpus", "bench", "apps"]
config.test_source_root = os.path.join(src, "tests")
config.test_exec_root = os.path.join(build, "tests")
if tier != "long" and importlib.util.find_spec("psutil"):  # lit ends a test's processes through it
    lit_config.maxIndividualTestTime = 600

env = config.environment
env["HEDDLE_TESTS"] = "1"
env["LC_ALL"] = "C"
for name in ("HEDDLE_DEVICE", "HEDDLE_TARGET", "HEDDLE_LOG"):
    env.pop(name, None)
if "HEDDLE_EXEC_DELAY" in os.environ:  # all tests in that mode of the executor
    env["HEDDLE_EXEC_DELAY"] = os.environ["HEDDLE_EXEC_DELAY"]
sanitized = lit_formats.sanitizer_environment(ninja)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in sanitized:
        env[name] = sanitized[name]
if "LD_PRELOAD" in sanitized:  # only the programs under test: clang must not see it
    env["HEDDLE_PRELOAD"] = sanitized["LD_PRELOAD"]

config.heddle = {"src": src, "build": build, "tier": tier, "ninja": ninja, "llvm": llvm}


def tool(pattern, path):
    config.substitutions.append((pattern, path))


tool(r"%nvcc\b", os.path.join(build, "bin/nvcc"))
tool(r"%heddle\b", os.path.join(build, "bin/heddle"))
tool(r"%low\b", os.path.join(build, "tools/low"))
tool(r"%gcnrun\b", os.path.join(build, "tools/gcn-run"))
tool(r"%clangxx\b", os.path.join(llvm, "clang++"))
tool(r"%clang\b", os.path.join(llvm, "clang"))
tool(r"%opt\b", os.path.join(llvm, "opt"))
tool(r"%FileCheck\b", os.path.join(llvm, "FileCheck"))
tool(r"%llvm\b", llvm)
tool(r"%python\b", sys.executable)
tool(r"%build\b", build)
tool(r"%src\b", src)
tool(r"%preload\b", sanitized.get("LD_PRELOAD", ""))
# %run_both FILE.cu… [nvcc flags] [-- program arguments]: compiled once for both targets, run on both
tool(r"%run_both\b", "%s %s/run_both.py %s %%t.dir" % (sys.executable, config.test_source_root, build))
env["PATH"] = os.pathsep.join([llvm, env.get("PATH", os.environ["PATH"])])

if tier in ("default", "long"):
    config.available_features.add("tier-default")
if tier == "long":
    config.available_features.add("tier-long")
for san in ("address", "undefined", "thread"):
    if san in ninja.get("san", ""):
        config.available_features.add(san)
if lit_formats.peer_nvcc(build):
    config.available_features.add("peer-nvcc")
