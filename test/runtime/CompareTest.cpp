// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Check.h"
#include "tegula/support/SourceFiles.h"

#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace tegula;

template <typename T>
static Comparison compare(std::vector<T> found, std::vector<T> expected) {
  auto size = static_cast<int64_t>(found.size());
  return compareTensors("out", TensorView(found.data(), {size}),
                        TensorView(expected.data(), {size}));
}

TEST(Compare, MeasuresAgainstTheLargestMagnitude) {
  Comparison result = compare<float>({1000, 0.005f}, {1000, 0});
  EXPECT_TRUE(result.agrees());
  EXPECT_FLOAT_EQ(result.absoluteError, 0.005);
  EXPECT_FLOAT_EQ(result.relativeError, 5e-6);
  EXPECT_FALSE(compare<float>({1000, 0.05f}, {1000, 0}).agrees());
}

TEST(Compare, NamesTheFirstWrongElement) {
  std::vector<float> found = {1, 2, 3, 4}, expected = {1, 2, 3, 5};
  Comparison result = compareTensors("out", TensorView(found.data(), {2, 2}),
                                     TensorView(expected.data(), {2, 2}));
  EXPECT_EQ(result.numWrong, 1);
  EXPECT_EQ(result.firstWrong, "[1, 1] is 4, expected 5");
}

TEST(Compare, WantsIntegersEqual) {
  EXPECT_TRUE(compare<int>({5, -3}, {5, -3}).agrees());
  EXPECT_FALSE(compare<int>({1000001}, {1000000}).agrees());
  // These differ beyond the precision of a double.
  int64_t big = (int64_t(1) << 60) + 1;
  EXPECT_FALSE(compare<int64_t>({big}, {big - 1}).agrees());
}

TEST(Compare, KnowsNanAndInfinity) {
  float nan = NAN, infinity = INFINITY;
  EXPECT_TRUE(compare<float>({nan, infinity}, {-nan, infinity}).agrees());
  EXPECT_FALSE(compare<float>({nan}, {1}).agrees());
  EXPECT_FALSE(compare<float>({1}, {nan}).agrees());
  EXPECT_FALSE(compare<float>({infinity}, {-infinity}).agrees());
  EXPECT_FALSE(compare<float>({3e38f}, {infinity}).agrees());
}

TEST(Compare, AgreesOnNothing) { EXPECT_TRUE(compare<float>({}, {}).agrees()); }

TEST(Diagnostic, ShowsTheLineAndACaret) {
  Diagnostic note = {Severity::Note, {"k.py", 1, 1}, "declared here", {}};
  Diagnostic diagnostic = {
      Severity::Error, {"k.py", 2, 4}, "no such name", {note}};
  SourceFiles files;
  files.add("k.py", "a = 1\n\té= b\n");
  EXPECT_EQ(formatDiagnostic(diagnostic, files),
            "k.py:2:4: error: no such name\n"
            "  \té= b\n"
            "  \t  ^\n"
            "k.py:1:1: note: declared here\n"
            "  a = 1\n"
            "  ^\n");
}

TEST(Diagnostic, DoesWithoutTheLocation) {
  Diagnostic diagnostic = {Severity::Error, {}, "no kernel", {}};
  SourceFiles files;
  files.add("k.py", "one line");
  EXPECT_EQ(formatDiagnostic(diagnostic, files), "error: no kernel\n");
  diagnostic.location = {"k.py", 7, 1};
  EXPECT_EQ(formatDiagnostic(diagnostic, files),
            "k.py:7:1: error: no kernel\n");
}
