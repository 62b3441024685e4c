// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/library/PythonText.h"
#include "tegula/frontend/constants/library/Ordinary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <cmath>

using namespace tegula;
using llvm::StringRef;

std::vector<StringRef> tegula::splitCharacters(StringRef text) {
  std::vector<StringRef> characters;
  while (!text.empty()) {
    size_t length = 1;
    while (length < text.size() &&
           (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
      ++length;
    characters.push_back(text.take_front(length));
    text = text.drop_front(length);
  }
  return characters;
}

/// The shortest digits that give the number again, as Python lays them out.
static std::string reprOfFloat(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                           std::chars_format::scientific);
  StringRef text(buffer, end.ptr - buffer);
  auto [mantissa, power] = text.split('e');
  int exponent = 0;
  power.consume_front("+");
  power.getAsInteger(10, exponent);
  std::string sign = mantissa.consume_front("-") ? "-" : "";
  std::string digits;
  for (char c : mantissa)
    if (c != '.')
      digits += c;
  int count = digits.size();
  if (exponent < -4 || exponent >= 16) {
    std::string result = sign + digits.substr(0, 1);
    if (count > 1)
      result += "." + digits.substr(1);
    std::string size = std::to_string(std::abs(exponent));
    return result + "e" + (exponent < 0 ? "-" : "+") +
           (size.size() < 2 ? "0" + size : size);
  }
  if (exponent < 0)
    return sign + "0." + std::string(-exponent - 1, '0') + digits;
  if (count <= exponent + 1)
    return sign + digits + std::string(exponent + 1 - count, '0') + ".0";
  return sign + digits.substr(0, exponent + 1) + "." +
         digits.substr(exponent + 1);
}

static std::string reprOfString(StringRef value) {
  char quote = value.contains('\'') && !value.contains('"') ? '"' : '\'';
  std::string text(1, quote);
  for (char c : value) {
    if (c == quote || c == '\\')
      text += '\\';
    if (c == '\n')
      text += "\\n";
    else if (c == '\t')
      text += "\\t";
    else if (c == '\r')
      text += "\\r";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      text += "\\x" + llvm::toHex(StringRef(&c, 1), /*LowerCase=*/true);
    else
      text += c;
  }
  return text + quote;
}

/// Lists in lists are written only so deep: one may hold itself.
static constexpr unsigned maxDepth = 100;

static std::optional<std::string> repr(const Object &object, unsigned depth);

static std::optional<std::string> joinReprs(const std::vector<Object> &objects,
                                            unsigned depth) {
  std::string text;
  for (const Object &object : objects) {
    std::optional<std::string> part = repr(object, depth);
    if (!part || text.size() > (1 << 20))
      return std::nullopt;
    text += (text.empty() ? "" : ", ") + *part;
  }
  return text;
}

static std::optional<std::string> reprOfDict(const DictObject &dict,
                                             unsigned depth) {
  std::string text;
  for (const auto &[key, value] : *dict.entries) {
    std::optional<std::string> left = repr(key, depth);
    std::optional<std::string> right = repr(value, depth);
    if (!left || !right || text.size() > (1 << 20))
      return std::nullopt;
    text += (text.empty() ? "" : ", ") + *left + ": " + *right;
  }
  return "{" + text + "}";
}

static std::optional<std::string> reprOfInstance(const InstanceThing &instance,
                                                 unsigned depth) {
  bool hasText = instance.type->classKind == ClassThing::ClassKind::Dataclass ||
                 instance.type->classKind == ClassThing::ClassKind::NamedTuple;
  if (!hasText || instance.type->find("__repr__"))
    return std::nullopt;
  std::string text;
  for (const auto &[name, value] : instance.type->fields) {
    auto field = instance.fields.find(name);
    std::optional<std::string> part = field == instance.fields.end()
                                          ? std::nullopt
                                          : repr(field->second, depth);
    if (!part)
      return std::nullopt;
    text += (text.empty() ? "" : ", ") + name + "=" + *part;
  }
  return instance.type->name + "(" + text + ")";
}

static std::optional<std::string> repr(const Object &object, unsigned depth) {
  if (depth > maxDepth)
    return std::nullopt;
  if (const auto *boolean = object.as<BoolObject>())
    return boolean->value ? "True" : "False";
  if (const auto *integer = object.as<IntObject>())
    return std::to_string(integer->value);
  if (const auto *real = object.as<FloatObject>())
    return reprOfFloat(real->value);
  if (const auto *string = object.as<StringObject>())
    return reprOfString(string->value);
  if (object.is<NoneObject>())
    return "None";
  if (object.is<EllipsisObject>())
    return "Ellipsis";
  if (const auto *tuple = object.as<TupleObject>()) {
    std::optional<std::string> inner = joinReprs(*tuple->elements, depth + 1);
    if (!inner)
      return std::nullopt;
    if (tuple->isList)
      return "[" + *inner + "]";
    return "(" + *inner + (tuple->elements->size() == 1 ? ",)" : ")");
  }
  if (const auto *dict = object.as<DictObject>())
    return reprOfDict(*dict, depth + 1);
  if (const auto *range = asOrdinary<RangeThing>(object))
    return range->describe();
  if (const auto *instance = asOrdinary<InstanceThing>(object))
    return reprOfInstance(*instance, depth + 1);
  if (const auto *member = asOrdinary<MemberThing>(object)) {
    std::optional<std::string> value = repr(member->value, depth + 1);
    if (!value)
      return std::nullopt;
    return "<" + member->type + "." + member->name + ": " + *value + ">";
  }
  return std::nullopt;
}

std::optional<std::string> tegula::reprOf(const Object &object) {
  return repr(object, 0);
}

std::optional<std::string> tegula::textOf(const Object &object) {
  if (const auto *string = object.as<StringObject>())
    return string->value;
  if (const auto *member = asOrdinary<MemberThing>(object)) {
    if (member->isInteger)
      return repr(member->value, 0);
    return member->type + "." + member->name;
  }
  if (const auto *instance = asOrdinary<InstanceThing>(object))
    if (instance->type->find("__str__"))
      return std::nullopt;
  return repr(object, 0);
}
