// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/ComprehensionLoops.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/evaluator/Iterators.h"
#include "tegula/frontend/constants/evaluator/Operators.h"
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"

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
  if (!evaluator.budget.spend(1, problem))
    return problem;
  if (!evaluator.assign(*clause.target, *element, frame))
    return evaluator.getFailure();
  for (const ast::ExprPtr &condition : clause.conditions) {
    Object value = evaluator.evaluate(*condition, frame);
    if (value.isStuck())
      return value;
    isSelected &= isTrue(value, problem);
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
      elements.push_back(evaluator.lifetimes.retain(element));
      if (elements.size() > EvaluationBudget::maxElements)
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

Object tegula::evaluateComprehension(Evaluator &evaluator,
                                     const ast::Comprehension &node,
                                     Frame &frame) {
  // The first iterable belongs to the code around.
  Object first = evaluator.evaluate(*node.clauses.front().iter, frame);
  if (first.isStuck())
    return first;
  Object problem;
  std::shared_ptr<IteratorThing> iterator = evaluator.iterate(first, problem);
  if (!iterator)
    return problem;
  return evaluator.lifetimes.inScope(
      Scope::Kind::Comprehension, &frame.scope, [&](Scope &scope) {
        auto loops =
            std::make_shared<Loops>(node, scope, frame, std::move(iterator));
        if (node.kind != Kind::Generator)
          return gather(evaluator, node, *loops);
        // It runs when it is asked, with the names it sees now.
        for (Scope *kept = &scope; kept; kept = kept->getAround())
          kept->isCaptured = true;
        return evaluator.lifetimes.retain(Object(OrdinaryObject{loops}));
      });
}
