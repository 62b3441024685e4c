// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts, searches and running sums of a GPU, by few blocks and by many.

#include "DeviceCall.h"

#include "tegula/support/DType.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

using namespace tegula;

extern "C" {
void tegulaGpuSortRows(TegulaGpuArena *, const int64_t *, int64_t, int64_t,
                       int64_t, int64_t, int64_t, TegulaCallState *, int32_t);
void tegulaGpuSortRowsByAll(TegulaGpuGridBarrier *, TegulaGpuArena *,
                            const int64_t *, int64_t, int64_t, int64_t, int64_t,
                            int64_t, TegulaCallState *, int32_t);
void tegulaGpuArgReduceByAll(TegulaGpuGridBarrier *, TegulaGpuArena *,
                             const int64_t *, int64_t, int64_t, int64_t,
                             int64_t, int64_t, TegulaCallState *, int32_t);
void tegulaGpuScanRowsByAll(TegulaGpuGridBarrier *, TegulaGpuArena *,
                            const int64_t *, int64_t, int64_t, int64_t, int64_t,
                            TegulaCallState *, int32_t);
}

namespace {

template <typename Element> constexpr DType dtypeOf = DType::FP32;
template <> constexpr DType dtypeOf<double> = DType::FP64;
template <> constexpr DType dtypeOf<int64_t> = DType::Int64;
template <> constexpr DType dtypeOf<int32_t> = DType::Int32;
template <> constexpr DType dtypeOf<int8_t> = DType::Int8;
template <> constexpr DType dtypeOf<uint16_t> = DType::UInt16;
template <typename Element>
constexpr auto typeOf = static_cast<int64_t>(dtypeOf<Element>);

template <typename Element> bool isNan(Element value) { return value != value; }

/// Whether one comes before the other in ascending order.
template <typename Element> bool isLess(Element one, Element other) {
  if (isNan(one) || isNan(other))
    return !isNan(one) && isNan(other);
  return one < other;
}

/// Few numbers that differ, and special ones of floats.
template <typename Element>
std::vector<Element> awkward(int64_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<Element> made(count);
  for (Element &element : made) {
    element = static_cast<Element>(static_cast<int>(random() % 41) - 20);
    if constexpr (!std::numeric_limits<Element>::is_integer)
      if (random() % 10 == 0) {
        const Element special[] = {std::numeric_limits<Element>::quiet_NaN(),
                                   std::numeric_limits<Element>::infinity(),
                                   -std::numeric_limits<Element>::infinity(),
                                   Element(0), -Element(0)};
        element = special[random() % 5];
      }
  }
  return made;
}

/// All bits of the numbers differ.
template <typename Element>
std::vector<Element> random(int64_t count, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<Element> made(count);
  for (Element &element : made)
    if constexpr (std::numeric_limits<Element>::is_integer)
      element = static_cast<Element>(random());
    else
      element = static_cast<Element>(static_cast<int64_t>(random())) / 1024;
  return made;
}

template <typename Element>
std::vector<int32_t> orderOf(const Element *row, int64_t length,
                             bool isDescending) {
  std::vector<int32_t> indices(length);
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(), [&](int32_t a, int32_t b) {
    return isDescending ? isLess(row[b], row[a]) : isLess(row[a], row[b]);
  });
  return indices;
}

template <typename Element>
void expectSorted(DeviceCall call, std::vector<Element> x, int64_t rows,
                  int64_t kept, bool isDescending) {
  auto length = static_cast<int64_t>(x.size()) / rows;
  std::vector<Element> values(rows * kept);
  std::vector<int32_t> indices(rows * kept, -7);
  DescribedRows described(rows);
  described.add(x, length).add(values, kept).add(indices, kept);
  ASSERT_EQ(call.run([&](TegulaGpuGridBarrier *barrier, TegulaGpuArena *arena,
                         TegulaCallState *state) {
    tegulaGpuSortRowsByAll(barrier, arena, described.data(), 1, rows * length,
                           typeOf<Element>, isDescending, 0, state, 0);
  }),
            "");
  for (int64_t row = 0; row < rows; ++row) {
    auto wanted = orderOf(x.data() + row * length, length, isDescending);
    for (int64_t i = 0; i < kept; ++i) {
      ASSERT_EQ(indices[row * kept + i], wanted[i])
          << rows << "x" << length << ", " << kept << " kept, row " << row
          << " at " << i << ", " << call.blocks << " blocks";
      ASSERT_EQ(std::memcmp(&values[row * kept + i],
                            &x[row * length + wanted[i]], sizeof(Element)),
                0);
    }
  }
}

template <typename Element> void expectSortedAnyhow(int64_t blocks) {
  DeviceCall call{static_cast<int32_t>(blocks)};
  // 64 threads have 4 keys each, or 16.
  for (int64_t length : {1, 256, 257, 1024, 1025})
    expectSorted(call, awkward<Element>(2 * length), 2, length, false);
  expectSorted(call, random<Element>(1601), 1, 1601, true);
}

template <typename Element>
void expectFound(DeviceCall call, std::vector<Element> x, int64_t rows,
                 int64_t stride, int64_t step, bool isMax) {
  auto length = static_cast<int64_t>(x.size()) / rows;
  std::vector<int32_t> found(rows, -7);
  DescribedRows described(rows);
  described.add(x.data(), length, stride, step).add(found.data(), 1, 1, 1);
  ASSERT_EQ(call.run([&](TegulaGpuGridBarrier *barrier, TegulaGpuArena *arena,
                         TegulaCallState *state) {
    tegulaGpuArgReduceByAll(barrier, arena, described.data(), 1, rows * length,
                            typeOf<Element>, isMax, 0, state, 0);
  }),
            "");
  for (int64_t row = 0; row < rows; ++row) {
    int64_t wanted = length > 0 ? 0 : -1;
    for (int64_t i = 0; i < length; ++i) {
      Element best = x[row * stride + wanted * step],
              next = x[row * stride + i * step];
      bool isBetter = isMax ? isLess(best, next) : isLess(next, best);
      if (isNan(best) ? false : isNan(next) || isBetter)
        wanted = i;
    }
    ASSERT_EQ(found[row], wanted) << rows << "x" << length << ", row " << row
                                  << ", " << call.blocks << " blocks";
  }
}

template <typename Element> void expectFoundAnyhow() {
  for (int32_t blocks : {1, 7})
    for (int64_t length : {0, 1, 33, 8193})
      for (int64_t rows : {1, 3}) {
        for (bool isMax : {false, true}) {
          DeviceCall call{blocks};
          expectFound(call, awkward<Element>(rows * length), rows, length, 1,
                      isMax);
          expectFound(call, std::vector<Element>(rows * length, Element(0)),
                      rows, 1, rows, isMax);
        }
      }
}

template <typename Element>
std::vector<Element> scan(DeviceCall call, std::vector<Element> x,
                          int64_t rows) {
  auto length = static_cast<int64_t>(x.size()) / rows;
  std::vector<Element> sums(x.size());
  DescribedRows described(rows);
  described.add(x, length).add(sums, length);
  EXPECT_EQ(call.run([&](TegulaGpuGridBarrier *barrier, TegulaGpuArena *arena,
                         TegulaCallState *state) {
    tegulaGpuScanRowsByAll(barrier, arena, described.data(), 1, rows * length,
                           typeOf<Element>, 0, state, 0);
  }),
            "");
  return sums;
}

} // namespace

TEST(DeviceSorts, RunningSumsKeepTheSignOfZero) {
  for (int32_t blocks : {1, 5})
    for (int64_t length : {1, 4, 70, 5000}) {
      std::vector<float> sums =
          scan(DeviceCall{blocks}, std::vector<float>(2 * length, -0.0f), 2);
      EXPECT_TRUE(std::all_of(sums.begin(), sums.end(), [](float sum) {
        return sum == 0 && std::signbit(sum);
      })) << length;
    }
}

TEST(DeviceSorts, SortRowsByOneBlock) {
  expectSortedAnyhow<float>(1);
  expectSortedAnyhow<int64_t>(1);
}

TEST(DeviceSorts, SortFewRowsByManyBlocks) {
  expectSortedAnyhow<float>(11);
  expectSortedAnyhow<double>(5);
  expectSortedAnyhow<int8_t>(4);
  expectSortedAnyhow<uint16_t>(3);
}

TEST(DeviceSorts, SortManyRowsByFewBlocks) {
  expectSorted(DeviceCall{2}, awkward<float>(9 * 1100), 9, 1100, false);
  expectSorted(DeviceCall{3}, awkward<int32_t>(300 * 5), 300, 5, true);
}

TEST(DeviceSorts, SortAsManyRowsAsThereIsMemoryFor) {
  // One row takes 16 bytes for each element, and some.
  constexpr int64_t length = 1100, rows = 4;
  for (int64_t fit : {0, 1, 3})
    for (int32_t blocks : {1, 2, 7})
      expectSorted(DeviceCall{blocks, 64, fit * 21 * length + 6000},
                   awkward<float>(rows * length), rows, length, false);
}

TEST(DeviceSorts, SortWithAsManyThreadsAsAGpuHas) {
  DeviceCall call{3, 256};
  for (int64_t length : {1024, 1025, 4096, 4097})
    expectSorted(call, awkward<float>(length), 1, length, false);
  expectSorted(call, random<int64_t>(4096), 1, 4096, true);
  expectSorted(call, random<int64_t>(7 * 129), 7, 129, true);
  expectSorted(call, awkward<float>(2 * 9000), 2, 8, true);
}

TEST(DeviceSorts, KeepEqualElementsInOrder) {
  // No digit differs, or some do not.
  expectSorted(DeviceCall{3}, std::vector<float>(2100, 1.5F), 1, 2100, false);
  std::vector<int64_t> x(2100);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<int64_t>((i * 7 % 3) << 40);
  expectSorted(DeviceCall{3}, x, 1, 2100, true);
}

TEST(DeviceSorts, FindTheFirstFew) {
  for (int32_t blocks : {1, 7})
    for (int64_t kept : {1, 129, 256, 257}) {
      DeviceCall call{blocks};
      expectSorted(call, awkward<float>(8200), 1, kept, true);
      expectSorted(call, random<int64_t>(1100), 1, kept / 2 + 1, false);
    }
}

TEST(DeviceSorts, FindTheFirstFewOfRowsThatGetBetter) {
  // Every element comes before all that were seen.
  std::vector<float> x(12000);
  std::iota(x.begin(), x.end(), 0.0F);
  expectSorted(DeviceCall{1}, x, 1, 200, true);
  expectSorted(DeviceCall{2}, x, 1, 9, true);
  expectSorted(DeviceCall{2}, x, 1, 9, false);
  expectSorted(DeviceCall{2, 64, 0}, x, 1, 9, true);
}

TEST(DeviceSorts, SearchRows) {
  expectFoundAnyhow<float>();
  expectFoundAnyhow<int8_t>();
  expectFoundAnyhow<uint16_t>();
  expectFoundAnyhow<int64_t>();
  expectFoundAnyhow<double>();
}

TEST(DeviceSorts, SearchRowsThatBeginAnywhere) {
  std::vector<float> x = awkward<float>(30000);
  for (int64_t start : {0, 1, 2, 3})
    for (int64_t length : {1, 2, 5, 9001})
      for (int32_t blocks : {1, 9}) {
        std::vector<int32_t> found(3, -7);
        DescribedRows described(3);
        described.add(x.data() + start, length, length, 1)
            .add(found.data(), 1, 1, 1);
        DeviceCall call{blocks};
        ASSERT_EQ(call.run([&](TegulaGpuGridBarrier *barrier,
                               TegulaGpuArena *arena, TegulaCallState *state) {
          tegulaGpuArgReduceByAll(barrier, arena, described.data(), 1,
                                  3 * length, typeOf<float>, 1, 0, state, 0);
        }),
                  "");
        for (int64_t row = 0; row < 3; ++row)
          EXPECT_EQ(found[row],
                    orderOf(x.data() + start + row * length, length, true)[0]);
      }
}

TEST(DeviceSorts, SearchWithoutMemory) {
  expectFound(DeviceCall{9, 64, 0}, awkward<float>(40000), 1, 40000, 1, true);
}

TEST(DeviceSorts, SumUpRows) {
  for (int32_t blocks : {1, 5})
    for (int64_t length : {1, 5, 1025, 4097})
      for (int64_t rows : {1, 2, 9}) {
        auto x = awkward<int32_t>(rows * length);
        auto sums = scan(DeviceCall{blocks}, x, rows);
        for (int64_t row = 0; row < rows; ++row) {
          int32_t sum = 0;
          for (int64_t i = row * length; i < (row + 1) * length; ++i) {
            sum += x[i];
            ASSERT_EQ(sums[i], sum) << rows << "x" << length << " at " << i;
          }
        }
      }
}

TEST(DeviceSorts, SumUpRowsTheSameWhoeverHasThem) {
  auto x = random<float>(2 * 9001);
  auto wanted = scan(DeviceCall{1}, x, 2);
  for (int32_t blocks : {2, 4, 16})
    EXPECT_EQ(scan(DeviceCall{blocks}, x, 2), wanted) << blocks << " blocks";
  EXPECT_EQ(scan(DeviceCall{16, 64, 0}, x, 2), wanted);
}
