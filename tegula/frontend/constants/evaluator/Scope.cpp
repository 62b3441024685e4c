// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/Scope.h"

using namespace tegula;
using llvm::StringRef;

std::optional<Object> Scope::find(StringRef name) {
  auto found = names.find(name);
  if (found != names.end())
    return found->second;
  if (locals && locals->count(name))
    return Object(UnusableObject{
        ("'" + name + "' is used before it is assigned").str(), {}});
  // What stands in a class is not seen from its methods.
  Scope *next = around;
  while (next && next->kind == Kind::Class)
    next = next->around;
  return next ? next->find(name) : std::nullopt;
}
