// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every width of vectors that this processor has sorts as std::stable_sort
// does.

#include "tegula/launch/routines/KeySorter.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace tegula;

namespace {

std::vector<int64_t> widths() {
  std::vector<int64_t> found = {128};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    found.push_back(256);
  if (__builtin_cpu_supports("avx512f"))
    found.push_back(512);
#endif
  return found;
}

/// NaN is greater than every number.
template <typename Element> bool isLess(Element lhs, Element rhs) {
  if (lhs != lhs || rhs != rhs)
    return lhs == lhs && rhs != rhs;
  return lhs < rhs;
}

template <typename Element>
std::vector<int64_t> stableOrder(const std::vector<Element> &row,
                                 bool isDescending) {
  std::vector<int64_t> indices(row.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(),
                   [&](int64_t lhs, int64_t rhs) {
                     return isDescending ? isLess(row[rhs], row[lhs])
                                         : isLess(row[lhs], row[rhs]);
                   });
  return indices;
}

class Memory {
public:
  explicit Memory(int64_t length)
      : length(length), bytes(KeyMemory::getBytes(length) + 64) {}
  KeyMemory get() {
    auto address = reinterpret_cast<uintptr_t>(bytes.data());
    return KeyMemory(bytes.data() + (64 - address % 64) % 64, length);
  }

private:
  int64_t length;
  std::vector<char> bytes;
};

template <typename Element>
KeyRow rowOf(const std::vector<Element> &row, DType dtype, KeyOrder order) {
  return {reinterpret_cast<const char *>(row.data()), sizeof(Element),
          static_cast<int64_t>(row.size()), dtype, order};
}

/// Sorts the row at every width, as far as each number says.
template <typename Element>
void expectSorted(const std::vector<Element> &row, DType dtype,
                  std::vector<int64_t> kept) {
  auto length = static_cast<int64_t>(row.size());
  kept.push_back(length);
  Memory memory(length);
  for (bool isDescending : {false, true}) {
    KeyRow keyRow = rowOf(
        row, dtype, isDescending ? KeyOrder::Descending : KeyOrder::Ascending);
    std::vector<int64_t> wanted = stableOrder(row, isDescending);
    for (int64_t bits : widths())
      for (int64_t count : kept) {
        count = std::min(count, length);
        sortRow(getKeySorter(bits), keyRow, count, memory.get());
        for (int64_t i = 0; i < count; ++i)
          ASSERT_EQ(indexOf(memory.get().keys[i]), wanted[i])
              << bits << " bits, " << count << " of " << length << ", position "
              << i;
      }
  }
}

/// Some numbers many times, and those that are special.
template <typename Element>
std::vector<Element> awkward(int64_t length, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Element> row(length);
  for (Element &element : row)
    element = static_cast<Element>(static_cast<int>(random() % 41) - 20);
  using Limits = std::numeric_limits<Element>;
  for (Element special : {Limits::max(), Limits::lowest(), Limits::quiet_NaN(),
                          Limits::infinity(), Element(-Element(0))})
    for (int i = 0; i < 1 + length / 50 && length > 0; ++i)
      row[random() % length] = special;
  return row;
}

constexpr int64_t lengths[] = {0,   1,    7,    8,    63,   64,  65,
                               128, 129,  255,  256,  257,  512, 513,
                               777, 1024, 1500, 3000, 20000};

} // namespace

TEST(KeySorter, OrdersFloats) {
  for (int64_t length : lengths)
    expectSorted(awkward<float>(length, length), DType::FP32,
                 {0, 1, 8, 32, 33, 64, 65, 128, 129, 1000});
}

TEST(KeySorter, OrdersIntegers) {
  for (int64_t length : {3, 100, 300, 2000}) {
    expectSorted(awkward<int8_t>(length, 1), DType::Int8, {5, 100});
    expectSorted(awkward<uint8_t>(length, 2), DType::UInt8, {5, 100});
    expectSorted(awkward<int16_t>(length, 3), DType::Int16, {5, 100});
    expectSorted(awkward<uint16_t>(length, 4), DType::UInt16, {5, 100});
    expectSorted(awkward<int32_t>(length, 5), DType::Int32, {5, 100});
    expectSorted(awkward<uint32_t>(length, 6), DType::UInt32, {5, 100});
  }
}

// More than 32 bits tell them apart, or 32 do, or there is nothing to tell.
TEST(KeySorter, OrdersWideElements) {
  for (int64_t length : {0, 1, 100, 300, 2000}) {
    expectSorted(awkward<double>(length, 1), DType::FP64, {5, 100});
    expectSorted(awkward<int64_t>(length, 2), DType::Int64, {5, 100});
    expectSorted(awkward<uint64_t>(length, 3), DType::UInt64, {5, 100});
    std::vector<int64_t> small(length), close(length), equal(length, -7);
    std::mt19937_64 random(length);
    for (int64_t i = 0; i < length; ++i) {
      small[i] = static_cast<int64_t>(random() % 100) - 50;
      close[i] = static_cast<int64_t>(random() % 3) +
                 static_cast<int64_t>(random() % 5) * (int64_t(1) << 40);
    }
    expectSorted(small, DType::Int64, {5, 100});
    expectSorted(close, DType::Int64, {5, 100});
    expectSorted(equal, DType::Int64, {5, 100});
  }
}

TEST(KeySorter, OrdersRowsThatAreInSomeOrderAlready) {
  for (int64_t length : {100, 1000, 5000}) {
    std::vector<float> row(length);
    for (int64_t i = 0; i < length; ++i)
      row[i] = static_cast<float>(i);
    expectSorted(row, DType::FP32, {16, 300});
    std::reverse(row.begin(), row.end());
    expectSorted(row, DType::FP32, {16, 300});
    for (int64_t i = 0; i < length; ++i)
      row[i] = static_cast<float>(std::min(i, length - i));
    expectSorted(row, DType::FP32, {16, 300});
    for (int64_t i = 0; i < length; ++i)
      row[i] = static_cast<float>(i % 64);
    expectSorted(row, DType::FP32, {16, 300});
    std::fill(row.begin(), row.end(), 3.0f);
    expectSorted(row, DType::FP32, {16, 300});
    std::fill(row.begin(), row.end(), std::nanf(""));
    expectSorted(row, DType::FP32, {16, 300});
  }
}

// Keys whose samples say nothing of the others: all sampled ones are low.
TEST(KeySorter, EndsWhereEveryPivotIsPoor) {
  constexpr int64_t length = 4096;
  std::vector<int64_t> keys(length), spare(length + 64);
  for (int64_t i = 0; i < length; ++i)
    keys[i] = i % 64 < 8 ? i : (int64_t(1) << 40) + i;
  std::vector<int64_t> wanted = keys;
  std::sort(wanted.begin(), wanted.end());
  for (int64_t bits : widths()) {
    std::vector<int64_t> sorted = keys;
    getKeySorter(bits).sortKeys(sorted.data(), spare.data(), length, length);
    EXPECT_EQ(sorted, wanted);
  }
}

TEST(KeySorter, FindsTheFirst) {
  for (int64_t bits : widths())
    for (int64_t length : {1, 5, 63, 64, 65, 1000}) {
      std::vector<float> row = awkward<float>(length, length);
      const KeySorter &sorter = getKeySorter(bits);
      EXPECT_EQ(
          findFirst(sorter, rowOf(row, DType::FP32, KeyOrder::Descending)),
          stableOrder(row, true).front());
      EXPECT_EQ(findFirst(sorter, rowOf(row, DType::FP32, KeyOrder::Ascending)),
                stableOrder(row, false).front());
      auto nan = std::find_if(row.begin(), row.end(),
                              [](float x) { return std::isnan(x); });
      int64_t first = nan != row.end() ? nan - row.begin()
                                       : stableOrder(row, false).front();
      EXPECT_EQ(findFirst(sorter,
                          rowOf(row, DType::FP32, KeyOrder::NanThenAscending)),
                first);
    }
}

// Vectors are aligned but for the first and the last, which may overlap others.
TEST(KeySorter, FindsTheFirstWhereverRowsStart) {
  std::mt19937 random(1);
  for (int64_t start = 0; start < 17; ++start)
    for (int64_t length : {1, 15, 16, 17, 64, 79, 80, 200}) {
      std::vector<float> all(start + length);
      for (float &element : all)
        element = static_cast<float>(random() % 7);
      if (length == 15)
        std::fill(all.begin(), all.end(), -INFINITY);
      std::vector<float> row(all.begin() + start, all.end());
      int64_t nan = random() % length;
      auto find = [&](int64_t bits) {
        KeyRow keys = rowOf(all, DType::FP32, KeyOrder::Descending);
        keys.start += start * sizeof(float);
        keys.length = length;
        return findFirst(getKeySorter(bits), keys);
      };
      for (int64_t bits : widths())
        ASSERT_EQ(find(bits), stableOrder(row, true).front())
            << length << " from " << start;
      all[start + nan] = std::nanf("");
      for (int64_t bits : widths())
        ASSERT_EQ(find(bits), nan) << length << " from " << start;
    }
}
