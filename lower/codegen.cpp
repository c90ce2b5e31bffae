// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// codegen.cpp - has low_edge run in LLVM's code generator, between its last pass over the control
// flow and the structurizer: what is changed earlier, other passes undo.
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/Pass.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <memory>
#include "lower/low.h"

using namespace llvm;

namespace
{

struct Edge : FunctionPass {
	static char ID;

	Edge() : FunctionPass(ID)
	{
	}

	bool runOnFunction(Function &f) override
	{
		return low_edge(wrap(&f));
	}

	StringRef getPassName() const override
	{
		return "Blocks before phis (Heddle)";
	}
};

char Edge::ID;

const RegisterTargetPassConfigCallback callback(
	[](TargetMachine &machine, PassManagerBase &, TargetPassConfig *config) {
		if (machine.getTargetTriple().isAMDGCN()) {
			std::unique_ptr<Pass> last(createUnifyLoopExitsPass());
			config->insertPass(last->getPassID(), new Edge);
		}
	});

} // namespace

void
shim_split_end(LLVMBasicBlockRef b)
{
	SplitBlock(unwrap(b), unwrap(b)->getTerminator());
}
