// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hostile input: nothing here may crash, hang or exhaust the stack.
#include "test/frontend/ParseText.h"
#include "gtest/gtest.h"
#include <vector>

using tegula::test::parseBody;
using tegula::test::parseText;

static std::string repeat(llvm::StringRef text, size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i)
    result += text;
  return result;
}

/// The message of the only error of `line` in a kernel, or how many there are.
static std::string onlyError(const std::string &line) {
  std::string text = parseBody(line);
  llvm::StringRef rest = text;
  if (rest.count('\n') != 1 || !rest.starts_with("3:"))
    return "other: " + rest.take_front(200).str();
  return rest.split(": ").second.rtrim('\n').str();
}

static const char *tooDeep = "expression is nested too deeply (limit 200)";
static const char *tooLong = "expression chains too many operations (limit "
                             "1000); split it over several statements";

TEST(ParserLimits, LimitsNesting) {
  for (size_t depth : {201, 100000}) {
    EXPECT_EQ(onlyError(repeat("(", depth) + "a" + repeat(")", depth)),
              tooDeep);
    EXPECT_EQ(onlyError(repeat("[", depth) + "a" + repeat("]", depth)),
              tooDeep);
    EXPECT_EQ(onlyError(repeat("f(", depth) + "a" + repeat(")", depth)),
              tooDeep);
    EXPECT_EQ(onlyError(repeat("a[", depth) + "a" + repeat("]", depth)),
              tooDeep);
    EXPECT_EQ(onlyError(repeat("not ", depth) + "a"), tooDeep);
    EXPECT_EQ(onlyError(repeat("- ", depth) + "a"), tooDeep);
    EXPECT_EQ(onlyError(repeat("a ** ", depth) + "a"), tooDeep);
    EXPECT_EQ(onlyError(repeat("a if b else ", depth) + "a"), tooDeep);
    EXPECT_EQ(onlyError(repeat("lambda: ", depth) + "a"), tooDeep);
    EXPECT_EQ(onlyError(repeat("(-", depth) + "a" + repeat(")", depth)),
              tooDeep);
  }
  EXPECT_EQ(onlyError(repeat("{", 100000) + "a" + repeat("}", 100000)),
            "expression is nested too deeply (limit 200)");
}

TEST(ParserLimits, AllowsNestingUpToTheLimit) {
  // The statement's own expression is the first level.
  EXPECT_EQ(parseBody(repeat("(", 199) + "a" + repeat(")", 199)), "  expr a\n");
  EXPECT_EQ(parseBody(repeat("not ", 199) + "a"),
            "  expr " + repeat("(not ", 199) + "a" + repeat(")", 199) + "\n");
}

TEST(ParserLimits, LimitsChains) {
  for (size_t length : {1000, 100000}) {
    EXPECT_EQ(onlyError("a" + repeat(" + a", length)), tooLong);
    EXPECT_EQ(onlyError("a" + repeat(".a", length)), tooLong);
    EXPECT_EQ(onlyError("a" + repeat("()", length)), tooLong);
    EXPECT_EQ(onlyError("a" + repeat("[0]", length)), tooLong);
    EXPECT_EQ(onlyError("a" + repeat(" and a", length)), tooLong);
    EXPECT_EQ(onlyError("a" + repeat(" < a", length)), tooLong);
  }
  EXPECT_EQ(parseBody("a" + repeat(" + a", 999)).substr(0, 10), "  expr (+ ");
}

TEST(ParserLimits, CountsChainsInsideNestingTogether) {
  std::string link = repeat(" + a", 50);
  std::string source = "a";
  for (int i = 0; i < 100; ++i)
    source = "(" + source + link + ")";
  EXPECT_EQ(onlyError(source), tooLong);
}

TEST(ParserLimits, LimitsElifBranches) {
  EXPECT_EQ(parseText("@pl.jit\ndef f():\n  if a: b\n" +
                      repeat("  elif a: b\n", 1000)),
            "103:3: too many 'elif' branches (limit 99)\n");
}

TEST(ParserLimits, LimitsBlocks) {
  std::string source = "@pl.jit\ndef f():\n";
  for (size_t i = 1; i < 1000; ++i)
    source += repeat(" ", i) + "if a:\n";
  EXPECT_EQ(parseText(source),
            "103:102: blocks are nested too deeply (limit 100)\n");
}

TEST(ParserLimits, TakesWideExpressions) {
  std::string text = parseBody("f(" + repeat("a, ", 100000) + ")");
  EXPECT_EQ(text.size(), std::string("  expr (call f)\n").size() + 200000);
  text = parseBody("a = b[" + repeat("0, ", 100000) + "]");
  EXPECT_EQ(text.substr(0, 24), "  assign a = (index b 0 ");
}

TEST(ParserLimits, SurvivesTruncationAndDamageAtEveryByte) {
  std::string source =
      "\xEF\xBB\xBF'''Doc.'''\r\nimport a.b as c\nfrom .d import (e, f as g)\n"
      "M = pl.dynamic(\"M\")\nif x:\n  y = {1: [2]}\n"
      "@pl.jit(k=1)\ndef f(a: pl.T[[M, 8], pl.F], *, b=0x1F) -> pl.T:\n"
      "  for i, j in pl.range(0, M, 8):\n    with pl.at(l=1) as s:\n"
      "      a[i:i+8, ...] = -b ** 1.5e-3 if i < j <= 3 else not \\\n  c\n"
      "    a += f'{x}\\x41' \"é\"\n"
      "  else:\n    try:\n      pass\n    except E: pass\n"
      "  x = lambda q=(1,): [z for z in {*q}]\n  assert a is not b, '''c\n'''\n"
      "  while a or b and c: break\n"
      "  return (a, b)\n"
      "@pl.program\nclass P(Q):\n\t@pl.function\n\tdef g(s, /, *x, **y): ...\n";
  EXPECT_EQ(parseText(source).substr(0, 5), "expr ");
  for (size_t length = 0; length < source.size(); ++length) {
    // A copy of the exact size, so that a sanitizer sees any read past it.
    std::vector<char> head(source.begin(), source.begin() + length);
    EXPECT_NE(parseText(llvm::StringRef(head.data(), length)),
              "null without an error");
    for (char replacement :
         {'(', ']', '\'', ':', '\n', '\t', '=', '$', '\xFF', '\0', ' ', '@'}) {
      std::string damaged = source;
      damaged[length] = replacement;
      EXPECT_NE(parseText(damaged), "null without an error") << length;
    }
    std::string shortened = source;
    shortened.erase(length, 1);
    EXPECT_NE(parseText(shortened), "null without an error") << length;
  }
}

/// Parses `numBytes` made of `unit` and says whether there is a tree. There is
/// none exactly if there are errors. Quadratic work would not come to an end.
static bool parsesLarge(llvm::StringRef head, llvm::StringRef unit,
                        size_t numBytes) {
  std::string source = head.str() + repeat(unit, numBytes / unit.size()) + "\n";
  tegula::test::ErrorText errors(source);
  bool hasTree = tegula::parseModule(source, errors) != nullptr;
  EXPECT_EQ(hasTree, errors.text.empty()) << unit.str();
  return hasTree;
}

TEST(ParserLimits, ParsesTenMegabytes) {
  size_t large = 10'000'000;
  EXPECT_TRUE(
      parsesLarge("@pl.jit\ndef f():\n", "  a = b[i:i + 8, :] * 2.0\n", large));
  EXPECT_TRUE(parsesLarge("", "def f(a):\n  return 'text' # note\n", large));
}

TEST(ParserLimits, ComesToAnEndOnLargeOddInput) {
  for (llvm::StringRef unit :
       {"(",    "a(",         "+",    "-",       "a ",   "'", "\"\"\"",
        "\\\n", ":",          "\n (", "lambda ", "not ", "0", "{",
        "é",    "match a:\n", "@a\n", "if a:\n", ")",    "#"})
    for (llvm::StringRef head : {"", "@pl.jit\ndef f():\n  a = "})
      parsesLarge(head, unit, 500'000);
}
