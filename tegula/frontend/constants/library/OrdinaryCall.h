// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A call of one of Python's own functions, and where each of them is found;
/// use OrdinaryBuiltins.h.

#ifndef TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARYCALL_H
#define TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARYCALL_H

#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"

namespace tegula {

/// One call of a function of Python.
struct OrdinaryCall {
  Evaluator &evaluator;
  llvm::StringRef name;
  OrdinaryArguments arguments;
  /// Why `elements` has none.
  Object problem = Object::none();

  size_t size() const { return arguments.positional.size(); }
  const Object &operator[](size_t index) const {
    return arguments.positional[index];
  }
  /// What to say of arguments that the function does not take.
  Object wrong() const;
  /// All elements of the argument at `index`.
  std::optional<std::vector<Object>> elements(size_t index) {
    return evaluator.collect(arguments.positional[index], problem);
  }
};

using OrdinaryFunction = Object (*)(OrdinaryCall &);

/// The function of that name, or null.
OrdinaryFunction findSequencesFunction(llvm::StringRef name);
OrdinaryFunction findNumbersFunction(llvm::StringRef name);
OrdinaryFunction findObjectsFunction(llvm::StringRef name);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARYCALL_H
