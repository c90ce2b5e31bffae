/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: exec amdgpu base
 *
 * v_cmpx_* as older LLVM encodes it for gfx10 and later, with 0 where LLVM 22 puts EXEC: both are the same
 * instruction. On gfx9 the field is a destination, and so it is for v_cmp_* everywhere. Words that end
 * before their literal are no instruction.
 */
#include "amdgpu/exec/inst.h"
#include <stdio.h>
#include <string.h>

static const struct {
	const char *gpu;
	u32 word[2];
	const char *text;
} rows[] = {
	{"gfx1030", {0xd4f4007e, 0x00020501}, "v_cmpx_gt_u64_e64 v[1:2], v[2:3]"},
	{"gfx1030", {0xd4f40000, 0x00020501}, "v_cmpx_gt_u64_e64 v[1:2], v[2:3]"},
	{"gfx1010", {0xd4d40000, 0x00020501}, "v_cmpx_gt_u32_e64 v1, v2"},
	{"gfx1100", {0xd4d40000, 0x00020501}, "v_cmpx_gt_i64_e64 v[1:2], v[2:3]"},
	{"gfx1201", {0xd4d40000, 0x00020501}, "v_cmpx_gt_i64_e64 v[1:2], v[2:3]"},
	{"gfx1030", {0xd4c40000, 0x00020501}, "v_cmp_gt_u32_e64 s0, v1, v2"},
	{"gfx90a", {0xd0d40000, 0x00020501}, "v_cmpx_gt_i32_e64 s[0:1], v1, v2"},
	{"gfx1030", {0xd4bf0000, 0x00020501}, ""}, /* no comparison */
	{"gfx1030", {0xd4c400ff, 0x00020501}, ""}, /* a destination that is none */
	{"gfx1030", {0xd5030000, 0x000204ff}, ""}, /* ends before its literal */
	{"gfx1200", {0x7e0002ff, 0x00012345}, "v_mov_b32_e32 v0, 0x12345"},
};

int
main(void)
{
	int failures = 0;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *why, *gpu = rows[i].gpu;
		char text[512] = "";
		struct gcn_decoder *d = gcn_decoder_new(target_find(str_of(gpu)), &why);
		if (d == NULL) {
			fprintf(stderr, "%s: %s\n", gpu, why);
			return 1;
		}
		size_t n = gcn_decode(
			d, (const u8 *)rows[i].word, sizeof rows[i].word, 0, text, sizeof text);
		bool want = rows[i].text[0] != 0;
		if (n != (want ? 8 : 0) || (want && strcmp(text, rows[i].text) != 0)) {
			fprintf(stderr, "%s: %08x: %zu bytes, \"%s\", not \"%s\"\n", gpu,
				rows[i].word[0], n, text, rows[i].text);
			failures++;
		}
		gcn_decoder_free(d);
	}
	return failures != 0;
}
