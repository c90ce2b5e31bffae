// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plugin.cpp - the only C++ of lower: registers the passes with LLVM's pass builder and implements
// shim.h, what LLVM-C lacks. It decides nothing.
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "lower/low.h"
#include "lower/plugin.h"

using namespace llvm;

static FunctionAnalysisManager &
functions(low_shim *s, Module &m)
{
	return s->mam->getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
}

namespace
{

struct Low : PassInfoMixin<Low> {
	low_when when;
	std::string only; // one pass instead of all of `when`

	explicit Low(low_when w, StringRef n = "") : when(w), only(n)
	{
	}

	PreservedAnalyses run(Module &m, ModuleAnalysisManager &mam)
	{
		low_shim s{&mam};

		low_run(wrap(&m), &s, when, only.empty() ? nullptr : only.c_str(), nullptr);
		return PreservedAnalyses::none();
	}

	static bool isRequired()
	{
		return true;
	}
};

cl::opt<bool> part("heddle-part", cl::Hidden,
	cl::desc("device code that is linked later: nothing but what each source needs"));

void
setup(PassBuilder &pb)
{
	auto *calls = pb.getPassInstrumentationCallbacks();

	if (part && calls)
		calls->registerShouldRunOptionalPassCallback([](StringRef, Any) { return false; });
	pb.registerPipelineStartEPCallback([](ModulePassManager &pm, OptimizationLevel) {
		pm.addPass(Low(part ? LOW_PART : LOW_START));
	});
	pb.registerOptimizerLastEPCallback(
		[](ModulePassManager &pm, OptimizationLevel, ThinOrFullLTOPhase) {
			if (!part)
				pm.addPass(Low(LOW_LAST));
		});
	// For `opt`: "low-start", "low-last", "low-part" or one pass as "low-asm".
	pb.registerPipelineParsingCallback(
		[](StringRef name, ModulePassManager &pm, ArrayRef<PassBuilder::PipelineElement>) {
			if (!name.consume_front("low-"))
				return false;
			if (name == "start")
				pm.addPass(Low(LOW_START));
			else if (name == "last")
				pm.addPass(Low(LOW_LAST));
			else if (name == "part")
				pm.addPass(Low(LOW_PART));
			else if (low_pass_find({name.data(), name.size()}))
				pm.addPass(Low(LOW_START, name));
			else
				return false;
			return true;
		});
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo()
{
	return {LLVM_PLUGIN_API_VERSION, "heddle", "1", setup};
}

void
shim_diagnose(LLVMContextRef cx, LLVMValueRef inst, uint64_t cookie, const char *text, bool error)
{
	auto severity = error ? DS_Error : DS_Warning;
	auto *i = inst ? dyn_cast<Instruction>(unwrap(inst)) : nullptr;

	if (cookie)
		unwrap(cx)->diagnose(DiagnosticInfoInlineAsm(cookie, text, severity));
	else if (i)
		unwrap(cx)->diagnose(DiagnosticInfoUnsupported(
			*i->getFunction(), text, i->getDebugLoc(), severity));
	else
		unwrap(cx)->diagnose(DiagnosticInfoGeneric(text, severity));
}

void
shim_remark(LLVMValueRef fn, const char *pass, const char *text)
{
	auto &f = *cast<Function>(unwrap(fn));
	OptimizationRemark r(
		pass, "mode", DiagnosticLocation(f.getSubprogram()), &f.getEntryBlock());

	r << "warps of '" << demangle(f.getName()) << "' " << text;
	f.getContext().diagnose(r);
}

bool
shim_link_needed(LLVMModuleRef dst, LLVMModuleRef src)
{
	return !Linker::linkModules(
		*unwrap(dst), std::unique_ptr<Module>(unwrap(src)), Linker::LinkOnlyNeeded);
}

LLVMModuleRef
shim_clone_inlined(low_shim *s, LLVMModuleRef m)
{
	Module &c = *CloneModule(*unwrap(m)).release();

	for (Function &f : c) {
		f.removeFnAttr(Attribute::OptimizeNone);
		if (f.isDeclaration() || low_is_kernel(wrap(&f)) || low_is_service(wrap(&f)))
			continue;
		f.removeFnAttr(Attribute::NoInline);
		f.addFnAttr(Attribute::AlwaysInline);
	}
	AlwaysInlinerPass(false).run(c, *s->mam);
	for (Function &f : c) {
		if (f.isDeclaration())
			continue;
		auto &fam = functions(s, c);
		auto run = [&](auto pass) { fam.invalidate(f, pass.run(f, fam)); };
		run(SROAPass(SROAOptions::ModifyCFG));
		run(InferAddressSpacesPass());
		run(InstSimplifyPass());
		run(SimplifyCFGPass());
		run(LoopSimplifyPass());
	}
	return wrap(&c);
}

void
shim_clone_free(low_shim *s, LLVMModuleRef clone)
{
	Module *c = unwrap(clone);

	functions(s, *c).clear();
	s->mam->clear(*c, c->getName());
	delete c;
}

void
shim_simplify(low_shim *s, LLVMValueRef fn)
{
	auto &f = *cast<Function>(unwrap(fn));
	auto &fam = functions(s, *f.getParent());

	fam.invalidate(f, PreservedAnalyses::none());
	fam.invalidate(f, InstCombinePass().run(f, fam));
}

struct shim_uniformity *
shim_uniformity(low_shim *s, LLVMValueRef fn)
{
	auto &f = *cast<Function>(unwrap(fn));
	auto &fam = functions(s, *f.getParent());

	fam.invalidate(
		f, PreservedAnalyses::none()); // passes in C do not say what they have changed
	return reinterpret_cast<struct shim_uniformity *>(
		&fam.getResult<UniformityInfoAnalysis>(f));
}

bool
shim_is_uniform(struct shim_uniformity *u, LLVMValueRef v)
{
	return reinterpret_cast<UniformityInfo *>(u)->isUniform(unwrap(v));
}

bool
shim_branch_diverges(struct shim_uniformity *u, LLVMBasicBlockRef b)
{
	return reinterpret_cast<UniformityInfo *>(u)->hasDivergentTerminator(*unwrap(b));
}

bool
shim_fence_is_wide(LLVMValueRef fence)
{
	auto *f = cast<FenceInst>(unwrap(fence));
	auto name = f->getContext().getSyncScopeName(f->getSyncScopeID());

	return !name || (!name->starts_with("wavefront") && !name->starts_with("singlethread"));
}

void
shim_set_line(LLVMValueRef fn, LLVMMetadataRef at)
{
	auto &f = *cast<Function>(unwrap(fn));
	auto *loc = cast<DILocation>(unwrap(at));
	auto *in = loc->getScope()->getSubprogram();
	DIBuilder b(*f.getParent(), false, in->getUnit());
	auto *type = b.createSubroutineType(b.getOrCreateTypeArray({}));
	auto *sp = b.createFunction(loc->getFile(), f.getName(), "", loc->getFile(), loc->getLine(),
		type, loc->getLine(), DINode::FlagZero,
		DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit);

	b.finalizeSubprogram(sp);
	f.setSubprogram(sp);
	for (auto &block : f)
		for (auto &i : block)
			i.setDebugLoc(DILocation::get(
				f.getContext(), loc->getLine(), loc->getColumn(), sp));
}

LLVMBasicBlockRef
shim_split_after(LLVMValueRef inst)
{
	auto *i = cast<Instruction>(unwrap(inst));

	return wrap(i->getParent()->splitBasicBlock(std::next(i->getIterator())));
}

const char *
shim_scope_name(LLVMMetadataRef scope, size_t *n)
{
	auto *s = dyn_cast_or_null<DILocalScope>(unwrap(scope));
	auto *p = s ? s->getSubprogram() : nullptr;
	StringRef name = p ? p->getName() : "";

	*n = name.size();
	return name.data() ? name.data() : "";
}
