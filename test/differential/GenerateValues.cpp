// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves of expressions: constants, scalars, conditions, windows of tensors.

#include "test/differential/Generator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::differential;

Expr differential::makeExpr(const Kind &kind, std::string text,
                            std::vector<Expr> operands) {
  Expr result{std::move(text), std::move(operands), kind};
  result.isExact = llvm::all_of(result.operands,
                                [](const Expr &expr) { return expr.isExact; });
  return result;
}

static Kind scalarOf(DType dtype) { return {"s", dtype}; }
static std::string nameOf(DType dtype) { return "pl." + getName(dtype).str(); }

Expr Generator::constant(DType dtype) {
  Kind kind = scalarOf(dtype);
  if (isFloat(dtype))
    return makeExpr(kind, random.pick({"0.5", "2.0", "1.0", "-1.5", "3", "0"}));
  IntegerRange range = getIntegerRange(dtype);
  int64_t low = std::max<int64_t>(range.low, -100);
  int64_t high = std::min<uint64_t>(range.high, 100);
  return makeExpr(kind, std::to_string(random.number(low, high)));
}

std::string Generator::indexVariable() {
  std::vector<std::string> names = {nameAxis('R'), nameAxis('C')};
  for (const Variable &variable : variables())
    if (variable.kind.axes == "i")
      names.insert(names.end(), 2, variable.name);
  return random.pick(names);
}

Expr Generator::scalar(DType dtype, int depth) {
  Kind kind = scalarOf(dtype);
  if (depth > 0 && random.chance(50)) {
    const char *text =
        random.pick({"({} + {})", "({} - {})", "min({}, {})", "max({}, {})"});
    Expr rhs = random.chance(50) ? scalar(dtype, depth - 1) : constant(dtype);
    return makeExpr(kind, text, {scalar(dtype, depth - 1), std::move(rhs)});
  }
  std::vector<Expr> choices;
  for (const Variable &variable : variables())
    if (variable.kind == kind && variable.isExact)
      choices.insert(choices.end(), 2, makeExpr(kind, variable.name));
  for (const Parameter &parameter : program.parameters)
    if (parameter.kind.axes == "s")
      choices.push_back(parameter.kind.dtype == dtype
                            ? makeExpr(kind, parameter.name)
                            : makeExpr(kind, "pl.cast(" + parameter.name +
                                                 ", " + nameOf(dtype) + ")"));
  choices.push_back(
      makeExpr(kind, "pl.const({}, " + nameOf(dtype) + ")", {constant(dtype)}));
  // What may be a constant must fit.
  const char *limit = getBits(dtype) == 4 ? " % 8, " : " % 100, ";
  choices.push_back(makeExpr(kind, "pl.cast(" + indexVariable() + limit +
                                       nameOf(dtype) + ")"));
  return random.pick(choices);
}

Expr Generator::condition(int depth) {
  Kind kind = {"s", DType::Bool};
  if (depth > 0 && random.chance(25)) {
    const char *text =
        random.pick({"(({}) and {})", "(({}) or {})", "(not ({}) and {})"});
    return makeExpr(kind, text, {condition(depth - 1), condition(depth - 1)});
  }
  if (random.chance(40)) {
    DType dtype = randomDType();
    const char *text =
        random.pick({"{} < {}", "{} > {}", "{} == {}", "{} >= {}"});
    return makeExpr(kind, text, {scalar(dtype), scalar(dtype)});
  }
  std::string name = indexVariable();
  if (random.chance(50))
    return makeExpr(kind, name + random.pick({" % 2 == ", " % 3 == "}) +
                              std::to_string(random.number(0, 1)));
  return makeExpr(kind, name + random.pick({" < ", " > ", " != "}) +
                            random.pick({nameAxis('R'), nameAxis('C'),
                                         std::string("5"), std::string("8")}));
}

bool Generator::isTiled(char axis) const {
  return llvm::isDigit(axis) || tiles.at(axis).size != 0;
}

bool Generator::areTiled(const std::string &axes) const {
  return llvm::all_of(axes, [&](char axis) { return isTiled(axis); });
}

std::string Generator::sizeOf(char axis) {
  if (llvm::isDigit(axis))
    return std::string(1, axis);
  int tile = tiles[axis].size;
  return tile ? std::to_string(tile) : nameAxis(axis);
}

std::string Generator::sizes(const std::string &axes) {
  std::vector<std::string> names;
  for (char axis : axes)
    names.push_back(sizeOf(axis));
  return llvm::join(names, ", ");
}

/// At least 1 and at most the tile, or what is left of the axis.
std::string Generator::smallSize(char axis) {
  if (axis == '1')
    return "1";
  int tile = tiles[axis].size;
  if (random.chance(40))
    return "min(" + std::to_string(tile) + ", " + nameAxis(axis) + " - " +
           tiles[axis].offset + ")";
  return std::to_string(random.number(1, tile));
}

std::string Generator::slice(char axis, int shift) {
  if (axis == '1')
    return random.pick({":", "0:1", ":1"});
  const AxisTile &tile = tiles[axis];
  if (!tile.size)
    return ":";
  std::string from = tile.offset;
  if (shift)
    from += " + " + std::to_string(shift);
  return from + " : " + from + " + " + std::to_string(tile.size);
}

std::vector<Parameter> Generator::readable() const {
  std::vector<Parameter> found;
  for (const Parameter &parameter : program.parameters)
    if (!parameter.isScalar())
      found.push_back(parameter);
  return found;
}

Expr Generator::load(const Parameter &parameter, bool isShifted) {
  Expr result = loadExact(parameter, isShifted);
  result.isExact = parameter.isExact;
  return result;
}

/// Somewhere to put a tile, which changes no result.
std::string Generator::memory() {
  return ", target_memory=pl.Mem." +
         random.pick<std::string>({"Vec", "Mat", "Left", "Right", "Acc"});
}

Expr Generator::loadExact(const Parameter &parameter, bool isShifted) {
  const std::string &axes = parameter.kind.axes;
  std::vector<int> shifts;
  for (char axis : axes)
    shifts.push_back(isShifted && !llvm::isDigit(axis) && tiles[axis].size
                         ? random.number(0, 2)
                         : 0);
  std::vector<std::string> parts;
  if (areTiled(axes) && random.chance(50)) {
    for (auto [axis, shift] : llvm::zip(axes, shifts))
      parts.push_back(axis == '1'
                          ? "0"
                          : tiles[axis].offset + " + " + std::to_string(shift));
    std::string text = "pl.load(" + parameter.name + ", [" +
                       llvm::join(parts, ", ") + "], [" + sizes(axes) + "]";
    if (random.chance(15)) {
      std::vector<std::string> valid;
      for (char axis : axes)
        valid.push_back(smallSize(axis));
      text += ", valid_shape=[" + llvm::join(valid, ", ") + "]";
    }
    if (random.chance(20))
      text += memory();
    text += ")";
    if (random.chance(10))
      text = "pl.move(" + text + memory() + ")";
    return makeExpr(parameter.kind, text);
  }
  bool isWhole = llvm::none_of(axes, [&](char axis) { return isTiled(axis); });
  if (isWhole && random.chance(70))
    return makeExpr(parameter.kind, parameter.name);
  for (auto [axis, shift] : llvm::zip(axes, shifts))
    parts.push_back(slice(axis, shift));
  return makeExpr(parameter.kind,
                  parameter.name + "[" + llvm::join(parts, ", ") + "]");
}

/// A variable, a window, or a tile of one number.
Expr Generator::leaf(const Kind &kind) {
  std::vector<Expr> named;
  for (const Variable &variable : variables())
    if (variable.kind == kind) {
      named.push_back(makeExpr(kind, variable.name));
      named.back().isExact = variable.isExact;
    }
  if (!named.empty() && random.chance(50))
    return random.pick(named);
  std::vector<Parameter> tensors;
  bool isRounding = !isFloat(kind.dtype);
  for (const Parameter &parameter : readable())
    if (parameter.kind.axes == kind.axes && (parameter.isExact || !isRounding))
      tensors.push_back(parameter);
  if (!tensors.empty() && random.chance(85))
    return convert(load(random.pick(tensors), random.chance(15)), kind.dtype);
  if (kind.axes == "RC" && random.chance(40))
    for (const Parameter &parameter : readable())
      if (parameter.kind.axes == "3RC")
        return convert(makeExpr({"RC", parameter.kind.dtype},
                                parameter.name + "[" +
                                    random.pick({"0", "1", "2", "-1"}) + ", " +
                                    slice('R') + ", " + slice('C') + "]"),
                       kind.dtype);
  std::string dtype = nameOf(kind.dtype);
  if (kind.axes[0] == '1' && random.chance(20)) {
    Expr ramp = makeExpr(
        kind, "pl.arange(" + std::to_string(random.number(0, 3)) + ", [" +
                  sizes(kind.axes) + "], dtype=" + dtype + ")");
    return isFloat(kind.dtype) ? clamp(std::move(ramp)) : ramp;
  }
  return makeExpr(
      kind,
      "pl.full([" + sizes(kind.axes) + "], dtype=" + dtype + ", value={})",
      {random.chance(70) ? constant(kind.dtype) : scalar(kind.dtype, 0)});
}

/// Keeps floats small, so that sums of them are exact.
Expr Generator::clamp(Expr value) {
  Kind kind = value.kind;
  return makeExpr(kind, "pl.minimum(pl.maximum({}, -8.0), 8.0)",
                  {std::move(value)});
}

Expr Generator::convert(Expr value, DType to) {
  DType from = value.kind.dtype;
  if (from == to)
    return value;
  Kind kind = {value.kind.axes, to};
  std::string mode;
  if (isFloat(from) && !isFloat(to) && random.chance(70))
    mode = std::string(", mode=\"") +
           random.pick({"rint", "floor", "ceil", "trunc", "none", "round"}) +
           "\"";
  else if (isFloat(from) && isFloat(to))
    mode = ", mode=\"rint\"";
  Expr result = makeExpr(kind, "pl.cast({}, " + nameOf(to) + mode + ")",
                         {std::move(value)});
  return isFloat(to) && !isFloat(from) ? clamp(std::move(result)) : result;
}

std::string Generator::elementIndex(char axis) {
  if (axis == '1')
    return "0";
  if (llvm::isDigit(axis))
    return std::to_string(random.number(0, axis - '1'));
  std::string name = nameAxis(axis);
  const std::string &offset = tiles[axis].offset;
  if (offset != "0" && random.chance(30))
    return offset;
  return random.pick({name + " - 1", std::string("0"), name + " // 2"});
}

std::string Generator::isNotEmpty(const std::string &axes) {
  std::vector<std::string> parts = {"1 > 0"};
  for (char axis : axes)
    if (!llvm::isDigit(axis))
      parts.push_back(nameAxis(axis) + " > 0");
  return llvm::join(parts, " and ");
}
