// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/Routines.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <dlfcn.h>

using namespace tegula;

/// tegula/backends/cuda/device/routines, as kernels are linked with it.
static const unsigned char deviceCode[] = {
#include "tegula/backends/cuda/DeviceCode.inc"
};

static const char *const routines[] = {
#define ROUTINE(NAME, SCOPE, COST) #NAME,
    TEGULA_ROUTINES(ROUTINE)
#undef ROUTINE
};

/// What code of a GPU calls.
static std::vector<std::string> listDeviceRoutines() {
  std::vector<std::string> names = {
#define ROUTINE(NAME) #NAME,
      TEGULA_DEVICE_ROUTINES(ROUTINE)
#undef ROUTINE
  };
  for (llvm::StringRef name : routines) {
    RoutineScope scope = *findScope(name);
    if (scope == RoutineScope::Host || scope == RoutineScope::Ranks)
      continue;
    names.push_back(getDeviceName(name));
    if (scope == RoutineScope::Grid)
      names.push_back(getDeviceName(name) + byAllSuffix.str());
  }
  return names;
}

TEST(Routines, AreExported) {
  for (const char *name : routines)
    EXPECT_TRUE(::dlsym(RTLD_DEFAULT, name)) << name;
}

TEST(Routines, AreExportedForEmulatedGpus) {
  for (const std::string &name : listDeviceRoutines())
    EXPECT_TRUE(::dlsym(RTLD_DEFAULT, name.c_str())) << name;
#define ROUTINE(NAME) EXPECT_TRUE(::dlsym(RTLD_DEFAULT, #NAME)) << #NAME;
  TEGULA_EMULATOR_ROUTINES(ROUTINE)
#undef ROUTINE
}

TEST(Routines, AreThereOnGpus) {
  llvm::LLVMContext context;
  llvm::StringRef bytes(reinterpret_cast<const char *>(deviceCode),
                        sizeof(deviceCode));
  auto module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "device"), context);
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  for (const std::string &name : listDeviceRoutines())
    EXPECT_TRUE((*module)->getFunction(name)) << name;
}

TEST(Routines, OnRowsHaveACost) {
  for (llvm::StringRef name : routines) {
    bool isOnRows = name.ends_with("Rows") || name.ends_with("Runs") ||
                    name == routine::tegulaArgReduce;
    EXPECT_EQ(getElementCost(name) > 0, isOnRows) << name.str();
  }
  EXPECT_EQ(getElementCost("tegulaGpuThread"), 0);
}

TEST(Routines, HaveAScopeByTheirName) {
  EXPECT_EQ(findScope("tegulaScratchPush"), RoutineScope::Thread);
  EXPECT_EQ(findScope("tegulaSortRows"), RoutineScope::Grid);
  EXPECT_EQ(findScope("tegulaTransposeRows"), RoutineScope::Host);
  EXPECT_FALSE(findScope("tegulaGpuThread"));
  EXPECT_EQ(getDeviceName(routine::tegulaSortRows), "tegulaGpuSortRows");
}
