// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plugin.cpp - the only C++ of sema-ext: hooks clang's TargetInfo, body parser and declarations, and
// asks the C functions of sx.h. Loaded by -fplugin; acts in every run of the front end that has a
// consumer (not in -E, where nothing here matters).
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/LiteralSupport.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "sema-ext/sx.h"
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

using namespace clang;

namespace
{

// Itanium C++ ABI: a pointer to a virtual member holds 1 + the byte offset of its slot.
template <typename F>
size_t
slot_of(F f)
{
	uintptr_t word[2];
	static_assert(sizeof(f) == sizeof(word), "Itanium member pointers");
	std::memcpy(word, &f, sizeof(word));
	return (word[0] - 1) / sizeof(void *);
}

struct Open : TargetInfo { // these are protected
	using TargetInfo::getGCCAddlRegNames;
	using TargetInfo::NoAsmVariants;
};

// TargetInfo's own virtuals, and room for those that its subclasses add (OSTargetInfo has one).
size_t
slot_count()
{
	return slot_of(&Open::getGCCAddlRegNames) + 1 + 4;
}

using constraint_fn = bool(const TargetInfo *, const char *&, TargetInfo::ConstraintInfo &);
constraint_fn *old_constraint;

bool
constraint(const TargetInfo *t, const char *&name, TargetInfo::ConstraintInfo &info)
{
	if (!sx_constraint_is_register(*name))
		return old_constraint(t, name, info);
	info.setAllowsRegister();
	return true;
}

std::optional<std::string>
escape(const TargetInfo *, char c)
{
	if (!sx_escape_is_name(c))
		return std::nullopt;
	return std::string("%") + c;
}

int
space(LangAS a)
{
	if (a == LangAS::Default)
		return -1;
	return isTargetAddressSpace(a) ? (int)toTargetAddressSpace(a) : (int)a + 0x10000;
}

using space_fn = bool(const TargetInfo *, LangAS, LangAS);
space_fn *old_space;

bool
space_holds(const TargetInfo *t, LangAS a, LangAS b)
{
	return sx_space_holds(space(a), space(b)) || old_space(t, a, b);
}

bool
hook_device(TargetInfo &t)
{
	void *old_escape;
	const sx_slot slots[] = {
		{slot_of(&TargetInfo::validateAsmConstraint), (void *)constraint,
			(void **)&old_constraint},
		{slot_of(&TargetInfo::handleAsmEscapedChar), (void *)escape, &old_escape},
	};

	// '{' '|' '}' of PTX are text, not alternatives of an assembler dialect.
	t.*(&Open::NoAsmVariants) = true;
	return sx_slots_replace(reinterpret_cast<void **>(&t), slot_count(), slots, 2);
}

bool
hook_host(TargetInfo &t)
{
	const sx_slot slots[] = {
		{slot_of(&TargetInfo::isAddressSpaceSupersetOf), (void *)space_holds,
			(void **)&old_space},
	};

	return sx_slots_replace(reinterpret_cast<void **>(&t), slot_count(), slots, 1);
}

unsigned
value_of(const Expr *e, ASTContext &cx)
{
	Expr::EvalResult r;

	if (!e || e->isValueDependent() || !e->EvaluateAsInt(r, cx) || r.Val.getInt().isNegative())
		return 0;
	return (unsigned)r.Val.getInt().getLimitedValue(1u << 20);
}

struct Consumer : ASTConsumer {
	CompilerInstance &ci;
	bool device;

	Consumer(CompilerInstance &instance, bool is_device) : ci(instance), device(is_device)
	{
	}

	bool shouldSkipFunctionBody(Decl *d) override
	{
		const FunctionDecl *f = d->getAsFunction();

		return f && sx_body_is_skipped(f->hasAttr<CUDAHostAttr>(),
				    f->hasAttr<CUDADeviceAttr>(), f->hasAttr<CUDAGlobalAttr>());
	}

	Expr *literal(ASTContext &cx, unsigned v)
	{
		return IntegerLiteral::Create(
			cx, llvm::APInt(32, v), cx.UnsignedIntTy, SourceLocation());
	}

	// clang ignores launch bounds on AMDGCN; say them in AMD's attributes, which it obeys.
	void bounds(FunctionDecl *f)
	{
		const auto *b = f->getAttr<CUDALaunchBoundsAttr>();
		ASTContext &cx = f->getASTContext();
		unsigned threads, waves;

		if (!b || f->isDependentContext() || f->hasAttr<AMDGPUFlatWorkGroupSizeAttr>())
			return;
		threads = value_of(b->getMaxThreads(), cx);
		if (threads == 0 || threads > 1024)
			return;
		f->addAttr(AMDGPUFlatWorkGroupSizeAttr::CreateImplicit(
			cx, literal(cx, 1), literal(cx, threads)));
		waves = sx_waves_per_simd(
			ci.getTargetOpts().CPU.c_str(), threads, value_of(b->getMinBlocks(), cx));
		if (waves > 1 && !f->hasAttr<AMDGPUWavesPerEUAttr>())
			f->addAttr(AMDGPUWavesPerEUAttr::CreateImplicit(
				cx, literal(cx, waves), nullptr));
	}

	// Does a value of this type, or what it points to, hold a long double? 8 bytes on the device, 16 on
	// the host.
	bool holds_long_double(QualType t, unsigned depth = 0)
	{
		t = t.getCanonicalType();
		while (t->isAnyPointerType() || t->isReferenceType() || t->isArrayType())
			t = (t->isArrayType() ? QualType(t->getArrayElementTypeNoTypeQual(), 0)
					      : t->getPointeeType())
				    .getCanonicalType();
		if (t->isSpecificBuiltinType(BuiltinType::LongDouble))
			return true;
		const auto *r = t->getAsRecordDecl();
		if (!r || depth > 8 || !(r = r->getDefinition()) || r->isDependentContext())
			return false;
		for (const FieldDecl *f : r->fields())
			if (holds_long_double(f->getType(), depth + 1))
				return true;
		return false;
	}

	// Clang gives constants of the host __constant__ by itself.
	static bool is_written(const Attr *a)
	{
		return a && !a->isImplicit();
	}

	void refuse_long_double(const ValueDecl *d)
	{
		DiagnosticsEngine &e = ci.getDiagnostics();

		if (holds_long_double(d->getType()))
			e.Report(d->getLocation(), e.getCustomDiagID(DiagnosticsEngine::Error,
							   "%0 holds 'long double', which has 16 "
							   "bytes on the host and 8 on "
							   "the device"))
				<< d;
	}

	bool HandleTopLevelDecl(DeclGroupRef g) override
	{
		for (Decl *d : g) {
			auto *f = dyn_cast_or_null<FunctionDecl>(d);
			auto *v = dyn_cast_or_null<VarDecl>(d);

			if (device && f && f->hasAttr<CUDAGlobalAttr>()) {
				bounds(f);
				for (const ParmVarDecl *p : f->parameters())
					if (!f->isDependentContext())
						refuse_long_double(p);
			}
			if (device && v && !v->getType()->isDependentType() &&
				(is_written(v->getAttr<CUDADeviceAttr>()) ||
					is_written(v->getAttr<CUDAConstantAttr>())))
				refuse_long_double(v);
		}
		return true;
	}
};

// A header that Heddle lacks must not come from another CUDA toolkit that happens to be installed.
struct Headers : PPCallbacks {
	Preprocessor &pp;
	std::string own;
	llvm::StringMap<bool> foreign; // by folder as clang names it

	Headers(Preprocessor &p, std::string include) : pp(p), own(std::move(include))
	{
	}

	void InclusionDirective(SourceLocation at, const Token &, StringRef name, bool,
		CharSourceRange range, OptionalFileEntryRef file, StringRef, StringRef,
		const Module *, bool, SrcMgr::CharacteristicKind) override
	{
		char real[PATH_MAX];

		if (!file || !realpath(file->getName().str().c_str(), real))
			return;
		StringRef folder = StringRef(real).rsplit('/').first;
		auto [it, added] = foreign.try_emplace(folder, false);
		if (added)
			it->second = sx_header_is_foreign(real, own.c_str());
		if (!it->second)
			return;
		DiagnosticsEngine &d = pp.getDiagnostics();
		d.Report(range.getBegin(), d.getCustomDiagID(DiagnosticsEngine::Fatal,
						   "'%0' is found only in another CUDA toolkit "
						   "(%1): Heddle does not have it"))
			<< name << real;
	}
};

// <toolkit>/lib/heddle/this plugin: <toolkit>/include, without symbolic links.
std::string
own_include()
{
	static const char here = 0;
	char real[PATH_MAX];
	Dl_info info;

	if (!dladdr(&here, &info) || !realpath(info.dli_fname, real))
		return "";
	StringRef root(real);
	for (int up = 0; up < 3; up++)
		root = root.rsplit('/').first;
	return (root + "/include").str();
}

CompilerInstance *compiler; // of this run of the front end, for heddle_asm_line

struct Action : PluginASTAction {
	static bool is_device(const CompilerInstance &ci)
	{
		return ci.getLangOpts().CUDAIsDevice && ci.getTarget().getTriple().isAMDGPU();
	}

	std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &ci, StringRef) override
	{
		return std::make_unique<Consumer>(ci, is_device(ci));
	}

	bool ParseArgs(const CompilerInstance &const_ci, const std::vector<std::string> &) override
	{
		auto &ci = const_cast<CompilerInstance &>(const_ci);

		compiler = &ci;
		if (ci.getLangOpts().CUDA && ci.hasPreprocessor())
			ci.getPreprocessor().addPPCallbacks(
				std::make_unique<Headers>(ci.getPreprocessor(), own_include()));
		if (is_device(ci))
			return hook_device(ci.getTarget());
		if (!ci.getLangOpts().CUDA || ci.getLangOpts().CUDAIsDevice)
			return true; // plain C++: nothing to change
		ci.getFrontendOpts().SkipFunctionBodies = true;
		return hook_host(ci.getTarget());
	}

	ActionType getActionType() override
	{
		return AddBeforeMainAction;
	}
};

} // namespace

// lower/diag.c asks: the raw location of the first word in line `line` of the asm text whose first
// literal is at `cookie`; 0 when a macro stands between. Reads the literals again, as clang does.
extern "C" __attribute__((visibility("default"))) uint64_t
heddle_asm_line(uint64_t cookie, unsigned line)
{
	auto start = SourceLocation::getFromRawEncoding((SourceLocation::UIntTy)cookie);

	if (!compiler || !compiler->hasSourceManager() || !start.isValid() || !start.isFileID())
		return 0;
	SourceManager &sm = compiler->getSourceManager();
	auto [file, at] = sm.getDecomposedLoc(start);
	StringRef text = sm.getBufferData(file);
	Lexer lexer(sm.getLocForStartOfFile(file), compiler->getLangOpts(), text.begin(),
		text.begin() + at, text.end());
	Token t;
	while (!lexer.LexFromRawLexer(t) && tok::isStringLiteral(t.getKind())) {
		StringLiteralParser literal(t, sm, compiler->getLangOpts(), compiler->getTarget());
		if (literal.hadError)
			return 0;
		StringRef s = literal.GetString();
		for (unsigned i = 0; i < s.size(); i++) {
			if (s[i] == '\n') {
				if (line-- == 0)
					return 0;
			} else if (line == 0 && s[i] != ' ' && s[i] != '\t') {
				return t.getLocation()
					.getLocWithOffset((int)literal.getOffsetOfStringByte(t, i))
					.getRawEncoding();
			}
		}
	}
	return 0;
}

static FrontendPluginRegistry::Add<Action> registration(
	"heddle", "CUDA as NVIDIA's compiler accepts it");
