// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/Iterators.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/evaluator/Operators.h"
#include "tegula/frontend/constants/library/PythonText.h"

using namespace tegula;

using IteratorPtr = std::shared_ptr<IteratorThing>;

static Object fail(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

namespace {

struct ElementIterator : IteratorThing {
  explicit ElementIterator(std::shared_ptr<std::vector<Object>> elements)
      : elements(std::move(elements)) {}
  std::optional<Object> next(Evaluator &) override {
    if (position >= elements->size())
      return std::nullopt;
    return (*elements)[position++];
  }

  std::shared_ptr<std::vector<Object>> elements;
  size_t position = 0;
};

struct KeyIterator : IteratorThing {
  explicit KeyIterator(const DictObject &dict)
      : dict(dict), size(dict.entries->size()) {}
  std::optional<Object> next(Evaluator &) override {
    if (dict.entries->size() != size)
      return fail("a dict changed its size during iteration");
    if (position >= size)
      return std::nullopt;
    return (*dict.entries)[position++].first;
  }

  DictObject dict;
  size_t size, position = 0;
};

struct RangeIterator : IteratorThing {
  explicit RangeIterator(const RangeThing &range) : range(range) {}
  std::optional<Object> next(Evaluator &) override {
    if (position >= range.size())
      return std::nullopt;
    return Object::integer(range.at(position++));
  }

  RangeThing range;
  uint64_t position = 0;
};

/// Several iterators side by side, up to the end of the shortest.
struct ZipIterator : IteratorThing {
  explicit ZipIterator(std::vector<IteratorPtr> parts)
      : parts(std::move(parts)) {}
  std::optional<Object> next(Evaluator &evaluator) override {
    std::vector<Object> elements;
    for (const IteratorPtr &part : parts) {
      std::optional<Object> element = evaluator.next(*part);
      if (!element || element->isStuck())
        return element;
      elements.push_back(std::move(*element));
    }
    if (elements.empty())
      return std::nullopt;
    return Object::tuple(std::move(elements));
  }

  void clear() override { parts.clear(); }

  std::vector<IteratorPtr> parts;
};

struct EnumerateIterator : IteratorThing {
  EnumerateIterator(IteratorPtr inner, int64_t number)
      : inner(std::move(inner)), number(number) {}
  std::optional<Object> next(Evaluator &evaluator) override {
    std::optional<Object> element = evaluator.next(*inner);
    if (!element || element->isStuck())
      return element;
    return Object::tuple({Object::integer(number++), std::move(*element)});
  }

  void clear() override { inner = iteratorOf({}); }

  IteratorPtr inner;
  int64_t number;
};

struct MapIterator : IteratorThing {
  MapIterator(Object function, std::vector<IteratorPtr> parts)
      : function(std::move(function)), parts(std::move(parts)) {}
  std::optional<Object> next(Evaluator &evaluator) override {
    OrdinaryArguments arguments;
    for (const IteratorPtr &part : parts) {
      std::optional<Object> element = evaluator.next(*part);
      if (!element || element->isStuck())
        return element;
      arguments.positional.push_back(std::move(*element));
    }
    return evaluator.call(function, std::move(arguments));
  }

  void clear() override { parts.clear(); }

  Object function;
  std::vector<IteratorPtr> parts;
};

struct FilterIterator : IteratorThing {
  FilterIterator(Object function, IteratorPtr inner)
      : function(std::move(function)), inner(std::move(inner)) {}
  std::optional<Object> next(Evaluator &evaluator) override {
    while (std::optional<Object> element = evaluator.next(*inner)) {
      if (element->isStuck())
        return element;
      Object problem = Object::none();
      if (!evaluator.budget.spend(1, problem))
        return problem;
      Object kept = function.is<NoneObject>()
                        ? *element
                        : evaluator.call(function, {{*element}, {}});
      if (kept.isStuck())
        return kept;
      bool isSelected = isTrue(kept, problem);
      if (problem.isStuck())
        return problem;
      if (isSelected)
        return element;
    }
    return std::nullopt;
  }

  void clear() override { inner = iteratorOf({}); }

  Object function;
  IteratorPtr inner;
};

} // namespace

IteratorPtr tegula::iteratorOf(std::vector<Object> objects) {
  return std::make_shared<ElementIterator>(
      std::make_shared<std::vector<Object>>(std::move(objects)));
}

/// The members of an enum.
static IteratorPtr iteratorOver(const ClassThing &type) {
  std::vector<Object> members;
  for (const auto &[name, value] : type.fields)
    members.push_back(*value);
  return iteratorOf(std::move(members));
}

IteratorPtr tegula::iteratorOver(const Object &given, Object &problem) {
  Object object = plainValue(given);
  if (const auto *tuple = object.as<TupleObject>())
    return std::make_shared<ElementIterator>(tuple->elements);
  if (const auto *dict = object.as<DictObject>())
    return std::make_shared<KeyIterator>(*dict);
  if (const auto *string = object.as<StringObject>()) {
    std::vector<Object> characters;
    for (llvm::StringRef character : splitCharacters(string->value))
      characters.push_back(Object::string(character.str()));
    return iteratorOf(std::move(characters));
  }
  if (const auto *range = asOrdinary<RangeThing>(object))
    return std::make_shared<RangeIterator>(*range);
  if (asOrdinary<IteratorThing>(object))
    return std::static_pointer_cast<IteratorThing>(
        object.as<OrdinaryObject>()->thing);
  if (const auto *set = asOrdinary<SetThing>(object)) {
    if (set->elements.size() <= 1)
      return iteratorOf(set->elements);
    problem = fail("the order of a set is not defined; write sorted(...)");
    return nullptr;
  }
  const auto *type = asOrdinary<ClassThing>(object);
  if (type && (type->classKind == ClassThing::ClassKind::Enum ||
               type->classKind == ClassThing::ClassKind::IntEnum))
    return ::iteratorOver(*type);
  problem = fail(describe(object) + " cannot be iterated over");
  return nullptr;
}

Object tegula::makeZip(std::vector<IteratorPtr> parts) {
  return makeOrdinary<ZipIterator>(std::move(parts));
}

Object tegula::makeEnumerate(IteratorPtr inner, int64_t start) {
  return makeOrdinary<EnumerateIterator>(std::move(inner), start);
}

Object tegula::makeMap(Object function, std::vector<IteratorPtr> parts) {
  return makeOrdinary<MapIterator>(std::move(function), std::move(parts));
}

Object tegula::makeFilter(Object function, IteratorPtr inner) {
  return makeOrdinary<FilterIterator>(std::move(function), std::move(inner));
}
