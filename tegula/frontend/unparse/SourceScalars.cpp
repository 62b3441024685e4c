// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers, index arithmetic and conversions as source.
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/unparse/SourceExpressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace tegula;
using namespace mlir;
namespace arith = mlir::arith;

std::string tegula::writeDtype(Type type) { return "pl." + dtypeName(type); }

/// The shortest decimal number that becomes `value` in its type.
static std::string writeFloat(const llvm::APFloat &value) {
  llvm::APFloat exact = value;
  bool losesInfo = false;
  exact.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  double real = exact.convertToDouble();
  // A literal beyond the range is the only infinity the language has.
  if (std::isinf(real))
    return real > 0 ? "1e999" : "-1e999";
  char buffer[40];
  for (int digits = 1; digits <= 17; ++digits) {
    snprintf(buffer, sizeof(buffer), "%.*g", digits, real);
    llvm::APFloat read(strtod(buffer, nullptr));
    read.convert(value.getSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
    if (read.bitwiseIsEqual(value))
      break;
  }
  std::string text = buffer;
  if (text.find_first_of(".en") == std::string::npos)
    text += ".0";
  return text;
}

/// The attribute of a constant and the type it has in the program: unsigned
/// constants are converted from signless ones.
static std::pair<Attribute, Type> constantOf(Value value) {
  Attribute attribute;
  if (matchPattern(value, m_Constant(&attribute)))
    return {attribute, value.getType()};
  auto cast = value.getDefiningOp<pl::CastOp>();
  if (cast && pl::isUnsigned(value.getType()) &&
      cast.getOperand().getType().isSignlessInteger(
          value.getType().getIntOrFloatBitWidth()) &&
      matchPattern(cast.getOperand(), m_Constant(&attribute)))
    return {attribute, value.getType()};
  return {};
}

std::optional<WrittenSource> tegula::writeNumber(Value value, Wanted wanted) {
  auto [attribute, type] = constantOf(value);
  std::string text;
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute)) {
    if (number.getValue().isNaN())
      return std::nullopt;
    text = writeFloat(number.getValue());
  } else if (auto number = dyn_cast_or_null<IntegerAttr>(attribute)) {
    if (type.isInteger(1)) {
      text = number.getValue().isZero() ? "False" : "True";
      return WrittenSource{
          wanted == Wanted::Typed ? "pl.const(" + text + ", pl.BOOL)" : text};
    }
    text = llvm::toString(number.getValue(), 10,
                          /*Signed=*/!pl::isUnsigned(type));
  } else {
    return std::nullopt;
  }
  bool hasDefaultType = type.isF32() || type.isIndex();
  if (wanted == Wanted::Typed || (wanted == Wanted::Value && !hasDefaultType))
    return WrittenSource{"pl.const(" + text + ", " + writeDtype(type) + ")"};
  return WrittenSource{text, text[0] == '-' ? Strength::Unary : Strength::Atom};
}

/// The next stronger one, for the right side of operators.
static Strength above(Strength strength) {
  return static_cast<Strength>(static_cast<int>(strength) + 1);
}

WrittenSource ExpressionWriter::infix(Value lhs, StringRef symbol, Value rhs,
                                      Strength strength, Wanted wanted) {
  bool isComparison = strength == Strength::Comparison;
  std::string left =
      write(lhs, wanted, isComparison ? above(strength) : strength);
  std::string right = write(rhs, wanted, above(strength));
  return {left + " " + symbol.str() + " " + right, strength};
}

static StringRef symbolOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  case arith::CmpIPredicate::slt:
    return "<";
  case arith::CmpIPredicate::sle:
    return "<=";
  case arith::CmpIPredicate::sgt:
    return ">";
  case arith::CmpIPredicate::sge:
    return ">=";
  default:
    return "";
  }
}

/// A quotient guarded against a divisor of zero is `//`; any other choice is a
/// conditional expression.
std::optional<WrittenSource> ExpressionWriter::select(Operation *op) {
  auto choice = llvm::cast<arith::SelectOp>(op);
  auto test = choice.getCondition().getDefiningOp<arith::CmpIOp>();
  auto quotient = choice.getFalseValue().getDefiningOp<arith::FloorDivSIOp>();
  auto divisor =
      quotient ? quotient.getRhs().getDefiningOp<arith::SelectOp>() : nullptr;
  if (test && divisor && test.getPredicate() == arith::CmpIPredicate::eq &&
      divisor.getCondition() == test.getResult() &&
      matchPattern(choice.getTrueValue(), m_Zero()) &&
      matchPattern(test.getRhs(), m_Zero()) &&
      matchPattern(divisor.getTrueValue(), m_One()) &&
      divisor.getFalseValue() == test.getLhs())
    return infix(quotient.getLhs(), "//", test.getLhs(), Strength::Product);
  std::string first = write(choice.getTrueValue(), Wanted::Value, Strength::Or);
  std::string condition =
      write(choice.getCondition(), Wanted::Value, Strength::Or);
  std::string second =
      write(choice.getFalseValue(), Wanted::Value, Strength::Or);
  return WrittenSource{first + " if " + condition + " else " + second,
                       Strength::Conditional};
}

/// a - a // b * b is a % b
std::optional<WrittenSource> ExpressionWriter::remainder(Operation *op) {
  auto difference = llvm::cast<arith::SubIOp>(op);
  auto product = difference.getRhs().getDefiningOp<arith::MulIOp>();
  auto quotient =
      product ? product.getLhs().getDefiningOp<arith::FloorDivSIOp>() : nullptr;
  if (!quotient || quotient.getLhs() != difference.getLhs() ||
      quotient.getRhs() != product.getRhs())
    return std::nullopt;
  return infix(quotient.getLhs(), "%", quotient.getRhs(), Strength::Product);
}

WrittenSource ExpressionWriter::cast(Value operand, Type type,
                                     pl::Rounding rounding) {
  std::string text = "pl.cast(" + write(operand, Wanted::Tile, Strength::Any) +
                     ", " + writeDtype(type);
  bool isExact = operand.getType().isIndex() && !pl::isFloat(type);
  if (rounding != pl::Rounding::Round && !isExact)
    text += ", mode=\"" + pl::stringifyRounding(rounding).str() + "\"";
  return {text + ")"};
}

std::optional<WrittenSource> ExpressionWriter::arithmetic(Operation *op) {
  bool isIndex = op->getResult(0).getType().isIndex();
  bool isBool = op->getResult(0).getType().isInteger(1);
  auto both = [&](StringRef symbol, Strength strength) {
    return infix(op->getOperand(0), symbol, op->getOperand(1), strength);
  };
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    StringRef symbol = symbolOf(compare.getPredicate());
    if (symbol.empty() || !compare.getLhs().getType().isIndex())
      return std::nullopt;
    return both(symbol, Strength::Comparison);
  }
  if (isa<arith::SelectOp>(op))
    return select(op);
  if (isa<arith::XOrIOp>(op) && isBool &&
      matchPattern(op->getOperand(1), m_One()))
    return WrittenSource{
        "not " + write(op->getOperand(0), Wanted::Value, Strength::Comparison),
        Strength::Not};
  if (isBool && isa<arith::AndIOp>(op))
    return both("and", Strength::And);
  if (isBool && isa<arith::OrIOp>(op))
    return both("or", Strength::Or);
  if (auto conversion = dyn_cast<arith::IndexCastOp>(op)) {
    Value from = conversion.getIn();
    auto inner = from.getDefiningOp<pl::CastOp>();
    if (isIndex && inner && from.hasOneUse())
      return cast(inner.getOperand(), op->getResult(0).getType(),
                  inner.getRounding());
    return cast(from, op->getResult(0).getType(), pl::Rounding::Round);
  }
  if (!isIndex)
    return std::nullopt;
  if (isa<arith::SubIOp>(op))
    if (std::optional<WrittenSource> text = remainder(op))
      return text;
  if (isa<arith::AddIOp>(op))
    return both("+", Strength::Sum);
  if (isa<arith::SubIOp>(op))
    return both("-", Strength::Sum);
  if (isa<arith::MulIOp>(op))
    return both("*", Strength::Product);
  if (isa<arith::FloorDivSIOp>(op))
    return both("//", Strength::Product);
  if (isa<arith::AndIOp>(op))
    return both("&", Strength::BitAnd);
  if (isa<arith::OrIOp>(op))
    return both("|", Strength::BitOr);
  if (isa<arith::XOrIOp>(op))
    return both("^", Strength::BitXor);
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return WrittenSource{
        (isa<arith::MinSIOp>(op) ? "min(" : "max(") +
        write(op->getOperand(0), Wanted::Scalar, Strength::Any) + ", " +
        write(op->getOperand(1), Wanted::Scalar, Strength::Any) + ")"};
  return std::nullopt;
}

/// True for a constant of one bit.
static bool isBoolean(Value value, bool wanted) {
  BoolAttr constant;
  return matchPattern(value, m_Constant(&constant)) &&
         constant.getValue() == wanted;
}

Value tegula::undecidedSide(scf::IfOp op) {
  Value taken = op.thenYield().getOperand(0);
  return isBoolean(op.elseYield().getOperand(0), false)
             ? taken
             : op.elseYield().getOperand(0);
}

bool tegula::isShortCircuit(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || branch.getNumResults() != 1 || !branch.elseBlock() ||
      !branch.getResult(0).getType().isInteger(1))
    return false;
  bool isAnd = isBoolean(branch.elseYield().getOperand(0), false);
  bool isOr = isBoolean(branch.thenYield().getOperand(0), true);
  return isAnd || isOr;
}

WrittenSource ExpressionWriter::shortCircuit(scf::IfOp op) {
  bool isAnd = isBoolean(op.elseYield().getOperand(0), false);
  Strength own = isAnd ? Strength::And : Strength::Or;
  std::string text = write(op.getCondition(), Wanted::Value, own);
  text += isAnd ? " and " : " or ";
  return {text + write(undecidedSide(op), Wanted::Value, Strength::Not), own};
}
