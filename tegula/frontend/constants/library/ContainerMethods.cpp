// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The methods of lists, tuples, dicts and sets, and what is made of sets.
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"
#include "tegula/frontend/constants/library/OrdinaryCompare.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

static bool isListMethod(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"append", "extend", "insert", "pop", "remove", "clear"}, true)
      .Cases({"sort", "reverse", "copy"}, true)
      .Default(false);
}

static bool isDictMethod(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"get", "keys", "values", "items", "update", "setdefault"}, true)
      .Cases({"pop", "copy", "clear"}, true)
      .Default(false);
}

static bool isSetMethod(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"add", "discard", "remove", "update", "union", "copy"}, true)
      .Cases({"intersection", "difference", "issubset", "issuperset"}, true)
      .Default(false);
}

static bool isStringMethod(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"upper", "lower", "strip", "lstrip", "rstrip", "split"}, true)
      .Cases({"rsplit", "join", "replace", "startswith", "endswith"}, true)
      .Cases({"find", "rfind", "count", "index", "isdigit", "isalpha"}, true)
      .Cases({"isalnum", "isupper", "islower", "zfill", "title"}, true)
      .Cases({"capitalize", "removeprefix", "removesuffix", "format"}, true)
      .Cases({"partition", "rpartition", "ljust", "rjust", "center"}, true)
      .Cases({"splitlines", "isidentifier"}, true)
      .Default(false);
}

bool tegula::hasOrdinaryMethod(const Object &object, StringRef name) {
  if (const auto *tuple = object.as<TupleObject>())
    return name == "index" || name == "count" ||
           (tuple->isList && isListMethod(name));
  if (object.is<DictObject>())
    return isDictMethod(name);
  if (object.is<StringObject>())
    return isStringMethod(name);
  if (asOrdinary<SetThing>(object))
    return isSetMethod(name);
  if (object.is<IntObject>() || object.is<FloatObject>())
    return name == "bit_length" || name == "is_integer";
  if (object.is<DtypeObject>())
    return name == "get_byte";
  const auto *instance = asOrdinary<InstanceThing>(object);
  return instance &&
         instance->type->classKind == ClassThing::ClassKind::NamedTuple &&
         (name == "_replace" || name == "_asdict" || name == "index" ||
          name == "count");
}

Object tegula::makeSet(Evaluator &evaluator,
                       const std::vector<Object> &elements) {
  auto set = std::make_shared<SetThing>();
  for (const Object &element : elements) {
    if (!isHashable(element))
      return stuck(describe(element) + " cannot be in a set");
    Object problem;
    if (!evaluator.budget.spend(1 + set->elements.size() / 8, problem))
      return problem;
    if (!contains(set->elements, element))
      set->elements.push_back(evaluator.lifetimes.retain(element));
  }
  return Object(OrdinaryObject{std::move(set)});
}

Object tegula::combineSets(Evaluator &evaluator, ast::BinaryOp op,
                           const SetThing &lhs, const SetThing &rhs) {
  std::vector<Object> elements;
  Object problem;
  if (!evaluator.budget.spend(
          1 + lhs.elements.size() * (1 + rhs.elements.size() / 8), problem))
    return problem;
  for (const Object &element : lhs.elements) {
    bool isInBoth = contains(rhs.elements, element);
    if (op == ast::BinaryOp::BitOr || isInBoth == (op == ast::BinaryOp::BitAnd))
      elements.push_back(element);
  }
  if (op == ast::BinaryOp::BitOr || op == ast::BinaryOp::BitXor) {
    for (const Object &element : rhs.elements)
      if (!contains(lhs.elements, element))
        elements.push_back(element);
  } else if (op != ast::BinaryOp::BitAnd && op != ast::BinaryOp::Sub) {
    return stuck("cannot apply '" + ast::spelling(op) + "' to sets");
  }
  Object made = makeSet(evaluator, elements);
  if (auto *set = asOrdinary<SetThing>(made))
    set->isFrozen = lhs.isFrozen;
  return made;
}

Object tegula::sortElements(Evaluator &evaluator,
                            const std::vector<Object> &elements,
                            OrdinaryArguments arguments) {
  Object key = arguments.take("key").value_or(Object::none());
  Object reverse = arguments.take("reverse").value_or(Object::boolean(false));
  std::vector<std::pair<Object, Object>> keyed;
  Object problem;
  for (const Object &element : elements) {
    Object value =
        key.is<NoneObject>() ? element : evaluator.call(key, {{element}, {}});
    if (value.isStuck())
      return value;
    if (!evaluator.budget.isModest(value, problem))
      return problem;
    keyed.push_back({value, element});
  }
  if (!evaluator.budget.spend(elements.size() * 16, problem))
    return problem;
  bool isDown = isTrue(reverse), hasOrder = true;
  // What has no order is found before anything is sorted by it.
  for (size_t i = 1; i < keyed.size(); ++i) {
    bool isUnordered = false;
    hasOrder &=
        compareOrder(keyed[0].first, keyed[i].first, isUnordered).has_value() &&
        !isUnordered;
  }
  if (!hasOrder)
    return stuck("the elements have no order");
  std::stable_sort(
      keyed.begin(), keyed.end(), [&](const auto &lhs, const auto &rhs) {
        bool isUnordered = false;
        int order = compareOrder(lhs.first, rhs.first, isUnordered).value_or(0);
        return isDown ? order > 0 : order < 0;
      });
  std::vector<Object> sorted;
  for (auto &[value, element] : keyed)
    sorted.push_back(std::move(element));
  return Object::list(std::move(sorted));
}

/// `index` and `count`.
static Object searchElements(const std::vector<Object> &elements,
                             StringRef name, const Object &wanted) {
  int64_t count = 0;
  for (auto [index, element] : llvm::enumerate(elements)) {
    if (!isIdentical(element, wanted) && !isEqualTo(element, wanted))
      continue;
    if (name == "index")
      return Object::integer(index);
    ++count;
  }
  if (name == "count")
    return Object::integer(count);
  return stuck(describe(wanted) + " is not in the list");
}

static Object popElement(std::vector<Object> &list,
                         const std::vector<Object> &arguments) {
  Object index = arguments.empty() ? Object::integer(-1) : arguments[0];
  Object element = foldElement(list, plainValue(index));
  if (element.isStuck())
    return element;
  int64_t position = *plainValue(index).asInteger();
  list.erase(list.begin() + (position < 0 ? position + list.size() : position));
  return element;
}

Object tegula::callListMethod(Evaluator &evaluator, const TupleObject &self,
                              StringRef name, OrdinaryArguments arguments) {
  std::vector<Object> &list = *self.elements;
  const std::vector<Object> &given = arguments.positional;
  Object problem;
  if ((name == "index" || name == "count") && given.size() == 1)
    return searchElements(list, name, given[0]);
  if (name == "append" && given.size() == 1) {
    if (!evaluator.budget.checkSize(1, problem) ||
        list.size() >= EvaluationBudget::maxElements)
      return problem.is<UnusableObject>() ? problem
                                          : stuck("the list is too long");
    list.push_back(evaluator.lifetimes.retain(given[0]));
    return Object::none();
  }
  if (name == "extend" && given.size() == 1) {
    auto more = evaluator.collect(given[0], problem);
    if (!more ||
        !evaluator.budget.checkSize(list.size() + more->size(), problem))
      return problem;
    llvm::append_range(list, *more);
    return Object::none();
  }
  if (name == "insert" && given.size() == 2 && given[0].asInteger()) {
    int64_t size = list.size(), index = *given[0].asInteger();
    if (!evaluator.budget.checkSize(size + 1, problem))
      return problem;
    index =
        index < 0 ? std::max<int64_t>(index + size, 0) : std::min(index, size);
    list.insert(list.begin() + index, evaluator.lifetimes.retain(given[1]));
    return Object::none();
  }
  if (name == "pop" && given.size() <= 1)
    return popElement(list, given);
  if (name == "remove" && given.size() == 1) {
    Object index = searchElements(list, "index", given[0]);
    return index.isStuck() ? index
                           : (popElement(list, {index}), Object::none());
  }
  if (name == "clear" || name == "reverse") {
    if (name == "clear")
      list.clear();
    else
      std::reverse(list.begin(), list.end());
    return Object::none();
  }
  if (name == "copy")
    return Object::list(list);
  if (name == "sort" && given.empty()) {
    Object sorted = sortElements(evaluator, list, std::move(arguments));
    if (sorted.isStuck())
      return sorted;
    list = *sorted.asTuple();
    return Object::none();
  }
  return stuck("this call of '" + name + "' is not understood here");
}

/// `update` with a dict, pairs or keywords.
static Object updateDict(Evaluator &evaluator, const DictObject &self,
                         const OrdinaryArguments &arguments) {
  Object target{self};
  Object problem;
  for (const Object &argument : arguments.positional) {
    if (const auto *other = argument.as<DictObject>()) {
      auto entries = *other->entries;
      for (const auto &[key, value] : entries)
        if (!evaluator.assignItem(target, key, value))
          return evaluator.getFailure();
      continue;
    }
    auto pairs = evaluator.collect(argument, problem);
    if (!pairs)
      return problem;
    for (const Object &pair : *pairs) {
      const auto *parts = pair.asTuple();
      if (!parts || parts->size() != 2)
        return stuck("a dict is made of pairs, got " + describe(pair));
      if (!evaluator.assignItem(target, (*parts)[0], (*parts)[1]))
        return evaluator.getFailure();
    }
  }
  for (const auto &[name, value] : arguments.keywords)
    if (!evaluator.assignItem(target, Object::string(name), value))
      return evaluator.getFailure();
  return Object::none();
}

/// `keys`, `values` and `items`, as they are now.
static Object listEntries(Evaluator &evaluator, const DictObject &self,
                          StringRef name) {
  std::vector<Object> parts;
  Object problem;
  if (!evaluator.budget.checkSize(self.entries->size(), problem))
    return problem;
  for (const auto &[key, value] : *self.entries)
    parts.push_back(name == "keys"     ? key
                    : name == "values" ? value
                                       : Object::tuple({key, value}));
  return Object::tuple(std::move(parts));
}

Object tegula::callDictMethod(Evaluator &evaluator, const DictObject &self,
                              StringRef name,
                              const OrdinaryArguments &arguments) {
  const std::vector<Object> &given = arguments.positional;
  if (name == "update" && given.size() <= 1)
    return updateDict(evaluator, self, arguments);
  if (!arguments.keywords.empty())
    return stuck("'" + name + "' of a dict takes no keywords");
  if ((name == "keys" || name == "values" || name == "items") && given.empty())
    return listEntries(evaluator, self, name);
  if (name == "copy" && given.empty())
    return Object::dict(*self.entries);
  if (name == "clear" && given.empty()) {
    self.entries->clear();
    return Object::none();
  }
  bool takesKey = name == "get" || name == "setdefault" || name == "pop";
  if (!takesKey || given.empty() || given.size() > 2)
    return stuck("this call of '" + name + "' is not understood here");
  Object problem;
  if (!evaluator.budget.spend(1 + self.entries->size() / 8, problem))
    return problem;
  auto found = findKey(self, given[0]);
  if (found == self.entries->end()) {
    if (name == "pop" && given.size() == 1)
      return stuck("the dict has no key " + describe(given[0]));
    Object otherwise = given.size() == 2 ? given[1] : Object::none();
    if (name == "setdefault" &&
        !evaluator.assignItem(Object(self), given[0], otherwise))
      return evaluator.getFailure();
    return otherwise;
  }
  Object value = found->second;
  if (name == "pop")
    self.entries->erase(found);
  return value;
}

Object tegula::callSetMethod(Evaluator &evaluator, SetThing &self,
                             StringRef name,
                             const OrdinaryArguments &arguments) {
  const std::vector<Object> &given = arguments.positional;
  if (name == "copy" && given.empty())
    return makeSet(evaluator, self.elements);
  if (given.size() != 1)
    return stuck("this call of '" + name + "' is not understood here");
  bool takesElement = name == "add" || name == "discard" || name == "remove";
  if (takesElement && self.isFrozen)
    return stuck("a frozenset does not change");
  if (takesElement && !isHashable(given[0]))
    return stuck(describe(given[0]) + " cannot be in a set");
  if (takesElement) {
    Object problem;
    if (!evaluator.budget.spend(1 + self.elements.size() / 8, problem))
      return problem;
    auto found = llvm::find_if(self.elements, [&](const Object &element) {
      return isEqualTo(element, given[0]);
    });
    bool isThere = found != self.elements.end();
    if (name == "add" && !isThere)
      self.elements.push_back(evaluator.lifetimes.retain(given[0]));
    else if (name != "add" && isThere)
      self.elements.erase(found);
    else if (name == "remove" && !isThere)
      return stuck(describe(given[0]) + " is not in the set");
    return Object::none();
  }
  Object other = callOrdinaryBuiltin(evaluator, "set", {{given[0]}, {}});
  const auto *right = asOrdinary<SetThing>(other);
  if (!right)
    return other;
  if (name == "issubset" || name == "issuperset") {
    const SetThing &inner = name == "issubset" ? self : *right;
    const SetThing &outer = name == "issubset" ? *right : self;
    return Object::boolean(
        llvm::all_of(inner.elements, [&](const Object &element) {
          return contains(outer.elements, element);
        }));
  }
  ast::BinaryOp op = name == "intersection" ? ast::BinaryOp::BitAnd
                     : name == "difference" ? ast::BinaryOp::Sub
                                            : ast::BinaryOp::BitOr;
  Object combined = combineSets(evaluator, op, self, *right);
  if (name != "update" || combined.isStuck())
    return combined;
  self.elements = asOrdinary<SetThing>(combined)->elements;
  return Object::none();
}

static Object callNumberMethod(const Object &self, StringRef name) {
  if (const auto *real = self.as<FloatObject>())
    return name == "is_integer"
               ? Object::boolean(
                     real->value ==
                     static_cast<double>(static_cast<int64_t>(real->value)))
               : stuck("a float has no '" + name + "'");
  if (name == "is_integer")
    return Object::boolean(true);
  int64_t value = *self.asInteger();
  uint64_t size = value < 0 ? -static_cast<uint64_t>(value) : value;
  return Object::integer(size == 0 ? 0 : 64 - llvm::countl_zero(size));
}

/// `_replace` and `_asdict` of a named tuple.
static Object callTupleMethod(Evaluator &evaluator,
                              const InstanceThing &instance, StringRef name,
                              OrdinaryArguments arguments) {
  Object fields = Object::dict({});
  OrdinaryArguments changed;
  for (const auto &[field, value] : instance.type->fields) {
    const Object &old = instance.fields.find(field)->second;
    changed.keywords.push_back({field, arguments.take(field).value_or(old)});
    if (!evaluator.assignItem(fields, Object::string(field), old))
      return evaluator.getFailure();
  }
  if (name == "_asdict")
    return fields;
  return evaluator.instantiate(instance.type, std::move(changed));
}

Object tegula::callOrdinaryMethod(Evaluator &evaluator, const Object &self,
                                  StringRef name, OrdinaryArguments arguments) {
  Object problem;
  if (!evaluator.budget.spend(1, problem))
    return problem;
  if (const auto *instance = asOrdinary<InstanceThing>(self))
    if (name == "_replace" || name == "_asdict")
      return callTupleMethod(evaluator, *instance, name, std::move(arguments));
  Object object = plainValue(self);
  if (const auto *list = object.as<TupleObject>())
    return callListMethod(evaluator, *list, name, std::move(arguments));
  if (const auto *dict = object.as<DictObject>())
    return callDictMethod(evaluator, *dict, name, arguments);
  if (const auto *string = object.as<StringObject>())
    return callStringMethod(evaluator, string->value, name,
                            std::move(arguments));
  if (auto *set = asOrdinary<SetThing>(object))
    return callSetMethod(evaluator, *set, name, arguments);
  if (const auto *dtype = object.as<DtypeObject>())
    return Object::integer(getSize(toDType(dtype->type)));
  return callNumberMethod(object, name);
}
