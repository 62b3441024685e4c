// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM asks for the passes that are left out, by the names that are known here.

#include "tegula/backends/cpu/PassesLeftOut.h"
#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/LlvmModule.h"
#include "tegula/backends/cpu/ObjectFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <set>

using namespace tegula;

namespace {

/// Lets all passes run and remembers which there are.
struct AskedFor : llvm::OptPassGate {
  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef passName, llvm::StringRef) const override {
    names.insert(passName.str());
    return true;
  }
  mutable std::set<std::string> names;
};

} // namespace

static constexpr llvm::StringLiteral loop = R"(
define void @f(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [0, %0], [%next, %loop]
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
)";

TEST(PassesLeftOut, AreKnownByTheirNames) {
  CpuOptions options;
  auto machine = createTargetMachine(options);
  ASSERT_TRUE(bool(machine));
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(loop, problem, context);
  ASSERT_TRUE(module);
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  AskedFor all;
  context.setOptPassGate(all);
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream stream(code);
  ASSERT_FALSE(bool(
      emitCode(*module, **machine, llvm::CodeGenFileType::ObjectFile, stream)));
  for (llvm::StringRef name : getPassesLeftOut())
    EXPECT_EQ(all.names.count(name.str()), 1u) << name.str();
}

TEST(PassesLeftOut, AreLeftOutWhileTheGateLives) {
  llvm::LLVMContext context;
  llvm::OptPassGate &before = context.getOptPassGate();
  {
    PassesLeftOut gate(context);
    EXPECT_EQ(&context.getOptPassGate(), &gate);
    for (llvm::StringRef name : getPassesLeftOut())
      EXPECT_FALSE(gate.shouldRunPass(name, "function (f)"));
    EXPECT_TRUE(gate.shouldRunPass("CodeGen Prepare", "function (f)"));
  }
  EXPECT_EQ(&context.getOptPassGate(), &before);
}
