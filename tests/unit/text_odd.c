/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: exec amdgpu base
 *
 * Texts that tempt a parser to guess: each is parsed, looked at, and printed back unchanged; texts that
 * LLVM does not print are refused.
 */
#include "amdgpu/exec/inst.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(x) ((x) ? (void)0 : fail(#x, __LINE__))

static int failures;

static void
fail(const char *what, int line)
{
	fprintf(stderr, "text_odd.c:%d: %s\n", line, what);
	failures++;
}

static struct arena arena;

static struct gcn_inst
parse(const char *text)
{
	struct gcn_inst i;
	const char *why;
	size_t at;
	struct buf b = {0};
	if (!gcn_parse(&arena, str_of(text), &i, &why, &at)) {
		fprintf(stderr, "%s\n%*s^ %s\n", text, (int)at, "", why);
		failures++;
		return i;
	}
	gcn_print(&b, &i);
	if (!str_eq((struct str){(char *)b.p, b.n}, i.text)) {
		fprintf(stderr, "parsed  %s\nprinted %.*s\n", text, (int)b.n, (char *)b.p);
		failures++;
	}
	buf_free(&b);
	return i;
}

static const char *const good[] = {
	"s_endpgm",
	"s_nop 0",
	"s_branch 65522",
	"s_waitcnt vmcnt(0) expcnt(7) lgkmcnt(0)",
	"s_waitcnt_vscnt null, 0x0",
	"s_waitcnt_depctr depctr_va_vdst(0) depctr_vm_vsrc(0)",
	"s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)",
	"s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)",
	"s_sendmsg_rtn_b32 s2, sendmsg(MSG_RTN_GET_DOORBELL)",
	"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 0",
	"s_getreg_b32 s0, hwreg(HW_REG_HW_ID)",
	"s_set_gpr_idx_on s0, gpr_idx(SRC0)",
	"s_load_dwordx4 s[0:3], s[4:5], 0x0",
	"s_load_dword s4, s[2:3], s4 offset:0x10 glc",
	"s_load_b32 s4, s[2:3], -0x4 th:TH_LOAD_NT scope:SCOPE_SYS",
	"v_add_f32_dpp v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1",
	"v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0] fi:1",
	"v_add_u32_sdwa v1, v2, sext(v3) clamp dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE "
	"src0_sel:BYTE_3 src1_sel:DWORD",
	"v_cmp_eq_u16_sdwa s[0:1], v1, v2 src0_sel:BYTE_0 src1_sel:DWORD",
	"v_fma_f32 v0, -|v1|, neg(4), |s2| clamp mul:4",
	"v_pk_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[1,0,0] "
	"neg_hi:[0,0,1] clamp",
	"v_permlane16_b32 v0, v1, s2, s3 op_sel:[1,0]",
	"v_bitop3_b32 v0, v1, v2, v3 bitop3:0xe4",
	"v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15] cbsz:1 abid:2 blgp:3",
	"v_accvgpr_read_b32 v0, a255",
	"v_mad_u64_u32 v[0:1], null, s4, v2, v[3:4]",
	"v_dual_mov_b32 v14, 0 :: v_dual_add_nc_u32 v13, v14, v13",
	"v_dual_cndmask_b32 v4, v3, v2 :: v_dual_fmaak_f32 v1, 0x3f800000, v2, 0x40000000",
	"v_cndmask_b32_dpp v156, v64, |v45, vcc_lo| quad_perm:[0,1,2,3] row_mask:0x8 bank_mask:0x4",
	"v_cndmask_b32_e32 v0, v1, v2, vcc_lo",
	"v_mul_f32_e32 v0, 0.15915494, v1",
	"v_mul_f64 v[0:1], v[2:3], 0.15915494309189532",
	"v_add_nc_u32_e32 v0, lit(0x3f), v1",
	"s_mov_b64 s[0:1], lit64(0x123456789abcdef0)",
	"ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM,\"01pip\")",
	"ds_swizzle_b32 v0, v1 offset:4660",
	"ds_read2st64_b32 v[0:1], v2 offset0:1 offset1:255",
	"ds_append a16 offset:29075",
	"buffer_load_dword v0, v[1:2], s[0:3], 0 idxen offen offset:4095 glc slc dlc",
	"buffer_store_dword v0, off, s[0:3], s33 offset:4",
	"buffer_wbl2 sc0 sc1",
	"buffer_wbinvl1_vol",
	"global_load_dword v0, v1, s[2:3] offset:-8",
	"global_load_dwordx4 v[0:3], v[4:5], off offset:16 sc0 nt sc1",
	"global_inv scope:SCOPE_DEV",
	"global_atomic_add_u32 v1, v0, v2, s[2:3] offset:4 th:TH_ATOMIC_RETURN scope:SCOPE_DEV",
	"scratch_store_b32 off, v0, s33 offset:4",
	"image_sample v[0:3], [v4, v6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D",
	"image_bvh64_intersect_ray v[0:3], [v[0:1], v5, v[6:8], v[9:11], v[12:14]], s[0:3] a16",
	"exp mrt0 v0, v1, v2, off done vm",
	"tbuffer_load_format_x v0, off, s[0:3], 0 format:[BUF_FMT_32_FLOAT] offset:4",
	"tbuffer_load_format_x v0, off, s[0:3], 0 format:71",
};

/* Not LLVM's, or only half of something that is. */
static const char *const bad[] = {
	"",
	" ",
	"v_mov_b32_e32 v0,",
	"v_mov_b32_e32 v0, ",
	"v_mov_b32_e32 v0 v1",
	"v_mov_b32_e32 v0, v1 glcx",
	"v_mov_b32_e32 v0, v1 glc glc",
	"v_mov_b32_e32 v0, v[3:2]",
	"v_mov_b32_e32 v0, |v1",
	"v_mov_b32_e32 v0, neg(4",
	"v_mov_b32_e32 v0, 0x",
	"v_mov_b32_e32 v0, 0.7",
	"v_mov_b32_e32 v0, v1.x",
	"v_mov_b32_e32 v9999999999, v1",
	"v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,4] row_mask:0xf bank_mask:0xf",
	"v_mov_b32_dpp v0, v1 dpp8:[0,1,2,3,4,5,6,7,0]",
	"s_and_b64 s[6:7], s[6:7], 0 ; Warning: SGPR_64: scalar reg isn't aligned 7",
	"v_add_f16_e32 v129/*Invalid register*/, v1, v2",
	"s_mov_b32 s0, s1 :: ",
	"image_sample v0, [v1, s[0:7], s[8:11]",
	"ds_swizzle_b32 v0, v1 offset:swizzle(",
	".long 0x12345678",
};

int
main(void)
{
	const char *why;
	size_t at;
	struct gcn_inst i;
	for (size_t k = 0; k < COUNT(good); k++)
		parse(good[k]);
	for (size_t k = 0; k < COUNT(bad); k++) {
		if (gcn_parse(&arena, str_of(bad[k]), &i, &why, &at)) {
			fprintf(stderr, "accepted: %s\n", bad[k]);
			failures++;
		} else {
			CHECK(why != NULL && at <= strlen(bad[k]));
		}
	}

	i = parse("v_add_f16_e64 v1.h, v2.h, -|v3.l| op_sel:[1,0,1] clamp mul:2");
	CHECK(str_is(i.name, "v_add_f16") && i.form == GCN_E64 && i.nops == 3);
	CHECK(i.op[0].kind == GCN_VGPR && i.op[0].reg == 1 && i.op[0].half == GCN_HI);
	CHECK(i.op[2].reg == 3 && i.op[2].half == GCN_LO && i.op[2].neg && i.op[2].abs);
	CHECK(gcn_has(&i, GCN_MOD_op_sel) && i.mod[GCN_MOD_op_sel] == 5 &&
		i.modn[GCN_MOD_op_sel] == 3);
	CHECK(gcn_has(&i, GCN_MOD_clamp) && i.mod[GCN_MOD_omod] == 1 &&
		!gcn_has(&i, GCN_MOD_offset));

	i = parse("v_add_f32_e64_dpp v0, v1, v2 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0x1 "
		  "bound_ctrl:1 fi:1");
	CHECK(str_is(i.name, "v_add_f32") && i.form == GCN_E64_DPP);
	CHECK(i.mod[GCN_MOD_quad_perm] == 0x1b && i.mod[GCN_MOD_bank_mask] == 1 &&
		i.mod[GCN_MOD_fi] == 1);

	i = parse("v_mov_b32_e32 v255, 0xdeadbeef");
	CHECK(i.form == GCN_E32 && i.op[1].kind == GCN_INT && i.op[1].imm == 0xdeadbeef &&
		i.op[1].hex);
	i = parse("v_mov_b32_e32 v0, -16");
	CHECK(i.op[1].kind == GCN_INT && i.op[1].imm == -16 && !i.op[1].neg);
	i = parse("v_add_f32_e64 v0, -4.0, neg(0.5)");
	CHECK(i.op[1].kind == GCN_FLOAT && i.op[1].num == -4.0 && !i.op[1].neg);
	CHECK(i.op[2].kind == GCN_FLOAT && i.op[2].num == 0.5 && i.op[2].neg);
	i = parse("s_mov_b64 exec, lit(0xffffffff)");
	CHECK(i.op[0].kind == GCN_SPECIAL && i.op[0].reg == GCN_EXEC && i.op[0].n == 2);
	CHECK(i.op[1].kind == GCN_LITERAL && i.op[1].imm == 0xffffffff);
	i = parse("global_store_dwordx2 v[0:1], v[2:3], off offset:-4096");
	CHECK(i.op[0].n == 2 && i.op[2].kind == GCN_OFF && i.mod[GCN_MOD_offset] == -4096);
	i = parse("image_load v[0:3], [v4, v6], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm");
	CHECK(i.op[1].kind == GCN_LIST && i.nlist == 2 && i.list[1].reg == 6 &&
		i.mod[GCN_MOD_dim] == 1);
	i = parse("v_add_u32_sdwa v1, v2, v3 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:WORD_1 "
		  "src1_sel:DWORD");
	CHECK(i.form == GCN_SDWA && i.mod[GCN_MOD_dst_sel] == 1 && i.mod[GCN_MOD_src0_sel] == 5);
	i = parse("v_dual_fmac_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4");
	CHECK(i.dual != NULL && str_is(i.dual->name, "v_dual_mov_b32") && i.dual->op[1].reg == 4);

	arena_free(&arena);
	return failures != 0;
}
