// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/torch/Model.h"

#include "gmock/gmock.h"

using namespace tegula;
using namespace tegula::torch;
using ::testing::HasSubstr;

static std::string extent(llvm::StringRef text) {
  Expected<std::string> found = readExtent(text);
  return found ? *found : llvm::toString(found.takeError());
}

TEST(ReadExtent, WritesArithmetic) {
  EXPECT_EQ(extent("Symbol('s0', positive=True, integer=True)"), "s0");
  EXPECT_EQ(extent("Add(FloorDiv(Add(Symbol('s53', integer=True), "
                   "Integer(-1)), Integer(2)), Integer(1))"),
            "(((s53 + -1) // 2) + 1)");
  EXPECT_EQ(extent("Mul(Integer(3), Pow(Symbol('s0'), Integer(2)))"),
            "(3 * (s0 * s0))");
  EXPECT_EQ(extent("Max(Integer(1), Symbol('s0'))"), "max(1, s0)");
}

TEST(ReadExtent, RefusesWhatNoExtentIs) {
  for (const char *text :
       {"", "Symbol(", "Foo(Integer(1))", "Integer(1) Integer(2)",
        "Pow(Symbol('s0'), Integer(-1))", "FloorDiv(Integer(8), Symbol('s0'))"})
    EXPECT_THAT(extent(text), HasSubstr("is not one that a kernel can have"));
}

TEST(ReadModel, NamesTheMissingFile) {
  auto file = openModel("no/such.pt2");
  ASSERT_FALSE(static_cast<bool>(file));
  EXPECT_THAT(llvm::toString(file.takeError()),
              HasSubstr("'no/such.pt2' cannot be read"));
}
