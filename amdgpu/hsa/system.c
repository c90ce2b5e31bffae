/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * system.c - what HSA says about itself: system infos, extensions, instruction sets and the texts of
 * statuses. The only extension is AMD's loader (loader.c).
 */
#include "hx.h"
#include "loader.h"

#include <string.h>

hsa_status_t
hsa_status_string(hsa_status_t status, const char **status_string)
{
	if (!status_string)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch ((u32)status) {
#define STATUS(name, text)                                                                         \
	case HSA_STATUS_##name:                                                                    \
		*status_string = "HSA_STATUS_" #name ": " text;                                    \
		return HSA_STATUS_SUCCESS;
#include "status.def"
#undef STATUS
	}
	return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t
hsa_system_get_info(hsa_system_info_t attribute, void *value)
{
	HX_CHECK_INIT();
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch (attribute) {
	case HSA_SYSTEM_INFO_VERSION_MAJOR:
	case HSA_SYSTEM_INFO_VERSION_MINOR:
		*(u16 *)value = 1;
		break;
	case HSA_SYSTEM_INFO_TIMESTAMP:
		*(u64 *)value = hx_now();
		break;
	case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
		*(u64 *)value = 1000000000;
		break;
	case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
		*(u64 *)value = UINT64_MAX;
		break;
	case HSA_SYSTEM_INFO_ENDIANNESS:
		*(u32 *)value = HSA_ENDIANNESS_LITTLE;
		break;
	case HSA_SYSTEM_INFO_MACHINE_MODEL:
		*(u32 *)value = HSA_MACHINE_MODEL_LARGE;
		break;
	case HSA_SYSTEM_INFO_EXTENSIONS:
		memset(value, 0, 128);
		((u8 *)value)[HSA_EXTENSION_AMD_LOADER >> 3] |= 1 << (HSA_EXTENSION_AMD_LOADER & 7);
		break;
	case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
		*(const char **)value = "heddle-executor";
		break;
	case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED:
	case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT:
		*(bool *)value = false;
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

/* --- extensions ------------------------------------------------------------------------------- */

#define LOADER_MINOR 3

#define EXTENSION(name) {HSA_EXTENSION_##name, "HSA_EXTENSION_" #name}
static const struct {
	u16 id;
	const char *name;
} extensions[] = {
	EXTENSION(FINALIZER),
	EXTENSION(IMAGES),
	EXTENSION(PERFORMANCE_COUNTERS),
	EXTENSION(PROFILING_EVENTS),
	EXTENSION(AMD_PROFILER),
	EXTENSION(AMD_LOADER),
	EXTENSION(AMD_AQLPROFILE),
};

hsa_status_t
hsa_extension_get_name(uint16_t extension, const char **name)
{
	if (!name)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (size_t i = 0; i < COUNT(extensions); i++)
		if (extensions[i].id == extension) {
			*name = extensions[i].name;
			return HSA_STATUS_SUCCESS;
		}
	return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t
hsa_system_extension_supported(uint16_t extension, uint16_t major, uint16_t minor, bool *result)
{
	HX_CHECK_INIT();
	const char *name;
	if (!result || hsa_extension_get_name(extension, &name))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*result = extension == HSA_EXTENSION_AMD_LOADER && major == 1 && minor <= LOADER_MINOR;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_system_major_extension_supported(
	uint16_t extension, uint16_t major, uint16_t *minor, bool *result)
{
	if (!minor)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*minor = LOADER_MINOR;
	return hsa_system_extension_supported(extension, major, 0, result);
}

hsa_status_t
hsa_agent_extension_supported(
	uint16_t extension, hsa_agent_t agent, uint16_t major, uint16_t minor, bool *result)
{
	HX_CHECK_INIT();
	if (!hx_agent_get(agent))
		return HSA_STATUS_ERROR_INVALID_AGENT;
	return hsa_system_extension_supported(extension, major, minor, result);
}

hsa_status_t
hsa_agent_major_extension_supported(
	uint16_t extension, hsa_agent_t agent, uint16_t major, uint16_t *minor, bool *result)
{
	HX_CHECK_INIT();
	if (!hx_agent_get(agent))
		return HSA_STATUS_ERROR_INVALID_AGENT;
	return hsa_system_major_extension_supported(extension, major, minor, result);
}

hsa_status_t
hsa_system_get_major_extension_table(
	uint16_t extension, uint16_t major, size_t table_length, void *table)
{
	HX_CHECK_INIT();
	if (!table || !table_length)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	if (extension != HSA_EXTENSION_AMD_LOADER || major != 1)
		return HSA_STATUS_ERROR;
	hsa_ven_amd_loader_1_03_pfn_t t = hx_loader_table();
	memcpy(table, &t, table_length < sizeof t ? table_length : sizeof t);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_system_get_extension_table(uint16_t extension, uint16_t major, uint16_t minor, void *table)
{
	static const size_t size[LOADER_MINOR + 1] = {sizeof(hsa_ven_amd_loader_1_00_pfn_t),
		sizeof(hsa_ven_amd_loader_1_01_pfn_t), sizeof(hsa_ven_amd_loader_1_02_pfn_t),
		sizeof(hsa_ven_amd_loader_1_03_pfn_t)};
	return minor <= LOADER_MINOR
		       ? hsa_system_get_major_extension_table(extension, major, size[minor], table)
		       : HSA_STATUS_ERROR;
}

/* --- instruction sets: one a GPU agent, its handle is the agent's ------------------------------ */

static struct hx_agent *
isa_get(hsa_isa_t isa)
{
	struct hx_agent *a = hx_agent_get((hsa_agent_t){isa.handle});
	return a && a->target ? a : NULL;
}

hsa_status_t
hsa_agent_iterate_isas(hsa_agent_t agent, hsa_status_t (*callback)(hsa_isa_t, void *), void *data)
{
	HX_CHECK_INIT();
	struct hx_agent *a = hx_agent_get(agent);
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return a->target ? callback((hsa_isa_t){agent.handle}, data) : HSA_STATUS_SUCCESS;
}

/* Features that the name does not mention may be any. */
hsa_status_t
hsa_isa_from_name(const char *name, hsa_isa_t *isa)
{
	HX_CHECK_INIT();
	if (!name || !isa)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (u32 i = 1; i < hx.nagents; i++) {
		struct str full = str_of(hx.agents[i].isa), bare = str_split(&full, ':');
		if (strcmp(name, hx.agents[i].isa) == 0 || str_is(bare, name)) {
			isa->handle = hx_agent_handle(&hx.agents[i]).handle;
			return HSA_STATUS_SUCCESS;
		}
	}
	return HSA_STATUS_ERROR_INVALID_ISA_NAME;
}

hsa_status_t
hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void *value)
{
	HX_CHECK_INIT();
	struct hx_agent *a = isa_get(isa);
	if (!a)
		return HSA_STATUS_ERROR_INVALID_ISA;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch (attribute) {
	case HSA_ISA_INFO_NAME_LENGTH:
		*(u32 *)value = (u32)strlen(a->isa) + 1;
		break;
	case HSA_ISA_INFO_NAME:
		memcpy(value, a->isa, strlen(a->isa) + 1);
		break;
	case HSA_ISA_INFO_CALL_CONVENTION_COUNT:
		*(u32 *)value = 1;
		break;
	case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
		*(u32 *)value = a->target->wave;
		break;
	case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
		return hsa_agent_get_info(hx_agent_handle(a),
			(hsa_agent_info_t)HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU, value);
	case HSA_ISA_INFO_MACHINE_MODELS:
		((bool *)value)[HSA_MACHINE_MODEL_SMALL] = false;
		((bool *)value)[HSA_MACHINE_MODEL_LARGE] = true;
		break;
	case HSA_ISA_INFO_PROFILES:
		((bool *)value)[HSA_PROFILE_BASE] = true;
		((bool *)value)[HSA_PROFILE_FULL] = false;
		break;
	case HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
	case HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
		memset(value, 0, 3 * sizeof(bool));
		((bool *)value)[HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR] = true;
		break;
	case HSA_ISA_INFO_FAST_F16_OPERATION:
		*(bool *)value = true;
		break;
	case HSA_ISA_INFO_WORKGROUP_MAX_DIM:
		return hsa_agent_get_info(
			hx_agent_handle(a), HSA_AGENT_INFO_WORKGROUP_MAX_DIM, value);
	case HSA_ISA_INFO_WORKGROUP_MAX_SIZE:
		*(u32 *)value = 1024;
		break;
	case HSA_ISA_INFO_GRID_MAX_DIM:
		return hsa_agent_get_info(hx_agent_handle(a), HSA_AGENT_INFO_GRID_MAX_DIM, value);
	case HSA_ISA_INFO_GRID_MAX_SIZE:
		*(u64 *)value = UINT64_MAX;
		break;
	case HSA_ISA_INFO_FBARRIER_MAX_SIZE:
		*(u32 *)value = 32;
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index, void *value)
{
	return index ? HSA_STATUS_ERROR_INVALID_INDEX : hsa_isa_get_info_alt(isa, attribute, value);
}

hsa_status_t
hsa_isa_get_exception_policies(hsa_isa_t isa, hsa_profile_t profile, uint16_t *mask)
{
	HX_CHECK_INIT();
	return isa_get(isa)
		       ? hsa_agent_get_exception_policies((hsa_agent_t){isa.handle}, profile, mask)
		       : HSA_STATUS_ERROR_INVALID_ISA;
}

hsa_status_t
hsa_isa_get_round_method(hsa_isa_t isa, hsa_fp_type_t fp_type, hsa_flush_mode_t flush_mode,
	hsa_round_method_t *round_method)
{
	(void)fp_type;
	(void)flush_mode;
	HX_CHECK_INIT();
	if (!isa_get(isa))
		return HSA_STATUS_ERROR_INVALID_ISA;
	if (!round_method)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*round_method = HSA_ROUND_METHOD_SINGLE;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_isa_iterate_wavefronts(
	hsa_isa_t isa, hsa_status_t (*callback)(hsa_wavefront_t, void *), void *data)
{
	HX_CHECK_INIT();
	if (!isa_get(isa))
		return HSA_STATUS_ERROR_INVALID_ISA;
	return callback ? callback((hsa_wavefront_t){isa.handle}, data)
			: HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t
hsa_wavefront_get_info(hsa_wavefront_t wavefront, hsa_wavefront_info_t attribute, void *value)
{
	HX_CHECK_INIT();
	struct hx_agent *a = isa_get((hsa_isa_t){wavefront.handle});
	if (!a)
		return HSA_STATUS_ERROR_INVALID_WAVEFRONT;
	if (!value || attribute != HSA_WAVEFRONT_INFO_SIZE)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*(u32 *)value = a->target->wave;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_isa_compatible(hsa_isa_t code_object_isa, hsa_isa_t agent_isa, bool *result)
{
	HX_CHECK_INIT();
	struct hx_agent *c = isa_get(code_object_isa), *a = isa_get(agent_isa);
	if (!c || !a)
		return HSA_STATUS_ERROR_INVALID_ISA;
	if (!result)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*result = c->target == a->target;
	return HSA_STATUS_SUCCESS;
}
