// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/AssignmentRunner.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/evaluator/ElementAccess.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/evaluator/Operators.h"
#include "tegula/frontend/constants/library/OrdinaryCompare.h"

using namespace tegula;
using llvm::StringRef;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

bool AssignmentRunner::assign(const ast::Expr &target, const Object &value,
                              Frame &frame) {
  if (const auto *name = std::get_if<ast::Name>(&target.node)) {
    if (const auto *symbol = value.as<SymbolObject>())
      symbol->nameAfter(name->id);
    frame.scope.bind(name->id, value);
    return true;
  }
  if (const auto *tuple = std::get_if<ast::Tuple>(&target.node))
    return unpack(tuple->elements, value, frame);
  if (const auto *list = std::get_if<ast::List>(&target.node))
    return unpack(list->elements, value, frame);
  if (const auto *subscript = std::get_if<ast::Subscript>(&target.node)) {
    Object container = evaluator.evaluate(*subscript->value, frame);
    const auto *index = std::get_if<ast::ExprPtr>(&subscript->items.front());
    if (container.isStuck() || !index || subscript->items.size() != 1) {
      evaluator.fail(
          container.isStuck()
              ? container
              : stuck("an assignment to a slice is not understood here"));
      return false;
    }
    Object position = evaluator.evaluate(**index, frame);
    if (!position.isStuck())
      return assignItem(container, position, value);
    evaluator.fail(position);
    return false;
  }
  if (const auto *member = std::get_if<ast::Attribute>(&target.node)) {
    Object object = evaluator.evaluate(*member->value, frame);
    if (!object.isStuck())
      return assignAttribute(object, member->name, value);
    evaluator.fail(object);
    return false;
  }
  evaluator.fail(stuck("this assignment is not understood here"));
  return false;
}

bool AssignmentRunner::unpack(const std::vector<ast::ExprPtr> &targets,
                              const Object &value, Frame &frame) {
  Object problem;
  std::optional<std::vector<Object>> elements =
      evaluator.collect(value, problem);
  if (!elements) {
    evaluator.fail(value.is<TupleObject>()
                       ? problem
                       : stuck("cannot unpack " + describe(value)));
    return false;
  }
  size_t star =
      llvm::find_if(targets,
                    [](const ast::ExprPtr &target) {
                      return std::holds_alternative<ast::Starred>(target->node);
                    }) -
      targets.begin();
  bool hasStar = star != targets.size();
  size_t least = targets.size() - hasStar;
  if (elements->size() < least || (!hasStar && elements->size() > least)) {
    evaluator.fail(stuck(llvm::Twine(elements->size()) +
                         " elements do not fit " + llvm::Twine(least) +
                         " names"));
    return false;
  }
  size_t surplus = elements->size() - least;
  auto element = elements->begin();
  for (size_t i = 0; i < targets.size(); ++i) {
    if (!hasStar || i != star) {
      if (!assign(*targets[i], *element++, frame))
        return false;
      continue;
    }
    Object rest = Object::list(std::vector<Object>(element, element + surplus));
    element += surplus;
    const auto &starred = std::get<ast::Starred>(targets[i]->node);
    if (!assign(*starred.value, rest, frame))
      return false;
  }
  return true;
}

bool AssignmentRunner::assignItem(const Object &container, const Object &index,
                                  const Object &value) {
  Object problem;
  if (const auto *dict = container.as<DictObject>()) {
    if (!isHashable(index)) {
      evaluator.fail(stuck(describe(index) + " cannot be the key of a dict"));
      return false;
    }
    if (dict->entries->size() >= EvaluationBudget::maxElements ||
        !evaluator.budget.spend(1 + dict->entries->size() / 8, problem)) {
      evaluator.fail(problem.is<UnusableObject>()
                         ? problem
                         : stuck("the dict is too large"));
      return false;
    }
    auto found = findKey(*dict, index);
    if (found != dict->entries->end())
      found->second = evaluator.lifetimes.retain(value);
    else
      dict->entries->push_back({evaluator.lifetimes.retain(index),
                                evaluator.lifetimes.retain(value)});
    return true;
  }
  const auto *list = container.as<TupleObject>();
  std::optional<int64_t> position = plainValue(index).asInteger();
  if (!list || !list->isList || !position) {
    evaluator.fail(
        stuck("an element of " + describe(container) + " cannot be assigned"));
    return false;
  }
  int64_t size = list->elements->size();
  if (*position < -size || *position >= size) {
    evaluator.fail(stuck("index " + llvm::Twine(*position) +
                         " is out of range for a list of " +
                         llvm::Twine(size)));
    return false;
  }
  (*list->elements)[*position < 0 ? *position + size : *position] =
      evaluator.lifetimes.retain(value);
  return true;
}

bool AssignmentRunner::assignAttribute(const Object &object, StringRef name,
                                       const Object &value) {
  if (auto *instance = asOrdinary<InstanceThing>(object)) {
    const Object *inherited = instance->type->find(name);
    bool isProperty = inherited && asOrdinary<DescriptorThing>(*inherited);
    bool isTuple =
        instance->type->classKind == ClassThing::ClassKind::NamedTuple;
    if (!instance->isClosed && !isProperty && !isTuple) {
      instance->fields[name.str()] = evaluator.lifetimes.retain(value);
      return true;
    }
  }
  const auto *names = object.as<NamespaceObject>();
  if (names && names->names->assign(name, value))
    return true;
  auto *type = asOrdinary<ClassThing>(object);
  if (type && type->classKind == ClassThing::ClassKind::Plain) {
    auto found = type->names.find(name);
    if (found != type->names.end()) {
      found->second = evaluator.lifetimes.retain(value);
      return true;
    }
    type->ownNames.push_back(std::make_unique<std::string>(name.str()));
    type->names[*type->ownNames.back()] = evaluator.lifetimes.retain(value);
    return true;
  }
  evaluator.fail(stuck("the attribute '" + name + "' of " + describe(object) +
                       " cannot be assigned"));
  return false;
}

StatementEnd AssignmentRunner::run(const ast::AugAssign &node, Frame &frame) {
  Object left = evaluator.evaluate(*node.target, frame);
  if (left.isStuck())
    return evaluator.fail(left);
  Object right = evaluator.evaluate(*node.value, frame);
  if (right.isStuck())
    return evaluator.fail(right);
  // Lists, dicts and sets change in place, for all that refer to them.
  const auto *list = left.as<TupleObject>();
  Object result;
  if (list && list->isList && node.op == ast::BinaryOp::Add) {
    Object problem;
    std::optional<std::vector<Object>> more = evaluator.collect(right, problem);
    if (!more || !evaluator.budget.checkSize(
                     list->elements->size() + more->size(), problem))
      return evaluator.fail(problem);
    llvm::append_range(*list->elements, *more);
    result = left;
  } else if (left.is<DictObject>() && right.is<DictObject>() &&
             node.op == ast::BinaryOp::BitOr) {
    auto entries = *right.as<DictObject>()->entries;
    for (const auto &[key, value] : entries)
      if (!assignItem(left, key, value))
        return StatementEnd::Failed;
    result = left;
  } else {
    result = applyBinary(evaluator, node.op, left, right);
    auto *set = asOrdinary<SetThing>(left);
    auto *changed = asOrdinary<SetThing>(result);
    if (set && changed && !set->isFrozen) {
      set->elements = changed->elements;
      result = left;
    } else if (list && list->isList && !result.isStuck()) {
      *list->elements = *result.asTuple();
      result = left;
    }
  }
  if (result.isStuck())
    return evaluator.fail(result);
  return assign(*node.target, result, frame) ? StatementEnd::Next
                                             : StatementEnd::Failed;
}

StatementEnd AssignmentRunner::run(const ast::Delete &node, Frame &frame) {
  for (const ast::ExprPtr &target : node.targets) {
    if (const auto *name = std::get_if<ast::Name>(&target->node)) {
      if (!frame.scope.unbind(name->id))
        return evaluator.fail(stuck("name '" + name->id + "' is not defined"));
      continue;
    }
    const auto *subscript = std::get_if<ast::Subscript>(&target->node);
    const auto *index =
        subscript ? std::get_if<ast::ExprPtr>(&subscript->items.front())
                  : nullptr;
    if (!index)
      return evaluator.fail(stuck("this 'del' is not understood here"));
    Object container = evaluator.evaluate(*subscript->value, frame);
    Object position =
        container.isStuck() ? container : evaluator.evaluate(**index, frame);
    Object element = position.isStuck()
                         ? position
                         : elementOf(evaluator, container, position);
    if (element.isStuck())
      return evaluator.fail(element);
    if (const auto *dict = container.as<DictObject>()) {
      dict->entries->erase(findKey(*dict, position));
      continue;
    }
    const auto *list = container.as<TupleObject>();
    if (!list || !list->isList)
      return evaluator.fail(stuck("this 'del' is not understood here"));
    int64_t offset = *plainValue(position).asInteger();
    list->elements->erase(
        list->elements->begin() +
        (offset < 0 ? offset + list->elements->size() : offset));
  }
  return StatementEnd::Next;
}

StatementEnd AssignmentRunner::run(const ast::Assign &node, Frame &frame) {
  Object value = evaluator.evaluate(*node.value, frame);
  if (value.isStuck())
    return evaluator.fail(value);
  for (const ast::ExprPtr &target : node.targets)
    if (!assign(*target, value, frame))
      return StatementEnd::Failed;
  return StatementEnd::Next;
}

StatementEnd AssignmentRunner::run(const ast::AnnAssign &node, Frame &frame) {
  if (!node.value)
    return StatementEnd::Next;
  Object value = evaluator.evaluate(*node.value, frame);
  if (value.isStuck())
    return evaluator.fail(value);
  return assign(*node.target, value, frame) ? StatementEnd::Next
                                            : StatementEnd::Failed;
}
