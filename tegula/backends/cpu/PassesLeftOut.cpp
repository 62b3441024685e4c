// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/PassesLeftOut.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tegula;

static constexpr StringLiteral leftOut[] = {
    // ReduceStrength has seen the functions already.
    "Loop Strength Reduction",
    // Only helps the one above.
    "Canonicalize Freeze Instructions in Loops",
    // Once registers are known the processor finds a better order itself.
    "post-RA-sched",
};

ArrayRef<StringLiteral> tegula::getPassesLeftOut() { return leftOut; }

PassesLeftOut::PassesLeftOut(LLVMContext &context)
    : context(context), before(context.getOptPassGate()) {
  context.setOptPassGate(*this);
}

PassesLeftOut::~PassesLeftOut() { context.setOptPassGate(before); }

bool PassesLeftOut::shouldRunPass(StringRef passName, StringRef) const {
  return !is_contained(leftOut, passName);
}
