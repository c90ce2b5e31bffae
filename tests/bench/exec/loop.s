// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loop.s - what `./dev bench exec` runs: one v_fma and three scalar operations, 25 million times.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.globl loop
	.p2align 8
	.type loop,@function
loop:
	s_mov_b32 s0, 25000000
	v_mov_b32 v1, 1.0
	v_mov_b32 v2, 0.5
.Lagain:
	v_fma_f32 v1, v1, v2, 0.5
	s_sub_u32 s0, s0, 1
	s_cmp_lg_u32 s0, 0
	s_cbranch_scc1 .Lagain
	s_endpgm
.Lend:
	.size loop, .Lend-loop
	.rodata
	.p2align 6
	.amdhsa_kernel loop
		.amdhsa_next_free_vgpr 3
		.amdhsa_next_free_sgpr 2
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: loop
    .symbol: loop.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 2
    .vgpr_count: 3
    .max_flat_workgroup_size: 1024
    .args: []
	.end_amdgpu_metadata
