// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/Program.h"

#include <gtest/gtest.h>
#include <limits>

using namespace tegula;

static CapturedValue integer(int64_t value) {
  return {CapturedValue::Kind::Int, value};
}

static Program example() {
  Program program;
  program.blocks.push_back({"a.py", 3, "@pl.jit\ndef f(x):\n  pass\n", "f"});
  program.blocks[0].names.push_back({"TILE", integer(8)});
  program.symbols.push_back({"M", "a.py", 1});
  return program;
}

TEST(ProgramKey, HasOneKeyInEveryProcess) {
  EXPECT_EQ(example().key(), example().key());
  EXPECT_EQ(example().key().size(), 64u);
}

/// The key after a change.
template <typename Change> static std::string keyAfter(Change change) {
  Program program = example();
  change(program);
  return program.key();
}

TEST(ProgramKey, HasAnotherKeyForEveryDifferenceThatCounts) {
  std::vector<std::string> keys = {
      example().key(),
      keyAfter([](Program &p) { p.blocks[0].text += "\n"; }),
      keyAfter([](Program &p) { p.blocks[0].firstLine = 4; }),
      keyAfter([](Program &p) { p.blocks[0].path = "b.py"; }),
      keyAfter([](Program &p) { p.blocks[0].names[0].second.integer = 9; }),
      keyAfter([](Program &p) { p.blocks[0].names[0].first = "TILES"; }),
      keyAfter([](Program &p) {
        p.blocks[0].names[0].second.kind = CapturedValue::Kind::Bool;
      }),
      keyAfter([](Program &p) { p.blocks[0].decorator = "jit.host"; }),
      keyAfter([](Program &p) { p.symbols[0].name = "N"; }),
      keyAfter([](Program &p) { p.symbols.push_back({"M"}); }),
      keyAfter([](Program &p) { p.blocks.push_back(p.blocks[0]); }),
      keyAfter([](Program &p) { p.isDynamic = true; }),
      keyAfter([](Program &p) { p.target = "npu"; }),
      keyAfter([](Program &p) { p.method = "main"; })};
  for (size_t i = 0; i < keys.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(keys[i], keys[j]) << i << " and " << j;
}

TEST(ProgramKey, TellsFloatsApartByTheirBits) {
  auto keyOf = [](double value) {
    return keyAfter([&](Program &program) {
      program.blocks[0].names[0].second = {CapturedValue::Kind::Float, 0,
                                           value};
    });
  };
  EXPECT_NE(keyOf(0.0), keyOf(-0.0));
  double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(keyOf(nan), keyOf(nan));
}

TEST(ProgramKey, DoesNotCareWhereASymbolWasMade) {
  EXPECT_EQ(example().key(),
            keyAfter([](Program &program) { program.symbols[0].line = 7; }));
}
