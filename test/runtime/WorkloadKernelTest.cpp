// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/simulation/WorkloadKernel.h"

#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/programs/Workload.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tegula;
using testing::ElementsAre;

static std::unique_ptr<SimulatedKernel> makeKernel(llvm::StringRef name) {
  return llvm::cantFail(makeWorkloadKernel(name));
}

static const sim::Machine &getMachine() {
  static const sim::Machine machine = llvm::cantFail(sim::loadMachine("tpuv3"));
  return machine;
}

static int64_t countCycles(llvm::StringRef workload) {
  const sim::Machine &machine = getMachine();
  sim::Workload made = llvm::cantFail(sim::makeWorkload(workload, machine));
  sim::Tenant tenant{"", getKernels(made), 0, 0, 0};
  return llvm::cantFail(sim::simulate(machine, tenant)).getCycles();
}

TEST(WorkloadKernel, OneKernelServesEverySize) {
  std::unique_ptr<SimulatedKernel> kernel = makeKernel("gemm");
  EXPECT_EQ(kernel->getName(), "gemm");
  EXPECT_THAT(kernel->getSymbols(), ElementsAre("M", "N", "K"));
  EXPECT_FALSE(kernel->getNotes().empty());
  for (int64_t m : {1, 100, 1000}) {
    sim::Result result =
        llvm::cantFail(kernel->simulate({m, 64, 32}, getMachine(), {}));
    EXPECT_EQ(result.getMacs(), m * 64 * 32);
    EXPECT_EQ(result.getCycles(),
              countCycles("gemm_" + std::to_string(m) + "x64x32"));
  }
}

TEST(WorkloadKernel, RunsOnAChangedMachine) {
  std::unique_ptr<SimulatedKernel> kernel = makeKernel("softmax");
  sim::Machine fast = getMachine();
  llvm::cantFail(applyWhatIf(fast, "dram_bandwidth=x4"));
  auto count = [&](const sim::Machine &machine) {
    return llvm::cantFail(kernel->simulate({512, 512}, machine, {}))
        .getCycles();
  };
  EXPECT_LT(count(fast), count(getMachine()));
}

TEST(WorkloadKernel, AConvolutionKeepsItsImage) {
  std::unique_ptr<SimulatedKernel> kernel = makeKernel("conv");
  sim::Result result = llvm::cantFail(
      kernel->simulate({64, 28, 28, 128, 128, 3, 1}, getMachine(), {}));
  EXPECT_EQ(result.getCycles(), countCycles("conv_64x28x28x128x128x3x1x1"));
}

TEST(WorkloadKernel, SaysWhatIsTooLarge) {
  std::unique_ptr<SimulatedKernel> kernel = makeKernel("softmax");
  Expected<sim::Result> result =
      kernel->simulate({INT32_MAX, INT32_MAX}, getMachine(), {});
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "softmax_2147483647x2147483647 is too large to simulate");
}

TEST(WorkloadKernel, HasNoSizeOfZero) {
  Expected<sim::Result> result =
      makeKernel("softmax")->simulate({4, 0}, getMachine(), {});
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "the size N of workload 'softmax' is 0, but must be positive");
}
