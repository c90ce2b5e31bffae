# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows_flow.py - tests of instructions whose row is only a name: branches, calls, waits, state, and those that do nothing."""
import random
import re

from rows_kernel import DST, M32, advance, loop

YES, NO = 0x11, 0x22
FORMS = ["", " 0", " 0x0", " null, 0x0", " vmcnt(0)", " -1", " instid0(VALU_DEP_1)", " s[4:5], 0x0, null, 0", " s[12:15], 0x0, null, 0", " 0x0, null, 0",
         " s[4:5], 0x0", " 0x0, s[4:5]", " scope:SCOPE_DEV", " sc1", " s20", " s[20:21]", " s20, -1", " s20, sendmsg(MSG_RTN_GET_TMA)",
         " s[20:21], sendmsg(MSG_RTN_GET_REALTIME)", " sendmsg(MSG_INTERRUPT)", " 0x0 scope:SCOPE_DEV",
         " 7, s[12:15], 0x0", " 0x1"]
MODE = "hwreg(HW_REG_MODE, 0, 2)"
# 1 + 1.5 * 2^-24: the nearest number is the next one, that towards 0 is 1
ROUND = ["v_mov_b32 v6, 0x3f800000", "v_add_f32 v40, 0x33c00000, v6"]


def snippet(name, gpu):
    """Lines, and what v40 holds then: a number, or the first register of the two that are loaded."""
    mask = lambda r, v: "s_mov_b%d %s, %d" % (gpu.wave, r, v)
    branch = {"s_branch": [("s_nop 0", True)], "s_cbranch_scc0": [("s_cmp_eq_u32 s20, s20", False), ("s_cmp_lg_u32 s20, s20", True)],
              "s_cbranch_vccz": [(mask(gpu.vcc, 0), True), (mask(gpu.vcc, 1), False)], "s_cbranch_execz": [(mask(gpu.exec, 0), True), (mask(gpu.exec, 1), False)]}
    for a, b in (("scc0", "scc1"), ("vccz", "vccnz"), ("execz", "execnz")):
        branch["s_cbranch_" + b] = [(s, not t) for s, t in branch["s_cbranch_" + a]]
    result = lambda r: [mask(gpu.exec, -1), "v_mov_b32 v40, " + r]
    here = ["s_getpc_b64 s[20:21]", "G@:", "s_add_u32 s20, s20, T@-G@", "s_addc_u32 s21, s21, 0"]
    call = ["s_add_u32 s24, s24, 1", "s_branch E@", "T@:", "s_add_u32 s24, s24, 16", "s_setpc_b64 s[22:23]", "E@:"] + result("s24")
    if name in branch:
        lines, want = ["s_mov_b32 s20, 0"], 0
        for k, (setup, taken) in enumerate(branch[name]):
            lines += ["s_mov_b32 s2%d, 0x%x" % (2 + k, YES), setup, "s_nop 4", "%s T%d@" % (name, k), "s_mov_b32 s2%d, 0x%x" % (2 + k, NO), "T%d@:" % k]
            want |= (YES if taken else NO) << 8 * k
        return lines + ["s_lshl_b32 s23, s23, 8", "s_or_b32 s22, s22, s23"] + result("s22") if len(branch[name]) > 1 else lines + result("s22"), want
    table = {
        "s_getpc_b64": (["s_mov_b32 s20, 7", "s_mov_b32 s22, 9", "s_getpc_b64 s[20:21]", "s_getpc_b64 s[22:23]", "s_sub_u32 s20, s22, s20"] + result("s20"), 4),
        "s_setpc_b64": (["s_mov_b32 s24, 17"] + here + ["s_setpc_b64 s[20:21]", "s_mov_b32 s24, 34", "T@:"] + result("s24"), 17),
        "s_swappc_b64": (["s_mov_b32 s24, 0"] + here + ["s_swappc_b64 s[22:23], s[20:21]"] + call, 17),
        "s_call_b64": (["s_mov_b32 s24, 0", "s_call_b64 s[22:23], T@"] + call, 17),
        "s_setreg_b32": (["s_mov_b32 s20, 3", "s_setreg_b32 %s, s20" % MODE] + ROUND, 0x3f800000),
        "s_setreg_imm32_b32": (["s_setreg_imm32_b32 %s, 3" % MODE] + ROUND, 0x3f800000),
        "s_round_mode": (["s_round_mode 0x3"] + ROUND, 0x3f800000),
        "s_denorm_mode": (["s_denorm_mode 0xc", "v_mov_b32 v6, 0x800000", "v_mul_f32 v40, 0.5, v6"], 0),
        "s_getreg_b32": (["s_getreg_b32 s20, hwreg(HW_REG_MODE, 4, 4)"] + result("s20"), 15),
        "s_movrels_b32": (["s_mov_b32 m0, 2", "s_mov_b32 s18, 99", "s_nop 4", "s_movrels_b32 s20, s16"] + result("s20"), 99),
        "s_movreld_b32": (["s_mov_b32 m0, 2", "s_mov_b32 s16, 99", "s_mov_b32 s22, 5", "s_nop 4", "s_movreld_b32 s20, s16"] + result("s22"), 99),
        "s_movrels_b64": (["s_mov_b32 m0, 2", "s_mov_b32 s19, 99", "s_nop 4", "s_movrels_b64 s[20:21], s[16:17]"] + result("s21"), 99),
        "s_movreld_b64": (["s_mov_b32 m0, 2", "s_mov_b32 s17, 99", "s_mov_b32 s23, 5", "s_nop 4", "s_movreld_b64 s[20:21], s[16:17]"] + result("s23"), 99),
        "s_movrelsd_2_b32": (["s_mov_b32 m0, 0x20003", "s_mov_b32 s19, 99", "s_mov_b32 s22, 5", "s_nop 4", "s_movrelsd_2_b32 s20, s16"] + result("s22"), 99),
        "s_set_gpr_idx_on": (["s_mov_b32 s20, 1", "s_set_gpr_idx_on s20, gpr_idx(SRC0)", "v_mov_b32 v40, v4", "s_set_gpr_idx_off"], "v5"),
        "s_set_gpr_idx_off": (["s_mov_b32 s20, 1", "s_set_gpr_idx_on s20, gpr_idx(SRC0)", "s_set_gpr_idx_off", "v_mov_b32 v40, v4"], "v4"),
        "s_set_gpr_idx_idx": (["s_mov_b32 s20, 1", "s_set_gpr_idx_on s21, gpr_idx(SRC0)", "s_set_gpr_idx_idx s20", "v_mov_b32 v40, v4", "s_set_gpr_idx_off"], "v5"),
        "s_set_gpr_idx_mode": (["s_mov_b32 s20, 1", "s_set_gpr_idx_on s20, gpr_idx(DST)", "s_set_gpr_idx_mode gpr_idx(SRC0)", "v_mov_b32 v40, v4", "s_set_gpr_idx_off"], "v5"),
    }
    return table.get(name)


def flow_plan(row, gpu, names):
    name = row.name
    if name in ("s_trap", "s_sethalt", "s_sendmsghalt"):  # end in a fault
        return []
    found = snippet(name, gpu)
    if found:
        use = next(l for l in found[0] if l.startswith(name + " ") or l == name)
        return [(re.sub(r"T\d?@", "0", use), lambda: flow_test(gpu, row, *found))]
    if name.startswith("s_endpgm"):
        return [(name, lambda: flow_test(gpu, row, ["v_mov_b32 v40, 0x11"], YES, [name, "v_mov_b32 v40, 0x22"]))]
    out = []
    for form in [" -1", " s20, -1"] if "barrier_" in name else FORMS:  # -1: the workgroup's own
        before = ["s_barrier_signal -1"] if name == "s_barrier_wait" else []
        after = ["s_barrier_wait -1"] if name.startswith("s_barrier_signal") else []
        lines = ["s_mov_b32 s20, 0", "s_mov_b32 s12, s4", "s_mov_b32 s13, s5", "v_mov_b32 v40, v4"] + before + [name + form] + gpu.wait + after
        out.append((name + form, lambda lines=lines: flow_test(gpu, row, lines, "v4")))
    return out


def flow_test(gpu, row, lines, want, end=()):
    n = str(len(gpu.kernels))
    body = []
    for r in (4, 5):
        body += ["%s v%d, v0, s[4:5]" % (gpu.load, r)] + advance()
    body += gpu.wait + lines + ["%s v0, v%d, s[4:5]" % (gpu.store, DST)]
    body += list(end) + ["%s v0, v%d, s[4:5]" % (gpu.store, DST)]
    kernel = "k" + n
    gpu.kernels.append((kernel, loop(gpu, [l.replace("@", "_" + n) for l in body], 1), 0, 0))
    rnd = random.Random(row.name)
    rows = {"v%d" % r: [rnd.getrandbits(32) for _ in range(gpu.wave)] for r in (4, 5)}
    ins = rows["v4"] + rows["v5"]
    if callable(want):
        out = [want(rows["v4"], rows["v5"], i) & M32 for i in range(gpu.wave)]
    else:
        out = rows[want] if isinstance(want, str) else [want & M32] * gpu.wave
    gpu.tests.append((row.name, kernel, ins + [0] * gpu.wave, ins + out, ["."] * len(ins) + ["x"] * gpu.wave))
