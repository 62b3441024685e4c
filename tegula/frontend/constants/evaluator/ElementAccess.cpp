// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/ElementAccess.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"
#include "tegula/frontend/constants/library/OrdinaryCompare.h"
#include "tegula/frontend/constants/library/PythonText.h"

using namespace tegula;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

/// The member of an enum that has that name.
static Object memberCalled(const ClassThing &type, const Object &name) {
  const auto *text = name.as<StringObject>();
  for (const auto &[field, member] : type.fields)
    if (text && field == text->value)
      return *member;
  return stuck(type.describe() + " has no such member");
}

static Object characterAt(const StringObject &string, const Object &index) {
  std::vector<llvm::StringRef> characters = splitCharacters(string.value);
  std::optional<int64_t> position = index.asInteger();
  int64_t size = characters.size();
  if (!position)
    return stuck("the index of a string is an integer, got " + describe(index));
  if (*position < -size || *position >= size)
    return stuck("index " + llvm::Twine(*position) +
                 " is out of range for a string of " + llvm::Twine(size));
  return Object::string(
      characters[*position < 0 ? *position + size : *position].str());
}

Object tegula::elementOf(Evaluator &evaluator, const Object &given,
                         const Object &position) {
  Object container = plainValue(given), index = plainValue(position);
  Object problem;
  if (const auto *dict = container.as<DictObject>()) {
    if (!evaluator.budget.spend(1 + dict->entries->size() / 8, problem))
      return problem;
    auto found = findKey(*dict, position);
    if (found == dict->entries->end())
      return stuck("the dict has no key " + describe(position));
    return found->second;
  }
  if (const auto *tuple = container.asTuple())
    return foldElement(*tuple, index);
  if (const auto *string = container.as<StringObject>())
    return characterAt(*string, index);
  if (const auto *range = asOrdinary<RangeThing>(container)) {
    std::optional<int64_t> number = index.asInteger();
    int64_t size = std::min<uint64_t>(range->size(), INT64_MAX);
    if (!number || *number < -size || *number >= size)
      return stuck("the index is out of range for " + describe(container));
    return Object::integer(range->at(*number < 0 ? *number + size : *number));
  }
  const auto *type = asOrdinary<ClassThing>(container);
  if (type && (type->classKind == ClassThing::ClassKind::Enum ||
               type->classKind == ClassThing::ClassKind::IntEnum))
    return memberCalled(*type, index);
  if (const auto *python = container.as<PythonObject>())
    if (python->name == "os.environ")
      return callOrdinaryBuiltin(evaluator, "os.environ.__getitem__",
                                 {{index}, {}});
  return stuck("a subscript of " + describe(container) + " is not a constant");
}

namespace {

/// A slice of a sequence of known size.
struct Cut {
  int64_t first = 0, step = 1;
  uint64_t count = 0;
};

} // namespace

/// Where Python starts and stops, given what is written.
static Cut cut(int64_t size, std::optional<int64_t> lower,
               std::optional<int64_t> upper, int64_t step) {
  auto clamp = [&](std::optional<int64_t> bound, int64_t otherwise) {
    if (!bound)
      return otherwise;
    int64_t value = *bound < 0 ? std::max(*bound, -size - 1) + size : *bound;
    int64_t least = step < 0 ? -1 : 0, most = step < 0 ? size - 1 : size;
    return std::min(std::max(value, least), most);
  };
  int64_t first = clamp(lower, step < 0 ? size - 1 : 0);
  int64_t last = clamp(upper, step < 0 ? -1 : size);
  return {first, step, RangeThing(first, last, step).size()};
}

Object tegula::sliceOf(Evaluator &evaluator, const Object &given,
                       const ast::Slice &node, Frame &frame) {
  Object value = plainValue(given);
  std::optional<int64_t> bounds[3];
  const ast::ExprPtr *parts[] = {&node.lower, &node.upper, &node.step};
  for (int i = 0; i < 3; ++i) {
    if (!*parts[i])
      continue;
    Object bound = plainValue(evaluator.evaluate(**parts[i], frame));
    if (bound.isStuck())
      return bound;
    bounds[i] = bound.asInteger();
    if (!bounds[i] && !bound.is<NoneObject>())
      return stuck("a slice takes integers, got " + describe(bound));
  }
  int64_t step = bounds[2].value_or(1);
  if (step == 0)
    return stuck("the step of a slice cannot be 0");
  Object problem;
  if (const auto *tuple = value.as<TupleObject>()) {
    Cut part = cut(tuple->elements->size(), bounds[0], bounds[1], step);
    if (!evaluator.budget.checkSize(part.count, problem))
      return problem;
    std::vector<Object> elements;
    for (uint64_t i = 0; i < part.count; ++i)
      elements.push_back((*tuple->elements)[part.first + i * part.step]);
    return tuple->isList ? Object::list(std::move(elements))
                         : Object::tuple(std::move(elements));
  }
  if (const auto *string = value.as<StringObject>()) {
    std::vector<llvm::StringRef> characters = splitCharacters(string->value);
    Cut part = cut(characters.size(), bounds[0], bounds[1], step);
    std::string text;
    for (uint64_t i = 0; i < part.count; ++i)
      text += characters[part.first + i * part.step];
    return Object::string(std::move(text));
  }
  if (const auto *range = asOrdinary<RangeThing>(value)) {
    Cut part = cut(range->size(), bounds[0], bounds[1], step);
    if (part.count == 0)
      return makeOrdinary<RangeThing>(0, 0, 1);
    int64_t first = range->at(part.first);
    int64_t inner = range->step * step;
    return makeOrdinary<RangeThing>(
        first, first + static_cast<int64_t>(part.count) * inner, inner);
  }
  return stuck("a slice of " + describe(value) + " is not a constant");
}
