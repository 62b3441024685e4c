// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What keeps an evaluation finite: its steps, sizes and depth are limited.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_EVALUATIONBUDGET_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_EVALUATIONBUDGET_H

#include "tegula/frontend/constants/Object.h"

namespace tegula {

/// How much has been done, and how much may be done.
class EvaluationBudget {
public:
  /// Every expression and statement is a step.
  static constexpr uint64_t maxSteps = 2'000'000;
  /// All statements of a program together.
  static constexpr uint64_t maxTotalSteps = 10'000'000;
  /// No list, dict, set or string is longer.
  static constexpr uint64_t maxElements = 1 << 20;
  static constexpr uint64_t maxCharacters = 1 << 24;
  /// Calls in calls, and expressions in them.
  static constexpr unsigned maxCalls = 120;
  static constexpr unsigned maxNesting = 2500;

  /// Starts a new count of steps.
  void startStatement() { steps = 0; }
  /// Counts steps; stuck if there are too many.
  bool spend(uint64_t count, Object &problem);
  bool checkSize(uint64_t size, Object &problem);
  /// Stuck if lists are nested so deep, or are so many, that looking at all of
  /// them takes too long.
  bool isModest(const Object &object, Object &problem);

  /// How deep calls and expressions are at the moment.
  unsigned numCalls = 0, nesting = 0;

private:
  uint64_t steps = 0, totalSteps = 0;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_EVALUATIONBUDGET_H
