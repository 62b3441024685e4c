// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/library/MathModule.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Environment.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>
#include <numeric>

using namespace tegula;
using llvm::StringRef;

static constexpr double pi = 3.14159265358979323846;

/// Functions of one float.
static double (*realFunction(StringRef name))(double) {
  return llvm::StringSwitch<double (*)(double)>(name)
      .Case("sqrt", std::sqrt)
      .Case("cbrt", std::cbrt)
      .Case("exp", std::exp)
      .Case("log", std::log)
      .Case("exp2", std::exp2)
      .Case("expm1", std::expm1)
      .Case("log2", std::log2)
      .Case("log10", std::log10)
      .Case("log1p", std::log1p)
      .Case("sin", std::sin)
      .Case("cos", std::cos)
      .Case("tan", std::tan)
      .Case("asin", std::asin)
      .Case("acos", std::acos)
      .Case("atan", std::atan)
      .Case("sinh", std::sinh)
      .Case("cosh", std::cosh)
      .Case("tanh", std::tanh)
      .Case("erf", std::erf)
      .Case("erfc", std::erfc)
      .Case("gamma", std::tgamma)
      .Case("fabs", std::fabs)
      .Case(
          "degrees", +[](double x) { return x * 180 / pi; })
      .Case(
          "radians", +[](double x) { return x * pi / 180; })
      .Default(nullptr);
}

/// Functions of two floats.
static double (*binaryFunction(StringRef name))(double, double) {
  return llvm::StringSwitch<double (*)(double, double)>(name)
      .Case("pow", std::pow)
      .Case("atan2", std::atan2)
      .Case("fmod", std::fmod)
      .Case("hypot", std::hypot)
      .Case("copysign", std::copysign)
      .Case(
          "log",
          +[](double x, double base) { return std::log(x) / std::log(base); })
      .Default(nullptr);
}

static bool isOther(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"floor", "ceil", "trunc", "isqrt", "gcd", "lcm", "prod"}, true)
      .Cases({"isinf", "isnan", "isfinite"}, true)
      .Default(false);
}

namespace {

/// What `math.name` is.
class MathNames : public Environment {
public:
  std::optional<Object> lookup(StringRef name) override {
    double inf = std::numeric_limits<double>::infinity();
    std::optional<double> number =
        llvm::StringSwitch<std::optional<double>>(name)
            .Case("pi", pi)
            .Case("tau", 2 * pi)
            .Case("e", 2.71828182845904523536)
            .Case("inf", inf)
            .Case("nan", std::numeric_limits<double>::quiet_NaN())
            .Default(std::nullopt);
    if (number)
      return Object::real(*number);
    if (realFunction(name) || binaryFunction(name) || isOther(name))
      return Object(PythonObject{("math." + name).str()});
    return std::nullopt;
  }
};

} // namespace

Object tegula::mathModule() {
  static const auto names = std::make_shared<MathNames>();
  return Object(NamespaceObject{names, "the module 'math'"});
}

static Object fail(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

/// A result that no finite argument may have.
static Object checked(StringRef name, double result,
                      llvm::ArrayRef<Object> arguments) {
  bool isFinite = llvm::all_of(arguments, [](const Object &argument) {
    return std::isfinite(*argument.asReal());
  });
  if (isFinite && !std::isfinite(result))
    return fail("math." + name + " has no value for " +
                describe(arguments.front()));
  return Object::real(result);
}

static Object toInteger(StringRef name, double value) {
  if (!(std::fabs(value) < 9.2e18))
    return fail("math." + name + " gives " + describe(Object::real(value)) +
                ", which does not fit an integer");
  return Object::integer(static_cast<int64_t>(value));
}

/// Functions of integers.
static std::optional<Object> foldIntegers(StringRef name,
                                          llvm::ArrayRef<Object> arguments) {
  int64_t result = name == "lcm" ? 1 : 0;
  for (const Object &argument : arguments) {
    std::optional<int64_t> integer = argument.asInteger();
    if (!integer || std::abs(*integer) > (int64_t(1) << 31))
      return std::nullopt;
    if (name == "gcd")
      result = std::gcd(result, *integer);
    else if (result > (int64_t(1) << 31))
      return std::nullopt;
    else
      result = std::lcm(result, *integer);
  }
  return Object::integer(result);
}

static std::optional<Object> foldRounding(StringRef name,
                                          const Object &object) {
  double value = *object.asReal();
  if (name == "isinf")
    return Object::boolean(std::isinf(value));
  if (name == "isnan")
    return Object::boolean(std::isnan(value));
  if (name == "isfinite")
    return Object::boolean(std::isfinite(value));
  if (name == "isqrt") {
    std::optional<int64_t> integer = object.asInteger();
    if (!integer || *integer < 0)
      return fail("math.isqrt has no value for " + describe(object));
    auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(*integer)));
    while (root > 0 && root > *integer / root)
      --root;
    while (root + 1 <= *integer / (root + 1))
      ++root;
    return Object::integer(root);
  }
  bool isRounding = name == "floor" || name == "ceil" || name == "trunc";
  if (!isRounding)
    return std::nullopt;
  if (object.asInteger())
    return Object::integer(*object.asInteger());
  return toInteger(name, name == "floor"  ? std::floor(value)
                         : name == "ceil" ? std::ceil(value)
                                          : std::trunc(value));
}

std::optional<Object> tegula::foldMathCall(StringRef name,
                                           llvm::ArrayRef<Object> arguments) {
  if (name == "prod" && arguments.size() == 1 && arguments[0].asTuple()) {
    Object product = Object::integer(1);
    for (const Object &element : *arguments[0].asTuple()) {
      if (!element.isNumeric())
        return std::nullopt;
      product = foldBinary(ast::BinaryOp::Mul, product, element);
      if (product.is<UnusableObject>())
        return product;
    }
    return product;
  }
  if (!llvm::all_of(arguments, [](const Object &o) { return o.isNumeric(); }))
    return std::nullopt;
  if (name == "gcd" || name == "lcm")
    return foldIntegers(name, arguments);
  if (arguments.size() == 1) {
    if (auto *function = realFunction(name))
      return checked(name, function(*arguments[0].asReal()), arguments);
    return foldRounding(name, arguments[0]);
  }
  auto *function = binaryFunction(name);
  if (!function || arguments.size() != 2)
    return std::nullopt;
  return checked(name, function(*arguments[0].asReal(), *arguments[1].asReal()),
                 arguments);
}
