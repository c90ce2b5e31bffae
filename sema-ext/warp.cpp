// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// warp.cpp - __attribute__((heddle_warp("paired"|"solo"))) on kernels, and its default of -fheddle-warp=
// (-plugin-arg-heddle-warp). The attribute becomes an annotation, which lower/mode.c reads; the words
// are judged by sx_warp_is_mode.
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Expr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "lang/note.h"
#include "sema-ext/sx.h"

using namespace clang;

namespace
{

void
annotate(ASTContext &cx, FunctionDecl *f, StringRef mode, const std::string &why, SourceRange at)
{
	std::string text = (HEDDLE_WARP_ANNOTATION + mode + " " + why).str();

	f->addAttr(AnnotateAttr::CreateImplicit(cx, text, nullptr, 0, at));
}

const AnnotateAttr *
annotation(const FunctionDecl *f)
{
	for (const auto *a : f->specific_attrs<AnnotateAttr>())
		if (a->getAnnotation().starts_with(HEDDLE_WARP_ANNOTATION))
			return a;
	return nullptr;
}

struct Attribute : ParsedAttrInfo {
	Attribute()
	{
		static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "heddle_warp"}};

		NumArgs = 1;
		Spellings = spellings;
	}

	bool diagAppertainsToDecl(Sema &s, const ParsedAttr &a, const Decl *d) const override
	{
		if (d->getAsFunction())
			return true;
		DiagnosticsEngine &e = s.getDiagnostics();
		e.Report(a.getLoc(), e.getCustomDiagID(DiagnosticsEngine::Error,
					     "attribute 'heddle_warp' belongs on a kernel"));
		return false;
	}

	AttrHandling handleDeclAttribute(Sema &s, Decl *d, const ParsedAttr &a) const override
	{
		DiagnosticsEngine &e = s.getDiagnostics();
		const Expr *arg = a.isArgExpr(0) ? a.getArgAsExpr(0) : nullptr;
		const auto *word =
			dyn_cast_or_null<StringLiteral>(arg ? arg->IgnoreParenCasts() : nullptr);
		StringRef mode = word ? word->getString() : "";

		if (!sx_warp_is_mode(mode.data(), mode.size())) {
			e.Report(arg ? arg->getExprLoc() : a.getLoc(),
				e.getCustomDiagID(DiagnosticsEngine::Error,
					"attribute 'heddle_warp' takes " SX_WARP_MODES));
			return AttributeNotApplied;
		}
		annotate(s.Context, d->getAsFunction(), mode,
			("__attribute__((heddle_warp(\"" + mode + "\"))) asks for it").str(),
			a.getRange());
		return AttributeApplied;
	}
};

struct Consumer : ASTConsumer {
	CompilerInstance &ci;
	std::string mode; // of kernels that name none; "": the compiler's choice

	Consumer(CompilerInstance &instance, std::string m) : ci(instance), mode(std::move(m))
	{
	}

	void check(FunctionDecl *f)
	{
		DiagnosticsEngine &e = ci.getDiagnostics();
		const AnnotateAttr *a = annotation(f);

		if (a && !f->hasAttr<CUDAGlobalAttr>())
			e.Report(a->getLocation(),
				e.getCustomDiagID(DiagnosticsEngine::Error,
					"attribute 'heddle_warp' belongs on a kernel"));
		const AnnotateAttr *asked = nullptr; // by the program: the option gives way
		for (const auto *o : f->specific_attrs<AnnotateAttr>()) {
			if (!o->getAnnotation().starts_with(HEDDLE_WARP_ANNOTATION) ||
				!o->getAnnotation().contains(" __attribute__"))
				continue;
			if (asked && asked->getAnnotation() != o->getAnnotation())
				e.Report(o->getLocation(),
					e.getCustomDiagID(DiagnosticsEngine::Error,
						"attribute 'heddle_warp' asks for both modes"));
			asked = o;
		}
		if (!a && !mode.empty() && f->hasAttr<CUDAGlobalAttr>() && !f->isDependentContext())
			annotate(f->getASTContext(), f, mode,
				"-fheddle-warp=" + mode + " asks for it", f->getSourceRange());
	}

	bool HandleTopLevelDecl(DeclGroupRef g) override
	{
		for (Decl *d : g)
			if (auto *f = d ? d->getAsFunction() : nullptr)
				check(f);
		return true;
	}
};

struct Action : PluginASTAction {
	std::string mode;

	std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &ci, StringRef) override
	{
		return std::make_unique<Consumer>(ci, mode);
	}

	bool ParseArgs(const CompilerInstance &ci, const std::vector<std::string> &args) override
	{
		DiagnosticsEngine &e = ci.getDiagnostics();

		for (const std::string &a : args) {
			if (a != "auto" && !sx_warp_is_mode(a.data(), a.size())) {
				e.Report(e.getCustomDiagID(DiagnosticsEngine::Error,
					"-fheddle-warp takes \"auto\", " SX_WARP_MODES));
				return false;
			}
			mode = a == "auto" ? "" : a;
		}
		return true;
	}

	ActionType getActionType() override
	{
		return AddBeforeMainAction;
	}
};

} // namespace

static ParsedAttrInfoRegistry::Add<Attribute> attribute(
	"heddle_warp", "how a kernel's warps lie on waves");
static FrontendPluginRegistry::Add<Action> registration("heddle-warp", "warp modes of kernels");
