// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/image/CpuFeatures.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

using namespace tegula;

TEST(CpuFeatures, AgreeWithLlvm) {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  ASSERT_FALSE(listCpuFeatures().empty());
  for (std::string_view name : listCpuFeatures()) {
    ASSERT_TRUE(host.contains(name)) << name;
    EXPECT_EQ(findMissingFeature(name).empty(), host.lookup(name)) << name;
  }
}

TEST(CpuFeatures, NameTheFirstThatIsMissing) {
  EXPECT_EQ(findMissingFeature(""), "");
  EXPECT_EQ(findMissingFeature("sse3"), "");
  EXPECT_EQ(findMissingFeature("sse3 ssse3 warp9 sse4.1 warp10"), "warp9");
}
