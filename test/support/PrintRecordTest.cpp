// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/PrintRecord.h"
#include "tegula/support/DType.h"
#include "tegula/support/PrintAbi.h"
#include "gtest/gtest.h"

#include <cstring>
#include <vector>

using namespace tegula;

/// A record of a text and values that are described already.
static std::vector<int64_t> record(const std::string &text,
                                   std::vector<int64_t> values = {},
                                   int64_t count = 0) {
  std::vector<int64_t> words(2 + (text.size() + 7) / 8);
  words[0] = static_cast<int64_t>(text.size());
  words[1] = count;
  std::memcpy(words.data() + 2, text.data(), text.size());
  words.insert(words.end(), values.begin(), values.end());
  return words;
}

template <typename T>
static std::string print(std::vector<T> elements, DType dtype,
                         std::vector<int64_t> sizes) {
  std::vector<int64_t> value = {static_cast<int64_t>(dtype),
                                static_cast<int64_t>(sizes.size()),
                                reinterpret_cast<int64_t>(elements.data())};
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t axis = sizes.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * sizes[axis];
  value.insert(value.end(), sizes.begin(), sizes.end());
  value.insert(value.end(), strides.begin(), strides.end());
  return formatRecord(record("{}", value, 1).data());
}

TEST(PrintRecord, HalvesDoubledBraces) {
  EXPECT_EQ(formatRecord(record("{{}} and {{x}}").data()), "{} and {x}");
}

TEST(PrintRecord, ShowsNumbersAsPythonDoes) {
  float third = 1.0f / 3, two = 2, large = 1.5e20f;
  auto show = [](float value) {
    int64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return formatRecord(
        record("x {}", {static_cast<int64_t>(DType::FP32), -1, bits}, 1)
            .data());
  };
  EXPECT_EQ(show(third), "x 0.33333334");
  EXPECT_EQ(show(two), "x 2.0");
  EXPECT_EQ(show(large), "x 1.5e+20");
}

TEST(PrintRecord, AlignsColumns) {
  EXPECT_EQ(print<float>({1, 2.5, -3, 100}, DType::FP32, {2, 2}),
            "[[  1.    2.5]\n [ -3.  100. ]]");
  EXPECT_EQ(print<int32_t>({1, -20}, DType::Int32, {2}), "[  1 -20]");
}

TEST(PrintRecord, ShortensLargeArrays) {
  std::vector<int64_t> many(2000);
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<int64_t>(i);
  EXPECT_EQ(print(many, DType::Int64, {2000}),
            "[   0    1    2 ... 1997 1998 1999]");
}

TEST(PrintRecord, ShowsNothingAsBrackets) {
  EXPECT_EQ(print<float>({}, DType::FP32, {0, 3}), "[]");
}
