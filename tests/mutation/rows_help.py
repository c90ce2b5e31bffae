# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows_help.py - tests of instructions that look at other lanes or at registers by number: one each, with all lanes on
("RDNA3 ISA" 16, "RDNA4 ISA" 16, LLVM's guide for gfx950). Other patterns of lanes: modifier_lanes.py."""
from rows_flow import flow_test

SELECT = 0x89abcdef << 32 | 0x01324567  # a nibble a lane
WORD = 0x12345678


def lanes(gpu):
    """name: (lines before, operands, v40 of lane i by the rows that v4 and v5 hold)"""
    w = gpu.wave
    both = ["v_mov_b32 v40, v4", "v_mov_b32 v41, v5"]
    pick = lambda a, i, row, nibble: a[i & ~15 ^ row | nibble]
    select = ["s_mov_b32 s20, 0x%x" % (SELECT & 0xffffffff), "s_mov_b32 s21, 0x%x" % (SELECT >> 32)]
    nibble = lambda i: SELECT >> 4 * (i % 16) & 15
    ternary = lambda a, b: a & b | ~a & WORD
    low = ["v_and_b32 v6, 15, v5"]
    address = ["v_and_b32 v6, 0x7c, v5"]
    relative = lambda m: ["s_mov_b32 m0, 0x%x" % m, "s_nop 4"]
    back = {3 * i % w: i for i in range(w)}
    return {
        "ds_bpermute_b32": (address, "v40, v6, v4", lambda a, b, i: a[b[i] >> 2 & 31]),
        "ds_bpermute_fi_b32": (address, "v40, v6, v4", lambda a, b, i: a[b[i] >> 2 & 31]),
        "ds_permute_b32": (["v_mul_u32_u24 v6, 3, v0", "v_and_b32 v6, 0x%x, v6" % (4 * w - 4)], "v40, v6, v4", lambda a, b, i: a[back[i]]),
        "ds_swizzle_b32": ([], "v40, v4 offset:0x41f", lambda a, b, i: a[i ^ 1]),
        "v_bitop3_b32": (["v_mov_b32 v6, 0x%x" % WORD], "v40, v4, v5, v6 bitop3:0xca", lambda a, b, i: ternary(a[i], b[i])),
        "v_bitop3_b16": (["v_mov_b32 v6, 0x%x" % WORD], "v40, v4, v5, v6 bitop3:0xca", lambda a, b, i: ternary(a[i], b[i]) & 0xffff),
        "v_readlane_b32": ([], "s20, v4, 3", lambda a, b, i: a[3]),
        "v_readfirstlane_b32": ([], "s20, v4", lambda a, b, i: a[0]),
        "v_writelane_b32": (["v_mov_b32 v40, v5", "s_mov_b32 s20, 0x77"], "v40, s20, 3", lambda a, b, i: 0x77 if i == 3 else b[i]),
        "v_mbcnt_lo_u32_b32": ([], "v40, -1, v5", lambda a, b, i: b[i] + min(i, 32)),
        "v_mbcnt_hi_u32_b32": ([], "v40, -1, v5", lambda a, b, i: b[i] + max(i - 32, 0)),
        "v_permlane16_b32": (select, "v40, v4, s20, s21", lambda a, b, i: pick(a, i, 0, nibble(i))),
        "v_permlanex16_b32": (select, "v40, v4, s20, s21", lambda a, b, i: pick(a, i, 16, nibble(i))),
        "v_permlane16_var_b32": (low, "v40, v4, v6", lambda a, b, i: pick(a, i, 0, b[i] & 15)),
        "v_permlanex16_var_b32": (low, "v40, v4, v6", lambda a, b, i: pick(a, i, 16, b[i] & 15)),
        "v_permlane16_swap_b32": (both, "v40, v41", lambda a, b, i: b[i - 16] if i & 16 else a[i]),
        "v_permlane32_swap_b32": (both, "v40, v41", lambda a, b, i: b[i - 32] if i & 32 else a[i]),
        "v_swap_b32": (both, "v40, v41", lambda a, b, i: b[i]),
        "v_movrels_b32": (relative(1), "v40, v4", lambda a, b, i: b[i]),
        "v_movreld_b32": (relative(1), "v39, v4", lambda a, b, i: a[i]),
        "v_movrelsd_b32": (relative(1), "v39, v4", lambda a, b, i: b[i]),
        "v_movrelsd_2_b32": (relative(0x20001), "v38, v4", lambda a, b, i: b[i]),
        "v_swaprel_b32": (relative(0x20001), "v38, v4", lambda a, b, i: b[i]),
    }


def help_plan(row, gpu, names):
    found = lanes(gpu).get(row.name)
    if not found:
        return []
    before, operands, f = found
    after = list(gpu.wait)
    if operands.startswith("s20"):
        after.append("v_mov_b32 v40, s20")
    if row.name == "v_bitop3_b16":
        after.append("v_and_b32 v40, 0xffff, v40")
    out = []
    for name in names:
        text = name + " " + operands
        out.append((text, lambda text=text: flow_test(gpu, row, before + ["s_nop 4", text] + after, f)))
    return out
