// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/Literals.h"
#include "tegula/frontend/syntax/TokenScanner.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ConvertUTF.h"

using namespace tegula;
using llvm::StringRef;

/// Appends the digits of `text` in base `radix` to `digits`. Returns false if
/// there is another character, no digit, or an underscore that does not stand
/// between two digits. A leading underscore is fine after a radix prefix.
static bool readDigits(StringRef text, unsigned radix, bool allowLeading,
                       llvm::SmallVectorImpl<char> &digits) {
  bool wasDigit = allowLeading;
  for (char c : text) {
    if (c == '_') {
      if (!wasDigit)
        return false;
      wasDigit = false;
      continue;
    }
    if (llvm::hexDigitValue(c) >= radix)
      return false;
    digits.push_back(c);
    wasDigit = true;
  }
  return wasDigit && !digits.empty();
}

/// Reads digits, a fraction and an exponent. Returns false if it is malformed.
static bool readFloat(StringRef text, double &value) {
  llvm::SmallString<64> plain;
  auto [mantissa, exponent] = text.split(text.contains('e') ? 'e' : 'E');
  bool hasExponent = mantissa.size() != text.size();
  auto [whole, fraction] = mantissa.split('.');
  if (whole.empty() && fraction.empty())
    return false;
  llvm::SmallString<64> digits;
  if (!whole.empty() && !readDigits(whole, 10, false, digits))
    return false;
  plain += digits.empty() ? StringRef("0") : digits.str();
  digits.clear();
  if (!fraction.empty()) {
    if (!readDigits(fraction, 10, false, digits))
      return false;
    plain += ".";
    plain += digits;
  }
  if (hasExponent) {
    plain += "e";
    if (exponent.starts_with("-"))
      plain += "-";
    if (exponent.starts_with("-") || exponent.starts_with("+"))
      exponent = exponent.drop_front();
    digits.clear();
    if (!readDigits(exponent, 10, false, digits))
      return false;
    plain += digits;
  }
  return !plain.str().getAsDouble(value);
}

/// Reads an integer in any base. Returns false if it is malformed.
static bool readInteger(StringRef text, ast::Integer &result) {
  unsigned radix = 10;
  StringRef rest = text;
  if (text.starts_with_insensitive("0x"))
    radix = 16;
  else if (text.starts_with_insensitive("0o"))
    radix = 8;
  else if (text.starts_with_insensitive("0b"))
    radix = 2;
  if (radix != 10)
    rest = text.drop_front(2);
  llvm::SmallString<64> digits;
  if (!readDigits(rest, radix, radix != 10, digits))
    return false;
  StringRef significant = digits.str().ltrim('0');
  // `0777` is octal in old languages and an error in Python.
  if (radix == 10 && digits[0] == '0' && !significant.empty())
    return false;
  result.spelling = text;
  if (!significant.empty())
    result.overflows = significant.getAsInteger(radix, result.value);
  return true;
}

std::string tegula::readNumber(StringRef text, ast::Expr::Node &result) {
  if (text.size() > maxNumberLength)
    return ("the number has " + llvm::Twine(text.size()) +
            " characters, at most " + llvm::Twine(maxNumberLength) +
            " are taken")
        .str();
  std::string malformed = ("'" + text + "' is not a number").str();
  bool isRadix = text.size() > 1 && text[0] == '0' && llvm::isAlpha(text[1]) &&
                 StringRef("xob").contains(llvm::toLower(text[1]));
  double value = 0;
  if (!isRadix && (text.ends_with("j") || text.ends_with("J"))) {
    if (!readFloat(text.drop_back(), value))
      return malformed;
    result = ast::Unsupported{"an imaginary number",
                              "keep real and imaginary parts apart"};
    return "";
  }
  if (!isRadix && text.find_first_of(".eE") != StringRef::npos) {
    if (!readFloat(text, value))
      return malformed;
    result = ast::Float{value, text};
    return "";
  }
  ast::Integer integer;
  if (!readInteger(text, integer))
    return malformed;
  result = integer;
  return "";
}

StringPrefix tegula::stringPrefix(StringRef text) {
  StringPrefix prefix;
  for (char c : text.take_until([](char c) { return c == '"' || c == '\''; })) {
    char lower = llvm::toLower(c);
    prefix.isRaw |= lower == 'r';
    prefix.isBytes |= lower == 'b';
    prefix.isFormatted |= lower == 'f';
  }
  return prefix;
}

/// Reads `numDigits` hexadecimal digits at the start of `body` and appends the
/// character they name.
static std::string readCodePoint(StringRef &body, char kind, size_t numDigits,
                                 std::string &value) {
  uint32_t codePoint = 0;
  StringRef digits = body.take_front(numDigits);
  if (digits.size() < numDigits || !llvm::all_of(digits, llvm::isHexDigit))
    return ("escape '\\" + llvm::Twine(kind) + "' needs " +
            llvm::Twine(numDigits) + " hexadecimal digits")
        .str();
  bool failed = digits.getAsInteger(16, codePoint);
  char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *end = buffer;
  if (failed || !llvm::ConvertCodePointToUTF8(codePoint, end))
    return ("escape '\\" + llvm::Twine(kind) + digits + "' names no character")
        .str();
  value.append(buffer, end);
  body = body.drop_front(numDigits);
  return "";
}

/// Reads up to three octal digits at the start of `body`.
static void readOctal(StringRef &body, std::string &value) {
  StringRef digits = body.take_front(3).take_while(
      [](char c) { return c >= '0' && c <= '7'; });
  unsigned codePoint = 0;
  digits.getAsInteger(8, codePoint);
  char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *end = buffer;
  llvm::ConvertCodePointToUTF8(codePoint, end);
  value.append(buffer, end);
  body = body.drop_front(digits.size());
}

/// Resolves the escape whose backslash was just removed from `body`.
static std::string readEscape(StringRef &body, std::string &value) {
  if (size_t lineBreak = lineBreakLength(body)) {
    body = body.drop_front(lineBreak);
    return "";
  }
  char c = body[0];
  if (c >= '0' && c <= '7') {
    readOctal(body, value);
    return "";
  }
  body = body.drop_front();
  if (c == 'x')
    return readCodePoint(body, c, 2, value);
  if (c == 'u')
    return readCodePoint(body, c, 4, value);
  if (c == 'U')
    return readCodePoint(body, c, 8, value);
  static constexpr StringRef names = "\\'\"abfnrtv";
  static constexpr StringRef values = "\\'\"\a\b\f\n\r\t\v";
  size_t index = names.find(c);
  if (index == StringRef::npos) {
    // Python keeps an escape it does not know.
    value += '\\';
    value += c;
  } else {
    value += values[index];
  }
  return "";
}

std::string tegula::readString(StringRef text, std::string &value) {
  bool isRaw = stringPrefix(text).isRaw;
  StringRef body = text.drop_front(stringOpening(text) - 1);
  size_t quotes = body.size() >= 6 && body[1] == body[0] ? 3 : 1;
  body = body.drop_front(quotes).drop_back(quotes);
  while (!body.empty()) {
    size_t plain = body.find_first_of(isRaw ? "\r" : "\\\r");
    value += body.take_front(plain);
    if (plain == StringRef::npos)
      break;
    body = body.drop_front(plain);
    if (size_t lineBreak = lineBreakLength(body)) {
      // However the file ends its lines, the string says `\n`.
      value += '\n';
      body = body.drop_front(lineBreak);
      continue;
    }
    body = body.drop_front();
    std::string problem = readEscape(body, value);
    if (!problem.empty())
      return problem;
  }
  return "";
}
