// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/memory/SymmetricHeap.h"

#include "gtest/gtest.h"

using namespace tegula;

TEST(SymmetricHeap, HandsOutSegmentsInOrder) {
  alignas(64) static char first[256], second[1024];
  SymmetricHeap heap;
  EXPECT_FALSE(heap.allocate(1));
  heap.add({0, 256, {first}});
  EXPECT_EQ(heap.allocate(1).offset, 0);
  EXPECT_EQ(heap.allocate(65).offset, 64);
  EXPECT_FALSE(heap.allocate(128));
  heap.add({1, 1024, {second}});
  SymmetricHeap::Location location = heap.allocate(128);
  EXPECT_EQ(location.segment->number, 1);
  EXPECT_EQ(location.offset, 0);
}

TEST(SymmetricHeap, FindsOnlyWhatIsHandedOut) {
  alignas(64) static char memory[256];
  SymmetricHeap heap;
  heap.add({0, 256, {memory}});
  EXPECT_TRUE(heap.allocate(64));
  EXPECT_EQ(heap.find(memory + 10, 0).offset, 10);
  EXPECT_FALSE(heap.find(memory + 64, 0));
  EXPECT_FALSE(heap.find(&heap, 0));
  heap.release();
  EXPECT_FALSE(heap.find(memory + 10, 0));
}

TEST(SymmetricHeap, ClearsWhatIsHandedOut) {
  alignas(64) static char memory[256];
  SymmetricHeap heap;
  heap.add({0, 256, {memory}});
  EXPECT_TRUE(heap.allocate(64));
  memory[63] = memory[64] = 1;
  heap.clear(0);
  EXPECT_EQ(memory[63], 0);
  EXPECT_EQ(memory[64], 1);
}

TEST(SymmetricHeap, RefusesAbsurdSizes) {
  SymmetricHeap heap;
  EXPECT_LT(heap.getGrowth(INT64_MAX), 0);
  EXPECT_FALSE(heap.allocate(INT64_MAX));
}
