// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of Python that make, iterate over and sum up lists and their like.
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/evaluator/Iterators.h"
#include "tegula/frontend/constants/evaluator/Operators.h"
#include "tegula/frontend/constants/library/OrdinaryCall.h"
#include "tegula/frontend/constants/library/PythonText.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

static Object callSum(OrdinaryCall &call) {
  if (call.size() < 1 || call.size() > 2)
    return call.wrong();
  std::optional<Object> start = call.arguments.take("start");
  Object total = call.size() == 2 ? call[1]
                 : start          ? *start
                                  : Object::integer(0);
  auto elements = call.elements(0);
  if (!elements)
    return call.problem;
  if (total.is<StringObject>())
    return call.wrong();
  for (const Object &element : *elements) {
    total = applyBinary(call.evaluator, ast::BinaryOp::Add, total, element);
    if (total.isStuck())
      return total;
  }
  return total;
}

/// The first of the elements that no other one is less than.
static Object callExtreme(OrdinaryCall &call) {
  Object key = call.arguments.take("key").value_or(Object::none());
  std::optional<Object> otherwise = call.arguments.take("default");
  if (call.size() == 0 || !call.arguments.keywords.empty())
    return call.wrong();
  std::vector<Object> elements = call.arguments.positional;
  if (const auto *set = asOrdinary<SetThing>(call[0]); set && call.size() == 1)
    elements = set->elements;
  else if (call.size() == 1) {
    auto collected = call.elements(0);
    if (!collected)
      return call.problem;
    elements = std::move(*collected);
  }
  if (elements.empty())
    return otherwise ? *otherwise : stuck(call.name + "() of nothing");
  std::optional<size_t> best;
  Object bestKey;
  for (size_t i = 0; i < elements.size(); ++i) {
    Object value = key.is<NoneObject>()
                       ? elements[i]
                       : call.evaluator.call(key, {{elements[i]}, {}});
    if (value.isStuck())
      return value;
    Object isBetter =
        best ? applyCompare(call.evaluator,
                            call.name == "max" ? ast::CompareOp::Gt
                                               : ast::CompareOp::Lt,
                            value, bestKey)
             : Object::boolean(true);
    if (isBetter.isStuck())
      return isBetter;
    if (isTrue(isBetter)) {
      best = i;
      bestKey = value;
    }
  }
  return elements[*best];
}

static Object callLen(OrdinaryCall &call) {
  if (call.size() != 1)
    return call.wrong();
  Object object = plainValue(call[0]);
  if (const auto *tuple = object.asTuple())
    return Object::integer(tuple->size());
  if (const auto *dict = object.as<DictObject>())
    return Object::integer(dict->entries->size());
  if (const auto *string = object.as<StringObject>())
    return Object::integer(splitCharacters(string->value).size());
  if (const auto *set = asOrdinary<SetThing>(object))
    return Object::integer(set->elements.size());
  if (const auto *range = asOrdinary<RangeThing>(object))
    return Object::integer(range->size());
  const auto *type = asOrdinary<ClassThing>(object);
  if (type && (type->classKind == ClassThing::ClassKind::Enum ||
               type->classKind == ClassThing::ClassKind::IntEnum))
    return Object::integer(type->fields.size());
  if (asOrdinary<InstanceThing>(object) &&
      asOrdinary<InstanceThing>(object)->type->find("__len__"))
    return call.evaluator.call(call.evaluator.attribute(object, "__len__"), {});
  return call.wrong();
}

static Object callRange(OrdinaryCall &call) {
  std::vector<int64_t> numbers;
  for (const Object &argument : call.arguments.positional) {
    std::optional<int64_t> number = plainValue(argument).asInteger();
    if (!number)
      return call.wrong();
    numbers.push_back(*number);
  }
  if (numbers.empty() || numbers.size() > 3 ||
      (numbers.size() == 3 && numbers[2] == 0))
    return call.wrong();
  if (numbers.size() == 1)
    numbers.insert(numbers.begin(), 0);
  return makeOrdinary<RangeThing>(numbers[0], numbers[1],
                                  numbers.size() == 3 ? numbers[2] : 1);
}

static Object callZip(OrdinaryCall &call) {
  std::optional<Object> strict = call.arguments.take("strict");
  if (strict && isTrue(*strict))
    return stuck("zip(strict=True) is not understood here");
  std::vector<std::shared_ptr<IteratorThing>> parts;
  for (const Object &argument : call.arguments.positional) {
    parts.push_back(call.evaluator.iterate(argument, call.problem));
    if (!parts.back())
      return call.problem;
  }
  return call.evaluator.lifetimes.retain(makeZip(std::move(parts)));
}

static Object callEnumerate(OrdinaryCall &call) {
  std::optional<Object> start = call.arguments.take("start");
  if (call.size() == 2)
    start = call[1];
  std::optional<int64_t> first =
      start ? plainValue(*start).asInteger() : std::optional<int64_t>(0);
  if (call.size() < 1 || call.size() > 2 || !first)
    return call.wrong();
  auto inner = call.evaluator.iterate(call[0], call.problem);
  if (!inner)
    return call.problem;
  return call.evaluator.lifetimes.retain(
      makeEnumerate(std::move(inner), *first));
}

static Object callMap(OrdinaryCall &call) {
  if (call.size() < 2)
    return call.wrong();
  std::vector<std::shared_ptr<IteratorThing>> parts;
  for (const Object &argument : llvm::drop_begin(call.arguments.positional)) {
    parts.push_back(call.evaluator.iterate(argument, call.problem));
    if (!parts.back())
      return call.problem;
  }
  if (call.name == "filter")
    return call.size() == 2 ? call.evaluator.lifetimes.retain(
                                  makeFilter(call[0], std::move(parts[0])))
                            : call.wrong();
  return call.evaluator.lifetimes.retain(makeMap(call[0], std::move(parts)));
}

static Object callReversed(OrdinaryCall &call) {
  if (call.size() != 1 || asOrdinary<SetThing>(call[0]) ||
      asOrdinary<IteratorThing>(call[0]))
    return call.wrong();
  auto elements = call.elements(0);
  if (!elements)
    return call.problem;
  std::reverse(elements->begin(), elements->end());
  return Object(OrdinaryObject{iteratorOf(std::move(*elements))});
}

static Object callIter(OrdinaryCall &call) {
  if (call.size() != 1)
    return call.wrong();
  auto iterator = call.evaluator.iterate(call[0], call.problem);
  return iterator ? Object(OrdinaryObject{std::move(iterator)}) : call.problem;
}

static Object callNext(OrdinaryCall &call) {
  auto *iterator =
      call.size() >= 1 ? asOrdinary<IteratorThing>(call[0]) : nullptr;
  if (!iterator || call.size() > 2)
    return call.wrong();
  if (std::optional<Object> element = call.evaluator.next(*iterator))
    return *element;
  return call.size() == 2 ? call[1] : stuck("next() at the end");
}

static Object callAnyAll(OrdinaryCall &call) {
  if (call.size() != 1)
    return call.wrong();
  auto iterator = call.evaluator.iterate(call[0], call.problem);
  if (!iterator)
    return call.problem;
  bool isAny = call.name == "any";
  while (std::optional<Object> element = call.evaluator.next(*iterator)) {
    if (element->isStuck())
      return *element;
    Object problem;
    if (!call.evaluator.budget.spend(1, problem))
      return problem;
    bool value = isTrue(*element, problem);
    if (problem.is<UnusableObject>())
      return problem;
    if (value == isAny)
      return Object::boolean(isAny);
  }
  return Object::boolean(!isAny);
}

static Object callSorted(OrdinaryCall &call) {
  if (call.size() != 1)
    return call.wrong();
  std::vector<Object> elements;
  if (const auto *set = asOrdinary<SetThing>(call[0])) {
    elements = set->elements;
  } else {
    auto collected = call.elements(0);
    if (!collected)
      return call.problem;
    elements = std::move(*collected);
  }
  return sortElements(call.evaluator, elements, call.arguments);
}

static Object callSequence(OrdinaryCall &call) {
  if (call.size() > 1)
    return call.wrong();
  std::vector<Object> elements;
  const auto *set = call.size() ? asOrdinary<SetThing>(call[0]) : nullptr;
  bool isSet = call.name == "set" || call.name == "frozenset";
  if (set && isSet) {
    elements = set->elements;
  } else if (call.size()) {
    auto collected = call.elements(0);
    if (!collected)
      return call.problem;
    elements = std::move(*collected);
  }
  if (call.name == "list")
    return Object::list(std::move(elements));
  if (call.name == "tuple")
    return Object::tuple(std::move(elements));
  Object made = makeSet(call.evaluator, elements);
  if (auto *frozen = asOrdinary<SetThing>(made))
    frozen->isFrozen = call.name == "frozenset";
  return made;
}

static Object callDict(OrdinaryCall &call) {
  Object made = Object::dict({});
  if (call.size() > 1)
    return call.wrong();
  if (call.size() == 1) {
    Object updated = callDictMethod(call.evaluator, *made.as<DictObject>(),
                                    "update", {{call[0]}, {}});
    if (updated.isStuck())
      return updated;
  }
  for (const auto &[name, value] : call.arguments.keywords)
    if (!call.evaluator.assignItem(made, Object::string(name), value))
      return call.evaluator.getFailure();
  return made;
}

OrdinaryFunction tegula::findSequencesFunction(StringRef name) {
  return llvm::StringSwitch<OrdinaryFunction>(name)
      .Case("sum", callSum)
      .Cases({"min", "max"}, callExtreme)
      .Case("len", callLen)
      .Case("range", callRange)
      .Case("zip", callZip)
      .Case("enumerate", callEnumerate)
      .Cases({"map", "filter"}, callMap)
      .Case("reversed", callReversed)
      .Case("iter", callIter)
      .Case("next", callNext)
      .Cases({"any", "all"}, callAnyAll)
      .Case("sorted", callSorted)
      .Cases({"list", "tuple", "set", "frozenset"}, callSequence)
      .Case("dict", callDict)
      .Default(nullptr);
}
