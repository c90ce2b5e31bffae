#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""differential.py OUT [EVERY] - small functions in LLVM IR, one an operation and type, as device.ll and host.ll.

Function N reads its operands a, c, d from memory at an offset of its lane and b from memory at an offset that
is the same for all lanes, and stores one result. In device.ll it is a kernel, in host.ll a function that is called
once a lane. Operations whose result is undefined for some operands get those operands masked. functions.txt
says how results are compared: exact, `nan` (any NaN equals any NaN), or `zero` (as nan, and -0 equals 0).
With EVERY only each EVERYth function is written.
"""
import sys

WIDTH = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "half": 16, "bfloat": 16, "float": 32, "double": 64}
SHORT = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}
bodies, declarations, how = [], set(), []


def vector(t, k):
    return t if k == 1 else "<%d x %s>" % (k, t)


def mangled(t, k):
    return ("" if k == 1 else "v%d" % k) + SHORT.get(t, t)


def splat(t, k, v):
    return str(v) if k == 1 else "<%s>" % ", ".join("%s %s" % (t, v) for _ in range(k))


def add(t, k, lines, result, result_type=None, compare="exact"):
    T = vector(t, k)
    head = ["%pa = getelementptr {T}, {P} %p, i32 %t", "%a = load {T}, {P} %pa",
            "%pb0 = getelementptr {T}, {P} %p, i32 %i", "%pb = getelementptr i8, {P} %pb0, i32 64", "%b = load {T}, {P} %pb",
            "%pe = getelementptr i8, {P} %pb, i32 64", "%e = load {T}, {P} %pe",
            "%pc = getelementptr i8, {P} %pa, i32 1024", "%c = load {T}, {P} %pc",
            "%pd = getelementptr i8, {P} %pa, i32 2048", "%d = load {T}, {P} %pd"]
    tail = ["%pr0 = getelementptr [8 x i64], {P} %p, i32 %t", "%pr = getelementptr i8, {P} %pr0, i32 401408",
            "store {R} " + result + ", {P} %pr"]
    text = "\n".join("  " + s for s in head + lines + tail)
    bodies.append(text.replace("{T}", T).replace("{R}", result_type or T))
    how.append("%s %s %s %s" % (compare, T, result_type or T, " ; ".join(lines).replace("{T}", T)))


def call(name, T, args, result=None):
    declarations.add("declare %s @%s(%s)" % (result or T, name, ", ".join(a.rsplit(" ", 1)[0] if not a.startswith("i1 ") else "i1" for a in args)))
    return "call %s @%s(%s)" % (result or T, name, ", ".join(args))


def integers():
    for t in ("i8", "i16", "i32", "i64"):
        w = WIDTH[t]
        for k in (1, 2, 3, 4):
            T, M = vector(t, k), mangled(t, k)
            for x, y in (("a", "d"), ("a", "b"), ("b", "e"), ("b", "a")):
                for op in "add sub mul and or xor".split():
                    add(t, k, ["%%r = %s {T} %%%s, %%%s" % (op, x, y)], "%r")
                for op in "shl lshr ashr".split():
                    add(t, k, ["%%n = and {T} %%%s, %s" % (y, splat(t, k, w - 1)), "%%r = %s {T} %%%s, %%n" % (op, x)], "%r")
                if k <= 2:
                    for op in "sdiv udiv srem urem".split():
                        add(t, k, ["%%n1 = lshr {T} %%%s, %s" % (y, splat(t, k, 1)), "%%n = or {T} %%n1, %s" % splat(t, k, 1),
                                   "%%r = %s {T} %%%s, %%n" % (op, x)], "%r")
                for f in "smin smax umin umax sadd.sat uadd.sat ssub.sat usub.sat".split():
                    add(t, k, ["%r = " + call("llvm.%s.%s" % (f, M), T, ["%s %%%s" % (T, x), "%s %%%s" % (T, y)])], "%r")
                for cc in "eq ne slt ult sge uge sgt ule".split():
                    add(t, k, ["%%q = icmp %s {T} %%%s, %%%s" % (cc, x, y), "%%r = select %s %%q, {T} %%c, {T} %%e" % vector("i1", k)], "%r")
            for s in "ab":
                for f in ["ctpop", "bitreverse"] + (["bswap"] if w > 8 else []):
                    add(t, k, ["%r = " + call("llvm.%s.%s" % (f, M), T, ["%s %%%s" % (T, s)])], "%r")
                for f in "ctlz cttz abs".split():
                    add(t, k, ["%r = " + call("llvm.%s.%s" % (f, M), T, ["%s %%%s" % (T, s), "i1 false"])], "%r")
                for f in "fshl fshr".split():
                    add(t, k, ["%r = " + call("llvm.%s.%s" % (f, M), T, ["%s %%%s" % (T, s), T + " %c", T + " %d"])], "%r")
            for two in (("mul", "add"), ("add", "add"), ("shl7", "add"), ("add", "shl7"), ("and", "or"), ("or", "or"), ("xor", "add"),
                        ("smin", "smax"), ("umin", "umax"), ("sub", "sub"), ("xor", "xor"), ("shl7", "or")):
                for z in "cb":
                    ops = []
                    for n, op in enumerate(two):
                        x, y = ("%a", "%d") if n == 0 else ("%x", "%" + z)
                        if op == "shl7":
                            op, y = "shl", splat(t, k, 3)
                        to = "%x" if n == 0 else "%r"
                        ops.append("%s = %s" % (to, call("llvm.%s.%s" % (op, M), T, [T + " " + x, T + " " + y]) if op[1:] in ("min", "max")
                                                 else "%s {T} %s, %s" % (op, x, y)))
                    add(t, k, ops, "%r")
            add(t, k, ["%%n = and {T} %%d, %s" % splat(t, k, w - 1), "%%m = shl {T} %s, %%n" % splat(t, k, 1), "%%o = sub {T} %%m, %s" % splat(t, k, 1),
                       "%r = and {T} %a, %o"], "%r")
            add(t, k, ["%x = and {T} %a, %d", "%%na = xor {T} %%a, %s" % splat(t, k, -1), "%y = and {T} %na, %c", "%r = or {T} %x, %y"], "%r")
    for wide, narrow in (("i32", "i64"), ("i16", "i32")):
        for ext in ("zext", "sext"):
            add(wide, 1, ["%%x = %s {T} %%a to %s" % (ext, narrow), "%%y = %s {T} %%d to %s" % (ext, narrow), "%%r = mul %s %%x, %%y" % narrow], "%r", narrow)
            add(wide, 1, ["%%x = %s {T} %%a to %s" % (ext, narrow), "%%y = %s {T} %%d to %s" % (ext, narrow), "%%z = mul %s %%x, %%y" % narrow,
                          "%%h = lshr %s %%z, %d" % (narrow, WIDTH[wide]), "%%r = trunc %s %%h to {T}" % narrow], "%r")
            add(wide, 1, ["%%x = %s {T} %%a to %s" % (ext, narrow), "%%y = %s {T} %%d to %s" % (ext, narrow), "%%z = mul %s %%x, %%y" % narrow,
                          "%%w = %s {T} %%c to %s" % (ext, narrow), "%%r = add %s %%z, %%w" % narrow], "%r", narrow)
    for shift in ("ashr", "lshr"):  # 24 bits
        narrow = ["%x1 = shl i32 %a, 8", "%%x = %s i32 %%x1, 8" % shift, "%y1 = shl i32 %d, 8", "%%y = %s i32 %%y1, 8" % shift]
        add("i32", 1, narrow + ["%r = mul i32 %x, %y"], "%r")
        add("i32", 1, narrow + ["%z = mul i32 %x, %y", "%r = add i32 %z, %c"], "%r")


def floats():
    for t in ("half", "bfloat", "float", "double"):
        for k in (1, 2, 3, 4):
            T, M, B = vector(t, k), mangled(t, k), vector("i1", k)
            for x, y in (("a", "d"), ("a", "b"), ("b", "e")):
                for op in "fadd fsub fmul fdiv".split():
                    add(t, k, ["%%r = %s {T} %%%s, %%%s" % (op, x, y)], "%r", compare="nan")
                    add(t, k, ["%%n = fneg {T} %%%s" % x, "%%r = %s {T} %%n, %%%s" % (op, y)], "%r", compare="nan")
                    add(t, k, ["%n = " + call("llvm.fabs." + M, T, ["%s %%%s" % (T, y)]), "%%r = %s {T} %%%s, %%n" % (op, x)], "%r", compare="nan")
                for f in "minnum maxnum minimum maximum minimumnum maximumnum".split():
                    if t == "bfloat":
                        continue
                    q = ["%%x = fmul {T} %%%s, %s" % (x, splat(t, k, "1.0")), "%%y = fmul {T} %%%s, %s" % (y, splat(t, k, "1.0"))]
                    add(t, k, q + ["%r = " + call("llvm.%s.%s" % (f, M), T, [T + " %x", T + " %y"])], "%r",
                        compare="zero" if f in ("minnum", "maxnum") else "nan")
                add(t, k, ["%r = " + call("llvm.copysign." + M, T, ["%s %%%s" % (T, x), "%s %%%s" % (T, y)])], "%r")
                for cc in "oeq one ord uno ueq une olt oge ogt ole ugt ult uge ule".split():
                    add(t, k, ["%%q = fcmp %s {T} %%%s, %%%s" % (cc, x, y), "%%r = select %s %%q, {T} %%c, {T} %%e" % B], "%r")
            for s in "ab":
                for f in "sqrt floor ceil trunc rint nearbyint roundeven round fabs canonicalize".split():
                    if f == "canonicalize" and (k > 1 or t in ("half", "bfloat")):
                        continue
                    add(t, k, ["%r = " + call("llvm.%s.%s" % (f, M), T, ["%s %%%s" % (T, s)])], "%r", compare="nan" if f != "fabs" else "exact")
                add(t, k, ["%%r = fneg {T} %%%s" % s], "%r", compare="nan")
            if t in ("float", "double"):
                for y in "db":
                    add(t, k, ["%r = " + call("llvm.fma." + M, T, [T + " %a", "%s %%%s" % (T, y), T + " %c"])], "%r", compare="nan")
                    add(t, k, ["%n = fneg {T} %a", "%m = fneg {T} %c", "%r = " + call("llvm.fma." + M, T, [T + " %n", "%s %%%s" % (T, y), T + " %m"])], "%r", compare="nan")
            if k == 1:
                for m in (3, 1, 2, 516, 264, 144, 96, 64, 512):
                    add(t, k, ["%q = " + call("llvm.is.fpclass." + M, "i1", [T + " %a", "i32 %d" % m]), "%r = select i1 %q, {T} %c, {T} %d"], "%r")
                if t != "bfloat":
                    add(t, k, ["%%n1 = bitcast {T} %%d to i%d" % WIDTH[t],
                               "%%n2 = %s i%d %%n1 to i32" % ("zext" if WIDTH[t] < 32 else "trunc", WIDTH[t]) if WIDTH[t] != 32 else "%n2 = add i32 %n1, 0",
                               "%n3 = shl i32 %n2, 24", "%n = ashr i32 %n3, 24",
                               "%r = " + call("llvm.ldexp.%s.i32" % M, T, [T + " %a", "i32 %n"])], "%r", compare="nan")


def conversions():
    types = list(WIDTH)
    for k in (1, 2):
        for a in types:
            for b in types:
                A, B, ia, ib = vector(a, k), vector(b, k), a[0] == "i", b[0] == "i"
                if a == b:
                    continue
                for s in "ab":
                    if ia and ib:
                        ops = ["trunc"] if WIDTH[a] > WIDTH[b] else ["sext", "zext"]
                    elif ia:
                        ops = ["sitofp", "uitofp"]
                    elif ib:
                        for f in ("fptosi.sat", "fptoui.sat"):
                            add(a, k, ["%r = " + call("llvm.%s.%s.%s" % (f, mangled(b, k), mangled(a, k)), A, ["%s %%%s" % (A, s)], B)], "%r", B)
                        continue
                    else:
                        ops = ["fptrunc"] if WIDTH[a] > WIDTH[b] else ["fpext"] if WIDTH[a] < WIDTH[b] else []
                    for op in ops:
                        add(a, k, ["%%r = %s %s %%%s to %s" % (op, A, s, B)], "%r", B, "exact" if ia else "nan")


def elements():
    for t in ("i8", "i16", "i32", "i64", "half", "float", "double"):
        for k in (2, 4, 8):
            if WIDTH[t] * k > 512:
                continue
            for index in ("%i", "%t"):
                add(t, k, ["%%n = and i32 %s, %d" % (index, k - 1), "%r = extractelement {T} %c, i32 %n"], "%r", t)
                add(t, k, ["%%n = and i32 %s, %d" % (index, k - 1), "%x = extractelement {T} %a, i32 1", "%%r = insertelement {T} %%c, %s %%x, i32 %%n" % t], "%r")
            add(t, k, ["%%r = shufflevector {T} %%a, {T} %%c, <%d x i32> <%s>" % (k, ", ".join("i32 %d" % ((3 * j + 1) % (2 * k)) for j in range(k)))], "%r")


def write(path, host):
    with open(path, "w") as f:
        if not host:
            f.write('target triple = "amdgcn-amd-amdhsa"\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n')
        for n, b in enumerate(bodies):
            if host:
                f.write("define void @f%d(ptr %%p, i32 %%i, i32 %%t) {\n" % n + b.replace("{P}", "ptr") + "\n  ret void\n}\n")
            else:
                f.write("define amdgpu_kernel void @f%d(ptr addrspace(1) %%p, i32 %%i) {\n  %%t = call i32 @llvm.amdgcn.workitem.id.x()\n" % n +
                        b.replace("{P}", "ptr addrspace(1)") + "\n  ret void\n}\n")
        if host:
            f.write("@functions = constant [%d x ptr] [%s]\n" % (len(bodies), ", ".join("ptr @f%d" % n for n in range(len(bodies)))))
        f.write("\n".join(sorted(declarations)) + "\n")


if __name__ == "__main__":
    integers()
    floats()
    conversions()
    elements()
    out = sys.argv[1]
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    bodies, how = bodies[::every], how[::every]
    write(out + "/device.ll", False)
    write(out + "/host.ll", True)
    open(out + "/functions.txt", "w").write("\n".join(how) + "\n")
