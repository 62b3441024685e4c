// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules for arith and math ops, by values worked out by hand.

#include "InterpreterFixture.h"

#include <cmath>
#include <cstring>

using namespace tegula;
using namespace tegula::pl;

namespace {

class InterpretScalars : public InterpreterTest {
protected:
  /// The integer result of `%r = <op>` with %x and %y of type i8 or index.
  int64_t integer(llvm::StringRef op, int64_t x, int64_t y,
                  llvm::StringRef type = "index") {
    DType dtype = type == "index" ? DType::Index : DType::Int8;
    return compute(op, type, Scalar::ofInteger(dtype, x),
                   Scalar::ofInteger(dtype, y))
        .getInteger();
  }
  double real(llvm::StringRef op, double x, double y = 0) {
    return compute(op, "f32", Scalar::ofReal(DType::FP32, x),
                   Scalar::ofReal(DType::FP32, y))
        .getReal();
  }
  int64_t asInteger(llvm::StringRef op, double x, double y = 0) {
    return compute(op, "f32", Scalar::ofReal(DType::FP32, x),
                   Scalar::ofReal(DType::FP32, y))
        .getInteger();
  }

private:
  Scalar compute(llvm::StringRef op, llvm::StringRef type, Scalar x, Scalar y) {
    Scalar last;
    InterpreterOptions options;
    options.observer = [&](mlir::Operation *,
                           llvm::ArrayRef<RuntimeValue> results) {
      last = std::get<Scalar>(results[0]);
    };
    EXPECT_TRUE(succeeded(run("func.func @main(%x: " + type.str() +
                                  ", %y: " + type.str() +
                                  ") { %r = " + op.str() + "\nreturn }",
                              {x, y}, options)))
        << messages;
    return last;
  }
};

TEST_F(InterpretScalars, DividesTowardWhereTheNameSays) {
  struct {
    int64_t x, y, towardZero, down, up, rest;
  } rows[] = {{7, 2, 3, 3, 4, 1},     {-7, 2, -3, -4, -3, -1},
              {7, -2, -3, -4, -3, 1}, {-7, -2, 3, 3, 4, -1},
              {6, 3, 2, 2, 2, 0},     {-6, 3, -2, -2, -2, 0}};
  for (auto row : rows) {
    EXPECT_EQ(integer("arith.divsi %x, %y : index", row.x, row.y),
              row.towardZero);
    EXPECT_EQ(integer("arith.floordivsi %x, %y : index", row.x, row.y),
              row.down);
    EXPECT_EQ(integer("arith.ceildivsi %x, %y : index", row.x, row.y), row.up);
    EXPECT_EQ(integer("arith.remsi %x, %y : index", row.x, row.y), row.rest);
  }
  EXPECT_EQ(integer("arith.divui %x, %y : i8", -1, 2, "i8"), 127);
  EXPECT_EQ(integer("arith.remui %x, %y : i8", -1, 16, "i8"), 15);
  EXPECT_EQ(integer("arith.ceildivui %x, %y : i8", -1, 2, "i8"), -128);
}

TEST_F(InterpretScalars, ReadsSignlessIntegersAsTheNameSays) {
  EXPECT_EQ(integer("arith.maxsi %x, %y : i8", -1, 1, "i8"), 1);
  EXPECT_EQ(integer("arith.maxui %x, %y : i8", -1, 1, "i8"), -1);
  EXPECT_EQ(integer("arith.minsi %x, %y : i8", -1, 1, "i8"), -1);
  EXPECT_EQ(integer("arith.minui %x, %y : i8", -1, 1, "i8"), 1);
  EXPECT_EQ(integer("arith.shrsi %x, %y : i8", -128, 4, "i8"), -8);
  EXPECT_EQ(integer("arith.shrui %x, %y : i8", -128, 4, "i8"), 8);
  EXPECT_EQ(integer("arith.extsi %x : i8 to i32", -1, 0, "i8"), -1);
  EXPECT_EQ(integer("arith.extui %x : i8 to i32", -1, 0, "i8"), 255);
  EXPECT_EQ(integer("arith.index_cast %x : i8 to index", -1, 0, "i8"), -1);
  EXPECT_EQ(integer("arith.index_castui %x : i8 to index", -1, 0, "i8"), 255);
  EXPECT_EQ(integer("arith.trunci %x : i8 to i1", 3, 0, "i8"), 1);
  EXPECT_EQ(integer("math.absi %x : i8", -5, 0, "i8"), 5);
  EXPECT_EQ(integer("arith.addi %x, %y : i8", 100, 100, "i8"), -56);
}

TEST_F(InterpretScalars, ComparesIntegers) {
  auto holds = [&](std::string predicate, int64_t x, int64_t y) {
    return integer("arith.cmpi " + predicate + ", %x, %y : i8", x, y, "i8") ==
           1;
  };
  EXPECT_TRUE(holds("eq", 3, 3) && !holds("eq", 3, 4));
  EXPECT_TRUE(holds("ne", 3, 4) && !holds("ne", 3, 3));
  EXPECT_TRUE(holds("slt", -1, 1) && !holds("ult", -1, 1));
  EXPECT_TRUE(holds("sle", 1, 1) && holds("ule", 1, 1));
  EXPECT_TRUE(!holds("sgt", -1, 1) && holds("ugt", -1, 1));
  EXPECT_TRUE(holds("sge", 1, 1) && holds("uge", 1, 1));
}

TEST_F(InterpretScalars, ComparesFloatsWithNaN) {
  // What each predicate says of 1 and 2, of 2 and 2, of 2 and 1, and of NaN.
  std::pair<const char *, const char *> rows[] = {
      {"false", "0000"}, {"oeq", "0100"}, {"ogt", "0010"}, {"oge", "0110"},
      {"olt", "1000"},   {"ole", "1100"}, {"one", "1010"}, {"ord", "1110"},
      {"ueq", "0101"},   {"ugt", "0011"}, {"uge", "0111"}, {"ult", "1001"},
      {"ule", "1101"},   {"une", "1011"}, {"uno", "0001"}, {"true", "1111"}};
  for (auto [predicate, wanted] : rows) {
    std::string found;
    for (auto [x, y] : {std::pair(1.0, 2.0), std::pair(2.0, 2.0),
                        std::pair(2.0, 1.0), std::pair(NAN * 1.0, 2.0)})
      found +=
          asInteger("arith.cmpf " + std::string(predicate) + ", %x, %y : f32",
                    x, y)
              ? "1"
              : "0";
    EXPECT_EQ(found, wanted) << predicate;
  }
}

TEST_F(InterpretScalars, FloatArithmetic) {
  EXPECT_EQ(real("arith.remf %x, %y : f32", -5.5, 2), -1.5);
  EXPECT_TRUE(std::isnan(real("arith.maximumf %x, %y : f32", 1, NAN)));
  EXPECT_EQ(real("arith.maxnumf %x, %y : f32", 1, NAN), 1);
  EXPECT_EQ(real("arith.minnumf %x, %y : f32", NAN, 1), 1);
  EXPECT_EQ(real("arith.minnumf %x, %y : f32", 2, 1), 1);
  EXPECT_EQ(real("math.roundeven %x : f32", 2.5), 2);
  EXPECT_EQ(real("math.round %x : f32", 2.5), 3);
  EXPECT_EQ(real("math.trunc %x : f32", -2.5), -2);
  EXPECT_EQ(real("math.rsqrt %x : f32", 4), 0.5);
  EXPECT_EQ(real("math.exp2 %x : f32", 3), 8);
  EXPECT_EQ(real("math.fma %x, %y, %y : f32", 3, 2), 8);
  EXPECT_EQ(real("math.copysign %x, %y : f32", 3, -0.0), -3);
  EXPECT_EQ(real("arith.addf %x, %y : f32", 16777216, 1), 16777216);
}

TEST_F(InterpretScalars, ConvertsBits) {
  EXPECT_EQ(real("arith.truncf %x : f32 to bf16", 1.00390625), 1);
  float one = 1;
  uint32_t bits;
  std::memcpy(&bits, &one, sizeof(bits));
  EXPECT_EQ(asInteger("arith.bitcast %x : f32 to i32", one), bits);
}

} // namespace
