// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/library/OrdinaryCompare.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;

static bool isNumericEqual(const Object &lhs, const Object &rhs) {
  return isTrue(foldCompare(ast::CompareOp::Eq, lhs, rhs));
}

static bool isDictEqual(const DictObject &lhs, const DictObject &rhs) {
  return lhs.entries->size() == rhs.entries->size() &&
         llvm::all_of(*lhs.entries, [&](const auto &entry) {
           auto found = findKey(rhs, entry.first);
           return found != rhs.entries->end() &&
                  isEqualTo(entry.second, found->second);
         });
}

static bool isRangeEqual(const RangeThing &lhs, const RangeThing &rhs) {
  if (lhs.size() != rhs.size() || lhs.size() == 0)
    return lhs.size() == rhs.size();
  return lhs.start == rhs.start && (lhs.size() == 1 || lhs.step == rhs.step);
}

static bool isThingEqual(const Object &lhs, const Object &rhs) {
  const auto *set = asOrdinary<SetThing>(lhs);
  const auto *otherSet = asOrdinary<SetThing>(rhs);
  if (set && otherSet)
    return set->elements.size() == otherSet->elements.size() &&
           llvm::all_of(set->elements, [&](const Object &element) {
             return contains(otherSet->elements, element);
           });
  const auto *range = asOrdinary<RangeThing>(lhs);
  const auto *otherRange = asOrdinary<RangeThing>(rhs);
  if (range && otherRange)
    return isRangeEqual(*range, *otherRange);
  const auto *instance = asOrdinary<InstanceThing>(lhs);
  const auto *other = asOrdinary<InstanceThing>(rhs);
  if (instance && other && instance->type == other->type &&
      instance->type->classKind == ClassThing::ClassKind::Dataclass)
    return llvm::all_of(instance->type->fields, [&](const auto &field) {
      auto left = instance->fields.find(field.first);
      auto right = other->fields.find(field.first);
      return left != instance->fields.end() && right != other->fields.end() &&
             isEqualTo(left->second, right->second);
    });
  return isIdentical(lhs, rhs);
}

bool tegula::isEqualTo(const Object &first, const Object &second) {
  Object lhs = plainValue(fromKernel(first));
  Object rhs = plainValue(fromKernel(second));
  if (lhs.isNumeric() && rhs.isNumeric())
    return isNumericEqual(lhs, rhs);
  const auto *left = lhs.as<TupleObject>(), *right = rhs.as<TupleObject>();
  if (left && right)
    return left->isList == right->isList &&
           left->elements->size() == right->elements->size() &&
           llvm::all_of(llvm::zip(*left->elements, *right->elements),
                        [](auto pair) {
                          const Object &a = std::get<0>(pair);
                          const Object &b = std::get<1>(pair);
                          return isIdentical(a, b) || isEqualTo(a, b);
                        });
  if (lhs.is<DictObject>() && rhs.is<DictObject>())
    return isDictEqual(*lhs.as<DictObject>(), *rhs.as<DictObject>());
  return isThingEqual(lhs, rhs);
}

bool tegula::isIdentical(const Object &first, const Object &second) {
  Object lhs = fromKernel(first), rhs = fromKernel(second);
  if (const auto *tuple = lhs.as<TupleObject>())
    return rhs.is<TupleObject>() &&
           tuple->elements == rhs.as<TupleObject>()->elements;
  return isSame(lhs, rhs);
}

static std::optional<int> compareNumbers(const Object &lhs, const Object &rhs,
                                         bool &isUnordered) {
  if (isTrue(foldCompare(ast::CompareOp::Lt, lhs, rhs)))
    return -1;
  if (isTrue(foldCompare(ast::CompareOp::Gt, lhs, rhs)))
    return 1;
  isUnordered = !isNumericEqual(lhs, rhs);
  return 0;
}

std::optional<int> tegula::compareOrder(const Object &first,
                                        const Object &second,
                                        bool &isUnordered) {
  Object lhs = plainValue(first), rhs = plainValue(second);
  if (lhs.isNumeric() && rhs.isNumeric())
    return compareNumbers(lhs, rhs, isUnordered);
  if (lhs.is<StringObject>() && rhs.is<StringObject>())
    return lhs.as<StringObject>()->value.compare(rhs.as<StringObject>()->value);
  const auto *left = lhs.as<TupleObject>(), *right = rhs.as<TupleObject>();
  if (!left || !right || left->isList != right->isList)
    return std::nullopt;
  for (auto [a, b] : llvm::zip(*left->elements, *right->elements))
    if (!isEqualTo(a, b))
      return compareOrder(a, b, isUnordered);
  return static_cast<int>(left->elements->size() > right->elements->size()) -
         static_cast<int>(left->elements->size() < right->elements->size());
}

bool tegula::isHashable(const Object &object) {
  if (const auto *tuple = object.as<TupleObject>())
    return !tuple->isList && llvm::all_of(*tuple->elements, isHashable);
  if (const auto *set = asOrdinary<SetThing>(object))
    return set->isFrozen;
  if (const auto *instance = asOrdinary<InstanceThing>(object))
    return instance->type->classKind != ClassThing::ClassKind::Dataclass ||
           instance->type->isFrozen;
  return !object.is<DictObject>();
}

std::vector<std::pair<Object, Object>>::iterator
tegula::findKey(const DictObject &dict, const Object &key) {
  return llvm::find_if(*dict.entries, [&](const auto &entry) {
    return isIdentical(entry.first, key) || isEqualTo(entry.first, key);
  });
}

bool tegula::contains(const std::vector<Object> &elements,
                      const Object &object) {
  return llvm::any_of(elements, [&](const Object &element) {
    return isIdentical(element, object) || isEqualTo(element, object);
  });
}
