// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/evaluator/Iterators.h"
#include "tegula/support/SourceFiles.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;

std::optional<Object> Evaluator::next(IteratorThing &iterator) {
  if (budget.nesting == EvaluationBudget::maxNesting)
    return Object(UnusableObject{"iterators are nested too deeply", {}});
  llvm::SaveAndRestore deeper(budget.nesting, budget.nesting + 1);
  return iterator.next(*this);
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
    elements.push_back(lifetimes.retain(*element));
    if (elements.size() > EvaluationBudget::maxElements) {
      problem = Object(UnusableObject{
          "there are more than " +
              std::to_string(EvaluationBudget::maxElements) + " elements",
          {}});
      return std::nullopt;
    }
    if (!budget.spend(1, problem))
      return std::nullopt;
  }
  return elements;
}

std::optional<std::string> Evaluator::findVariable(llvm::StringRef name) {
  if (!outside)
    return std::nullopt;
  Expected<const std::string *> value = outside->find(("$" + name).str());
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  return *value ? std::optional<std::string>(**value) : std::nullopt;
}
