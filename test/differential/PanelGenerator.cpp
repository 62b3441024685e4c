// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/PanelGenerator.h"

using namespace tegula;
using namespace tegula::differential;

static std::string nameOf(DType dtype) { return "pl." + getName(dtype).str(); }

static std::string part(const std::string &first, int64_t length) {
  return first + " : " + first + " + " + std::to_string(length);
}

/// Operands, and accumulators that hold all of their terms.
void PanelGenerator::chooseTypes() {
  left = random.pick({DType::FP32, DType::FP32, DType::FP32, DType::BF16,
                      DType::BF16, DType::FP16, DType::Int8, DType::Int8,
                      DType::UInt8, DType::FP64, DType::Int32, DType::Int64,
                      DType::FP8E4M3FN});
  right = left;
  sum = isFloat(left) ? (left == DType::FP64 ? left : DType::FP32)
                      : (left == DType::Int64 ? left : DType::Int32);
}

/// Strips have some 8 or 14 rows, panels two or three vectors of columns.
void PanelGenerator::chooseSizes() {
  program.tiles = {{'R', 16}, {'C', 16}, {'K', 16}};
  program.sizes['R'] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                        13, 14, 15, 16, 17, 20, 25, 28, 29, 33};
  for (int64_t panel : {0, 8, 16, 24, 32, 48, 64, 96, 144})
    for (int64_t offset : {-1, 0, 1, 2, 3, 4, 5})
      if (panel + offset >= 0)
        program.sizes['C'].push_back(panel + offset);
  program.sizes['K'] = {0,  1,  2,  3,  4,  7,  8,  15,  16,
                        17, 31, 32, 33, 64, 65, 90, 130, 257};
  // Long ones, which are interpreted as well.
  if (random.chance(6)) {
    program.sizes['K'] = {500, 1023, 1024, 1025, 2050};
    program.sizes['C'] = {1, 4, 5, 16, 17, 33, 49};
    program.sizes['R'] = {1, 3, 4, 5, 9, 17};
  } else if (random.chance(5)) {
    program.sizes['C'] = {255, 257, 479, 481, 512, 513, 516};
    program.sizes['K'] = {0, 1, 3, 16, 17, 33};
    program.sizes['R'] = {1, 3, 4, 5, 9, 17};
  }
  for (auto [axis, percent] : {std::pair('R', 10), {'C', 15}, {'K', 15}})
    if (random.chance(percent))
      program.fixed[axis] = static_cast<int>(
          std::max<int64_t>(1, random.pick(program.sizes[axis])));
}

std::string PanelGenerator::lhsOf(const std::string &down,
                                  const std::string &along) const {
  return "x[" + (isLeftTransposed ? along + ", " + down : down + ", " + along) +
         "]";
}

std::string PanelGenerator::rhsOf(const std::string &along,
                                  const std::string &across) const {
  return "w[" +
         (isRightTransposed ? across + ", " + along : along + ", " + across) +
         "]";
}

/// What is stored instead of sums, at the subscript.
std::string PanelGenerator::changed(const std::string &sums,
                                    const std::string &subscript) {
  std::string two = isFloat(sum) ? "2.0" : "2";
  if (random.chance(50))
    return sums;
  return random.pick<std::string>(
      {sums + " + y[" + subscript + "]", sums + " * " + two, sums + " + b",
       "pl.maximum(" + sums + ", b)", "y[" + subscript + "] - " + sums});
}

void PanelGenerator::addWhole() {
  std::string operands = "x, w" + flags;
  std::string matmul =
      random.chance(25)
          ? "pl.matmul_acc(" +
                random.pick<std::string>({"y[:, :]", "z[:, :]"}) + ", " +
                operands + ")"
          : "pl.matmul(" + operands + ", out_dtype=" + nameOf(sum) + ")";
  program.body.push_back({{"p = " + matmul}});
  program.body.push_back({{"y[:, :] = " + changed("p", ":, :")}});
}

/// Some rows at a time, with all columns.
void PanelGenerator::addRows() {
  int64_t rows = random.pick({1, 4, 5, 8, 14, 15, 16, 20});
  Statement loop{
      {"for i in " + random.pick<std::string>({"pl.parallel", "pl.range"}) +
       "(0, " + program.nameOf('R') + ", " + std::to_string(rows) + "):"}};
  std::string down = part("i", rows);
  loop.body.push_back({{"p = pl.matmul(" + lhsOf(down, ":") + ", w" + flags +
                        ", out_dtype=" + nameOf(sum) + ")"}});
  loop.body.push_back({{"y[" + down + ", :] = " + changed("p", down + ", :")}});
  program.body.push_back(std::move(loop));
}

/// Tiles whose sides are not those of register tiles.
void PanelGenerator::addTiles() {
  int64_t rows = random.pick({3, 8, 15, 16, 20}),
          across = random.pick({4, 16, 17, 33, 36, 40}),
          depth = random.pick({5, 7, 16, 17, 40});
  std::string down = part("i", rows), wide = part("j", across),
              along = part("k", depth);
  std::string zero = isFloat(sum) ? "0.0" : "0";
  Statement outer{{"for i in pl.parallel(0, " + program.nameOf('R') + ", " +
                   std::to_string(rows) + "):"}};
  Statement inner{{"for j in pl.range(0, " + program.nameOf('C') + ", " +
                   std::to_string(across) + "):"}};
  inner.body.push_back(
      {{"p = " + random.pick<std::string>(
                     {"pl.full([" + std::to_string(rows) + ", " +
                          std::to_string(across) + "], " + nameOf(sum) + ", " +
                          zero + ")",
                      "pl.load(z, [i, j], [" + std::to_string(rows) + ", " +
                          std::to_string(across) + "])"})}});
  Statement steps{{"for k in pl.range(0, " + program.nameOf('K') + ", " +
                   std::to_string(depth) + "):"}};
  steps.body.push_back({{"p = pl.matmul_acc(p, " + lhsOf(down, along) + ", " +
                         rhsOf(along, wide) + flags + ")"}});
  inner.body.push_back(std::move(steps));
  inner.body.push_back({{"y[" + down + ", " + wide + "] = p"}});
  outer.body.push_back(std::move(inner));
  program.body.push_back(std::move(outer));
}

void PanelGenerator::addBatches() {
  program.body.push_back(
      {{"y[:] = pl.matmul(x, w" + flags + ", out_dtype=" + nameOf(sum) + ")" +
        random.pick({"", "", " + y[:]"})}});
}

Program PanelGenerator::generate() {
  chooseTypes();
  chooseSizes();
  isLeftTransposed = random.chance(25);
  isRightTransposed = random.chance(35);
  flags = std::string(isLeftTransposed ? ", a_trans=True" : "") +
          (isRightTransposed ? ", b_trans=True" : "");
  std::string batch = random.chance(15) ? random.pick({"2", "3", "1"}) : "";
  program.parameters = {
      {"x", {batch + (isLeftTransposed ? "KR" : "RK"), left}},
      {"w", {batch + (isRightTransposed ? "CK" : "KC"), right}},
      {"b", {"C", sum}},
      {"z", {batch + "RC", sum}},
      {"y", {batch + "RC", sum}, /*isWritten=*/true}};
  if (!batch.empty())
    addBatches();
  else if (random.chance(60))
    addWhole();
  else if (random.chance(50))
    addRows();
  else
    addTiles();
  return std::move(program);
}
