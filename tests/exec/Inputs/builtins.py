# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""builtins.py CLANG TARGET OUT - device code with a call of each builtin that clang has for the GPU.

The builtins and their types are read from clang's own table (BuiltinsAMDGPU.def beside its headers); those that
need what the executor refuses by design (textures, graphics, global wave sync, ray tracing, named barriers) are
left out, and so are those that clang takes for a GPU but cannot select there. Constant arguments are 0 unless a builtin
wants another.
"""
import os
import re
import sys

LEFT_OUT = r"image_|interp_|ds_gws|bvh|ds_ordered|exp|lds_direct|lds_param|r600|s_barrier_(init|join|leave|signal_var)|" \
    r"get_named_barrier|make_buffer_rsrc|wave_reduce|sched|iglp|_f64_|endpgm|s_sendmsghalt|s_ttrace|" \
    r"set_fpenv|get_fpenv|cluster|atomic_inc|atomic_dec|raw_buffer_(load|store)|s_setprio_inc|wavefrontsize|log_clamp|rsq_clamp|trig_preopf"
UNSELECTABLE = {  # by the beginning of the GPU's name
    "gfx908": r"bf16_1k|mfma_f64|x(32|16)_i8$|xf32|smfmac", "gfx90a": r"x(32|16)_i8$|xf32|smfmac",
    "gfx94": r"buffer_wbinvl1|mfma_i32_(32x32x8|16x16x16)i8|mfma_f32_.*(x2|2x4|6x8)bf16$",
    "gfx950": r"buffer_wbinvl1|mfma_i32_(32x32x8|16x16x16)i8|mfma_f32_.*(x2|2x4|6x8)bf16$|xf32|fdot2c",
    "gfx1": r"buffer_wbinvl1|s_dcache_inv_vol|s_dcache_wb$", "gfx12": r"wmma_.*_w(32|64)$",
}
CONSTANTS = {"fence": None, "ds_swizzle": "0x041f", "s_getreg": "0x1801", "s_waitcnt": "0", "s_sendmsg_rtn": "131",
             "s_sendmsg_rtnl": "131", "load_to_lds": "4", "global_load_lds": "4", "raw_ptr_buffer_load_lds": "4",
             "struct_ptr_buffer_load_lds": "4", "s_setreg": None, "s_sendmsg": None, "uicmp": "32", "uicmpl": "32", "sicmp": "32", "sicmpl": "32",
             "fcmp": "1", "fcmpf": "1", "s_barrier_signal": "-1", "s_barrier_wait": "-1", "s_barrier_signal_isfirst": "-1",
             "s_get_barrier_state": None, "s_barrier": None, "s_wait_event_export_ready": None}
NAMES = {"b": "bool", "c": "char", "s": "short", "i": "int", "Zi": "int", "Wi": "long", "f": "float", "d": "double", "h": "__fp16",
         "x": "_Float16", "y": "__bf16", "v": "void", "Qb": "__amdgpu_buffer_rsrc_t"}
TYPE = re.compile(r"(I?)(?:[VE](\d+))?([US]*)(WUi|ZUi|UWi|UZi|Wi|Zi|Qb|UIi|[bcsifdhxyv])(?:C?D?)((?:\*\d*)?)")


def types(text):
    """[(element type, vector length or None, address space of a pointer or None, is constant)]; None: not all understood."""
    out, at = [], 0
    while at < len(text):
        m = TYPE.match(text, at)
        if not m:
            return None
        const, vector, sign, base, pointer = m.groups()
        at = m.end()
        unsigned = "U" in sign or "U" in base
        const = bool(const) or "I" in base
        base = re.sub("[UI]", "", base) if base not in NAMES else base
        name = ("signed " if "S" in sign else "unsigned " if unsigned else "") + NAMES[base]
        out.append((name, vector, (pointer[1:] or "0") if pointer else None, const))
    return out


def declare(t, alias):
    name, vector, space, _ = t
    if space is None:
        return "typedef %s %s%s;" % (name, alias, " __attribute__((ext_vector_type(%s)))" % vector if vector else "")
    target = "E" + alias
    place = " __attribute__((address_space(%s)))" % space if space != "0" else ""
    return declare((name, vector, None, False), target) + " typedef %s%s *%s;" % (target, place, alias)


def main(clang, target, out):
    unselectable = [v for k, v in UNSELECTABLE.items() if target.startswith(k)]
    folder = os.path.dirname(os.path.dirname(os.path.realpath(clang)))
    code, count, unknown = [], 0, []
    with open(os.path.join(folder, "include/clang/Basic/BuiltinsAMDGPU.def")) as f:
        table = f.read()
    for m in re.finditer(r'^(?:TARGET_)?BUILTIN\(__builtin_amdgcn_(\w+),\s*"([^"]+)",\s*"[^"]*"(?:,\s*"([^"]*)")?', table, re.M):
        name, kind, needs = m.groups()
        constant = CONSTANTS.get(name, "0")
        if any(re.search(r, name) for r in [LEFT_OUT] + unselectable) or "gfx1250" in (needs or "") or constant is None:
            continue
        parsed = types(kind)
        if parsed is None:
            unknown.append(name)
            continue
        values, params = [], []
        code.append("#if __has_builtin(__builtin_amdgcn_%s)" % name)
        for k, t in enumerate(parsed[1:]):
            if t[3]:
                values.append(constant)
                constant = "0"
            else:
                code.append(declare(t, "T%s_%d" % (name, k)))
                values.append("*p%d" % k)
                params.append("T%s_%d *p%d" % (name, k, k))
        call = "__builtin_amdgcn_%s(%s)" % (name, ", ".join(values))
        code.append('extern "C" __attribute__((global)) void k_%s(%s) {' % (name, ", ".join(["void *o"] + params)))
        code.append("\t%s;" % call if parsed[0][0] == "void" else "\tauto r = %s; __builtin_memcpy(o, &r, sizeof(r));" % call)
        code.append("}\n#endif")
        count += 1
    with open(out, "w") as f:
        f.write("\n".join(code) + "\n")
    print("%d builtins, not understood: %s" % (count, " ".join(unknown) or "none"))


if __name__ == "__main__":
    main(*sys.argv[1:])
