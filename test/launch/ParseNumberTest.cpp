// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/ParseNumber.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace tegula;

/// "integer 3", "float 2.5", or what is wrong.
static std::string describe(const std::string &text) {
  Argument number = 0;
  if (Problem problem = parseNumber(text, number))
    return problem.getText();
  if (number.isFloat())
    return "float " + std::to_string(number.getFloat());
  uint64_t bits = number.getIntegerBits();
  return "integer " + (number.isNegativeInteger()
                           ? std::to_string(static_cast<int64_t>(bits))
                           : std::to_string(bits));
}

TEST(ParseNumber, ReadsWhatFits) {
  const std::pair<const char *, const char *> cases[] = {
      {"3", "integer 3"},
      {"-3", "integer -3"},
      {"+3", "integer 3"},
      {"010", "integer 10"},
      {"0x1F", "integer 31"},
      {"-0x10", "integer -16"},
      {"0b101", "integer 5"},
      {"0o17", "integer 15"},
      {"9223372036854775807", "integer 9223372036854775807"},
      {"-9223372036854775808", "integer -9223372036854775808"},
      {"18446744073709551615", "integer 18446744073709551615"},
      {"true", "integer 1"},
      {"False", "integer 0"},
      {"2.5", "float 2.500000"},
      {"-1e3", "float -1000.000000"},
      {"1e-400", "float 0.000000"},
      {"inf", "float inf"},
      {"-Infinity", "float -inf"},
      {"nan", "float nan"}};
  for (auto [text, wanted] : cases)
    EXPECT_EQ(describe(text), wanted) << text;
}

TEST(ParseNumber, RefusesWhatDoesNot) {
  for (const char *text :
       {"18446744073709551616", "-9223372036854775809",
        "100000000000000000000000000000000", "0x10000000000000000"})
    EXPECT_EQ(describe(text), "does not fit 64 bits") << text;
  for (const char *text : {"1e400", "-1e309", "1.8e308"})
    EXPECT_EQ(describe(text), "is too large for FP64; write inf for infinity")
        << text;
  for (const char *text : {"", " 3", "3 ", "x", "0x", "1e", "--3", "1,5", "3L"})
    EXPECT_EQ(describe(text), "is not a number") << text;
}
