// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/call/Overlap.h"

#include "tegula/support/Array.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace tegula;

/// The bytes a view touches, found by visiting them.
static std::set<char *> bytesOf(const TensorView &view) {
  std::set<char *> bytes;
  forEachElement(view, [&](char *element) {
    for (unsigned byte = 0; byte < getSize(view.dtype); ++byte)
      bytes.insert(element + byte);
  });
  return bytes;
}

static bool intersect(const std::set<char *> &lhs,
                      const std::set<char *> &rhs) {
  for (char *byte : lhs)
    if (rhs.count(byte))
      return true;
  return false;
}

/// A small view around `origin` with strides of both signs.
static TensorView randomView(std::mt19937 &random, char *origin) {
  auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  DType dtype = pick(0, 1) ? DType::FP32 : DType::Int8;
  int64_t sizes[3], strides[3];
  int rank = pick(0, 3);
  for (int axis = 0; axis < rank; ++axis) {
    sizes[axis] = pick(1, 4);
    strides[axis] = pick(-6, 12);
  }
  return TensorView(origin + pick(-40, 40), dtype, {sizes, size_t(rank)},
                    {strides, size_t(rank)});
}

TEST(Overlap, AgreesWithVisitingEveryByte) {
  std::mt19937 random(7);
  std::vector<char> memory(4096);
  char *origin = memory.data() + 2048;
  int numShared = 0, numInterleaved = 0;
  for (int round = 0; round < 3000; ++round) {
    TensorView lhs = randomView(random, origin);
    TensorView rhs = randomView(random, origin);
    bool share = intersect(bytesOf(lhs), bytesOf(rhs));
    EXPECT_EQ(mayShareMemory(lhs, rhs), share);
    AddressRange lhsRange, rhsRange;
    ASSERT_TRUE(computeRange(lhs, lhsRange));
    ASSERT_TRUE(computeRange(rhs, rhsRange));
    if (share)
      EXPECT_TRUE(lhsRange.overlaps(rhsRange));
    numShared += share;
    numInterleaved += !share && lhsRange.overlaps(rhsRange);
  }
  EXPECT_GT(numShared, 100);
  EXPECT_GT(numInterleaved, 100);
}

TEST(Overlap, FindsEveryElementThatIsSharedInAView) {
  std::mt19937 random(8);
  std::vector<char> memory(4096);
  for (int round = 0; round < 3000; ++round) {
    TensorView view = randomView(random, memory.data() + 2048);
    std::set<char *> starts;
    forEachElement(view, [&](char *element) { starts.insert(element); });
    if (int64_t(starts.size()) < view.getNumElements())
      EXPECT_LT(findSelfOverlap(view), view.rank);
  }
}

TEST(Overlap, AnswersQuicklyForHugeViews) {
  std::vector<char> memory(16);
  int64_t big = int64_t(1) << 20;
  // Even and odd columns of a matrix with a million rows.
  TensorView even(memory.data(), DType::FP32, {big, 512}, {1024, 2});
  TensorView odd(memory.data() + 4, DType::FP32, {big, 512}, {1024, 2});
  EXPECT_FALSE(mayShareMemory(even, odd));
  EXPECT_TRUE(mayShareMemory(even, even));
}
