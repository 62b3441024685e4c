// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who owns what an evaluation makes.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_OBJECTLIFETIMES_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_OBJECTLIFETIMES_H

#include "tegula/frontend/constants/evaluator/Scope.h"
#include <memory>
#include <vector>

namespace tegula {

/// Objects and scopes that live until the end of an evaluation.
class ObjectLifetimes {
public:
  ObjectLifetimes() = default;
  ~ObjectLifetimes();
  ObjectLifetimes(const ObjectLifetimes &) = delete;
  ObjectLifetimes &operator=(const ObjectLifetimes &) = delete;

  /// Keeps what one object holds of another until the end: lists may be nested
  /// deeper than can be given up one in another, and may hold themselves.
  const Object &retain(const Object &object);
  void retain(std::unique_ptr<Scope> scope) {
    scopes.push_back(std::move(scope));
  }

  /// A scope that lives as long as the program if something keeps it.
  template <typename Run>
  auto inScope(Scope::Kind kind, Scope *around, Run run) {
    auto scope = std::make_unique<Scope>(kind, around);
    auto result = run(*scope);
    if (scope->isCaptured)
      retain(std::move(scope));
    return result;
  }

private:
  std::vector<std::unique_ptr<Scope>> scopes;
  std::vector<Object> objects;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_OBJECTLIFETIMES_H
