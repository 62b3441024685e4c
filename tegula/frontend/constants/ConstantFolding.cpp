// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/ExtentExpression.h"
#include "tegula/frontend/constants/library/MathModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace tegula;
using ast::BinaryOp;
using ast::CompareOp;

static Object fail(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

bool tegula::isConstant(const Object &object) {
  return object.isNumeric() || object.is<StringObject>() ||
         object.is<NoneObject>() || object.is<DtypeObject>() ||
         object.asTuple() || object.is<DictObject>();
}

bool tegula::isTrue(const Object &object) {
  if (std::optional<double> number = object.asReal())
    return *number != 0;
  if (const auto *string = object.as<StringObject>())
    return !string->value.empty();
  if (const auto *tuple = object.asTuple())
    return !tuple->empty();
  if (const auto *dict = object.as<DictObject>())
    return !dict->entries->empty();
  return !object.is<NoneObject>();
}

Object tegula::foldUnary(ast::UnaryOp op, const Object &operand) {
  if (op == ast::UnaryOp::Not)
    return Object::boolean(!isTrue(operand));
  if (const auto *real = operand.as<FloatObject>()) {
    if (op == ast::UnaryOp::Invert)
      return fail("'~' takes integers, got " + describe(operand));
    return Object::real(op == ast::UnaryOp::Minus ? -real->value : real->value);
  }
  std::optional<int64_t> integer = operand.asInteger();
  if (!integer)
    return fail("cannot apply '" + ast::spelling(op) + "' to " +
                describe(operand));
  if (op == ast::UnaryOp::Invert)
    return Object::integer(~*integer);
  if (op == ast::UnaryOp::Plus)
    return Object::integer(*integer);
  int64_t result = 0;
  if (llvm::SubOverflow<int64_t>(0, *integer, result))
    return fail("the result does not fit 64 bits");
  return Object::integer(result);
}

static int64_t floorDivide(int64_t lhs, int64_t rhs) {
  int64_t quotient = lhs / rhs;
  return lhs % rhs != 0 && (lhs < 0) != (rhs < 0) ? quotient - 1 : quotient;
}

/// `lhs ** rhs` for rhs >= 0; nothing if it does not fit.
static std::optional<int64_t> power(int64_t lhs, int64_t rhs) {
  int64_t result = 1;
  if (lhs == 0 || lhs == 1)
    return rhs == 0 ? 1 : lhs;
  if (lhs == -1)
    return rhs % 2 ? -1 : 1;
  for (; rhs > 0; --rhs)
    if (llvm::MulOverflow(result, lhs, result))
      return std::nullopt;
  return result;
}

/// The remainder with the sign of the divisor, and the quotient that goes with
/// it, rounded down.
static std::pair<double, double> floorDivide(double lhs, double rhs) {
  double rest = std::fmod(lhs, rhs);
  double quotient = (lhs - rest) / rhs;
  if (rest != 0 && (rhs < 0) != (rest < 0)) {
    rest += rhs;
    quotient -= 1;
  } else if (rest == 0) {
    rest = std::copysign(0.0, rhs);
  }
  if (quotient == 0)
    return {std::copysign(0.0, lhs / rhs), rest};
  double whole = std::floor(quotient);
  return {quotient - whole > 0.5 ? whole + 1 : whole, rest};
}

static Object foldPower(double lhs, double rhs) {
  if (lhs == 0 && rhs < 0)
    return fail("division by zero");
  if (lhs < 0 && std::isfinite(lhs) && std::isfinite(rhs) &&
      rhs != std::floor(rhs))
    return fail("the power is not a real number");
  double result = std::pow(lhs, rhs);
  if (std::isinf(result) && std::isfinite(lhs) && std::isfinite(rhs))
    return fail("the power is too large for a float");
  return Object::real(result);
}

static Object foldReals(BinaryOp op, double lhs, double rhs) {
  bool divides =
      op == BinaryOp::Div || op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
  if (divides && rhs == 0)
    return fail("division by zero");
  switch (op) {
  case BinaryOp::Add:
    return Object::real(lhs + rhs);
  case BinaryOp::Sub:
    return Object::real(lhs - rhs);
  case BinaryOp::Mul:
    return Object::real(lhs * rhs);
  case BinaryOp::Div:
    return Object::real(lhs / rhs);
  case BinaryOp::FloorDiv:
    return Object::real(floorDivide(lhs, rhs).first);
  case BinaryOp::Mod:
    return Object::real(floorDivide(lhs, rhs).second);
  case BinaryOp::Pow:
    return foldPower(lhs, rhs);
  default:
    return fail("'" + ast::spelling(op) + "' takes integers, got a float");
  }
}

static Object foldShift(BinaryOp op, int64_t lhs, int64_t rhs) {
  if (rhs < 0)
    return fail("negative shift count " + llvm::Twine(rhs));
  if (op == BinaryOp::ShiftRight)
    return Object::integer(lhs >> std::min<int64_t>(rhs, 63));
  int64_t factor = 0, result = 0;
  if (lhs != 0 &&
      (rhs > 62 || llvm::MulOverflow(lhs, factor = int64_t(1) << rhs, result)))
    return fail("the result does not fit 64 bits");
  return Object::integer(result);
}

static Object foldIntegers(BinaryOp op, int64_t lhs, int64_t rhs) {
  int64_t result = 0;
  bool overflows = false;
  bool divides = op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
  if (divides && rhs == 0)
    return fail("division by zero");
  if (divides && rhs == -1)
    return op == BinaryOp::Mod
               ? Object::integer(0)
               : foldUnary(ast::UnaryOp::Minus, Object::integer(lhs));
  switch (op) {
  case BinaryOp::Add:
    overflows = llvm::AddOverflow(lhs, rhs, result);
    break;
  case BinaryOp::Sub:
    overflows = llvm::SubOverflow(lhs, rhs, result);
    break;
  case BinaryOp::Mul:
    overflows = llvm::MulOverflow(lhs, rhs, result);
    break;
  case BinaryOp::FloorDiv:
    result = floorDivide(lhs, rhs);
    break;
  case BinaryOp::Mod:
    result = lhs - floorDivide(lhs, rhs) * rhs;
    break;
  case BinaryOp::Pow: {
    if (rhs < 0)
      return foldReals(op, static_cast<double>(lhs), static_cast<double>(rhs));
    std::optional<int64_t> value = power(lhs, rhs);
    overflows = !value;
    result = value.value_or(0);
    break;
  }
  case BinaryOp::ShiftLeft:
  case BinaryOp::ShiftRight:
    return foldShift(op, lhs, rhs);
  case BinaryOp::BitAnd:
    result = lhs & rhs;
    break;
  case BinaryOp::BitOr:
    result = lhs | rhs;
    break;
  case BinaryOp::BitXor:
    result = lhs ^ rhs;
    break;
  default:
    return foldReals(op, static_cast<double>(lhs), static_cast<double>(rhs));
  }
  if (overflows)
    return fail("the result does not fit 64 bits");
  return Object::integer(result);
}

Object tegula::foldBinary(BinaryOp op, const Object &lhs, const Object &rhs) {
  std::optional<int64_t> left = lhs.asInteger(), right = rhs.asInteger();
  if (op != BinaryOp::MatMul && left && right) {
    Object result = foldIntegers(op, *left, *right);
    bool isLogical = op == BinaryOp::BitAnd || op == BinaryOp::BitOr ||
                     op == BinaryOp::BitXor;
    if (isLogical && lhs.is<BoolObject>() && rhs.is<BoolObject>())
      return Object::boolean(*result.asInteger() != 0);
    return result;
  }
  if (op != BinaryOp::MatMul && lhs.isNumeric() && rhs.isNumeric())
    return foldReals(op, *lhs.asReal(), *rhs.asReal());
  if (op == BinaryOp::Add && lhs.asTuple() && rhs.asTuple()) {
    std::vector<Object> elements = *lhs.asTuple();
    llvm::append_range(elements, *rhs.asTuple());
    return Object::tuple(std::move(elements));
  }
  if (isExtentArithmetic(lhs, rhs))
    return combineExtents(op, lhs, rhs);
  return fail("cannot apply '" + ast::spelling(op) + "' to " + describe(lhs) +
              " and " + describe(rhs));
}

static bool compareReals(CompareOp op, double lhs, double rhs) {
  switch (op) {
  case CompareOp::Lt:
    return lhs < rhs;
  case CompareOp::Le:
    return lhs <= rhs;
  case CompareOp::Gt:
    return lhs > rhs;
  case CompareOp::Ge:
    return lhs >= rhs;
  case CompareOp::Eq:
    return lhs == rhs;
  default:
    return lhs != rhs;
  }
}

static bool isNan(const Object &number) { return std::isnan(*number.asReal()); }

/// Less than 0, 0 or more, as the integer is less than the float, which is a
/// number. Nothing is rounded.
static int orderOf(int64_t integer, double real) {
  constexpr double limit = 9223372036854775808.0;
  if (real >= limit)
    return -1;
  if (real < -limit)
    return 1;
  auto whole = static_cast<int64_t>(real);
  if (integer != whole)
    return integer < whole ? -1 : 1;
  double rest = real - static_cast<double>(whole);
  return rest > 0 ? -1 : rest < 0;
}

static int orderOf(const Object &lhs, const Object &rhs) {
  std::optional<int64_t> left = lhs.asInteger(), right = rhs.asInteger();
  if (left && right)
    return *left < *right ? -1 : *left > *right;
  if (left)
    return orderOf(*left, *rhs.asReal());
  if (right)
    return -orderOf(*right, *lhs.asReal());
  return *lhs.asReal() < *rhs.asReal() ? -1 : *lhs.asReal() > *rhs.asReal();
}

static bool isEqual(const Object &lhs, const Object &rhs) {
  if (lhs.isNumeric() && rhs.isNumeric())
    return !isNan(lhs) && !isNan(rhs) && orderOf(lhs, rhs) == 0;
  const auto *left = lhs.asTuple(), *right = rhs.asTuple();
  if (left && right)
    return left->size() == right->size() &&
           llvm::all_of(llvm::zip(*left, *right), [](auto pair) {
             return isEqual(std::get<0>(pair), std::get<1>(pair));
           });
  return isSame(lhs, rhs);
}

Object tegula::foldCompare(CompareOp op, const Object &lhs, const Object &rhs) {
  if (op == CompareOp::Is || op == CompareOp::IsNot)
    return Object::boolean(isSame(lhs, rhs) == (op == CompareOp::Is));
  if (op == CompareOp::Eq || op == CompareOp::Ne)
    return Object::boolean(isEqual(lhs, rhs) == (op == CompareOp::Eq));
  if (op == CompareOp::In || op == CompareOp::NotIn) {
    if (const auto *dict = rhs.as<DictObject>())
      return Object::boolean(
          llvm::any_of(*dict->entries, [&](const auto &entry) {
            return isEqual(lhs, entry.first);
          }) == (op == CompareOp::In));
    const auto *tuple = rhs.asTuple();
    if (!tuple)
      return fail("'" + ast::spelling(op) + "' needs a tuple, got " +
                  describe(rhs));
    bool found = llvm::any_of(
        *tuple, [&](const Object &entry) { return isEqual(lhs, entry); });
    return Object::boolean(found == (op == CompareOp::In));
  }
  if (!lhs.isNumeric() || !rhs.isNumeric())
    return fail("cannot apply '" + ast::spelling(op) + "' to " + describe(lhs) +
                " and " + describe(rhs));
  if (isNan(lhs) || isNan(rhs))
    return Object::boolean(false);
  return Object::boolean(compareReals(op, orderOf(lhs, rhs), 0));
}

static Object foldExtreme(bool isMax, llvm::ArrayRef<Object> numbers) {
  Object best = numbers.front();
  for (const Object &number : numbers.drop_front())
    if (isTrue(
            foldCompare(isMax ? CompareOp::Gt : CompareOp::Lt, number, best)))
      best = number;
  return best;
}

/// `float("inf")` and its like.
static std::optional<Object> foldSpecialFloat(llvm::StringRef text) {
  double sign = text.consume_front("-") ? -1 : 1;
  text.consume_front("+");
  if (text.equals_insensitive("inf") || text.equals_insensitive("infinity"))
    return Object::real(sign * std::numeric_limits<double>::infinity());
  if (text.equals_insensitive("nan"))
    return Object::real(std::numeric_limits<double>::quiet_NaN());
  return std::nullopt;
}

std::optional<Object> tegula::foldCall(llvm::StringRef name,
                                       llvm::ArrayRef<Object> arguments) {
  if (name.consume_front("math."))
    return foldMathCall(name, arguments);
  auto isNumeric = [](const Object &object) { return object.isNumeric(); };
  if (name == "len" && arguments.size() == 1 && arguments[0].is<DictObject>())
    return Object::integer(arguments[0].as<DictObject>()->entries->size());
  if (name == "len" && arguments.size() == 1 && arguments[0].asTuple())
    return Object::integer(arguments[0].asTuple()->size());
  if (name == "min" || name == "max") {
    if (arguments.size() == 1 && arguments[0].asTuple())
      arguments = *arguments[0].asTuple();
    if (!arguments.empty() && llvm::all_of(arguments, isNumeric))
      return foldExtreme(name == "max", arguments);
    return std::nullopt;
  }
  if (name == "float" && arguments.size() == 1 &&
      arguments[0].is<StringObject>())
    return foldSpecialFloat(arguments[0].as<StringObject>()->value);
  if (arguments.size() != 1 || !arguments[0].isNumeric())
    return std::nullopt;
  const Object &argument = arguments[0];
  if (name == "abs")
    return *argument.asReal() < 0 ? foldUnary(ast::UnaryOp::Minus, argument)
                                  : foldUnary(ast::UnaryOp::Plus, argument);
  if (name == "float")
    return Object::real(*argument.asReal());
  if (name == "bool")
    return Object::boolean(isTrue(argument));
  if (name == "int" && std::abs(*argument.asReal()) < 9.2e18)
    return argument.asInteger()
               ? Object::integer(*argument.asInteger())
               : Object::integer(static_cast<int64_t>(*argument.asReal()));
  return std::nullopt;
}

Object tegula::foldElement(const std::vector<Object> &tuple,
                           const Object &index) {
  std::optional<int64_t> position = index.asInteger();
  if (!position)
    return fail("the index of a tuple must be known at compile time, got " +
                describe(index));
  int64_t size = tuple.size();
  if (*position < -size || *position >= size)
    return fail("index " + llvm::Twine(*position) +
                " is out of range for a tuple of " + llvm::Twine(size));
  return tuple[*position < 0 ? *position + size : *position];
}

Object tegula::foldItem(const Object &container, const Object &index) {
  if (const auto *tuple = container.asTuple())
    return foldElement(*tuple, index);
  if (!isConstant(index))
    return fail("the key of a dict must be known at compile time, got " +
                describe(index));
  for (const auto &[key, value] : *container.as<DictObject>()->entries)
    if (isEqual(key, index))
      return value;
  return fail("the dict has no key " + describe(index));
}
