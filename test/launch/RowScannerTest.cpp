// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums at every width of vectors that this processor has.

#include "tegula/launch/routines/RowScanner.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace tegula;

namespace {

std::vector<ScanRows> scanners() {
  std::vector<ScanRows> found = {getRowScanner(128)};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    found.push_back(getRowScanner(256));
  if (__builtin_cpu_supports("avx512f"))
    found.push_back(getRowScanner(512));
#endif
  return found;
}

/// Small integers, whose sums are exact in every type and order.
template <typename Element> void expectSums(DType dtype) {
  for (ScanRows scan : scanners())
    for (int64_t length : {0, 1, 3, 7, 8, 15, 16, 17, 33, 100, 1000})
      for (int64_t count : {1, 2, 5, 128, 130}) {
        std::vector<Element> source(length * count), target(length * count);
        for (size_t i = 0; i < source.size(); ++i)
          source[i] =
              static_cast<Element>(static_cast<int64_t>(i * 7 % 11) - 5);
        scan({source.data(), target.data(), length, count, count, count},
             dtype);
        for (int64_t column = 0; column < count; ++column) {
          Element sum = 0;
          for (int64_t i = 0; i < length; ++i) {
            sum += source[i * count + column];
            ASSERT_EQ(target[i * count + column], sum)
                << length << " x " << count << " at " << i << ", " << column;
          }
        }
      }
}

} // namespace

TEST(RowScanner, SumsEveryType) {
  expectSums<float>(DType::FP32);
  expectSums<double>(DType::FP64);
  expectSums<uint32_t>(DType::Int32);
  expectSums<uint32_t>(DType::UInt32);
  expectSums<uint64_t>(DType::Int64);
  expectSums<uint64_t>(DType::UInt64);
}

TEST(RowScanner, KeepsTheSignOfZero) {
  for (ScanRows scan : scanners())
    for (int64_t length : {1, 3, 4, 8, 9, 100})
      for (int64_t count : {1, 2, 130})
        for (int64_t gap : {0, 1}) {
          int64_t step = count + gap;
          std::vector<float> source(length * step, -0.0f), target(source);
          std::fill(target.begin(), target.end(), 1.0f);
          scan({source.data(), target.data(), length, step, step, count},
               DType::FP32);
          for (int64_t i = 0; i < length * step; ++i)
            if (i % step < count)
              ASSERT_TRUE(target[i] == 0 && std::signbit(target[i]))
                  << length << " x " << count << " at " << i;
        }
}

TEST(RowScanner, SumsRowsWithGaps) {
  for (ScanRows scan : scanners()) {
    std::vector<float> source = {1, 9, 2, 9, 3, 9}, target(9, -1);
    scan({source.data(), target.data(), 3, 2, 3, 1}, DType::FP32);
    EXPECT_EQ(target, (std::vector<float>{1, -1, -1, 3, -1, -1, 6, -1, -1}));
  }
}
