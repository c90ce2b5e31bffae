/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * odd.c - vector operations in modes that hardly a kernel uses and that the host's processor does not have: halves
 * whose denormals are flushed, and minima and maxima without IEEE rules (gfx9 to gfx11: a signalling NaN is a NaN like
 * others). Operands are copied and flushed, the row's kernel runs, its result is flushed.
 */
#include "amdgpu/exec/run/num.h"
#include "amdgpu/exec/run/run.h"

/* Rows and what they are without IEEE rules. */
static const u16 numbers[][2] = {
	{R_v_min_f32, R_v_min_num_f32},
	{R_v_max_f32, R_v_max_num_f32},
	{R_v_min3_f32, R_v_min3_num_f32},
	{R_v_max3_f32, R_v_max3_num_f32},
	{R_v_med3_f32, R_v_med3_num_f32},
	{R_v_minmax_f32, R_v_minmax_num_f32},
	{R_v_maxmin_f32, R_v_maxmin_num_f32},
	{R_v_min_f64, R_v_min_num_f64},
	{R_v_max_f64, R_v_max_num_f64},
	{R_v_min_f16, R_v_min_num_f16},
	{R_v_max_f16, R_v_max_num_f16},
	{R_v_min3_f16, R_v_min3_num_f16},
	{R_v_max3_f16, R_v_max3_num_f16},
	{R_v_med3_f16, R_v_med3_num_f16},
	{R_v_minmax_f16, R_v_minmax_num_f16},
	{R_v_maxmin_f16, R_v_maxmin_num_f16},
	{R_v_pk_min_f16, R_v_pk_min_num_f16},
	{R_v_pk_max_f16, R_v_pk_max_num_f16},
};

kernel_fn *
odd_kernel(const struct wave *w, kernel_fn *kernel)
{
	if (!(w->odd & ODD_NOT_IEEE))
		return kernel;
	for (u32 k = 0; k < COUNT(numbers); k++)
		if (kernel == kernels[numbers[k][0]])
			return kernels[numbers[k][1]];
	return kernel;
}

static bool
is_half(u32 t)
{
	return t == T_f16 || t == T_pkf16;
}

void
odd_halves(u32 *t, u32 type)
{
	if (!is_half(type))
		return;
	EACH_LANE (i) {
		u32 low = t[i] & 0x7c00 ? t[i] & 0xffff : t[i] & 0x8000;
		u32 high = t[i] & 0x7c000000 ? t[i] & 0xffff0000 : t[i] & 0x80000000;
		t[i] = type == T_f16 ? (t[i] & 0xffff0000) | low : low | high;
	}
}

/* Operations without further modifiers; false: this one is not affected. */
bool
odd_plain(struct wave *w, const struct uop *o)
{
	kernel_fn *kernel = odd_kernel(w, o->kernel);
	u32 dtype = o->mask, bits[2] = {0, 0};
	bool compare = o->code == U_VCMP || o->code == U_VCMPX, halves = !compare && is_half(dtype);
	for (u32 k = 0; k < 3; k++)
		halves |= o->src[k].n && is_half(o->src[k].type);
	if (o->code == U_VX || o->code == U_VCARRY || (kernel == o->kernel && !halves))
		return false;
	for (u32 h = 0; h < w->halves; h++) {
		u32 t[3][2 * LANES], on = w->s[S_EXEC + h];
		for (u32 k = 0; k < 3; k++) {
			const struct src *s = &o->src[k];
			if (s->n == 0)
				continue;
			memcpy(t[k], fetch(w, h, s, k), s->n * ROW);
			u32 *top = t[k] + (s->n - 1) * LANES;
			u32 keep = s->imm & SRC_ABS ? 0x7fffffff : ~0u, flip = s->imm & SRC_NEG ? 0x80000000 : 0;
			EACH_LANE (i)
				top[i] = (top[i] & keep) ^ flip;
			if (w->odd & ODD_FLUSH_IN)
				odd_halves(t[k], s->type);
		}
		kernel(w->out, t[0], t[1], t[2], w->tmp[3]);
		if (compare) {
			bits[h] = mask_pack(w->tmp[3]) & on;
			continue;
		}
		if (w->odd & ODD_FLUSH_OUT)
			odd_halves(w->out, dtype);
		for (u32 k = 0; k < o->nd; k++)
			blend(vreg(w, h, o->dst) + k * LANES, w->out + k * LANES, on);
	}
	for (u32 h = 0; compare && h < w->halves; h++) {
		w->s[o->mask + h] = bits[h];
		if (o->code == U_VCMPX)
			w->s[S_EXEC + h] = bits[h];
	}
	return true;
}
