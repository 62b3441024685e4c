// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Format specifications: what stands behind the `:` in an f-string.
#include "tegula/frontend/constants/library/Ordinary.h"
#include "tegula/frontend/constants/library/PythonText.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstdio>

using namespace tegula;
using llvm::StringRef;

namespace {

/// `[[fill]align][sign][#][0][width][,][.precision][type]`
struct FormatSpec {
  std::string fill = " ";
  char align = 0;
  char sign = '-';
  bool isAlternate = false;
  bool isZeroPadded = false;
  unsigned width = 0;
  char grouping = 0;
  std::optional<unsigned> precision;
  char type = 0;
};

} // namespace

static constexpr unsigned maxWidth = 10000;

static bool isAlign(char c) { return StringRef("<>=^").contains(c); }

static bool takeNumber(StringRef &spec, unsigned &number) {
  StringRef digits = spec.take_while(llvm::isDigit);
  spec = spec.drop_front(digits.size());
  return !digits.getAsInteger(10, number) && number <= maxWidth;
}

static std::optional<FormatSpec> parseSpec(StringRef spec) {
  FormatSpec result;
  std::vector<StringRef> characters = splitCharacters(spec.take_front(8));
  if (characters.size() > 1 && isAlign(characters[1].front())) {
    result.fill = characters[0].str();
    result.align = characters[1].front();
    spec = spec.drop_front(characters[0].size() + 1);
  } else if (!spec.empty() && isAlign(spec.front())) {
    result.align = spec.front();
    spec = spec.drop_front();
  }
  if (!spec.empty() && StringRef("+- ").contains(spec.front())) {
    result.sign = spec.front();
    spec = spec.drop_front();
  }
  result.isAlternate = spec.consume_front("#");
  result.isZeroPadded = spec.consume_front("0");
  if (!spec.empty() && llvm::isDigit(spec.front()) &&
      !takeNumber(spec, result.width))
    return std::nullopt;
  if (!spec.empty() && StringRef(",_").contains(spec.front())) {
    result.grouping = spec.front();
    spec = spec.drop_front();
  }
  if (spec.consume_front(".") && !takeNumber(spec, result.precision.emplace()))
    return std::nullopt;
  if (spec.size() == 1) {
    result.type = spec.front();
    spec = "";
  }
  if (!spec.empty())
    return std::nullopt;
  if (result.isZeroPadded && !result.align) {
    result.fill = "0";
    result.align = '=';
  }
  return result;
}

/// `prefix` is a sign and the like, which stays in front of `=` padding.
static std::string pad(const FormatSpec &spec, std::string prefix,
                       const std::string &body, char align) {
  size_t length = splitCharacters(prefix + body).size();
  size_t missing = spec.width > length ? spec.width - length : 0;
  auto fill = [&](size_t count) {
    std::string text;
    for (; count > 0; --count)
      text += spec.fill;
    return text;
  };
  switch (spec.align ? spec.align : align) {
  case '<':
    return prefix + body + fill(missing);
  case '^':
    return fill(missing / 2) + prefix + body + fill(missing - missing / 2);
  case '=':
    return prefix + fill(missing) + body;
  default:
    return fill(missing) + prefix + body;
  }
}

/// Puts a separator between groups of digits at the start of `text`.
static std::string group(const std::string &text, char separator,
                         unsigned size) {
  if (!separator)
    return text;
  size_t end = text.find_first_not_of("0123456789abcdefABCDEF");
  if (size == 3)
    end = text.find_first_not_of("0123456789");
  if (end == std::string::npos)
    end = text.size();
  std::string result;
  for (size_t i = 0; i < end; ++i) {
    if (i > 0 && (end - i) % size == 0)
      result += separator;
    result += text[i];
  }
  return result + text.substr(end);
}

static std::string signOf(const FormatSpec &spec, bool isNegative) {
  if (isNegative)
    return "-";
  return spec.sign == '-' ? "" : std::string(1, spec.sign);
}

static Object bad(StringRef spec) {
  return Object(
      UnusableObject{("the format '" + spec + "' does not fit").str(), {}});
}

static Object formatInteger(const FormatSpec &spec, int64_t value,
                            StringRef written) {
  if (spec.precision)
    return bad(written);
  uint64_t size = value < 0 ? -static_cast<uint64_t>(value) : value;
  unsigned radix = 10;
  std::string prefix = signOf(spec, value < 0), alternate;
  switch (spec.type) {
  case 'x':
  case 'X':
    radix = 16;
    alternate = spec.type == 'x' ? "0x" : "0X";
    break;
  case 'o':
    radix = 8;
    alternate = "0o";
    break;
  case 'b':
    radix = 2;
    alternate = "0b";
    break;
  default:
    break;
  }
  std::string body = radix == 16
                         ? llvm::utohexstr(size, /*LowerCase=*/spec.type == 'x')
                         : llvm::toString(llvm::APInt(64, size), radix,
                                          /*Signed=*/false);
  if (spec.isAlternate)
    prefix += alternate;
  body = group(body, spec.grouping, radix == 10 ? 3 : 4);
  bool groupsZeros = spec.grouping && spec.fill == "0" && spec.align == '=';
  if (groupsZeros)
    return bad(written);
  return Object::string(pad(spec, prefix, body, '>'));
}

static std::string printReal(char type, unsigned precision, double value,
                             bool isAlternate) {
  char pattern[8];
  std::snprintf(pattern, sizeof pattern, isAlternate ? "%%#.*%c" : "%%.*%c",
                type);
  int length = std::snprintf(nullptr, 0, pattern, precision, value);
  std::string text(length + 1, 0);
  std::snprintf(text.data(), text.size(), pattern, precision, value);
  text.resize(length);
  return text;
}

static Object formatReal(const FormatSpec &spec, double value,
                         StringRef written) {
  double size = std::fabs(value);
  bool isNegative = std::signbit(value) && !std::isnan(value);
  std::string body;
  char type = spec.type;
  if (!std::isfinite(value)) {
    body = std::isnan(value) ? "nan" : "inf";
    if (type == 'F' || type == 'E' || type == 'G')
      body = StringRef(body).upper();
    body += type == '%' ? "%" : "";
  } else if (type == 0 && !spec.precision) {
    body = *reprOf(Object::real(size));
  } else if (type == 0) {
    // Like `g`, but it shows that it is a float.
    unsigned precision = std::max(*spec.precision, 1u);
    body = printReal('g', precision, size, spec.isAlternate);
    if (body.find_first_of(".e") == std::string::npos) {
      if (body.size() >= precision)
        return bad(written);
      body += ".0";
    }
  } else if (type == '%') {
    body = printReal('f', spec.precision.value_or(6), size * 100,
                     spec.isAlternate) +
           "%";
  } else {
    unsigned precision = spec.precision.value_or(6);
    if ((type == 'g' || type == 'G') && precision == 0)
      precision = 1;
    body = printReal(type, precision, size, spec.isAlternate);
  }
  if (spec.grouping && spec.fill == "0" && spec.align == '=')
    return bad(written);
  return Object::string(
      pad(spec, signOf(spec, isNegative), group(body, spec.grouping, 3), '>'));
}

Object tegula::formatObject(const Object &given, StringRef written) {
  std::optional<FormatSpec> spec = parseSpec(written);
  if (!spec)
    return bad(written);
  if (written.empty()) {
    if (std::optional<std::string> text = textOf(given))
      return Object::string(std::move(*text));
    return Object(UnusableObject{describe(given) + " has no text here", {}});
  }
  Object object = plainValue(given);
  bool isIntegerType = spec->type && StringRef("dxXob").contains(spec->type);
  bool isRealType = spec->type && StringRef("eEfFgG%").contains(spec->type);
  if (const auto *string = object.as<StringObject>()) {
    if ((spec->type && spec->type != 's') || spec->align == '=' ||
        spec->sign != '-' || spec->isAlternate || spec->grouping)
      return bad(written);
    std::string text;
    std::vector<StringRef> characters = splitCharacters(string->value);
    for (size_t i = 0;
         i < std::min<size_t>(characters.size(),
                              spec->precision.value_or(characters.size()));
         ++i)
      text += characters[i];
    return Object::string(pad(*spec, "", text, '<'));
  }
  if (object.is<BoolObject>() && !spec->type)
    return bad(written);
  std::optional<int64_t> integer = object.asInteger();
  if (integer && (isIntegerType || (!spec->type && !spec->precision)))
    return formatInteger(*spec, *integer, written);
  if (object.isNumeric() && (isRealType || (!integer && !spec->type)))
    return formatReal(*spec, *object.asReal(), written);
  return bad(written);
}

double tegula::roundToDigits(double value, int64_t digits) {
  if (!std::isfinite(value) || digits > 300)
    return value;
  if (digits < -300)
    return std::copysign(0.0, value);
  if (digits >= 0)
    return std::strtod(printReal('f', digits, value, false).c_str(), nullptr);
  // Left of the point a number is exact, or so large that it has no other
  // digits.
  double power = std::pow(10.0, static_cast<double>(-digits));
  return std::nearbyint(value / power) * power;
}
