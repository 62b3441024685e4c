// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls ask of the driver, one that does nothing.

#include "tegula/launch/gpu/CudaKernel.h"
#include "tegula/launch/device/DeviceStream.h"

#include "gtest/gtest.h"

using namespace tegula;
using namespace tegula::cuda;

/// The functions that were called, by their first letters.
static std::string asked;

static Result launchWith(const LaunchConfig *config, Function, void **,
                         void **) {
  bool overlaps =
      config->numAttributes == 1 && config->attributes->id == overlapAttribute;
  asked += overlaps ? 'o' : 'w';
  return 0;
}

static Driver makeDriver() {
  Driver driver = {};
  driver.emulatedChip = 90;
  driver.contextGetCurrent = [](Context *context) {
    asked += 'c';
    *context = reinterpret_cast<Context>(&asked);
    return 0;
  };
  driver.contextGetDevice = [](Device *device) {
    asked += 'd';
    return *device = 0;
  };
  driver.deviceGetAttribute = [](int *value, int, Device) {
    *value = 132;
    return 0;
  };
  driver.moduleLoadData = [](Module *module, const void *) {
    *module = reinterpret_cast<Module>(&asked);
    return 0;
  };
  driver.moduleGetFunction = [](Function *function, Module, const char *) {
    asked += 'f';
    *function = reinterpret_cast<Function>(&asked);
    return 0;
  };
  driver.functionSetAttribute = [](Function, int, int) {
    asked += 'a';
    return 0;
  };
  driver.occupancy = [](int *blocks, Function, int, size_t) {
    *blocks = 1;
    return 0;
  };
  driver.hostAllocate = [](void **memory, size_t, unsigned) {
    static TegulaCallState state;
    *memory = &state;
    return 0;
  };
  driver.hostAddress = [](Address *, void *, unsigned) { return 0; };
  driver.encodeMap = [](void *, int, uint32_t, void *, const uint64_t *,
                        const uint64_t *, const uint32_t *, const uint32_t *,
                        int, int, int, int) {
    asked += 'm';
    return 0;
  };
  driver.launch = [](Function, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned, unsigned, Stream, void **, void **) {
    asked += 'l';
    return 0;
  };
  return driver;
}

/// Three matrices of 64 x 64.
static GpuProgram makeProgram() {
  GpuProgram program;
  program.numSlots = 15;
  program.threads = 256;
  program.tensors = {{0, 2, 16, false}, {5, 2, 16, false}, {10, 2, 16, true}};
  program.codes = {{"sm_90a", "\177ELF"}};
  program.rows.emplace().tensors = {{2, true, true}};
  return program;
}

/// What the second call asks for on a GPU that it names.
static std::string askAgain(const GpuProgram &program, bool overlaps = false) {
  Driver driver = makeDriver();
  driver.overlaps = overlaps;
  if (overlaps)
    driver.launchWith = launchWith;
  Kernel kernel(program, driver);
  std::vector<int64_t> slots;
  for (int tensor = 0; tensor < 3; ++tensor)
    slots.insert(slots.end(), {4096, 64, 64, 64, 1});
  TegulaCallState state = {};
  TegulaGpuRequest request = {};
  request.slots = slots.data();
  request.state = &state;
  DeviceStreamScope stream({0, nullptr});
  kernel.run(request);
  EXPECT_EQ(state.error, TegulaNoError);
  asked.clear();
  kernel.run(request);
  return asked;
}

TEST(CudaKernel, LaunchesRowsAndAsksForTheContextOnly) {
  GpuProgram program = makeProgram();
  program.rows->variants = {{"rows", false, 4, true}};
  EXPECT_EQ(askAgain(program), "cl");
}

TEST(CudaKernel, LetsLaunchesOverlapWhereChipsAndDriversCan) {
  GpuProgram program = makeProgram();
  program.rows->variants = {{"rows", false, 4, true}};
  EXPECT_EQ(askAgain(program, /*overlaps=*/true), "co");
  program.codes = {{"sm_80", ".version"}};
  EXPECT_EQ(askAgain(program, /*overlaps=*/true), "cl");
}

TEST(CudaKernel, LooksForKernelsOfMatmulsOnce) {
  GpuProgram program = makeProgram();
  program.matmul = {0, 1, false, false, GpuElement::Bf16};
  program.matmulCodes = program.codes;
  EXPECT_EQ(askAgain(program), "cmml");
  program.tileCodes = program.codes;
  program.matmulCodes.clear();
  EXPECT_EQ(askAgain(program), "cl");
}
