// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The values that the names of a kernel file have had, in the order of its
/// statements.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULE_MODULEDEFINITIONS_H
#define TEGULA_FRONTEND_CONSTANTS_MODULE_MODULEDEFINITIONS_H

#include "tegula/frontend/constants/Object.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <vector>

namespace tegula {

/// Names and their values, some of which are computed when they are asked for.
class ModuleDefinitions {
public:
  /// A value a name has had.
  struct Definition {
    /// The position of its statement in the body.
    unsigned order;
    Object object = {};
    /// Gives the value; empty if `object` is the value.
    std::function<Object()> compute = {};
    bool isBeingComputed = false;
  };

  void startStatement() { ++order; }
  /// The number of the statement being run.
  unsigned getOrder() const { return order; }

  /// Defines a name in this statement.
  void define(llvm::StringRef name, Object object);
  void define(llvm::StringRef name, std::function<Object()> compute);
  bool erase(llvm::StringRef name) { return definitions.erase(name); }
  bool contains(llvm::StringRef name) const { return definitions.count(name); }

  /// The last value before a statement; null if there is none.
  Definition *findBefore(llvm::StringRef name, unsigned before);
  /// The last value; null if there is none, or it is still to be computed.
  const Object *findLast(llvm::StringRef name) const;
  Object valueOf(llvm::StringRef name, Definition &definition);
  /// Computes what has been left for later.
  void settle();

  /// All names, in any order.
  auto keys() const { return definitions.keys(); }
  /// The names that can be shown in messages, sorted.
  std::vector<llvm::StringRef> listNames() const;

private:
  unsigned order = 0;
  llvm::StringMap<std::vector<Definition>> definitions;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULE_MODULEDEFINITIONS_H
