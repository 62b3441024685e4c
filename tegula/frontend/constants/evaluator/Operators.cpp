// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/Operators.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"
#include "tegula/frontend/constants/library/OrdinaryCompare.h"

using namespace tegula;
using ast::BinaryOp;
using ast::CompareOp;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

bool tegula::isTrue(const Object &given, Object &problem) {
  Object object = plainValue(given);
  if (const auto *set = asOrdinary<SetThing>(object))
    return !set->elements.empty();
  if (const auto *range = asOrdinary<RangeThing>(object))
    return range->size() != 0;
  if (const auto *instance = asOrdinary<InstanceThing>(object))
    if (instance->type->find("__bool__") || instance->type->find("__len__"))
      problem = stuck("whether " + describe(object) + " is true is not known");
  if (object.is<SymbolObject>())
    problem = stuck("whether an extent is true is not known");
  return tegula::isTrue(object);
}

static Object typeError(BinaryOp op, const Object &lhs, const Object &rhs) {
  return stuck("cannot apply '" + ast::spelling(op) + "' to " + describe(lhs) +
               " and " + describe(rhs));
}

/// `sequence * count`, in either order.
static Object repeat(Evaluator &evaluator, const Object &sequence,
                     int64_t count) {
  uint64_t times = std::max<int64_t>(count, 0);
  Object problem;
  if (const auto *string = sequence.as<StringObject>()) {
    uint64_t size = string->value.size();
    if (size && times > EvaluationBudget::maxCharacters / size)
      return stuck("the string is too long");
    std::string text;
    for (uint64_t i = 0; size && i < times; ++i)
      text += string->value;
    return Object::string(std::move(text));
  }
  const auto &tuple = *sequence.as<TupleObject>();
  uint64_t size = tuple.elements->size();
  if (size && times > EvaluationBudget::maxElements / size)
    return stuck("the list is too long");
  if (!evaluator.budget.checkSize(size * times, problem))
    return problem;
  std::vector<Object> elements;
  for (uint64_t i = 0; size && i < times; ++i)
    llvm::append_range(elements, *tuple.elements);
  return tuple.isList ? Object::list(std::move(elements))
                      : Object::tuple(std::move(elements));
}

static Object concatenate(Evaluator &evaluator, const Object &lhs,
                          const Object &rhs) {
  Object problem;
  const auto *left = lhs.as<TupleObject>(), *right = rhs.as<TupleObject>();
  if (left && right && left->isList == right->isList) {
    std::vector<Object> elements = *left->elements;
    llvm::append_range(elements, *right->elements);
    if (!evaluator.budget.checkSize(elements.size(), problem))
      return problem;
    return left->isList ? Object::list(std::move(elements))
                        : Object::tuple(std::move(elements));
  }
  const auto *text = lhs.as<StringObject>(), *more = rhs.as<StringObject>();
  if (!text || !more)
    return typeError(BinaryOp::Add, lhs, rhs);
  if (text->value.size() + more->value.size() > EvaluationBudget::maxCharacters)
    return stuck("the string is too long");
  if (!evaluator.budget.spend(
          1 + more->value.size() / 64 + text->value.size() / 64, problem))
    return problem;
  return Object::string(text->value + more->value);
}

static Object mergeDicts(const Object &lhs, const Object &rhs,
                         Evaluator &evaluator) {
  Object merged = Object::dict(*lhs.as<DictObject>()->entries);
  for (const auto &[key, value] : *rhs.as<DictObject>()->entries)
    if (!evaluator.assignItem(merged, key, value))
      return evaluator.getFailure();
  return merged;
}

Object tegula::applyBinary(Evaluator &evaluator, BinaryOp op,
                           const Object &first, const Object &second) {
  Object lhs = plainValue(first), rhs = plainValue(second);
  bool isSequence = lhs.is<TupleObject>() || lhs.is<StringObject>();
  bool isOther = rhs.is<TupleObject>() || rhs.is<StringObject>();
  if (op == BinaryOp::Add && (isSequence || isOther))
    return concatenate(evaluator, lhs, rhs);
  if (op == BinaryOp::Mul && isSequence && rhs.asInteger())
    return repeat(evaluator, lhs, *rhs.asInteger());
  if (op == BinaryOp::Mul && isOther && lhs.asInteger())
    return repeat(evaluator, rhs, *lhs.asInteger());
  if (op == BinaryOp::BitOr && lhs.is<DictObject>() && rhs.is<DictObject>())
    return mergeDicts(lhs, rhs, evaluator);
  const auto *left = asOrdinary<SetThing>(lhs);
  const auto *right = asOrdinary<SetThing>(rhs);
  if (left && right)
    return combineSets(evaluator, op, *left, *right);
  if (isSequence || isOther)
    return typeError(op, lhs, rhs);
  return foldBinary(op, lhs, rhs);
}

/// `element in container`
static Object isIn(Evaluator &evaluator, const Object &element,
                   const Object &given) {
  Object container = plainValue(given);
  Object problem;
  if (!evaluator.budget.isModest(container, problem))
    return problem;
  if (const auto *dict = container.as<DictObject>())
    return Object::boolean(findKey(*dict, element) != dict->entries->end());
  if (const auto *tuple = container.asTuple())
    return Object::boolean(contains(*tuple, element));
  if (const auto *set = asOrdinary<SetThing>(container))
    return Object::boolean(contains(set->elements, element));
  if (const auto *string = container.as<StringObject>()) {
    const auto *part = element.as<StringObject>();
    if (!part)
      return stuck("'in' a string takes a string, got " + describe(element));
    return Object::boolean(
        llvm::StringRef(string->value).contains(part->value));
  }
  if (const auto *python = container.as<PythonObject>())
    if (python->name == "os.environ")
      return callOrdinaryBuiltin(evaluator, "os.environ.__contains__",
                                 {{element}, {}});
  std::optional<std::vector<Object>> elements =
      evaluator.collect(container, problem);
  return elements ? Object::boolean(contains(*elements, element)) : problem;
}

static Object compareSets(CompareOp op, const SetThing &lhs,
                          const SetThing &rhs) {
  auto isWithin = [](const SetThing &inner, const SetThing &outer) {
    return llvm::all_of(inner.elements, [&](const Object &element) {
      return contains(outer.elements, element);
    });
  };
  bool isLess = op == CompareOp::Lt || op == CompareOp::Le;
  bool isWithinOther = isLess ? isWithin(lhs, rhs) : isWithin(rhs, lhs);
  bool isStrict = op == CompareOp::Lt || op == CompareOp::Gt;
  return Object::boolean(
      isWithinOther &&
      (!isStrict || lhs.elements.size() != rhs.elements.size()));
}

Object tegula::applyCompare(Evaluator &evaluator, CompareOp op,
                            const Object &lhs, const Object &rhs) {
  Object problem;
  if (op == CompareOp::Is || op == CompareOp::IsNot)
    return Object::boolean(isIdentical(lhs, rhs) == (op == CompareOp::Is));
  if (op == CompareOp::In || op == CompareOp::NotIn) {
    Object found = isIn(evaluator, lhs, rhs);
    if (found.isStuck() || op == CompareOp::In)
      return found;
    return Object::boolean(!found.as<BoolObject>()->value);
  }
  if (!evaluator.budget.isModest(lhs, problem) ||
      !evaluator.budget.isModest(rhs, problem))
    return problem;
  if (op == CompareOp::Eq || op == CompareOp::Ne)
    return Object::boolean(isEqualTo(lhs, rhs) == (op == CompareOp::Eq));
  const auto *left = asOrdinary<SetThing>(lhs);
  const auto *right = asOrdinary<SetThing>(rhs);
  if (left && right)
    return compareSets(op, *left, *right);
  bool isUnordered = false;
  std::optional<int> order = compareOrder(lhs, rhs, isUnordered);
  if (!order)
    return stuck("cannot apply '" + ast::spelling(op) + "' to " +
                 describe(lhs) + " and " + describe(rhs));
  if (isUnordered)
    return Object::boolean(false);
  switch (op) {
  case CompareOp::Lt:
    return Object::boolean(*order < 0);
  case CompareOp::Le:
    return Object::boolean(*order <= 0);
  case CompareOp::Gt:
    return Object::boolean(*order > 0);
  default:
    return Object::boolean(*order >= 0);
  }
}
