// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on one element of each operand.

#include "tegula/torch/KernelWriter.h"
#include "tegula/torch/PointwiseFormats.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

/// The type that operands are promoted to: tensors with axes before those
/// without, and these before numbers, each only if its kind is wider.
static std::string promoteOperands(const KernelWriter &writer,
                                   llvm::ArrayRef<const Argument *> operands) {
  auto kind = [](StringRef dtype) {
    return isFloating(dtype) ? 2 : dtype == "bool" ? 0 : 1;
  };
  std::string dtype, alone;
  for (const Argument *operand : operands)
    if (operand->isNode()) {
      const std::string &own = writer.typeOf(*operand).dtype;
      std::string &wider = writer.hasAxes(*operand) ? dtype : alone;
      wider = wider.empty() ? own : promote(wider, own);
    }
  if (dtype.empty() || (!alone.empty() && kind(alone) > kind(dtype)))
    dtype = dtype.empty() ? alone : promote(dtype, alone);
  for (const Argument *operand : operands) {
    if (operand->isNode())
      continue;
    bool isFloat = operand->kind == Argument::Kind::Float;
    if (isFloat && !isFloating(dtype))
      dtype = "float32";
    else if (!isFloat && operand->kind != Argument::Kind::Bool &&
             dtype == "bool")
      dtype = "int64";
  }
  return dtype;
}

/// An operand as an element of `common`, the type that all are promoted to,
/// computed with as `wide`: what is of another type is rounded to a narrow one.
static std::string usePromoted(KernelWriter &writer, const Argument &operand,
                               StringRef common, StringRef wide,
                               unsigned rank) {
  bool isSize = operand.kind == Argument::Kind::Size;
  if (!isNarrowFloat(common))
    return writer.use(operand, wide, rank);
  if (operand.isScalar() && !isSize)
    return formatNumber(
        {Argument::Kind::Float, "", 0, roundNumber(operand.real, common)},
        wide);
  StringRef own = isSize ? "float32" : StringRef(writer.typeOf(operand).dtype);
  std::string text = writer.use(operand, own, rank);
  return castTo(castTo(text, own, common), common, wide);
}

static bool isScalar(const KernelWriter &writer, const Argument &operand) {
  return operand.isScalar() || !writer.hasAxes(operand);
}

/// What becomes of a second operand without axes, which torch does not promote
/// before it multiplies or divides by it.
enum class Scalars { Promoted, Exact };

/// Fills `format`, in which {0}, {1} and {2} are operands as elements of
/// `common` that are computed with as `wide`.
static std::string fill(KernelWriter &writer, const Node &node,
                        const char *format, StringRef common, StringRef wide,
                        llvm::ArrayRef<const Argument *> operands,
                        Scalars scalars = Scalars::Promoted) {
  std::string texts[3];
  unsigned rank = rankOfResult(node);
  for (auto [number, operand] : llvm::enumerate(operands)) {
    bool isExact =
        scalars == Scalars::Exact && number == 1 && isScalar(writer, *operand);
    texts[number] = isExact ? writer.use(*operand, wide, rank)
                            : usePromoted(writer, *operand, common, wide, rank);
  }
  return llvm::formatv(false, format, texts[0], texts[1], texts[2]);
}

/// The same where all operands are used as they are.
static std::string fill(KernelWriter &writer, const Node &node,
                        const char *format, StringRef dtype,
                        llvm::ArrayRef<const Argument *> operands) {
  return fill(writer, node, format, dtype, dtype, operands);
}

/// Computed in the result's type, or a wider one.
template <const char *format, unsigned count,
          Scalars scalars = Scalars::Promoted>
static Written writeSame(KernelWriter &writer, const Node &node) {
  llvm::SmallVector<const Argument *> operands;
  for (unsigned number = 0; number < count; ++number)
    operands.push_back(&writer.get(node, number, ""));
  if (llvm::none_of(operands, [](const Argument *a) { return a->isNode(); }))
    return std::nullopt;
  const std::string &dtype = resultOf(node).dtype;
  // Truths are numbers to arithmetic.
  StringRef wide = dtype == "bool" ? "uint8" : widen(dtype);
  return one(castTo(fill(writer, node, format, dtype, wide, operands, scalars),
                    wide, dtype));
}

/// On the bits of integers, or on truths.
template <const char *format, unsigned count>
static Written writeBits(KernelWriter &writer, const Node &node) {
  llvm::SmallVector<const Argument *> operands;
  for (unsigned number = 0; number < count; ++number)
    operands.push_back(&writer.get(node, number, ""));
  return one(fill(writer, node, format, resultOf(node).dtype, operands));
}

/// Integers have no fraction.
template <const char *format>
static Written writeRounding(KernelWriter &writer, const Node &node) {
  if (!isFloating(resultOf(node).dtype))
    return one(writer.use(node.arguments[0]));
  return writeSame<format, 1>(writer, node);
}

/// Nor are they infinite.
static Written writeIsInf(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  StringRef dtype = widen(writer.typeOf(source).dtype);
  const char *format =
      isFloating(dtype) ? "(pl.abs({0}) == float(\"inf\"))" : "({0} != {0})";
  return one(
      fill(writer, node, format, dtype == "bool" ? "uint8" : dtype, {&source}));
}

/// A question: computed in what the operands are promoted to.
template <const char *format, unsigned count>
static Written writeQuestion(KernelWriter &writer, const Node &node) {
  llvm::SmallVector<const Argument *> operands;
  for (unsigned number = 0; number < count; ++number)
    operands.push_back(&writer.get(node, number, ""));
  std::string dtype = promoteOperands(writer, operands);
  // The language compares numbers.
  if (dtype == "bool")
    dtype = "uint8";
  return one(fill(writer, node, format, dtype, widen(dtype), operands));
}

/// Of truths.
template <const char *format, unsigned count>
static Written writeLogical(KernelWriter &writer, const Node &node) {
  llvm::SmallVector<const Argument *> operands;
  for (unsigned number = 0; number < count; ++number)
    operands.push_back(&writer.get(node, number, ""));
  return one(fill(writer, node, format, "bool", operands));
}

static bool isTruth(const KernelWriter &writer, const Argument &operand) {
  return operand.kind == Argument::Kind::Bool ||
         (operand.isNode() && writer.typeOf(operand).dtype == "bool");
}

/// True if torch refuses to subtract truths, or what is to be scaled.
static bool refusesSum(KernelWriter &writer, const Node &node,
                       bool isDifference, const Argument &alpha) {
  const std::string &dtype = resultOf(node).dtype;
  return (isDifference && (isTruth(writer, node.arguments[0]) ||
                           isTruth(writer, node.arguments[1]))) ||
         (alpha.kind == Argument::Kind::Bool && dtype != "bool") ||
         (alpha.kind == Argument::Kind::Float && !isFloating(dtype));
}

/// add and sub, whose second operand may be multiplied by `alpha`; rsub, which
/// exchanges them, multiplies the first.
template <const char *format, bool isDifference, bool isExchanged = false>
static Written writeSum(KernelWriter &writer, const Node &node) {
  const Argument &alpha = writer.get(node, 2, "alpha");
  const Argument &lhs = node.arguments[0], &rhs = node.arguments[1];
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  if (refusesSum(writer, node, isDifference, alpha))
    return std::nullopt;
  if (dtype == "bool")
    return one(fill(writer, node, "({0} | {1})", "bool", {&lhs, &rhs}));
  bool isPlain = alpha.isNone() || writer.readFloat(alpha, 0) == 1;
  unsigned rank = rankOfResult(node);
  std::string right = usePromoted(writer, rhs, dtype, wide, rank);
  std::string left = usePromoted(writer, lhs, dtype, wide, rank);
  std::string &scaled = isExchanged ? left : right;
  if (!isPlain)
    scaled = "(" + scaled + " * " +
             usePromoted(writer, alpha, dtype, wide, rank) + ")";
  return one(castTo(llvm::formatv(false, format, left, right), wide, dtype));
}

/// Integers are not divided by zero: the kernel refuses it. False if it is the
/// number 0 itself, and for truths, which are left to torch to refuse.
static bool checkDivisor(KernelWriter &writer, const Node &node) {
  const Argument &divisor = node.arguments[1];
  StringRef dtype = resultOf(node).dtype;
  bool isSize = divisor.kind == Argument::Kind::Size;
  if (isFloating(dtype) || dtype == "bool")
    return dtype != "bool";
  if (divisor.isScalar() && !isSize)
    return divisor.integer != 0;
  // One that divides nothing may be zero.
  bool isWhole = !isSize && writer.typeOf(divisor).shape == shapeOf(node);
  std::string text =
      isSize ? "(" + divisor.text + ")" : writer.use(divisor, dtype, 0);
  writer.require(node, text + " != 0", "an integer is divided by zero",
                 isWhole ? "" : formatProduct(shapeOf(node)) + " > 0");
  return true;
}

/// A remainder; of integers, not by zero.
template <const char *format>
static Written writeRemainder(KernelWriter &writer, const Node &node) {
  if (!checkDivisor(writer, node))
    return std::nullopt;
  return writeSame<format, 2>(writer, node);
}

/// Eager mode divides tensors of narrow elements in their type.
static std::string quotientFormat(const KernelWriter &writer,
                                  const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  if (!isFloating(dtype))
    return "({0} // {1})";
  if (widen(dtype) == dtype || isScalar(writer, node.arguments[1]))
    return "kernels.floor_divide({0}, {1})";
  return "kernels.floor_divide_in({0}, {1}, " + nameDType(dtype).str() + ")";
}

static Written writeDiv(KernelWriter &writer, const Node &node) {
  if (!checkDivisor(writer, node))
    return std::nullopt;
  const Argument &mode = writer.get(node, 2, "rounding_mode");
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  std::string format = "({0} / {1})";
  if (mode.text == "floor")
    format = quotientFormat(writer, node);
  else if (mode.text == "trunc" && !isFloating(dtype))
    format = "(({0} - pl.fmod({0}, {1})) // {1})";
  else if (mode.text == "trunc") {
    // The quotient by a tensor is rounded to its type before its fraction is
    // cut off.
    const Argument &divisor = node.arguments[1];
    std::string quotient = fill(writer, node, format.c_str(), dtype, wide,
                                {&node.arguments[0], &divisor}, Scalars::Exact);
    if (!isScalar(writer, divisor))
      quotient = castTo(castTo(quotient, wide, dtype), dtype, wide);
    return one(castTo("pl.trunc(" + quotient + ")", wide, dtype));
  }
  return one(
      castTo(fill(writer, node, format.c_str(), dtype, wide,
                  {&node.arguments[0], &node.arguments[1]}, Scalars::Exact),
             wide, dtype));
}

static Written writeFloorDivide(KernelWriter &writer, const Node &node) {
  if (!checkDivisor(writer, node))
    return std::nullopt;
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  return one(castTo(fill(writer, node, quotientFormat(writer, node).c_str(),
                         dtype, wide, {&node.arguments[0], &node.arguments[1]},
                         Scalars::Exact),
                    wide, dtype));
}

/// What is written over another tensor: itself, in that one's shape and type.
static Written writeOver(KernelWriter &writer, const Node &node) {
  const TensorType &type = resultOf(node);
  const Argument &value = node.arguments[1];
  std::string text = writer.use(value, type.dtype, rankOfResult(node));
  if (value.isScalar())
    return one(llvm::formatv("pl.full({0}, {1}, {2})",
                             formatShape(shapeOf(node)), nameDType(type.dtype),
                             text));
  return one(llvm::formatv("kernels.expand({0}, {1}, {2})", text,
                           formatShape(shapeOf(node)), nameDType(type.dtype)));
}

static Written writePow(KernelWriter &writer, const Node &node) {
  const Argument &base = node.arguments[0], &power = node.arguments[1];
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  // Torch does not say rightly what type powers of truths have.
  if (isTruth(writer, base) && isTruth(writer, power))
    return std::nullopt;
  if (power.isScalar() && base.isNode()) {
    double value = roundNumber(writer.readFloat(power, 0), dtype);
    // Torch refuses fractions that are no integers.
    if (value < 0 && !isFloating(dtype))
      return std::nullopt;
    const char *format = value == 2      ? "({0} * {0})"
                         : value == 3    ? "({0} * {0} * {0})"
                         : value == 1    ? "({0} * 1)"
                         : value == 0.5  ? "pl.sqrt({0})"
                         : value == -0.5 ? "pl.rsqrt({0})"
                         : value == -1   ? "pl.recip({0})"
                                         : nullptr;
    bool fits = format && (isFloating(dtype) || value >= 1);
    if (fits)
      return one(castTo(fill(writer, node, format, dtype, wide, {&base}), wide,
                        dtype));
  }
  return one(castTo(
      fill(writer, node, "pl.pow({0}, {1})", dtype, wide, {&base, &power}),
      wide, dtype));
}

static Written writeGelu(KernelWriter &writer, const Node &node) {
  bool isTanh = writer.get(node, 1, "approximate").text == "tanh";
  const std::string &dtype = resultOf(node).dtype;
  return one(
      castTo(fill(writer, node,
                  isTanh ? "kernels.gelu_tanh({0})" : "kernels.gelu({0})",
                  widen(dtype), {&node.arguments[0]}),
             widen(dtype), dtype));
}

/// Both limits may be left out.
static Written writeClamp(KernelWriter &writer, const Node &node) {
  const Argument &low = writer.get(node, 1, "min");
  const Argument &high = writer.get(node, 2, "max");
  const std::string &dtype = resultOf(node).dtype;
  // Truths are between truths, not between numbers.
  if (dtype == "bool" && (low.isScalar() || high.isScalar()))
    return std::nullopt;
  StringRef wide = dtype == "bool" ? "uint8" : widen(dtype);
  unsigned rank = rankOfResult(node);
  std::string text = writer.use(node.arguments[0], wide, rank);
  if (!low.isNone())
    text = llvm::formatv("pl.maximum({0}, {1})", text,
                         writer.use(low, wide, rank));
  if (!high.isNone())
    text = llvm::formatv("pl.minimum({0}, {1})", text,
                         writer.use(high, wide, rank));
  return one(castTo(text, wide, dtype));
}

static Written writeWhere(KernelWriter &writer, const Node &node) {
  if (node.arguments[1].isNone())
    return std::nullopt;
  const std::string &dtype = resultOf(node).dtype;
  const TensorType &type = resultOf(node);
  unsigned rank = rankOfResult(node);
  std::string mask = writer.use(node.arguments[0], "bool", rank);
  std::string lhs = writer.use(node.arguments[1], dtype, rank);
  std::string rhs = writer.use(node.arguments[2], dtype, rank);
  // One of two numbers has to be a tensor.
  if (node.arguments[1].isScalar() && node.arguments[2].isScalar())
    lhs = llvm::formatv("pl.full({0}, {1}, {2})", formatShape(type.shape),
                        nameDType(dtype), lhs);
  return one(llvm::formatv("pl.select({0}, {1}, {2})", mask, lhs, rhs));
}

static Written writeMaskedFill(KernelWriter &writer, const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  unsigned rank = rankOfResult(node);
  return one(llvm::formatv("pl.select({0}, {1}, {2})",
                           writer.use(node.arguments[1], "bool", rank),
                           writer.use(node.arguments[2], dtype, rank),
                           writer.use(node.arguments[0], dtype, rank)));
}

/// A conversion; without a dtype, or with the tensor's own, nothing happens.
static Written writeTo(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  return one(castTo(writer.use(source), writer.typeOf(source).dtype,
                    resultOf(node).dtype));
}

static Written writeIdentity(KernelWriter &writer, const Node &node) {
  return one(writer.use(node.arguments[0]));
}

/// Nothing is dropped but in training.
static Written writeDropout(KernelWriter &writer, const Node &node) {
  bool isTraining = writer.readBool(writer.get(node, 2, "train"), true);
  return isTraining ? std::nullopt : writeIdentity(writer, node);
}

static Written writeLeakyRelu(KernelWriter &writer, const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  Argument slope{Argument::Kind::Float, "", 0,
                 writer.readFloat(writer.get(node, 1, "negative_slope"), 0.01)};
  return one(castTo(fill(writer, node, "pl.lrelu({0}, {1})", wide,
                         {&node.arguments[0], &slope}),
                    wide, dtype));
}

/// log(1 + exp(beta x)) / beta, and x itself where beta x is large.
static Written writeSoftplus(KernelWriter &writer, const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  Argument beta{Argument::Kind::Float, "", 0,
                writer.readFloat(writer.get(node, 1, "beta"), 1)};
  Argument limit{Argument::Kind::Float, "", 0,
                 writer.readFloat(writer.get(node, 2, "threshold"), 20)};
  return one(castTo(fill(writer, node, "kernels.softplus({0}, {1}, {2})", wide,
                         {&node.arguments[0], &beta, &limit}),
                    wide, dtype));
}

/// x times a scale, and an exponential that ends at -alpha where x is negative.
static Written writeElu(KernelWriter &writer, const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  auto number = [&](unsigned position, const char *name) {
    double value = writer.readFloat(writer.get(node, position, name), 1);
    return formatNumber({Argument::Kind::Float, "", 0, value}, wide);
  };
  return one(castTo(llvm::formatv("kernels.elu({0}, {1}, {2}, {3})",
                                  writer.use(node.arguments[0], wide, 0),
                                  number(1, "alpha"), number(2, "scale"),
                                  number(3, "input_scale")),
                    wide, dtype));
}

/// addcmul and addcdiv: input + value * a (op) b.
template <const char *format>
static Written writeAddc(KernelWriter &writer, const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  Argument value = writer.get(node, 3, "value");
  if (value.isNone())
    value = {Argument::Kind::Integer, "", 1, 1};
  unsigned rank = rankOfResult(node);
  std::string text = llvm::formatv(
      false, format, writer.use(node.arguments[0], wide, rank),
      writer.use(node.arguments[1], wide, rank),
      writer.use(node.arguments[2], wide, rank), formatNumber(value, wide));
  return one(castTo(text, wide, dtype));
}

namespace {

/// Enters one rule under several names.
class RuleAdder {
public:
  explicit RuleAdder(RuleTable &rules) : rules(rules) {}

  void operator()(Rule rule, std::initializer_list<const char *> names) {
    for (const char *name : names)
      rules[std::string("aten.") + name] = rule;
  }

private:
  RuleTable &rules;
};

} // namespace

static void addUnaryRules(RuleAdder add) {
  add(writeSame<negFormat, 1>, {"neg.default"});
  add(writeSame<absFormat, 1>, {"abs.default"});
  add(writeSame<expFormat, 1>, {"exp.default"});
  add(writeSame<exp2Format, 1>, {"exp2.default"});
  add(writeSame<expm1Format, 1>, {"expm1.default"});
  add(writeSame<logFormat, 1>, {"log.default"});
  add(writeSame<log2Format, 1>, {"log2.default"});
  add(writeSame<log10Format, 1>, {"log10.default"});
  add(writeSame<log1pFormat, 1>, {"log1p.default"});
  add(writeSame<sqrtFormat, 1>, {"sqrt.default"});
  add(writeSame<rsqrtFormat, 1>, {"rsqrt.default"});
  add(writeSame<recipFormat, 1>, {"reciprocal.default"});
  add(writeSame<sinFormat, 1>, {"sin.default"});
  add(writeSame<cosFormat, 1>, {"cos.default"});
  add(writeSame<tanFormat, 1>, {"tan.default"});
  add(writeSame<tanhFormat, 1>, {"tanh.default"});
  add(writeSame<erfFormat, 1>, {"erf.default"});
  add(writeRounding<floorFormat>, {"floor.default"});
  add(writeRounding<ceilFormat>, {"ceil.default"});
  add(writeRounding<truncFormat>, {"trunc.default"});
  add(writeRounding<roundFormat>, {"round.default"});
  add(writeSame<squareFormat, 1>, {"square.default"});
  add(writeSame<reluFormat, 1>, {"relu.default"});
  add(writeSame<relu6Format, 1>, {"relu6.default"});
  add(writeSame<sigmoidFormat, 1>, {"sigmoid.default"});
  add(writeSame<siluFormat, 1>, {"silu.default"});
  add(writeSoftplus, {"softplus.default"});
  add(writeSame<signFormat, 1>, {"sign.default", "sgn.default"});
  add(writeSame<mishFormat, 1>, {"mish.default"});
  add(writeSame<hardswishFormat, 1>, {"hardswish.default"});
  add(writeSame<hardsigmoidFormat, 1>, {"hardsigmoid.default"});
}

static void addArithmeticRules(RuleAdder add) {
  add(writeSum<addFormat, false>, {"add.Tensor", "add.Scalar"});
  add(writeSum<subFormat, true>, {"sub.Tensor", "sub.Scalar"});
  add(writeSum<rsubFormat, true, true>, {"rsub.Tensor", "rsub.Scalar"});
  add(writeSame<mulFormat, 2, Scalars::Exact>, {"mul.Tensor", "mul.Scalar"});
  add(writeDiv, {"div.Tensor", "div.Scalar", "div.Tensor_mode",
                 "div.Scalar_mode", "true_divide.Tensor"});
  add(writeFloorDivide, {"floor_divide.default", "floor_divide.Scalar"});
  add(writeRemainder<remainderFormat>,
      {"remainder.Tensor", "remainder.Scalar"});
  add(writeRemainder<fmodFormat>, {"fmod.Tensor", "fmod.Scalar"});
  add(writeSame<maximumFormat, 2>, {"maximum.default", "max.other"});
  add(writeSame<minimumFormat, 2>, {"minimum.default", "min.other"});
  add(writePow, {"pow.Tensor_Scalar", "pow.Tensor_Tensor", "pow.Scalar"});
}

static void addBitAndComparisonRules(RuleAdder add) {
  add(writeBits<bitAndFormat, 2>, {"bitwise_and.Tensor", "bitwise_and.Scalar",
                                   "__and__.Tensor", "__and__.Scalar"});
  add(writeBits<bitOrFormat, 2>, {"bitwise_or.Tensor", "bitwise_or.Scalar",
                                  "__or__.Tensor", "__or__.Scalar"});
  add(writeBits<bitXorFormat, 2>, {"bitwise_xor.Tensor", "bitwise_xor.Scalar",
                                   "__xor__.Tensor", "__xor__.Scalar"});
  add(writeBits<notFormat, 1>, {"bitwise_not.default"});
  add(writeBits<shiftLeftFormat, 2>,
      {"bitwise_left_shift.Tensor", "bitwise_left_shift.Tensor_Scalar",
       "__lshift__.Tensor", "__lshift__.Scalar"});
  add(writeBits<shiftRightFormat, 2>,
      {"bitwise_right_shift.Tensor", "bitwise_right_shift.Tensor_Scalar",
       "__rshift__.Tensor", "__rshift__.Scalar"});
  add(writeLogical<bitAndFormat, 2>, {"logical_and.default"});
  add(writeLogical<bitOrFormat, 2>, {"logical_or.default"});
  add(writeLogical<bitXorFormat, 2>, {"logical_xor.default"});
  add(writeLogical<notFormat, 1>, {"logical_not.default"});
  add(writeQuestion<eqFormat, 2>, {"eq.Tensor", "eq.Scalar"});
  add(writeQuestion<neFormat, 2>, {"ne.Tensor", "ne.Scalar"});
  add(writeQuestion<ltFormat, 2>, {"lt.Tensor", "lt.Scalar"});
  add(writeQuestion<leFormat, 2>, {"le.Tensor", "le.Scalar"});
  add(writeQuestion<gtFormat, 2>, {"gt.Tensor", "gt.Scalar"});
  add(writeQuestion<geFormat, 2>, {"ge.Tensor", "ge.Scalar"});
  add(writeQuestion<isnanFormat, 1>, {"isnan.default"});
  add(writeIsInf, {"isinf.default"});
}

static void addSelectionAndActivationRules(RuleAdder add) {
  add(writeOver, {"copy.default", "fill.Scalar", "fill.Tensor"});
  add(writeGelu, {"gelu.default"});
  add(writeClamp, {"clamp.default", "clamp.Tensor", "clamp_min.default",
                   "hardtanh.default"});
  add(writeWhere,
      {"where.self", "where.ScalarSelf", "where.ScalarOther", "where.Scalar"});
  add(writeMaskedFill, {"masked_fill.Scalar", "masked_fill.Tensor"});
  add(writeTo, {"to.dtype", "to.dtype_layout", "to.device", "to.other",
                "_to_copy.default", "type_as.default", "float.default"});
  add(writeIdentity,
      {"contiguous.default", "clone.default", "detach.default",
       "detach_.default", "alias.default", "lift_fresh_copy.default"});
  add(writeDropout,
      {"dropout.default", "alpha_dropout.default", "feature_dropout.default"});
  add(writeLeakyRelu, {"leaky_relu.default"});
  add(writeElu, {"elu.default"});
  add(writeAddc<addcmulFormat>, {"addcmul.default"});
  add(writeAddc<addcdivFormat>, {"addcdiv.default"});
}

void tegula::torch::addPointwiseRules(RuleTable &rules) {
  RuleAdder add(rules);
  addUnaryRules(add);
  addArithmeticRules(add);
  addBitAndComparisonRules(add);
  addSelectionAndActivationRules(add);
}
