// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// plugin.h - the run that plugin.cpp and tool/shim.cpp share.
#ifndef HEDDLE_LOW_PLUGIN_H
#define HEDDLE_LOW_PLUGIN_H

#include "llvm/IR/PassManager.h"
#include "lower/shim.h"

struct low_shim {
	llvm::ModuleAnalysisManager *mam;
};

#endif
