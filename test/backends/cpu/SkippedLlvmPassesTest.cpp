// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM adds the passes that are left out, by the names that are known here.

#include "tegula/backends/cpu/object/SkippedLlvmPasses.h"
#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/object/LlvmModule.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <set>

using namespace tegula;

namespace {

/// Takes all passes and remembers which there are.
struct AddedPasses : llvm::legacy::PassManagerBase {
  void add(llvm::Pass *pass) override {
    names.insert(pass->getPassName().str());
    passes.add(pass);
  }
  std::set<std::string> names;
  llvm::legacy::PassManager passes;
};

} // namespace

/// Adds the passes that make an object file.
static void addPasses(llvm::legacy::PassManagerBase &manager) {
  auto machine = createTargetMachine(CpuOptions());
  ASSERT_TRUE(bool(machine));
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream stream(code);
  ASSERT_FALSE((*machine)->addPassesToEmitFile(
      manager, stream, nullptr, llvm::CodeGenFileType::ObjectFile));
}

TEST(SkippedLlvmPasses, AreKnownByTheirNames) {
  AddedPasses all;
  addPasses(all);
  for (llvm::StringRef name : getSkippedLlvmPasses())
    EXPECT_EQ(all.names.count(name.str()), 1u) << name.str();
}

TEST(SkippedLlvmPasses, AreTheOnlyOnesThatAreMissing) {
  AddedPasses all, most;
  SkippedLlvmPasses some(most, getSkippedLlvmPasses());
  addPasses(all);
  addPasses(some);
  for (llvm::StringRef name : getSkippedLlvmPasses())
    all.names.erase(name.str());
  EXPECT_EQ(most.names, all.names);
}

TEST(SkippedLlvmPasses, AreNoneIfNoneAreNamed) {
  AddedPasses all, most;
  SkippedLlvmPasses none(most, {});
  addPasses(all);
  addPasses(none);
  EXPECT_EQ(most.names, all.names);
}
