// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of tiles. Each maker returns nothing where it does not apply.

#include "test/differential/Generator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::differential;

using MaybeExpr = std::optional<Expr>;

static std::string nameOf(DType dtype) { return "pl." + getName(dtype).str(); }

Expr Generator::tile(const Kind &kind, int depth) {
  if (kind.dtype == DType::Bool)
    return mask(kind.axes, depth);
  if (depth <= 0 || random.chance(15))
    return leaf(kind);
  static const std::vector<std::pair<Maker, int>> makers = {
      {&Generator::binary, 6},     {&Generator::unary, 2},
      {&Generator::math, 1},       {&Generator::cast, 2},
      {&Generator::select, 2},     {&Generator::broadcast, 2},
      {&Generator::withScalar, 2}, {&Generator::reduce, 2},
      {&Generator::transpose, 1},  {&Generator::matmul, 1},
      {&Generator::pad, 2},        {&Generator::narrow, 1},
      {&Generator::concat, 1},     {&Generator::assemble, 1},
      {&Generator::mixed, 1},      {&Generator::helper, 1},
      {&Generator::container, 1},  {&Generator::rankOne, 1},
      {&Generator::reshape, 1},    {&Generator::gather, 1},
      {&Generator::scatter, 1},    {&Generator::argument, 2},
      {&Generator::sort, 1},       {&Generator::topk, 1},
      {&Generator::moveAround, 1}, {&Generator::scan, 1},
      {&Generator::histogram, 1},  {&Generator::segments, 1},
      {&Generator::pairs, 1}};
  static const std::vector<Maker> weighted = [] {
    std::vector<Maker> all;
    for (auto [maker, weight] : makers)
      all.insert(all.end(), weight, maker);
    return all;
  }();
  for (int attempt = 0; attempt < 4; ++attempt)
    if (MaybeExpr made = (this->*random.pick(weighted))(kind, depth - 1))
      return std::move(*made);
  return makeExpr(kind, "({} + {})",
                  {tile(kind, depth - 1), tile(kind, depth - 1)});
}

/// For what jumps, such as a comparison: a rounding error must not decide.
Expr Generator::exactTile(const Kind &kind, int depth) {
  for (int attempt = 0; attempt < 4; ++attempt) {
    Expr made = tile(kind, depth);
    if (made.isExact)
      return made;
  }
  return makeExpr(kind,
                  "pl.full([" + sizes(kind.axes) +
                      "], dtype=" + nameOf(kind.dtype) + ", value={})",
                  {constant(kind.dtype)});
}

Expr Generator::mask(const std::string &axes, int depth) {
  Kind kind = {axes, DType::Bool};
  if (random.chance(20))
    for (const Parameter &parameter : readable())
      if (parameter.kind == kind)
        return load(parameter, false);
  DType dtype = randomDType();
  Expr lhs = exactTile({axes, dtype}, depth - 1);
  Expr rhs =
      random.chance(60) ? exactTile({axes, dtype}, depth - 1) : constant(dtype);
  std::string text;
  if (random.chance(50))
    text = std::string("pl.cmp({}, {}, cmp_type=\"") +
           random.pick({"eq", "ne", "lt", "le", "gt", "ge"}) + "\")";
  else
    text = std::string("({} ") +
           random.pick({"<", ">", "<=", ">=", "==", "!="}) + " {})";
  Expr result = makeExpr(kind, text, {std::move(lhs), std::move(rhs)});
  if (random.chance(15))
    result = makeExpr(kind, "pl.not_({})", {std::move(result)});
  if (depth > 0 && random.chance(15))
    result = makeExpr(kind,
                      std::string("pl.") + random.pick({"and_", "or_", "xor"}) +
                          "({}, {})",
                      {std::move(result), mask(axes, 0)});
  return result;
}

MaybeExpr Generator::binary(const Kind &kind, int depth) {
  if (isFloat(kind.dtype)) {
    std::string text = random.pick({"({} + {})", "({} - {})", "({} * {})",
                                    "pl.maximum({}, {})", "pl.minimum({}, {})",
                                    "({} / (pl.abs({}) + 1.0))",
                                    "pl.div({}, pl.abs({}) + 1.0)"});
    Expr result = makeExpr(kind, text, {tile(kind, depth), tile(kind, depth)});
    if (text[4] == '/' || text[3] == 'd')
      result.isExact = false;
    return text[4] == '*' ? clamp(std::move(result)) : result;
  }
  std::string text =
      random.pick({"({} + {})", "({} - {})", "({} * {})", "pl.maximum({}, {})",
                   "pl.minimum({}, {})", "({} // {})", "({} % {})", "({} & {})",
                   "({} | {})", "({} ^ {})", "({} << {})", "({} >> {})",
                   "pl.div({}, {})", "pl.pow({}, {})"});
  bool isShift = text[4] == '<' || text[4] == '>';
  Expr rhs =
      isShift && random.chance(60)
          ? makeExpr({"s", kind.dtype}, std::to_string(random.number(0, 7)))
          : tile(kind, depth);
  return makeExpr(kind, text, {tile(kind, depth), std::move(rhs)});
}

MaybeExpr Generator::unary(const Kind &kind, int depth) {
  if (isFloat(kind.dtype) && random.chance(30))
    return makeExpr(kind, random.pick({"pl.floor({})", "pl.ceil({})"}),
                    {exactTile(kind, depth)});
  std::string text = random.pick({"(-{})", "pl.abs({})", "pl.relu({})"});
  if (!isFloat(kind.dtype) && random.chance(30))
    text = "pl.not_({})";
  return makeExpr(kind, text, {tile(kind, depth)});
}

MaybeExpr Generator::math(const Kind &kind, int depth) {
  if (!isFloat(kind.dtype))
    return std::nullopt;
  Expr result =
      makeExpr(kind,
               random.pick({"pl.exp({})", "pl.sqrt(pl.abs({}))", "pl.tanh({})",
                            "pl.recip(pl.abs({}) + 1.0)", "pl.sin({})",
                            "pl.cos({})", "pl.rsqrt(pl.abs({}) + 1.0)",
                            "pl.log(pl.abs({}) + 1.0)", "pl.erf({})"}),
               {clamp(tile(kind, depth))});
  result.isExact = false;
  return clamp(std::move(result));
}

MaybeExpr Generator::cast(const Kind &kind, int depth) {
  DType from = randomDType();
  bool jumps = isFloat(from) && !isFloat(kind.dtype);
  return convert(sameTile({kind.axes, from}, depth, jumps), kind.dtype);
}

MaybeExpr Generator::select(const Kind &kind, int depth) {
  Expr other = random.chance(50) ? tile(kind, depth) : constant(kind.dtype);
  return makeExpr(
      kind, "pl.sel({}, {}, {})",
      {mask(kind.axes, depth), tile(kind, depth), std::move(other)});
}

static std::string someUnits(Random &random, std::string axes) {
  for (char &axis : axes)
    if (random.chance(50))
      axis = '1';
  return axes;
}

MaybeExpr Generator::broadcast(const Kind &kind, int depth) {
  Kind narrow = {someUnits(random, kind.axes), kind.dtype};
  if (random.chance(30))
    return makeExpr(kind, "pl.maximum({}, {})",
                    {tile(narrow, depth), tile(kind, depth)});
  return makeExpr(kind, random.pick({"({} + {})", "({} - {})"}),
                  {tile(kind, depth), tile(narrow, depth)});
}

MaybeExpr Generator::withScalar(const Kind &kind, int depth) {
  Expr number = random.chance(50) ? scalar(kind.dtype) : constant(kind.dtype);
  Expr result = makeExpr(
      kind, random.pick({"({} + {})", "pl.minimum({}, {})", "({} * {})"}),
      {tile(kind, depth), std::move(number)});
  return isFloat(kind.dtype) ? clamp(std::move(result)) : result;
}

MaybeExpr Generator::reduce(const Kind &kind, int depth) {
  std::string name = random.pick({"sum", "max", "min", "sum", "max", "prod"});
  if (isFloat(kind.dtype) && name == "prod")
    name = "sum";
  Kind source = kind;
  size_t axis = kind.axes.find('1');
  bool addsBack = axis == std::string::npos;
  if (addsBack) {
    axis = random.number(0, 1);
  } else {
    std::string free;
    for (char letter : {'R', 'C', 'K'})
      if (kind.axes.find(letter) == std::string::npos)
        free += letter;
    source.axes[axis] = free[random.number(0, free.size() - 1)];
  }
  std::string text = "pl." + name + "({}, axis=" +
                     std::to_string(int(axis) - (random.chance(50) ? 2 : 0)) +
                     ")";
  if (random.chance(50))
    text = std::string("pl.") + (axis ? "row_" : "col_") + name + "({})";
  Kind reduced = source;
  reduced.axes[axis] = '1';
  Expr result = makeExpr(reduced, text, {tile(source, depth)});
  if (isFloat(kind.dtype))
    result = clamp(std::move(result));
  if (!addsBack)
    return result;
  return makeExpr(kind, "({} + {})", {std::move(result), tile(kind, depth)});
}

MaybeExpr Generator::transpose(const Kind &kind, int depth) {
  Kind source = {{kind.axes[1], kind.axes[0]}, kind.dtype};
  return makeExpr(kind,
                  random.pick({"pl.transpose({}, 0, 1)",
                               "pl.transpose({}, -1, -2)", "pl.transpose({})"}),
                  {tile(source, depth)});
}

MaybeExpr Generator::matmul(const Kind &kind, int depth) {
  DType dtype = randomDType();
  DType operand = dtype;
  bool isHalf = dtype == DType::UInt4 && random.chance(50);
  if (!isHalf && (isUnsigned(dtype) || dtype == DType::Int16))
    operand = DType::Int8;
  char inner = random.pick({'R', 'C', 'K', '1'});
  bool lhsTransposed = random.chance(30), rhsTransposed = random.chance(30);
  std::string lhs = {kind.axes[0], inner}, rhs = {inner, kind.axes[1]};
  if (lhsTransposed)
    std::swap(lhs[0], lhs[1]);
  if (rhsTransposed)
    std::swap(rhs[0], rhs[1]);
  // Bytes and narrow floats may be widened, one operand or both.
  DType left = dtype;
  bool isNarrow = isFloat(dtype)
                      ? getSize(dtype) < 4
                      : dtype == DType::Int8 || dtype == DType::UInt8;
  if (isNarrow && random.chance(40)) {
    operand = DType::FP32;
    left = random.chance(50) ? operand : dtype;
  }
  Expr a = convert(tile({lhs, left}, depth), operand);
  Expr b = convert(tile({rhs, dtype}, depth), operand);
  DType sum = operand;
  if (isFloat(operand) && getSize(operand) < 4)
    sum = DType::FP32;
  else if (!isFloat(operand) && getSize(operand) == 1)
    sum = DType::Int32;
  std::string flags = std::string(lhsTransposed ? ", a_trans=True" : "") +
                      (rhsTransposed ? ", b_trans=True" : "");
  std::string precision =
      operand == DType::FP32 && random.chance(25) ? ", precision=\"tf32\"" : "";
  flags += precision;
  Kind matmul = {kind.axes, sum};
  std::vector<Expr> operands;
  std::string text = "pl.matmul({}, {}" + flags + ")";
  if (random.chance(20)) {
    text = std::string("pl.einsum(\"") + (lhsTransposed ? "ki" : "ik") + "," +
           (rhsTransposed ? "jk" : "kj") + "->ij\", {}, {}" + precision + ")";
  } else if (random.chance(30)) {
    operands.push_back(tile(matmul, 0));
    text = "pl.matmul_acc({}, {}, {}" + flags + ")";
  }
  operands.push_back(std::move(a));
  operands.push_back(std::move(b));
  Expr result = makeExpr(matmul, text, std::move(operands));
  if (isFloat(sum))
    result = clamp(std::move(result));
  if (isFloat(sum) && !isFloat(kind.dtype) && !result.isExact)
    return std::nullopt;
  return convert(std::move(result), kind.dtype);
}

MaybeExpr Generator::pad(const Kind &kind, int depth) {
  if (!areTiled(kind.axes))
    return std::nullopt;
  std::string value = random.pick({"pl.PadValue.zero", "1", "2"});
  if (!isFloat(kind.dtype) && random.chance(40))
    value = random.pick({"pl.PadValue.max", "pl.PadValue.min"});
  return makeExpr(kind, "pl.fillpad({}, pad=" + value + ")",
                  {tile(kind, depth)});
}

MaybeExpr Generator::narrow(const Kind &kind, int depth) {
  if (!areTiled(kind.axes))
    return std::nullopt;
  std::string rows = smallSize(kind.axes[0]), columns = smallSize(kind.axes[1]);
  return makeExpr(kind, "pl.set_validshape({}, " + rows + ", " + columns + ")",
                  {tile(kind, depth)});
}

std::string Generator::bind(Expr value) {
  std::string name = fresh("t");
  value.text = name + " = " + value.text;
  emit(std::move(value));
  return name;
}

MaybeExpr Generator::concat(const Kind &kind, int depth) {
  int axis = random.number(0, 1);
  char letter = kind.axes[axis];
  if (letter == '1' || tiles[letter].size < 2)
    return std::nullopt;
  int tileSize = tiles[letter].size, at = random.number(1, tileSize - 1);
  Expr whole = tile(kind, depth);
  bool isExact = whole.isExact;
  std::string name = bind(std::move(whole));
  std::string first = ":" + std::to_string(at);
  std::string second = std::to_string(at) + ":" + std::to_string(tileSize);
  auto part = [&](const std::string &range) {
    return name + (axis ? "[:, " + range + "]" : "[" + range + ", :]");
  };
  Expr result =
      makeExpr(kind, "pl.concat(" + part(first) + ", " + part(second) +
                         ", axis=" + std::to_string(axis) + ")");
  result.isExact = isExact;
  return result;
}

MaybeExpr Generator::assemble(const Kind &kind, int depth) {
  if (!areTiled(kind.axes))
    return std::nullopt;
  Expr target = makeExpr(kind, "{} + 0", {tile(kind, depth)});
  Expr source = tile(kind, depth);
  bool isExact = target.isExact && source.isExact;
  std::string targetName = bind(std::move(target));
  std::string sourceName = bind(std::move(source));
  std::string offsets[2], ranges[2];
  for (int axis : {0, 1}) {
    char letter = kind.axes[axis];
    int most = letter == '1' ? 1 : tiles[letter].size;
    int offset = random.number(0, most - 1);
    offsets[axis] = std::to_string(offset);
    ranges[axis] = "0:" + std::to_string(random.number(1, most - offset));
  }
  Expr result = makeExpr(kind, "pl.assemble(" + targetName + ", " + sourceName +
                                   "[" + ranges[0] + ", " + ranges[1] + "], [" +
                                   offsets[0] + ", " + offsets[1] + "])");
  result.isExact = isExact;
  return result;
}

/// Floats win over integers, wider over narrower. Integers and 8-bit floats do
/// not meet.
static std::optional<DType> joined(DType lhs, DType rhs) {
  if (isFloat(lhs) != isFloat(rhs)) {
    DType wide = isFloat(lhs) ? lhs : rhs;
    return getBits(wide) > 8 ? std::optional(wide) : std::nullopt;
  }
  if (getBits(lhs) == getBits(rhs))
    return std::nullopt;
  return getBits(lhs) > getBits(rhs) ? lhs : rhs;
}

MaybeExpr Generator::mixed(const Kind &kind, int depth) {
  DType other = randomDType();
  std::optional<DType> wide = joined(other, kind.dtype);
  if (!wide)
    return std::nullopt;
  bool jumps = isFloat(*wide) && !isFloat(kind.dtype);
  Expr sum = makeExpr({kind.axes, *wide}, "({} + {})",
                      {sameTile({kind.axes, other}, depth, jumps),
                       sameTile(kind, depth, jumps)});
  if (isFloat(*wide))
    sum = clamp(std::move(sum));
  return convert(std::move(sum), kind.dtype);
}

MaybeExpr Generator::helper(const Kind &kind, int depth) {
  if (!hasHelper)
    return std::nullopt;
  Kind other = {someUnits(random, kind.axes), kind.dtype};
  // It may compare.
  Expr result = makeExpr(kind, "first({}, {})",
                         {exactTile(kind, depth), exactTile(other, depth)});
  return isFloat(kind.dtype) ? clamp(std::move(result)) : result;
}

MaybeExpr Generator::rankOne(const Kind &kind, int depth) {
  if (kind.axes[1] != 'C')
    return std::nullopt;
  for (const Parameter &parameter : readable()) {
    if (parameter.kind.axes != "C")
      continue;
    std::string text = parameter.name;
    if (tiles['C'].size)
      text += "[" + slice('C') + "]";
    Expr vector = convert(makeExpr(parameter.kind, text), kind.dtype);
    if (kind.axes[0] != '1' || random.chance(50))
      return makeExpr(kind, "({} + {})",
                      {tile(kind, depth), std::move(vector)});
    return makeExpr(kind, "pl.reshape({}, [1, " + sizeOf('C') + "])",
                    {std::move(vector)});
  }
  return std::nullopt;
}

MaybeExpr Generator::reshape(const Kind &kind, int depth) {
  if (kind.axes != "R1" || !isTiled('R'))
    return std::nullopt;
  return makeExpr(kind, "pl.reshape({}, [" + sizeOf('R') + ", 1])",
                  {tile({"1R", kind.dtype}, depth)});
}
