// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/LayerGenerator.h"

using namespace tegula;
using namespace tegula::differential;

static std::string nameOf(DType dtype) {
  return dtype == DType::BF16   ? "pl.BF16"
         : dtype == DType::FP16 ? "pl.FP16"
                                : "pl.FP32";
}

/// The part of an operand, as stored.
std::string LayerGenerator::operand(const char *tensor, const std::string &down,
                                    const std::string &across,
                                    bool isTransposed) const {
  return std::string(tensor) + "[" + (isTransposed ? across : down) + ", " +
         (isTransposed ? down : across) + "]";
}

/// The epilogue, for a part of the result.
std::string LayerGenerator::result(std::string sums, const std::string &down,
                                   const std::string &across) {
  std::string sliceText = "[" + down + ", " + across + "]";
  if (random.chance(40))
    sums = "(" + sums + " + b[" + across + "])";
  if (random.chance(30))
    sums = "pl.maximum(" + sums + ", " +
           random.pick<std::string>({"0.0", "-1.5", "b[" + across + "]"}) + ")";
  if (random.chance(30))
    sums = "(" + sums + " * " + random.pick({"0.5", "-2.0", "3.0"}) + ")";
  if (random.chance(30))
    sums = "(" + sums + " - z" + sliceText + ")";
  if (random.chance(15))
    sums = "(" + sums + " + pl.cast(y" + sliceText + ", pl.FP32))";
  // Needs whole rows.
  if (random.chance(8))
    sums = "(" + sums + " - pl.row_max(" + sums + "))";
  return wanted == DType::FP32
             ? sums
             : "pl.cast(" + sums + ", " + nameOf(wanted) + ", mode=\"rint\")";
}

void LayerGenerator::addStores(std::vector<Statement> &body,
                               const std::string &sums, const std::string &down,
                               const std::string &across) {
  body.push_back(
      {{"y[" + down + ", " + across + "] = " + result(sums, down, across)}});
  if (random.chance(15))
    body.push_back({{"q[" + down + ", " + across + "] = " + sums}});
}

void LayerGenerator::addWhole() {
  program.body.push_back(
      {{"s = pl.matmul(x, w, out_dtype=" + sumType() + flags + ")"}});
  addStores(program.body, asFloats("s"), ":", ":");
}

/// Loops over tiles, in steps that they have as a rule.
void LayerGenerator::addTiles() {
  int64_t rows = random.pick({16, 32, 64}), columns = random.pick({16, 64}),
          depth = random.pick({16, 32});
  auto part = [](const char *index, int64_t length) {
    return std::string(index) + " : " + index + " + " + std::to_string(length);
  };
  std::string down = part("i", rows), across = part("j", columns),
              inner = part("c", depth);
  if (random.chance(5))
    depth /= 2;
  Statement steps{{"for c in pl.range(0, K, " + std::to_string(depth) + "):"}};
  std::string operands = operand("x", down, inner, isLeftTransposed) + ", " +
                         operand("w", inner, across, isRightTransposed) + flags;
  steps.body.push_back(
      {{random.chance(60) ? "s = pl.matmul_acc(s, " + operands + ")"
                          : "s = s + pl.matmul(" + operands +
                                ", out_dtype=" + sumType() + ")"}});
  Statement inside{{"for j in " +
                    random.pick<std::string>({"pl.parallel", "pl.range"}) +
                    "(0, N, " + std::to_string(columns) + "):"}};
  // As many as are left, or whole tiles.
  auto extent = [&](int64_t most, const char *left) {
    return random.chance(30) ? "min(" + std::to_string(most) + ", " + left + ")"
                             : std::to_string(most);
  };
  inside.body.push_back({{"s = pl.full([" + extent(rows, "M - i") + ", " +
                          extent(columns, "N - j") + "], " + sumType() +
                          (hasIntegers ? ", 0)" : ", 0.0)")}});
  inside.body.push_back(std::move(steps));
  addStores(inside.body, asFloats("s"), down, across);
  Statement outside{{"for i in " +
                     random.pick<std::string>({"pl.parallel", "pl.range"}) +
                     "(0, M, " + std::to_string(rows) + "):"}};
  outside.body.push_back(std::move(inside));
  program.body.push_back(std::move(outside));
}

std::string LayerGenerator::choosePrecision(DType operand) {
  if (operand == DType::FP32)
    return random.chance(70) ? ", precision=\"tf32\"" : "";
  bool isEightBits = operand == DType::FP8E4M3FN || operand == DType::FP8E5M2;
  return isEightBits && random.chance(50) ? ", precision=\"fp8\"" : "";
}

Program LayerGenerator::generate() {
  program.tiles = {{'R', 64}, {'C', 64}, {'K', 32}};
  isLeftTransposed = random.chance(20);
  isRightTransposed = random.chance(35);
  DType narrow = random.pick({DType::BF16, DType::FP16, DType::FP32,
                              DType::FP32, DType::Int8, DType::UInt8,
                              DType::FP8E4M3FN, DType::FP8E5M2});
  hasIntegers = narrow == DType::Int8 || narrow == DType::UInt8;
  flags = std::string(isLeftTransposed ? ", a_trans=True" : "") +
          (isRightTransposed ? ", b_trans=True" : "") + choosePrecision(narrow);
  wanted =
      getSize(narrow) == 1 ? DType::FP32 : random.pick({DType::FP32, narrow});
  program.parameters = {{"x", {isLeftTransposed ? "KR" : "RK", narrow}},
                        {"w", {isRightTransposed ? "CK" : "KC", narrow}},
                        {"b", {"C", DType::FP32}},
                        {"z", {"RC", DType::FP32}},
                        {"y", {"RC", wanted}, /*isWritten=*/true},
                        {"q", {"RC", DType::FP32}, /*isWritten=*/true}};
  if (random.chance(75))
    addWhole();
  else
    addTiles();
  return std::move(program);
}
