// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strength is reduced in loops that advance many pointers, and nowhere else.

#include "tegula/backends/cpu/object/ReduceStrength.h"
#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/object/LlvmModule.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace tegula;

/// A loop that adds 1 to the elements of so many rows of one memory.
static std::string makeLoop(unsigned rows) {
  std::string rowsBefore, steps;
  llvm::raw_string_ostream before(rowsBefore), inside(steps);
  for (unsigned row = 0; row < rows; ++row) {
    before << "  %o" << row << " = mul i64 %stride, " << row << "\n  %p" << row
           << " = getelementptr float, ptr %p, i64 %o" << row << "\n";
    inside << "  %a" << row << " = getelementptr float, ptr %p" << row
           << ", i64 %i\n  %x" << row << " = load float, ptr %a" << row
           << "\n  %y" << row << " = fadd float %x" << row
           << ", 1.0\n  store float %y" << row << ", ptr %a" << row << "\n";
  }
  return "define void @f(ptr %p, i64 %stride, i64 %n) {\n" + rowsBefore +
         "  br label %loop\nloop:\n"
         "  %i = phi i64 [0, %0], [%next, %loop]\n" +
         steps +
         "  %next = add i64 %i, 1\n"
         "  %more = icmp slt i64 %next, %n\n"
         "  br i1 %more, label %loop, label %end\n"
         "end:\n  ret void\n}\n";
}

/// True if the pass leaves the function as it is.
static bool isUnchanged(const std::string &text) {
  auto machine =
      cantFail(createTargetMachine(cantFail(CpuOptions::forCpu("x86-64-v3"))));
  llvm::LLVMContext context;
  llvm::SMDiagnostic mistake;
  auto module = llvm::parseAssemblyString(text, mistake, context);
  EXPECT_TRUE(module) << mistake.getMessage().str();
  module->setDataLayout(machine->createDataLayout());
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes(machine.get());
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graph);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graph, modules);
  auto print = [&] {
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    module->print(stream, nullptr);
    return printed;
  };
  std::string before = print();
  ReduceStrength().run(*module->getFunction("f"), functions);
  return print() == before;
}

TEST(ReduceStrength, LeavesLoopsOverFewPointersAlone) {
  EXPECT_TRUE(isUnchanged(makeLoop(1)));
  EXPECT_TRUE(isUnchanged(makeLoop(5)));
}

TEST(ReduceStrength, ChangesLoopsOverManyPointers) {
  EXPECT_FALSE(isUnchanged(makeLoop(6)));
  EXPECT_FALSE(isUnchanged(makeLoop(14)));
}
