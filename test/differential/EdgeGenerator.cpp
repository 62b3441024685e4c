// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/EdgeGenerator.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::differential;

static std::string nameOf(DType dtype) { return "pl." + getName(dtype).str(); }

/// A number at a limit of the type, or one that does something special.
std::string EdgeGenerator::integerConstant() {
  IntegerRange range = getIntegerRange(dtype);
  int64_t high = std::min<uint64_t>(range.high, INT64_MAX);
  std::string least = range.low == INT64_MIN ? "(-9223372036854775807 - 1)"
                                             : std::to_string(range.low);
  switch (random.number(0, 6)) {
  case 0:
    return "0";
  case 1:
    return "1";
  case 2:
    return range.low < 0 ? "-1" : std::to_string(high);
  case 3:
    return range.low < 0 ? "-1" : "2";
  case 4:
    return least;
  case 5:
    return std::to_string(high);
  default:
    return std::to_string(std::min<int64_t>(high, getBits(dtype)));
  }
}

/// What stands to the right of an operator.
std::string EdgeGenerator::operand() {
  std::string constant = isFloat(dtype) ? floatConstant() : integerConstant();
  switch (random.number(0, 7)) {
  case 0:
    return "s";
  case 1:
    return "w";
  case 2:
    return window("x");
  case 3:
  case 4:
    return constant;
  case 5:
    return "pl.const(" + constant + ", " + nameOf(dtype) + ")";
  default:
    return window("z");
  }
}

std::string EdgeGenerator::integerValue() {
  int64_t width = getBits(dtype);
  int64_t high = std::min<uint64_t>(getIntegerRange(dtype).high, INT64_MAX);
  std::string x = window("x");
  if (random.chance(15))
    return random.pick({"(-" + x + ")", "pl.abs(" + x + ")", "(~" + x + ")",
                        "pl.relu(" + x + ")"});
  bool isSigned = getIntegerRange(dtype).low < 0;
  if (random.chance(25)) {
    std::string divisor = isSigned && random.chance(70) ? "-1" : "0";
    return random.pick({"(" + x + " // " + divisor + ")",
                        "(" + x + " % " + divisor + ")",
                        "pl.div(" + x + ", " + divisor + ")",
                        "pl.fmod(" + x + ", " + divisor + ")"});
  }
  if (random.chance(30)) {
    int64_t by = std::min(high, random.pick({width - 1, width, width + 1,
                                             int64_t(64), int64_t(100)}));
    return "(" + x + random.pick({" << ", " >> "}) +
           (random.chance(70) ? std::to_string(by) : operand()) + ")";
  }
  if (random.chance(15))
    return "(s " + random.pick<std::string>({"//", "%", "*", "-"}) +
           " pl.const(" + integerConstant() + ", " + nameOf(dtype) + ")) + " +
           x;
  std::string name =
      random.pick({"//", "//", "%", "%", "*", "-", "+", "pl.div", "pl.rem",
                   "pl.fmod", "pl.pow", "pl.minimum", "&", "^"});
  std::string left = random.chance(15) ? operand() : x;
  std::string right = left == x ? operand() : window("z");
  return name[0] == 'p' ? name + "(" + left + ", " + right + ")"
                        : "(" + left + " " + name + " " + right + ")";
}

/// Element by element, or cast to another type.
Statement EdgeGenerator::elementwise() {
  std::string value = !isFloat(dtype)     ? integerValue()
                      : random.chance(40) ? mathValue()
                                          : floatValue();
  return random.chance(30) ? castFrom(value)
                           : Statement{{window("y") + " = " + value}};
}

Statement EdgeGenerator::castFrom(const std::string &value) {
  std::string options;
  if (isFloat(dtype) || isFloat(other))
    options = random.pick({"", "", ", mode=\"trunc\"", ", mode=\"floor\"",
                           ", mode=\"ceil\"", ", mode=\"rint\""});
  bool isNarrower = !isFloat(other) || getBits(other) < getBits(dtype);
  if (isFloat(dtype) && isNarrower && random.chance(15))
    options += ", saturation_mode=\"on\"";
  // So that most are out of range.
  std::string large =
      isFloat(dtype) && getBits(dtype) > 16 && random.chance(40)
          ? value + random.pick({" * 1e5", " * -3e9", " * 1e19", " * 1e30"})
          : value;
  return {{window("u") + " = pl.cast(" + large + ", " + nameOf(other) +
           options + ")"}};
}

std::string EdgeGenerator::column() {
  return random.pick({"max", "min", "max"});
}

/// Along rows: what no order of evaluation changes.
Statement EdgeGenerator::alongRows() {
  std::string x = window("x");
  bool isReal = isFloat(dtype);
  switch (random.number(0, 5)) {
  case 0:
    return {
        {window("y") + " = " + x + " - pl.row_" + column() + "(" + x + ")"}};
  case 1:
    return {{window("y") + " = pl.cum" +
             random.pick({"max", "min", isReal ? "max" : "sum",
                          isReal ? "min" : "prod"}) +
             "(" + x + ")"}};
  case 2:
    return {{"a[" + down + ", :] = pl.row_arg" + column() + "(" + x + ")"}};
  case 3:
    return {{window("y") + " = pl.sort(" + x + ")[0]"}};
  case 4:
    return {{"q[" + down + ", :] = pl.row_" +
             random.pick({"sum", "sum", "max"}) + "(" +
             (isReal ? tamed(x) : x) + ")"}};
  default:
    return {{"a[" + down + ", :] = pl.cast(pl." +
             random.pick<std::string>({"any", "all"}) + "(" + x + " " +
             random.pick({"<", ">=", "==", "!="}) + " " + operand() +
             ", axis=1), pl.INT32)"}};
  }
}

void EdgeGenerator::declareElements() {
  std::vector<DType> integers = {DType::Int8,   DType::Int16,  DType::Int32,
                                 DType::Int64,  DType::UInt8,  DType::UInt16,
                                 DType::UInt32, DType::UInt64, DType::Int4,
                                 DType::UInt4,  DType::Int64,  DType::Int32};
  std::vector<DType> floats = {DType::FP16,   DType::BF16, DType::FP32,
                               DType::FP32,   DType::FP64, DType::FP8E4M3FN,
                               DType::FP8E5M2};
  bool isReal = random.chance(50);
  dtype = random.pick(isReal ? floats : integers);
  other = random.pick(random.chance(isReal ? 30 : 60) ? floats : integers);
  if (isReal)
    program.helpers = "INF = float(\"inf\")\nNAN = float(\"nan\")\n\n\n";
  matrix("x", "RC", dtype);
  matrix("z", "RC", dtype);
  matrix("w", "1C", dtype);
  matrix("s", "s", dtype);
  matrix("y", "RC", dtype, true);
  matrix("u", "RC", other, true);
  matrix("q", "R1", dtype, true);
  matrix("a", "R1", DType::Int32, true);
}

void EdgeGenerator::addElements() {
  declareElements();
  std::vector<Statement> *body = &program.body;
  if (random.chance(50)) {
    down = "i : i + 4";
    program.body.push_back(
        {{"for i in " + random.pick<std::string>({"pl.parallel", "pl.range"}) +
          "(0, " + program.nameOf('R') + ", 4):"}});
    body = &program.body.back().body;
  }
  for (int64_t left = random.number(2, 4); left > 0; --left)
    body->push_back(random.chance(80) ? elementwise() : alongRows());
}

Program EdgeGenerator::generate() {
  program.tiles = {{'R', 4}, {'C', 16}, {'K', 4}};
  if (random.chance(30))
    program.fixed['C'] = random.pick({0, 1, 1, 5, 16, 33});
  if (random.chance(15))
    program.fixed['R'] = random.pick({0, 1, 3});
  int64_t kind = random.number(0, 99);
  if (kind < 56)
    addElements();
  else if (kind < 67)
    addAxes();
  else if (kind < 74)
    addBatches();
  else if (kind < 79)
    addCounts();
  else if (kind < 84)
    addTops();
  else if (kind < 89)
    addMergedSorts();
  else if (kind < 94)
    addScatters();
  else
    addExtents();
  return std::move(program);
}
