// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/EndGenerator.h"

using namespace tegula;
using namespace tegula::differential;

static std::string nameOf(DType dtype) { return "pl." + getName(dtype).str(); }

std::string EndGenerator::constant() {
  int64_t number = random.number(isUnsigned(type) ? 0 : -3, 3);
  return std::to_string(number) + (isFloat(type) ? ".0" : "");
}

/// What a matrix may be combined with: a matrix, a row, a column, or a number.
std::string EndGenerator::part() {
  switch (random.number(0, 7)) {
  case 0:
  case 1:
    return "b";
  case 2:
    return "c[:, :]";
  case 3:
  case 4:
    return "s[:, :]";
  case 5:
    return constant();
  case 6:
    return cast("n[:, :]");
  default:
    return "x[:, :]";
  }
}

std::string EndGenerator::cast(const std::string &value) const {
  if (type == narrow)
    return value;
  // Floats that are no integers become such in the same way everywhere.
  bool drops = isFloat(narrow) && !isFloat(type);
  return "pl.cast(" + value + ", " + nameOf(type) +
         (drops || (isFloat(narrow) && isFloat(type)) ? ", mode=\"rint\")"
                                                      : ")");
}

std::string EndGenerator::combined(const std::string &lhs,
                                   const std::string &rhs) {
  if (random.chance(30))
    return std::string("pl.") + random.pick({"maximum", "minimum"}) + "(" +
           lhs + ", " + rhs + ")";
  return "(" + lhs + " " + random.pick({"+", "-", "+", "*"}) + " " + rhs + ")";
}

std::string EndGenerator::matrix(int depth) {
  std::string made =
      random.pick<std::string>({"x[:, :]", "x[:, :]", "y[:, :]"});
  if (random.chance(10))
    made = "pl.transpose(t[:, :])";
  made = combined(made, part());
  if (depth == 0)
    return made;
  if (random.chance(25))
    made = "pl.sel(x[:, :] > " + random.pick<std::string>({"b", "s[:, :]"}) +
           ", " + made + ", " + matrix(0) + ")";
  if (random.chance(30))
    made = combined(made, std::string("pl.row_") +
                              random.pick({"max", "min", "sum"}) + "(" +
                              matrix(0) + ")");
  if (random.chance(20))
    made = combined(made, std::string("pl.col_") +
                              random.pick({"max", "min", "sum"}) + "(" +
                              matrix(0) + ")");
  return made;
}

Statement EndGenerator::store() {
  auto reduced = [&](const char *which) {
    return std::string("pl.") + which +
           random.pick({"max", "min", "sum", "sum"}) + "(" + matrix(1) + ")";
  };
  switch (random.number(0, 6)) {
  case 0:
    return {{"s[:, :] = " + reduced("row_")}};
  case 1:
    return {{"c[:, :] = " + reduced("col_")}};
  case 2:
    return {{"t[:, :] = pl.transpose(" + matrix(1) + ")"}};
  default:
    return {{"y[:, :] = " + matrix(1)}};
  }
}

Program EndGenerator::generate() {
  program.tiles = {{'R', 4}, {'C', 16}, {'K', 4}};
  program.sizes['R'] = {0, 1, 2, 3, 5, 9, 20};
  // Vectors have from 4 to 64 lanes.
  for (int64_t half : {2, 4, 8, 16, 32})
    for (int64_t count : {1, 2, 3, 5})
      for (int64_t offset : {-1, 0, 1})
        program.sizes['C'].push_back(half * count + offset);
  if (random.chance(20))
    program.fixed['C'] = static_cast<int>(random.pick(program.sizes['C']));
  std::vector<DType> types = {DType::Int8,   DType::Int16, DType::Int32,
                              DType::Int64,  DType::UInt8, DType::UInt16,
                              DType::UInt32, DType::FP16,  DType::BF16,
                              DType::FP32,   DType::FP32,  DType::FP64};
  type = random.pick(types);
  narrow = random.pick(types);
  program.parameters = {{"x", {"RC", type}},
                        {"n", {"RC", narrow}},
                        {"b", {"C", type}},
                        {"c", {"1C", type}, /*isWritten=*/true},
                        {"s", {"R1", type}, /*isWritten=*/true},
                        {"t", {"CR", type}, /*isWritten=*/true},
                        {"y", {"RC", type}, /*isWritten=*/true},
                        {"q", {"K", DType::FP32}}};
  for (int64_t left = random.number(1, 3); left > 0; --left)
    program.body.push_back(store());
  return std::move(program);
}
