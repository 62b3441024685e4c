// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/gpu/variants/GpuAttention.h"
#include "tegula/launch/gpu/GpuProgram.h"

#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace tegula;

static constexpr int64_t numSMs = 132;

namespace {

/// The slots of a call: four tensors, each address, sizes, strides, and the
/// bits of the scale.
struct Call {
  GpuAttention attention{0, 1, 2, 3, 28, 1.0f, 64, 1, true, true};
  std::vector<int64_t> slots;

  Call(int64_t heads, int64_t queries, int64_t keys) : slots(29) {
    for (int64_t tensor : {0, 1, 2, 3}) {
      int64_t rows = tensor == 1 || tensor == 2 ? keys : queries;
      int64_t dense[] = {1 << 20, heads, rows, 64, rows * 64, 64, 1};
      std::copy(std::begin(dense), std::end(dense), at(tensor));
    }
    setScale(0.125f);
  }

  int64_t *at(int64_t tensor) { return slots.data() + 7 * tensor; }
  void setScale(float scale) {
    uint32_t bits;
    std::memcpy(&bits, &scale, sizeof(bits));
    slots[28] = bits;
  }
  GpuAttentionCall get() {
    return GpuAttentionCall(attention, at(0), at(1), at(2), at(3),
                            slots.data());
  }
};

/// The slots of a tensor's numbers.
enum Slot {
  Address,
  Heads,
  Rows,
  Columns,
  HeadStride,
  RowStride,
  ColumnStride
};

} // namespace

TEST(GpuAttention, TakesBoxesOfRowsAndHeadsAtMultiplesOf16Bytes) {
  EXPECT_TRUE(Call(2, 3, 5).get().isPossible());
  // Heads side by side, rows of all heads one below the other.
  Call transposed(4, 3, 5);
  transposed.at(1)[HeadStride] = 64;
  transposed.at(1)[RowStride] = 256;
  EXPECT_TRUE(transposed.get().isPossible());
  struct {
    Slot slot;
    int64_t number;
  } others[] = {{Address, (1 << 20) + 8}, {HeadStride, 68}, {HeadStride, 0},
                {RowStride, 68},          {RowStride, -64}, {ColumnStride, 2}};
  for (auto [slot, number] : others)
    for (int64_t tensor : {0, 1, 2, 3}) {
      Call call(2, 3, 5);
      call.at(tensor)[slot] = number;
      EXPECT_FALSE(call.get().isPossible()) << slot << " of " << tensor;
    }
}

TEST(GpuAttention, LeavesWhatIsEmptyOrHugeToTheFallback) {
  EXPECT_TRUE(Call(1, 1, 1).get().isPossible());
  EXPECT_FALSE(Call(0, 1, 1).get().isPossible());
  EXPECT_FALSE(Call(1, 0, 1).get().isPossible());
  EXPECT_FALSE(Call(1, 1, 0).get().isPossible());
  EXPECT_FALSE(Call(1, 1, int64_t(1) << 31).get().isPossible());
  EXPECT_FALSE(Call(1 << 20, 1 << 20, 1 << 20).get().isPossible());
}

TEST(GpuAttention, LeavesQueriesThatSeeNoKeyToTheFallback) {
  Call call(1, 5, 4);
  EXPECT_FALSE(call.get().isPossible());
  call.attention.isCausal = false;
  EXPECT_TRUE(call.get().isPossible());
}

TEST(GpuAttention, LeavesNegativeScalesToTheFallback) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (float scale : {0.0f, -1.0f, infinity, std::nanf(""), 3e38f}) {
    Call call(1, 1, 1);
    call.setScale(scale);
    EXPECT_FALSE(call.get().isPossible()) << scale;
  }
}

TEST(GpuAttention, TakesItsScaleFromTheCallOrTheKernel) {
  Call call(1, 3, 5);
  EXPECT_FLOAT_EQ(call.get().getSizes(numSMs).scale,
                  0.125f * std::log2(std::exp(1.0f)));
  call.attention.scaleSlot = -1;
  EXPECT_FLOAT_EQ(call.get().getSizes(numSMs).scale, std::log2(std::exp(1.0f)));
}

TEST(GpuAttention, SharesHeadsThatAreThere) {
  Call call(8, 3, 5);
  call.attention.sharing = 4;
  call.at(1)[Heads] = call.at(2)[Heads] = 2;
  EXPECT_TRUE(call.get().isPossible());
  EXPECT_EQ(call.get().getSizes(numSMs).sharing, 4);
  call.at(1)[Heads] = call.at(2)[Heads] = 1;
  EXPECT_FALSE(call.get().isPossible());
  // Keys and values that do not belong together.
  call.at(2)[Heads] = 2;
  EXPECT_FALSE(call.get().isPossible());
}

TEST(GpuAttention, HidesKeysAfterTheQuery) {
  Call call(1, 3, 5);
  EXPECT_EQ(call.get().getSizes(numSMs).past, 2);
  call.attention.isCausal = false;
  EXPECT_GE(call.get().getSizes(numSMs).past, 4);
}

TEST(GpuAttention, KeepsSMsBusy) {
  EXPECT_EQ(Call(128, 193, 1000).get().countTiles(), 256);
  EXPECT_EQ(Call(128, 193, 1000).get().countBlocks(numSMs), numSMs);
  EXPECT_EQ(Call(2, 192, 192).get().countBlocks(numSMs), 2);
}

TEST(GpuAttention, OrdersTilesByTheirLength) {
  auto orderOf = [](int64_t headSize, bool isCausal, int64_t heads,
                    int64_t length) {
    Call call(heads, length, length);
    call.attention.headSize = headSize;
    call.attention.isCausal = isCausal;
    return call.get().getSizes(numSMs).together;
  };
  // Equally long: head after head.
  EXPECT_EQ(orderOf(128, false, 128, 1024), 1);
  // 512 pairs are nearly four for each SM.
  EXPECT_EQ(orderOf(128, true, 128, 1024), 0);
  // 192 pairs are two for some of them and one for most.
  EXPECT_EQ(orderOf(128, true, 16, 3000), 16);
  EXPECT_EQ(orderOf(128, true, 1, 256), 1);
  EXPECT_EQ(orderOf(64, true, 128, 1024), 128);
}

TEST(GpuAttention, IsWrittenAndReadAgain) {
  GpuProgram program, read;
  program.tensors.assign(4, {0, 3, 16, false});
  program.attention = {3, 1, 0, 2, -1, 0.25f, 128, 8, false, true};
  program.matmulCodes.push_back({"sm_90a", "code"});
  ASSERT_TRUE(read.read(program.write()));
  ASSERT_TRUE(read.attention);
  EXPECT_EQ(read.attention->queries, 3);
  EXPECT_EQ(read.attention->scaleSlot, -1);
  EXPECT_EQ(read.attention->scale, 0.25f);
  EXPECT_EQ(read.attention->sharing, 8);
  EXPECT_EQ(read.attention->getKernel(), "tegulaAttentionFp16Head128");
  EXPECT_EQ(read.matmulCodes.at(0).bytes, "code");
  EXPECT_FALSE(read.matmul);
  program.attention->headSize = 96;
  EXPECT_FALSE(read.read(program.write())) << "there is no such kernel";
}
