// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of Python and of its library that constants may be computed
/// with, and the methods of its types.

#ifndef TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARYBUILTINS_H
#define TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARYBUILTINS_H

#include "tegula/frontend/constants/evaluator/Evaluator.h"

namespace tegula {

/// True for the name of a function or type: "sorted", or dotted below a module,
/// "functools.reduce".
bool isOrdinaryBuiltin(llvm::StringRef name);

/// The module of Python's library of that name, as far as it is known here.
std::optional<Object> ordinaryModule(llvm::StringRef name);

/// What such a function gives; stuck if it has no value for the arguments.
Object callOrdinaryBuiltin(Evaluator &evaluator, llvm::StringRef name,
                           OrdinaryArguments arguments);

/// The functions of the library, without those that need no module.
Object callLibrary(Evaluator &evaluator, llvm::StringRef name,
                   OrdinaryArguments arguments);

/// True if objects of this type have a method of that name.
bool hasOrdinaryMethod(const Object &object, llvm::StringRef name);

/// What a method of `self` gives; stuck if it has no value.
Object callOrdinaryMethod(Evaluator &evaluator, const Object &self,
                          llvm::StringRef name, OrdinaryArguments arguments);
/// The same, by type.
Object callStringMethod(Evaluator &evaluator, llvm::StringRef self,
                        llvm::StringRef name, OrdinaryArguments arguments);
Object callListMethod(Evaluator &evaluator, const TupleObject &self,
                      llvm::StringRef name, OrdinaryArguments arguments);
Object callDictMethod(Evaluator &evaluator, const DictObject &self,
                      llvm::StringRef name, const OrdinaryArguments &arguments);
Object callSetMethod(Evaluator &evaluator, SetThing &self, llvm::StringRef name,
                     const OrdinaryArguments &arguments);

/// A set of these elements, each once.
Object makeSet(Evaluator &evaluator, const std::vector<Object> &elements);

/// `lhs | rhs` and its like.
Object combineSets(Evaluator &evaluator, ast::BinaryOp op, const SetThing &lhs,
                   const SetThing &rhs);

/// `sorted(elements, key=key, reverse=reverse)`.
Object sortElements(Evaluator &evaluator, const std::vector<Object> &elements,
                    OrdinaryArguments arguments);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARYBUILTINS_H
