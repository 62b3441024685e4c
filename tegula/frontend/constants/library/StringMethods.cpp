// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The methods of strings.
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"
#include "tegula/frontend/constants/library/PythonText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

static constexpr StringRef blanks = " \t\n\r\v\f";

static Object toList(const std::vector<StringRef> &parts) {
  std::vector<Object> elements;
  for (StringRef part : parts)
    elements.push_back(Object::string(part.str()));
  return Object::list(std::move(elements));
}

/// Between blanks, at most `most` times.
static Object splitBlanks(StringRef text, int64_t most, bool isFromRight) {
  std::vector<StringRef> parts;
  text = text.trim(blanks);
  while (!text.empty()) {
    bool isLast = most >= 0 && static_cast<int64_t>(parts.size()) == most;
    size_t position = isLast        ? StringRef::npos
                      : isFromRight ? text.find_last_of(blanks)
                                    : text.find_first_of(blanks);
    if (position == StringRef::npos) {
      parts.push_back(text);
      break;
    }
    parts.push_back(isFromRight ? text.substr(position + 1)
                                : text.take_front(position));
    text = isFromRight ? text.take_front(position).rtrim(blanks)
                       : text.substr(position).ltrim(blanks);
  }
  if (isFromRight)
    std::reverse(parts.begin(), parts.end());
  return toList(parts);
}

static Object splitText(StringRef text, StringRef name,
                        OrdinaryArguments &arguments) {
  std::optional<Object> separator = arguments.take("sep");
  std::optional<Object> limit = arguments.take("maxsplit");
  if (!arguments.positional.empty())
    separator = arguments.positional[0];
  if (arguments.positional.size() > 1)
    limit = arguments.positional[1];
  int64_t most = limit ? limit->asInteger().value_or(-1) : -1;
  bool isFromRight = name == "rsplit";
  if (!separator || separator->is<NoneObject>())
    return splitBlanks(text, most, isFromRight);
  const auto *between = separator->as<StringObject>();
  if (!between || between->value.empty())
    return stuck("a string is split at a string that is not empty");
  std::vector<StringRef> parts;
  while (most < 0 || static_cast<int64_t>(parts.size()) < most) {
    size_t position =
        isFromRight ? text.rfind(between->value) : text.find(between->value);
    if (position == StringRef::npos)
      break;
    size_t end = position + between->value.size();
    parts.push_back(isFromRight ? text.substr(end) : text.take_front(position));
    text = isFromRight ? text.take_front(position) : text.substr(end);
  }
  parts.push_back(text);
  if (isFromRight)
    std::reverse(parts.begin(), parts.end());
  return toList(parts);
}

static Object joinText(Evaluator &evaluator, StringRef self,
                       const Object &parts) {
  Object problem;
  auto elements = evaluator.collect(parts, problem);
  if (!elements)
    return problem;
  std::string text;
  for (size_t i = 0; i < elements->size(); ++i) {
    const auto *part = (*elements)[i].as<StringObject>();
    if (!part)
      return stuck("join() takes strings, got " + describe((*elements)[i]));
    text += (i ? self.str() : "") + part->value;
    if (text.size() > EvaluationBudget::maxCharacters)
      return stuck("the string is too long");
  }
  return Object::string(std::move(text));
}

static Object replaceText(StringRef self, const std::vector<Object> &given) {
  const auto *from = given[0].as<StringObject>();
  const auto *to = given[1].as<StringObject>();
  if (!from || !to || from->value.empty())
    return stuck("replace() takes two strings, the first not empty");
  int64_t most = given.size() == 3 ? given[2].asInteger().value_or(-1) : -1;
  std::string text;
  for (size_t position;
       most != 0 && (position = self.find(from->value)) != StringRef::npos;
       --most) {
    text += self.take_front(position).str() + to->value;
    self = self.substr(position + from->value.size());
    if (text.size() > EvaluationBudget::maxCharacters)
      return stuck("the string is too long");
  }
  return Object::string(text + self.str());
}

/// `startswith` and `endswith`, which take one string or several.
static Object matchEnd(StringRef self, StringRef name, const Object &wanted) {
  if (const auto *several = wanted.asTuple()) {
    for (const Object &each : *several) {
      Object found = matchEnd(self, name, each);
      if (found.isStuck() || found.as<BoolObject>()->value)
        return found;
    }
    return Object::boolean(false);
  }
  const auto *text = wanted.as<StringObject>();
  if (!text)
    return stuck("'" + name + "' takes a string, got " + describe(wanted));
  return Object::boolean(name == "startswith" ? self.starts_with(text->value)
                                              : self.ends_with(text->value));
}

static Object searchText(StringRef self, StringRef name, StringRef wanted) {
  if (name == "count")
    return wanted.empty() ? stuck("count() of nothing")
                          : Object::integer(self.count(wanted));
  size_t position = name == "rfind" ? self.rfind(wanted) : self.find(wanted);
  if (position != StringRef::npos)
    return Object::integer(splitCharacters(self.take_front(position)).size());
  return name == "index" ? stuck("'" + wanted + "' is not in the string")
                         : Object::integer(-1);
}

static std::string changeCase(StringRef self, StringRef name) {
  if (name == "upper")
    return self.upper();
  std::string text = self.lower();
  bool isStart = true;
  for (char &c : text) {
    if (name != "lower" && isStart)
      c = llvm::toUpper(c);
    isStart = name == "title" && !llvm::isAlpha(c);
  }
  return text;
}

/// `isdigit` and its like: of every character, and there is one.
static Object askCharacters(StringRef self, StringRef name) {
  bool hasCase = llvm::any_of(self, llvm::isAlpha);
  if (name == "isupper")
    return Object::boolean(hasCase && self.upper() == self);
  if (name == "islower")
    return Object::boolean(hasCase && self.lower() == self);
  auto holds = [&](char c) {
    return name == "isdigit"   ? llvm::isDigit(c)
           : name == "isalpha" ? llvm::isAlpha(c)
           : name == "isalnum" ? llvm::isAlnum(c)
                               : llvm::isAlnum(c) || c == '_';
  };
  bool isName =
      name != "isidentifier" || (!self.empty() && !llvm::isDigit(self.front()));
  return Object::boolean(!self.empty() && isName && llvm::all_of(self, holds));
}

static Object fillText(StringRef self, StringRef name,
                       const std::vector<Object> &given) {
  std::optional<int64_t> width = given[0].asInteger();
  const auto *fill = given.size() == 2 ? given[1].as<StringObject>() : nullptr;
  if (!width || *width > 10000 || (given.size() == 2 && !fill))
    return stuck("'" + name + "' takes a width");
  int64_t missing = *width - static_cast<int64_t>(splitCharacters(self).size());
  if (missing <= 0)
    return Object::string(self.str());
  std::string with = fill ? fill->value : name == "zfill" ? "0" : " ";
  if (splitCharacters(with).size() != 1)
    return stuck("'" + name + "' fills with one character");
  auto times = [&](int64_t count) {
    std::string text;
    for (; count > 0; --count)
      text += with;
    return text;
  };
  if (name == "zfill") {
    bool hasSign = self.starts_with("-") || self.starts_with("+");
    return Object::string(self.take_front(hasSign).str() + times(missing) +
                          self.drop_front(hasSign).str());
  }
  if (name == "ljust")
    return Object::string(self.str() + times(missing));
  if (name == "rjust")
    return Object::string(times(missing) + self.str());
  int64_t left = missing / 2 + (missing & *width & 1);
  return Object::string(times(left) + self.str() + times(missing - left));
}

/// `"{} {name:>8}".format(...)`: numbers, names and formats, no more.
static Object formatText(StringRef self, const OrdinaryArguments &arguments) {
  std::string text;
  size_t next = 0;
  while (!self.empty()) {
    size_t plain = self.find_first_of("{}");
    text += self.take_front(plain);
    self = self.drop_front(std::min(plain, self.size()));
    if (self.empty())
      break;
    if (self.starts_with("{{") || self.starts_with("}}")) {
      text += self.front();
      self = self.drop_front(2);
      continue;
    }
    size_t end = self.find('}');
    if (self.front() == '}' || end == StringRef::npos)
      return stuck("this format is not understood here");
    auto [field, spec] = self.slice(1, end).split(':');
    self = self.drop_front(end + 1);
    size_t index = next;
    const Object *value = nullptr;
    if (field.empty() || !field.getAsInteger(10, index)) {
      next += field.empty();
      if (index < arguments.positional.size())
        value = &arguments.positional[index];
    } else {
      for (const auto &[name, given] : arguments.keywords)
        if (name == field)
          value = &given;
    }
    if (!value || spec.contains('{'))
      return stuck("this format is not understood here");
    Object part = formatObject(*value, spec);
    if (part.isStuck())
      return part;
    text += part.as<StringObject>()->value;
    if (text.size() > EvaluationBudget::maxCharacters)
      return stuck("the string is too long");
  }
  return Object::string(std::move(text));
}

static Object stripText(StringRef self, StringRef name,
                        const std::vector<Object> &given) {
  const auto *text = given.empty() ? nullptr : given[0].as<StringObject>();
  StringRef characters = text ? StringRef(text->value) : blanks;
  if (name != "rstrip")
    self = self.ltrim(characters);
  if (name != "lstrip")
    self = self.rtrim(characters);
  return Object::string(self.str());
}

static Object partition(StringRef self, bool isFromRight, StringRef separator) {
  size_t position = isFromRight ? self.rfind(separator) : self.find(separator);
  std::string whole = self.str();
  bool isThere = position != StringRef::npos;
  Object empty = Object::string("");
  if (!isThere)
    return isFromRight ? Object::tuple({empty, empty, Object::string(whole)})
                       : Object::tuple({Object::string(whole), empty, empty});
  return Object::tuple(
      {Object::string(whole.substr(0, position)),
       Object::string(separator.str()),
       Object::string(whole.substr(position + separator.size()))});
}

Object tegula::callStringMethod(Evaluator &evaluator, StringRef self,
                                StringRef name, OrdinaryArguments arguments) {
  const std::vector<Object> &given = arguments.positional;
  Object problem;
  if (!evaluator.budget.spend(1 + self.size() / 64, problem))
    return problem;
  if (name == "format")
    return formatText(self, arguments);
  if (name == "split" || name == "rsplit")
    return splitText(self, name, arguments);
  bool isPlain = llvm::isASCII(self);
  bool changesCase = llvm::StringSwitch<bool>(name)
                         .Cases({"upper", "lower", "title", "capitalize"}, true)
                         .Default(false);
  if ((changesCase || name.starts_with("is")) && !isPlain)
    return stuck("'" + name + "' takes plain letters here");
  if (changesCase && given.empty())
    return Object::string(changeCase(self, name));
  if (name.starts_with("is") && given.empty())
    return askCharacters(self, name);
  if (name == "join" && given.size() == 1)
    return joinText(evaluator, self, given[0]);
  if (name == "replace" && (given.size() == 2 || given.size() == 3))
    return replaceText(self, given);
  if ((name == "startswith" || name == "endswith") && given.size() == 1)
    return matchEnd(self, name, given[0]);
  if (name.ends_with("strip") && given.size() <= 1)
    return stripText(self, name, given);
  if (name == "splitlines" && given.empty()) {
    llvm::SmallVector<StringRef> lines;
    self.split(lines, '\n');
    if (!lines.empty() && lines.back().empty())
      lines.pop_back();
    return toList({lines.begin(), lines.end()});
  }
  bool fills =
      name == "zfill" || name == "ljust" || name == "rjust" || name == "center";
  if (fills && (given.size() == 1 || given.size() == 2))
    return fillText(self, name, given);
  const auto *text = given.size() == 1 ? given[0].as<StringObject>() : nullptr;
  if (!text)
    return stuck("this call of '" + name + "' is not understood here");
  StringRef rest = self;
  if (name == "removeprefix") {
    rest.consume_front(text->value);
    return Object::string(rest.str());
  }
  if (name == "removesuffix") {
    rest.consume_back(text->value);
    return Object::string(rest.str());
  }
  if (name == "partition" || name == "rpartition")
    return partition(self, name == "rpartition", text->value);
  return searchText(self, name, text->value);
}
