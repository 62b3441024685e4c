// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/object/SkippedLlvmPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Pass.h"

using namespace llvm;
using namespace tegula;

static constexpr StringLiteral leftOut[] = {
    // ReduceStrength has seen the functions already.
    "Loop Strength Reduction",
    // Only helps the one above.
    "Canonicalize Freeze Instructions in Loops",
    // Once registers are known the processor finds a better order itself.
    "Post RA top-down list latency scheduler",
};

ArrayRef<StringLiteral> tegula::getSkippedLlvmPasses() { return leftOut; }

void SkippedLlvmPasses::add(Pass *pass) {
  if (is_contained(names, pass->getPassName()))
    delete pass;
  else
    others.add(pass);
}
