// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What functions, parameters and dtypes are called elsewhere, in NumPy,
/// PyTorch, Triton and TileLang, and what is written for them here. The one
/// place that knows; docs/coming-from.md is for those who read first.

#ifndef TEGULA_FRONTEND_CONSTANTS_NAMESELSEWHERE_H
#define TEGULA_FRONTEND_CONSTANTS_NAMESELSEWHERE_H

#include "tegula/frontend/constants/Object.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tegula {

/// Functions or methods of other systems, separated by spaces, and what is
/// written here.
struct NamesElsewhere {
  llvm::StringLiteral names;
  llvm::StringLiteral here;
};

/// Every function that has another name elsewhere.
llvm::ArrayRef<NamesElsewhere> listNamesElsewhere();

/// What is written for a function or a method of another system; empty if
/// nothing is known of it.
llvm::StringRef writtenHere(llvm::StringRef name);

/// True for a function of other systems that has nothing like it here.
bool isOnlyElsewhere(llvm::StringRef name);

/// What is written for a constant of other systems: `pi`, `newaxis`.
llvm::StringRef constantHere(llvm::StringRef name);

/// What to write instead of what modules of other systems are usually called,
/// such as np, torch and tl, as the end of a message; empty for other names.
llvm::StringRef suggestModule(llvm::StringRef name);

/// What a parameter that a function does not have is called among those it has,
/// as "; did you mean 'axis'?"; empty if nothing is near.
std::string nearestParameter(llvm::StringRef name,
                             llvm::ArrayRef<llvm::StringRef> parameters);

/// The dtype that `pl.<name>` may mean, as the end of a message; empty if it is
/// not like one.
std::string suggestDtype(llvm::StringRef name);

/// The message for what stands where a dtype is wanted, with the dtype that may
/// be meant.
std::string notADtype(const Object &object);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_NAMESELSEWHERE_H
