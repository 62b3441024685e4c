// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How code of inner loops begins.

#include "tegula/backends/cpu/object/LlvmModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/CFG.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace tegula;

/// The sum of what is before `n`; none is asked for if there is no element.
static constexpr llvm::StringLiteral sum = R"(
define float @f(ptr %p, i64 %n) {
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i64 [0, %0], [%next, %loop]
  %before = phi float [0.0, %0], [%after, %loop]
  %place = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %place
  %after = fadd float %before, %x
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %all = phi float [0.0, %0], [%after, %loop]
  ret float %all
})";

static std::unique_ptr<llvm::TargetMachine> makeMachine() {
  return cantFail(
      createTargetMachine(cantFail(CpuOptions::forCpu("x86-64-v3"))));
}

TEST(LlvmModule, HasABlockBeforeEachInnerLoop) {
  auto machine = makeMachine();
  llvm::LLVMContext context;
  llvm::SMDiagnostic mistake;
  auto module = llvm::parseAssemblyString(sum, mistake, context);
  ASSERT_TRUE(module) << mistake.getMessage().str();
  module->setDataLayout(machine->createDataLayout());
  cantFail(optimizeLlvm(*module, *machine));
  unsigned numLoops = 0;
  for (llvm::BasicBlock &loop : *module->getFunction("f")) {
    if (!llvm::is_contained(successors(&loop), &loop))
      continue;
    ++numLoops;
    for (llvm::BasicBlock *before : predecessors(&loop))
      EXPECT_TRUE(before == &loop || before->getSingleSuccessor() == &loop);
  }
  EXPECT_EQ(numLoops, 1u);
}
