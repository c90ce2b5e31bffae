// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// shim.cpp - runs the passes of lower/ outside of clang: makes the target machine and the analysis
// managers that clang would have made.
#include "llvm-c/Analysis.h"
#include "llvm-c/Target.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "lower/low.h"
#include "lower/plugin.h"
#include "lower/tool/tool.h"

using namespace llvm;

static bool
is_valid(LLVMModuleRef m, char **message)
{
	return !LLVMVerifyModule(m, LLVMReturnStatusAction, message);
}

bool
tool_run(LLVMModuleRef ref, const char *cpu, const char *names, const char *after, char **message)
{
	Module &m = *unwrap(ref);
	std::string error;

	LLVMInitializeAMDGPUTargetInfo();
	LLVMInitializeAMDGPUTarget();
	LLVMInitializeAMDGPUTargetMC();
	const Target *target = TargetRegistry::lookupTarget(m.getTargetTriple(), error);
	if (!target || !is_valid(ref, message)) {
		if (!target)
			*message = LLVMCreateMessage(error.c_str());
		return false;
	}
	std::unique_ptr<TargetMachine> tm(target->createTargetMachine(
		m.getTargetTriple(), cpu, "", TargetOptions(), Reloc::PIC_));
	if (m.getDataLayoutStr().empty())
		m.setDataLayout(tm->createDataLayout());
	for (Function &f : m)
		if (!f.isDeclaration() && !f.hasFnAttribute("target-cpu"))
			f.addFnAttr("target-cpu", cpu);

	LoopAnalysisManager lam;
	FunctionAnalysisManager fam;
	CGSCCAnalysisManager cam;
	ModuleAnalysisManager mam;
	PassBuilder pb(tm.get());
	pb.registerModuleAnalyses(mam);
	pb.registerCGSCCAnalyses(cam);
	pb.registerFunctionAnalyses(fam);
	pb.registerLoopAnalyses(lam);
	pb.crossRegisterProxies(lam, fam, cam, mam);
	low_shim s{&mam};
	if (names) {
		low_run(ref, &s, LOW_START, names, after);
	} else {
		low_run(ref, &s, LOW_START, nullptr, after);
		low_run(ref, &s, LOW_LAST, nullptr, after);
	}
	return is_valid(ref, message);
}
