// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/object/LlvmModule.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

using namespace tegula;

TEST(CpuOptions, TheHostHasWhatItSaysAndLacksWhatItLacks) {
  auto machine = createTargetMachine(CpuOptions::forHost());
  ASSERT_TRUE(bool(machine));
  const llvm::MCSubtargetInfo &processor = *(*machine)->getMCSubtargetInfo();
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    EXPECT_EQ(processor.checkFeatures("+" + feature.first().str()),
              feature.second)
        << feature.first().str();
}

TEST(CpuOptions, TheHostIsTheSameIfEveryFeatureIsNamed) {
  CpuOptions options = CpuOptions::forHost();
  auto machine = createTargetMachine(options);
  ASSERT_TRUE(bool(machine));
  options.features.clear();
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    options.features += (options.features.empty() ? "" : ",") +
                        std::string(feature.second ? "+" : "-") +
                        feature.first().str();
  auto named = createTargetMachine(options);
  ASSERT_TRUE(bool(named));
  EXPECT_EQ((*machine)->getMCSubtargetInfo()->getFeatureBits(),
            (*named)->getMCSubtargetInfo()->getFeatureBits());
}
