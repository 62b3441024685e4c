// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What counts when two kernels are compared, and what does not.

#include "tegula/runtime/Compiler.h"

#include "gtest/gtest.h"

using namespace tegula;

/// A kernel over x and y of [M, N] with this body, four spaces deep.
static std::string kernel(const std::string &body,
                          const std::string &helpers = "") {
  return "import tegula.language as pl\n"
         "M = pl.dynamic(\"M\")\n"
         "N = pl.dynamic(\"N\")\n" +
         helpers +
         "@pl.jit\n"
         "def kernel(x: pl.Tensor[[M, N], pl.FP32], y: "
         "pl.Out[pl.Tensor[[M, N], pl.FP32]]):\n" +
         body;
}

/// The message about the first difference; empty if there is none.
static std::string compare(const std::string &first, const std::string &second,
                           Stage stage = Stage::Inferred) {
  Expected<std::optional<KernelDifference>> difference =
      findDifference({"first.py", "", first}, {"second.py", "", second}, stage);
  if (!difference)
    return "error: " + llvm::toString(difference.takeError());
  return *difference ? (*difference)->message : "";
}

static std::string compareBodies(const std::string &first,
                                 const std::string &second) {
  return compare(kernel(first), kernel(second));
}

TEST(FindDifference, IgnoresNamesCommentsAndSpelling) {
  EXPECT_EQ(compareBodies("    t = x + 1.0\n"
                          "    t += x\n"
                          "    y[:] = t\n",
                          "    # another way to say it\n"
                          "    a = pl.add(x, 1)\n"
                          "    b = a + x\n"
                          "    y[:, :] = b\n"),
            "");
}

TEST(FindDifference, IgnoresHelpersAndTheirOrder) {
  std::string twice = "@pl.jit.inline\n"
                      "def twice(v):\n"
                      "    return v + v\n";
  std::string more = "@pl.jit.incore\n"
                     "def more(v, by):\n"
                     "    return v * by\n";
  std::string byHand = kernel("    y[:] = (x + x) * 3.0\n");
  std::string body = "    y[:] = more(twice(x), 3.0)\n";
  EXPECT_EQ(compare(kernel(body, twice + more), byHand), "");
  EXPECT_EQ(compare(kernel(body, twice + more), kernel(body, more + twice),
                    Stage::Frontend),
            "");
  EXPECT_NE(compare(kernel(body, twice + more), byHand, Stage::Frontend), "");
}

TEST(FindDifference, IgnoresTheOrderOfCarriedValues) {
  auto loop = [](const std::string &sum, const std::string &most) {
    return "    " + sum + " = pl.full([1, N], dtype=pl.FP32, value=0.0)\n" +
           "    " + most + " = pl.full([1, N], dtype=pl.FP32, value=0.0)\n" +
           "    for i in pl.range(M):\n" + "        " + sum + " = " + sum +
           " + x[i : i + 1, :]\n" + "        " + most + " = pl.maximum(" +
           most + ", x[i : i + 1, :])\n" + "    y[0:1, :] = " + sum +
           "\n    y[1:2, :] = " + most + "\n";
  };
  EXPECT_EQ(compareBodies(loop("a", "b"), loop("b", "a")), "");
  std::string branch = "    if M > 4:\n"
                       "        s = x + 1.0\n"
                       "        t = x + 2.0\n"
                       "    else:\n"
                       "        s = x + 3.0\n"
                       "        t = x + 4.0\n"
                       "    y[:] = s - t\n";
  std::string renamed = branch;
  for (char &c : renamed)
    c = c == 's' ? 'z' : c;
  size_t at = 0;
  while ((at = renamed.find("elze", at)) != std::string::npos)
    renamed.replace(at, 4, "else");
  EXPECT_EQ(compareBodies(branch, renamed), "");
}

TEST(FindDifference, DistinguishesSwappedCarriedValues) {
  auto loop = [](const std::string &last) {
    return "    a = pl.full([1, N], dtype=pl.FP32, value=0.0)\n"
           "    b = pl.full([1, N], dtype=pl.FP32, value=0.0)\n"
           "    for i in pl.range(M):\n"
           "        a = a + x[i : i + 1, :]\n"
           "        b = b - x[i : i + 1, :]\n"
           "    y[0:1, :] = " +
           last + "\n";
  };
  EXPECT_EQ(compareBodies(loop("a * b - a"), loop("a * b - b")),
            "a value carried by a loop in the first, another one in the "
            "second");
}

TEST(FindDifference, SaysWhichConstant) {
  EXPECT_EQ(compareBodies("    y[:] = x + 2.5\n", "    y[:] = x + 3.5\n"),
            "a constant is 2.5 in the first, 3.5 in the second");
}

TEST(FindDifference, SaysWhichOp) {
  EXPECT_EQ(compareBodies("    y[:] = pl.exp(x)\n", "    y[:] = pl.log(x)\n"),
            "pl.exp in the first, pl.log in the second");
  EXPECT_EQ(compareBodies("    y[:] = x - 1.0\n", "    y[:] = 1.0 - x\n"),
            "pl.load in the first, pl.full in the second");
}

TEST(FindDifference, SaysWhichAttribute) {
  EXPECT_EQ(compareBodies("    y[:] = x - pl.row_max(x)\n",
                          "    y[:] = x - pl.row_min(x)\n"),
            "'reduction' of pl.reduce is max in the first, min in the second");
}

TEST(FindDifference, SaysWhatGoesOn) {
  EXPECT_EQ(
      compareBodies("    y[:] = x\n    y[0, 0] = 1.0\n", "    y[:] = x\n"),
      "the first goes on with pl.write, the second ends here");
}

TEST(FindDifference, SeesReadsThatMovePastWrites) {
  std::string open = "import tegula.language as pl\n"
                     "M = pl.dynamic(\"M\")\n"
                     "@pl.jit\n"
                     "def kernel(x: pl.InOut[pl.Tensor[[M], pl.FP32]]):\n";
  EXPECT_EQ(compare(open + "    a = pl.load(x)\n    x[:] = a + 1.0\n    x[:] = "
                           "a * 2.0\n",
                    open + "    a = pl.load(x)\n    x[:] = a + 1.0\n    x[:] = "
                           "x * 2.0\n"),
            "pl.load reads before a write in one and after it in the other");
}

TEST(FindDifference, SeesWhatIsComputedInALoop) {
  EXPECT_EQ(
      compareBodies("    t = pl.exp(pl.load(x[0:1, :]))\n"
                    "    for i in pl.range(M):\n"
                    "        y[i : i + 1, :] = t\n",
                    "    t = pl.load(x[0:1, :])\n"
                    "    for i in pl.range(M):\n"
                    "        y[i : i + 1, :] = pl.exp(t)\n"),
      "pl.exp stands inside a loop, a branch or a region in one and outside in "
      "the other");
}

TEST(FindDifference, ComparesTheSignature) {
  auto with = [](const std::string &parameters) {
    return "import tegula.language as pl\n"
           "M = pl.dynamic(\"M\")\n"
           "R = pl.dynamic(\"ROWS\")\n"
           "@pl.jit\n"
           "def kernel(" +
           parameters + "):\n    y[:] = 1.0\n";
  };
  std::string plain = with("y: pl.Out[pl.Tensor[[M], pl.FP32]]");
  EXPECT_EQ(compare(plain, with("y: pl.InOut[pl.Tensor[[M], pl.FP32]]")),
            "the direction of parameter 'y' is out in the first, inout in the "
            "second");
  EXPECT_EQ(compare(plain, with("y: pl.Out[pl.Tensor[[R], pl.FP32]]")),
            "the symbol of an extent is M in the first, ROWS in the second");
  EXPECT_EQ(compare(plain, with("y: pl.Out[pl.Tensor[[M], pl.FP16]]")),
            "the type of parameter 'y' is !pl.tensor<[?], f32> in the first, "
            "!pl.tensor<[?], f16> in the second");
  EXPECT_EQ(compare(plain, with("y: pl.Out[pl.Tensor[[8], pl.FP32]]")),
            "the type of parameter 'y' is !pl.tensor<[?], f32> in the first, "
            "!pl.tensor<[8], f32> in the second");
  EXPECT_EQ(compare(plain, with("n: pl.INDEX, y: pl.Out[pl.Tensor[[M], "
                                "pl.FP32]]")),
            "the number of parameters is 1 in the first, 2 in the second");
}

TEST(FindDifference, ShowsBothLocations) {
  Expected<std::optional<KernelDifference>> difference =
      findDifference({"first.py", "", kernel("    y[:] = x + 2.5\n")},
                     {"second.py", "", kernel("\n    y[:] = x + 3.5\n")});
  ASSERT_TRUE(static_cast<bool>(difference));
  ASSERT_TRUE(difference->has_value());
  EXPECT_EQ((*difference)->first.line, 6u);
  EXPECT_EQ((*difference)->second.line, 7u);
  EXPECT_EQ((*difference)->text,
            "the programs differ: a constant is 2.5 in the first, 3.5 in the "
            "second\n"
            "first.py:6:14: note: in the first\n"
            "      y[:] = x + 2.5\n"
            "               ^\n"
            "second.py:7:14: note: in the second\n"
            "      y[:] = x + 3.5\n"
            "               ^\n");
}

TEST(FindDifference, ReportsMistakesOfEitherFile) {
  std::string right = kernel("    y[:] = x\n");
  EXPECT_NE(compare(right, kernel("    y[:] = z\n")).find("second.py:6:12"),
            std::string::npos);
  EXPECT_EQ(compare(right, right, Stage::Tiles),
            "error: programs are compared at stage frontend or inferred");
}
