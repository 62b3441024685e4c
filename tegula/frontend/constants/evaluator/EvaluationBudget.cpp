// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/EvaluationBudget.h"
#include "tegula/frontend/constants/library/Ordinary.h"

using namespace tegula;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

bool EvaluationBudget::spend(uint64_t count, Object &problem) {
  steps += count;
  totalSteps += count;
  if (steps <= maxSteps && totalSteps <= maxTotalSteps)
    return true;
  problem = stuck("it takes more than " +
                  llvm::Twine(steps > maxSteps ? maxSteps : maxTotalSteps) +
                  " steps");
  return false;
}

bool EvaluationBudget::checkSize(uint64_t size, Object &problem) {
  if (size <= maxElements)
    return spend(size, problem);
  problem = stuck("it has " + llvm::Twine(size) + " elements, at most " +
                  llvm::Twine(maxElements) + " are taken");
  return false;
}

/// Counts what an object holds, at most `left` of it.
static bool countElements(const Object &object, unsigned depth,
                          uint64_t &left) {
  if (depth > 100 || left == 0)
    return false;
  --left;
  if (const auto *tuple = object.as<TupleObject>())
    return llvm::all_of(*tuple->elements, [&](const Object &element) {
      return countElements(element, depth + 1, left);
    });
  if (const auto *dict = object.as<DictObject>())
    return llvm::all_of(*dict->entries, [&](const auto &entry) {
      return countElements(entry.first, depth + 1, left) &&
             countElements(entry.second, depth + 1, left);
    });
  if (const auto *set = asOrdinary<SetThing>(object))
    return llvm::all_of(set->elements, [&](const Object &element) {
      return countElements(element, depth + 1, left);
    });
  if (const auto *instance = asOrdinary<InstanceThing>(object))
    return llvm::all_of(instance->fields, [&](const auto &field) {
      return countElements(field.second, depth + 1, left);
    });
  return true;
}

bool EvaluationBudget::isModest(const Object &object, Object &problem) {
  uint64_t left = maxElements;
  if (countElements(object, 0, left))
    return spend(maxElements - left, problem);
  problem = stuck("it is nested too deeply, or too large");
  return false;
}
