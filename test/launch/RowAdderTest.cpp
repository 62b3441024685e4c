// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/routines/RowAdder.h"
#include "tegula/launch/image/CpuFeatures.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tegula;

/// What this processor can run.
static std::vector<AddRows> addersOf(DType dtype) {
  std::vector<AddRows> adders = {getRowAdderPlain(dtype)};
#if defined(__x86_64__)
  if (findMissingFeature("avx2").empty())
    adders.push_back(getRowAdderAvx2(dtype));
  if (findMissingFeature("avx512f").empty())
    adders.push_back(getRowAdderAvx512(dtype));
#endif
  return adders;
}

/// Rows with room between them; what lies there must stay as it is. Some rows
/// go to the same target, one after the other and apart.
template <typename Element>
static void expectAdded(DType dtype, int64_t columns) {
  const std::vector<int64_t> indices = {2, 0, 0, 4, 2, 2, 0, 1};
  int64_t distance = columns + 3, targetDistance = columns + 1;
  std::vector<Element> rows(indices.size() * distance + 1);
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<Element>(i * 37 % 251);
  const std::vector<Element> before(5 * targetDistance + 1, Element(7));
  std::vector<Element> wanted = before;
  for (size_t row = 0; row < indices.size(); ++row)
    for (int64_t j = 0; j < columns; ++j)
      wanted[1 + indices[row] * targetDistance + j] +=
          rows[1 + row * distance + j];
  for (AddRows add : addersOf(dtype)) {
    std::vector<Element> targets = before;
    add({reinterpret_cast<const char *>(rows.data() + 1), distance,
         reinterpret_cast<char *>(targets.data() + 1), targetDistance,
         indices.data(), static_cast<int64_t>(indices.size()), columns});
    EXPECT_EQ(targets, wanted) << columns << " columns";
  }
}

template <typename Element> static void expectAllAdded(DType dtype) {
  for (int64_t columns = 0; columns < 70; ++columns)
    expectAdded<Element>(dtype, columns);
  // Beyond these, nothing is prefetched.
  for (int64_t columns : {127, 128, 1023, 1024, 1025, 5000})
    expectAdded<Element>(dtype, columns);
}

TEST(RowAdder, AddsRowsOfEveryTypeAndLength) {
  expectAllAdded<float>(DType::FP32);
  expectAllAdded<double>(DType::FP64);
  expectAllAdded<int8_t>(DType::Int8);
  expectAllAdded<uint8_t>(DType::UInt8);
  expectAllAdded<int16_t>(DType::Int16);
  expectAllAdded<int32_t>(DType::Int32);
  expectAllAdded<int64_t>(DType::Int64);
}
