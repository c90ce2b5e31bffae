# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit_formats.py - test formats for C programs.

UnitTest   tests/unit/*.c: compiled by the configured C compiler, linked with the archives that the
           line `// LINK: amdgpu base` names (obj/NAME.a), run; status 0 passes. `// NEEDS: FEATURE`
           skips the test where the feature of lit.cfg.py is missing.
FuzzTest   tests/fuzz/*.c: compiled by clang with libFuzzer and sanitizers, linked with archives built
           the same way (obj/fuzz_NAME.a). Replays tests/fuzz/corpus/NAME; then fuzzes: quick tier
           a few thousand inputs, long tier HEDDLE_FUZZ_SECONDS (300).
"""
import os
import re
import shutil
import subprocess

import lit.Test
import lit.formats
import lit.util

from build_info import ninja_variables, peer_nvcc  # noqa: F401


def sanitizer_environment(ninja):
    """What a program needs that loads our sanitized libraries without being sanitized itself."""
    env = {}
    for san, lib in (("address", "libasan.so"), ("thread", "libtsan.so")):
        if san in ninja.get("san", ""):
            env["LD_PRELOAD"] = subprocess.check_output(
                [ninja["cc"], "-print-file-name=" + lib], text=True).strip()
    if "LD_PRELOAD" in env:
        env["ASAN_OPTIONS"] = "detect_leaks=0:abort_on_error=0:verify_asan_link_order=0"
        env["TSAN_OPTIONS"] = "exitcode=66"
    if "undefined" in ninja.get("san", ""):
        env["UBSAN_OPTIONS"] = "print_stacktrace=1"
    return env


def directive(source, name):
    with open(source, errors="replace") as f:
        m = re.search(r"^(?://|/\*|\s\*) %s:\s*(.*?)\s*(?:\*/)?$" % name, f.read(4096), re.M)
    return m.group(1).split() if m else []


def execute(command, cwd, env, timeout):
    try:
        out, err, status = lit.util.executeCommand(command, cwd=cwd, env=env, timeout=timeout)
    except lit.util.ExecuteCommandTimeoutException as e:
        out, err, status = e.out, e.err, 124
    return status, "$ %s\n%s%s(status %s)\n" % (" ".join(command), out, err, status)


class ProgramTest(lit.formats.FileBasedTest):
    def execute(self, test, lit_config):
        heddle = test.config.heddle
        source = test.getSourcePath()
        missing = [n for n in directive(source, "NEEDS") if n not in test.config.available_features]
        if missing:
            return lit.Test.UNSUPPORTED, "needs " + " ".join(missing)
        program = os.path.splitext(test.getExecPath())[0]
        os.makedirs(os.path.dirname(program), exist_ok=True)
        timeout = lit_config.maxIndividualTestTime
        env = dict(test.config.environment)
        log = ""
        for command in self.commands(heddle, source, program, directive(source, "LINK"), env):
            status, text = execute(command, os.path.dirname(program), env, timeout)
            log += text
            if status == 124 and timeout:
                return lit.Test.TIMEOUT, log
            if status:
                return lit.Test.FAIL, log
        return lit.Test.PASS, log


class UnitTest(ProgramTest):
    def commands(self, heddle, source, program, archives, env):
        ninja, build = heddle["ninja"], heddle["build"]
        if "exec" in archives:
            archives = archives + ["exec_v1", "exec_v3"]
        libs = [os.path.join(build, "obj", a + ".a") for a in archives]
        flags = [f for f in ninja["cflags"].split() if f not in ("-Iobj", "-fvisibility=hidden")
                 and not f.startswith(("-O", "-Wmissing-pro"))]
        env["HEDDLE_BUILD"], env["HEDDLE_SRC"] = build, heddle["src"]
        yield ([ninja["cc"]] + flags + ["-O1", "-g", "-I" + os.path.join(build, "obj")] +
               ninja.get("san", "").split() + [source, "-o", program, "-Wl,--start-group"] + libs +
               ["-Wl,--end-group", "-pthread", "-ldl", "-lm", "-lstdc++"])
        yield [program]


class FuzzTest(ProgramTest):
    def commands(self, heddle, source, program, archives, env):
        ninja, build, tier = heddle["ninja"], heddle["build"], heddle["tier"]
        libs = [os.path.join(build, "obj", "fuzz_" + a + ".a") for a in archives]
        if "exec" in archives:
            libs += [os.path.join(build, "obj", a + ".a") for a in ("exec_v1", "exec_v3")]
        yield ([ninja["clang"], "-std=c11", "-D_GNU_SOURCE", "-g", "-O1", "-I" + heddle["src"],
                "-I" + os.path.join(build, "obj"), "-fsanitize=fuzzer,address,undefined",
                "-fno-sanitize-recover=undefined", source, "-o", program, "-Wl,--start-group"] + libs +
               ["-Wl,--end-group", "-pthread", "-ldl", "-lm", "-lstdc++"])
        name = os.path.splitext(os.path.basename(source))[0]
        corpus = os.path.join(heddle["src"], "tests", "fuzz", "corpus", name)
        seeds = [os.path.join(corpus, f) for f in sorted(os.listdir(corpus))] if os.path.isdir(corpus) else []
        env["ASAN_OPTIONS"] = "detect_leaks=1"
        if seeds:
            yield [program] + seeds
        work = program + ".corpus"
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        for seed in seeds:
            shutil.copy(seed, work)
        common = [program, "-seed=1", "-print_final_stats=1", "-artifact_prefix=" + program + ".crash-"]
        if tier == "long":
            yield common + ["-max_total_time=" + os.environ.get("HEDDLE_FUZZ_SECONDS", "300"), work]
        else:
            yield common + ["-max_total_time=30", "-runs=%d" % (3000 if tier == "quick" else 100000), work]
