// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comprehensions, and generators, which are the same one element at a time.
#include "tegula/frontend/constants/Evaluator.h"
#include "tegula/frontend/constants/Iterators.h"
#include "tegula/frontend/constants/OrdinaryBuiltins.h"

using namespace tegula;
using Kind = ast::Comprehension::Kind;

namespace {

/// The loops of a comprehension, which run until the next element is found.
class Loops : public IteratorThing {
public:
  Loops(const ast::Comprehension &node, Scope &scope, const Frame &around,
        std::shared_ptr<IteratorThing> first)
      : node(node),
        frame{scope, around.source, around.module, around.function} {
    iterators.push_back(std::move(first));
  }

  void clear() override { iterators.clear(); }

  std::optional<Object> next(Evaluator &evaluator) override {
    std::optional<Object> found = advance(evaluator);
    if (!found || found->isStuck())
      return found;
    return evaluator.evaluate(*node.element, frame);
  }

  /// Goes to the next element: None if there is one, nothing at the end.
  std::optional<Object> advance(Evaluator &evaluator);
  Frame &getFrame() { return frame; }

private:
  std::optional<Object> enter(Evaluator &evaluator, bool &isSelected);

  const ast::Comprehension &node;
  Frame frame;
  std::vector<std::shared_ptr<IteratorThing>> iterators;
};

} // namespace

/// Takes the next element of the innermost loop and asks its conditions.
std::optional<Object> Loops::enter(Evaluator &evaluator, bool &isSelected) {
  const ast::ForClause &clause = node.clauses[iterators.size() - 1];
  std::optional<Object> element = evaluator.next(*iterators.back());
  if (!element || element->isStuck())
    return element;
  Object problem = Object::none();
  if (!evaluator.spend(1, problem))
    return problem;
  if (!evaluator.assign(*clause.target, *element, frame))
    return evaluator.getFailure();
  for (const ast::ExprPtr &condition : clause.conditions) {
    Object value = evaluator.evaluate(*condition, frame);
    if (value.isStuck())
      return value;
    isSelected &= evaluator.isTrue(value, problem);
    if (problem.isStuck() || !isSelected)
      break;
  }
  return problem;
}

std::optional<Object> Loops::advance(Evaluator &evaluator) {
  while (!iterators.empty()) {
    bool isSelected = true;
    std::optional<Object> entered = enter(evaluator, isSelected);
    if (entered && entered->isStuck())
      return entered;
    if (!entered) {
      iterators.pop_back();
      continue;
    }
    if (!isSelected)
      continue;
    if (iterators.size() == node.clauses.size())
      return Object::none();
    Object inner =
        evaluator.evaluate(*node.clauses[iterators.size()].iter, frame);
    if (inner.isStuck())
      return inner;
    Object problem;
    auto iterator = evaluator.iterate(inner, problem);
    if (!iterator)
      return problem;
    iterators.push_back(std::move(iterator));
  }
  return std::nullopt;
}

/// Runs the loops to their end.
static Object gather(Evaluator &evaluator, const ast::Comprehension &node,
                     Loops &loops) {
  std::vector<Object> elements;
  Object dict = Object::dict({});
  while (std::optional<Object> found = loops.advance(evaluator)) {
    if (found->isStuck())
      return *found;
    Object element = evaluator.evaluate(*node.element, loops.getFrame());
    if (element.isStuck())
      return element;
    if (node.kind != Kind::Dict) {
      elements.push_back(evaluator.retain(element));
      if (elements.size() > Evaluator::maxElements)
        return Object(UnusableObject{"the list is too long", {}});
      continue;
    }
    Object value = evaluator.evaluate(*node.value, loops.getFrame());
    if (value.isStuck())
      return value;
    if (!evaluator.assignItem(dict, element, value))
      return evaluator.getFailure();
  }
  if (node.kind == Kind::Dict)
    return dict;
  return node.kind == Kind::List ? Object::list(std::move(elements))
                                 : makeSet(evaluator, elements);
}

Object Evaluator::visit(const ast::Comprehension &node, const ast::Expr &,
                        Frame &frame) {
  // The first iterable belongs to the code around.
  Object first = evaluate(*node.clauses.front().iter, frame);
  if (first.isStuck())
    return first;
  Object problem;
  std::shared_ptr<IteratorThing> iterator = iterate(first, problem);
  if (!iterator)
    return problem;
  return inScope(Scope::Kind::Comprehension, &frame.scope, [&](Scope &scope) {
    auto loops =
        std::make_shared<Loops>(node, scope, frame, std::move(iterator));
    if (node.kind != Kind::Generator)
      return gather(*this, node, *loops);
    // It runs when it is asked, with the names it sees now.
    for (Scope *kept = &scope; kept; kept = kept->getAround())
      kept->isCaptured = true;
    return retain(Object(OrdinaryObject{loops}));
  });
}

std::shared_ptr<IteratorThing> Evaluator::iterate(const Object &object,
                                                  Object &problem) {
  return iteratorOver(object, problem);
}

std::optional<std::vector<Object>> Evaluator::collect(const Object &object,
                                                      Object &problem) {
  std::shared_ptr<IteratorThing> iterator = iterate(object, problem);
  if (!iterator)
    return std::nullopt;
  std::vector<Object> elements;
  while (std::optional<Object> element = next(*iterator)) {
    if (element->isStuck()) {
      problem = *element;
      return std::nullopt;
    }
    elements.push_back(retain(*element));
    if (elements.size() > maxElements) {
      problem = Object(UnusableObject{
          "there are more than " + std::to_string(maxElements) + " elements",
          {}});
      return std::nullopt;
    }
    if (!spend(1, problem))
      return std::nullopt;
  }
  return elements;
}
