// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of Python from and to numbers and strings.
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/evaluator/Operators.h"
#include "tegula/frontend/constants/library/OrdinaryCall.h"
#include "tegula/frontend/constants/library/PythonText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace tegula;
using llvm::StringRef;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

static Object callText(OrdinaryCall &call) {
  if (call.size() == 0 && call.name == "str")
    return Object::string("");
  if (call.size() < 1 || call.size() > 2)
    return call.wrong();
  if (!call.evaluator.budget.isModest(call[0], call.problem))
    return call.problem;
  if (call.name == "format") {
    const auto *spec = call.size() == 2 ? call[1].as<StringObject>() : nullptr;
    return formatObject(call[0], spec ? StringRef(spec->value) : StringRef());
  }
  std::optional<std::string> text =
      call.name == "repr" ? reprOf(call[0]) : textOf(call[0]);
  return text && call.size() == 1 ? Object::string(std::move(*text))
                                  : call.wrong();
}

/// The number in a string, as Python reads it.
static Object readInteger(OrdinaryCall &call, StringRef text, unsigned base) {
  StringRef digits = text.trim();
  bool isNegative = digits.consume_front("-");
  if (!isNegative)
    digits.consume_front("+");
  if ((base == 16 || base == 0) && digits.consume_front_insensitive("0x"))
    base = 16;
  else if ((base == 2 || base == 0) && digits.consume_front_insensitive("0b"))
    base = 2;
  else if ((base == 8 || base == 0) && digits.consume_front_insensitive("0o"))
    base = 8;
  else if (base == 0)
    base = 10;
  std::string plain;
  for (size_t i = 0; i < digits.size(); ++i) {
    bool isInside = i > 0 && i + 1 < digits.size();
    if (digits[i] != '_' || !isInside || digits[i - 1] == '_')
      plain += digits[i];
  }
  int64_t value = 0;
  if (plain.empty() || !llvm::isAlnum(plain[0]) ||
      StringRef((isNegative ? "-" : "") + plain).getAsInteger(base, value))
    return call.wrong();
  return Object::integer(value);
}

static Object callInt(OrdinaryCall &call) {
  if (call.size() == 0)
    return Object::integer(0);
  Object object = plainValue(call[0]);
  std::optional<Object> base = call.arguments.take("base");
  if (call.size() == 2)
    base = call[1];
  std::optional<int64_t> radix =
      base ? base->asInteger() : std::optional<int64_t>(10);
  if (const auto *string = object.as<StringObject>())
    return radix && (*radix == 0 || (*radix >= 2 && *radix <= 36))
               ? readInteger(call, string->value, *radix)
               : call.wrong();
  if (object.asInteger() && call.size() == 1)
    return Object::integer(*object.asInteger());
  std::optional<double> real = object.asReal();
  if (call.size() != 1 || !real || !(std::fabs(*real) < 9.2e18))
    return call.wrong();
  return Object::integer(static_cast<int64_t>(*real));
}

static Object callFloat(OrdinaryCall &call) {
  if (call.size() == 0)
    return Object::real(0);
  Object object = plainValue(call[0]);
  if (call.size() != 1)
    return call.wrong();
  if (std::optional<double> real = object.asReal())
    return Object::real(*real);
  const auto *string = object.as<StringObject>();
  if (!string)
    return call.wrong();
  if (auto special = foldCall(
          "float", {Object::string(StringRef(string->value).trim().str())}))
    return *special;
  double value = 0;
  StringRef text = StringRef(string->value).trim();
  bool isPlain = text.find_first_not_of("0123456789.eE+-") == StringRef::npos;
  if (!isPlain || text.getAsDouble(value))
    return call.wrong();
  return Object::real(value);
}

static Object callBool(OrdinaryCall &call) {
  if (call.size() == 0)
    return Object::boolean(false);
  Object problem;
  bool value = isTrue(call[0], problem);
  return problem.is<UnusableObject>() || call.size() != 1
             ? (call.size() != 1 ? call.wrong() : problem)
             : Object::boolean(value);
}

static Object callRound(OrdinaryCall &call) {
  std::optional<Object> given = call.arguments.take("ndigits");
  if (call.size() == 2)
    given = call[1];
  if (call.size() < 1 || call.size() > 2)
    return call.wrong();
  Object object = plainValue(call[0]);
  bool hasDigits = given && !given->is<NoneObject>();
  std::optional<int64_t> digits =
      hasDigits ? given->asInteger() : std::optional<int64_t>(0);
  if (!digits || !object.isNumeric())
    return call.wrong();
  if (object.asInteger() && *digits >= 0)
    return Object::integer(*object.asInteger());
  double value = *object.asReal();
  if (object.asInteger() || *digits < 0)
    return stuck("round() to tens and the like is not understood here");
  if (hasDigits)
    return Object::real(roundToDigits(value, *digits));
  double whole = std::nearbyint(value);
  if (!(std::fabs(whole) < 9.2e18))
    return call.wrong();
  return Object::integer(static_cast<int64_t>(whole));
}

static Object callAbs(OrdinaryCall &call) {
  if (call.size() != 1)
    return call.wrong();
  Object object = plainValue(call[0]);
  if (const auto *real = object.as<FloatObject>())
    return Object::real(std::fabs(real->value));
  if (auto result = foldCall("abs", {object}))
    return *result;
  return call.wrong();
}

static Object callDivmod(OrdinaryCall &call) {
  if (call.size() != 2)
    return call.wrong();
  Object quotient =
      applyBinary(call.evaluator, ast::BinaryOp::FloorDiv, call[0], call[1]);
  Object rest =
      applyBinary(call.evaluator, ast::BinaryOp::Mod, call[0], call[1]);
  if (quotient.isStuck() || rest.isStuck())
    return quotient.isStuck() ? quotient : rest;
  return Object::tuple({quotient, rest});
}

static Object callPow(OrdinaryCall &call) {
  if (call.size() == 2)
    return applyBinary(call.evaluator, ast::BinaryOp::Pow, call[0], call[1]);
  std::optional<int64_t> base, power, modulus;
  if (call.size() == 3) {
    base = call[0].asInteger();
    power = call[1].asInteger();
    modulus = call[2].asInteger();
  }
  if (!base || !power || !modulus || *power < 0 || *modulus <= 0 ||
      *modulus > (int64_t(1) << 31))
    return call.wrong();
  int64_t result = 1 % *modulus,
          factor = (*base % *modulus + *modulus) % *modulus;
  for (int64_t left = *power; left > 0; left >>= 1) {
    if (left & 1)
      result = result * factor % *modulus;
    factor = factor * factor % *modulus;
  }
  return Object::integer(result);
}

static Object callCharacter(OrdinaryCall &call) {
  if (call.size() != 1)
    return call.wrong();
  const auto *text = call[0].as<StringObject>();
  std::optional<int64_t> code = call[0].asInteger();
  if (call.name == "ord" && text && text->value.size() == 1)
    return Object::integer(static_cast<unsigned char>(text->value[0]));
  if (call.name == "chr" && code && *code >= 0 && *code < 128)
    return Object::string(std::string(1, static_cast<char>(*code)));
  if (call.name == "callable")
    return Object::boolean(
        call[0].is<PythonObject>() || asOrdinary<FunctionThing>(call[0]) ||
        asOrdinary<BoundThing>(call[0]) || asOrdinary<PartialThing>(call[0]) ||
        asOrdinary<ClassThing>(call[0]));
  if (code && (call.name == "hex" || call.name == "bin" || call.name == "oct"))
    return formatObject(Object::integer(*code), call.name == "hex"   ? "#x"
                                                : call.name == "bin" ? "#b"
                                                                     : "#o");
  return call.wrong();
}

OrdinaryFunction tegula::findNumbersFunction(StringRef name) {
  return llvm::StringSwitch<OrdinaryFunction>(name)
      .Cases({"str", "repr", "format"}, callText)
      .Case("int", callInt)
      .Case("float", callFloat)
      .Case("bool", callBool)
      .Case("round", callRound)
      .Case("abs", callAbs)
      .Case("divmod", callDivmod)
      .Case("pow", callPow)
      .Cases({"ord", "chr", "hex", "bin", "oct", "callable"}, callCharacter)
      .Default(nullptr);
}
