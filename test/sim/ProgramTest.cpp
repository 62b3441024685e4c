// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpList.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/programs/ChooseTile.h"
#include "tegula/sim/programs/Workload.h"
#include "gtest/gtest.h"

using namespace tegula;
using namespace tegula::sim;

TEST(Gemm, MovesAndMultipliesWhatItsShapeSaysAtRaggedEdges) {
  Machine machine = makeBareMachine();
  GemmShape shape{300, 200, 500};
  for (GemmTile tile : {GemmTile{128, 128, 128}, GemmTile{300, 200, 500},
                        GemmTile{299, 199, 499}, GemmTile{64, 512, 96, 3}}) {
    tile.n = std::min(tile.n, int64_t(200));
    Result result = simulateWell(machine, Gemm(shape, tile));
    auto count = [](int64_t extent, int64_t side) {
      return (extent + side - 1) / side;
    };
    EXPECT_EQ(result.getMacs(), 300 * 200 * 500);
    ASSERT_EQ(result.tensors.size(), 3u);
    EXPECT_EQ(result.tensors[0].bytesLoaded,
              300 * 500 * 4 * count(200, tile.n));
    EXPECT_EQ(result.tensors[1].bytesLoaded,
              500 * 200 * 4 * count(300, tile.m));
    EXPECT_EQ(result.tensors[2].bytesStored, 300 * 200 * 4);
  }
}

TEST(Gemm, MoreBuffersAreNeverSlower) {
  Machine machine = makeBareMachine();
  machine.weightSlotsPerArray = 2;
  Time before = INT64_MAX;
  for (int64_t depth : {1, 2, 3, 4}) {
    Time total =
        simulateWell(machine, Gemm({1024, 1024, 1024}, {256, 256, 256, depth}))
            .total;
    EXPECT_LE(total, before) << depth;
    before = total;
  }
}

TEST(Gemm, TwiceTheRowsAreTwiceTheItems) {
  EXPECT_EQ(2 * Gemm({1024, 512, 512}, {256, 256, 256}).countItems(),
            Gemm({2048, 512, 512}, {256, 256, 256}).countItems());
}

TEST(ChooseTile, FitsTheMachineAndBeatsItsRivals) {
  for (const std::string &name : listMachines()) {
    Machine machine = llvm::cantFail(loadMachine(name));
    GemmShape shape{500, 700, 300};
    Expected<GemmTile> tile = chooseGemmTile(machine, shape);
    ASSERT_TRUE(bool(tile)) << llvm::toString(tile.takeError());
    TegulaTraceSpace sums = getAccSpace(machine);
    Time chosen = simulateWell(machine, Gemm(shape, *tile, {}, sums)).total;
    std::vector<RankedTile> ranked = rankGemmTiles(machine, shape);
    for (size_t rival = 0; rival < 4; ++rival)
      EXPECT_LE(chosen,
                simulateWell(machine, Gemm(shape, ranked[rival].tile, {}, sums))
                    .total);
  }
}

TEST(ChooseTile, SaysWhenNothingFits) {
  Machine machine = makeBareMachine();
  machine.scratchpadBytesPerCore = 1000;
  Expected<GemmTile> tile = chooseGemmTile(machine, {512, 512, 512});
  ASSERT_FALSE(bool(tile));
  EXPECT_EQ(llvm::toString(tile.takeError()),
            "no tile of a matmul of 512 x 512 x 512 fits 1000 bytes");
}

TEST(GemmEstimate, IsNearTheSimulatorOnTheTileItTakes) {
  Machine machine = llvm::cantFail(loadMachine("tpuv3"));
  for (GemmShape shape :
       {GemmShape{2048, 2048, 2048}, GemmShape{1024, 4096, 512},
        GemmShape{777, 999, 3000}}) {
    RankedTile best = rankGemmTiles(machine, shape).front();
    double simulated =
        double(simulateWell(machine, Gemm(shape, best.tile)).getCycles());
    EXPECT_NEAR(best.cycles, simulated, 0.2 * simulated);
  }
}

static Result runNamed(const std::string &name) {
  Machine machine = llvm::cantFail(loadMachine("tpuv3"));
  Expected<Workload> workload = makeWorkload(name, machine);
  if (!workload) {
    ADD_FAILURE() << llvm::toString(workload.takeError());
    return {};
  }
  Tenant tenant{name, getKernels(*workload), 0, 0, 0};
  return llvm::cantFail(simulate(machine, tenant));
}

TEST(Workload, PassesReadAndWriteAsOftenAsTheyAreSaidTo) {
  int64_t bytes = 512 * 768 * 4;
  Result softmax = runNamed("softmax_512x768");
  EXPECT_EQ(softmax.dram.bytesRead, 3 * bytes);
  EXPECT_EQ(softmax.dram.bytesWritten, bytes + 2 * 512 * 4);
  Result norm = runNamed("layernorm_512x768");
  EXPECT_EQ(norm.dram.bytesRead, 4 * bytes);
  EXPECT_EQ(norm.dram.bytesWritten, 2 * bytes + 2 * 512 * 4);
}

TEST(Workload, ConvolutionsAreMatmulsWithPaddedChannels) {
  EXPECT_EQ(runNamed("conv_2x28x28x64x100x3x1x1").getMacs(),
            2 * 28 * 28 * 9 * 128 * 128);
  EXPECT_EQ(runNamed("conv_1x56x56x128x128x3x2x1").getMacs(),
            28 * 28 * 9 * 128 * 128);
}

TEST(Workload, AttentionKeepsItsScoresInMemory) {
  Result result = runNamed("attention_4x512x64");
  int64_t scores = 4 * 512 * 512 * 4, operand = 4 * 512 * 64 * 4;
  EXPECT_EQ(result.dram.bytesWritten, scores + operand + 4 * 512 * 4);
  EXPECT_GE(result.dram.bytesRead, 2 * scores + 3 * operand);
}

TEST(Workload, UnknownNamesAreErrors) {
  for (const char *name : {"gemm_1x2", "gemm_1x2xq", "pool_3", ""}) {
    Expected<Workload> workload = makeWorkload(name, Machine());
    ASSERT_FALSE(bool(workload));
    EXPECT_EQ(llvm::toString(workload.takeError()),
              std::string("there is no workload '") + name + "'");
  }
}
