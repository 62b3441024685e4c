// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How Python writes objects: `str`, `repr` and format specifications.

#ifndef TEGULA_FRONTEND_CONSTANTS_LIBRARY_PYTHONTEXT_H
#define TEGULA_FRONTEND_CONSTANTS_LIBRARY_PYTHONTEXT_H

#include "tegula/frontend/constants/Object.h"
#include "llvm/ADT/StringRef.h"

namespace tegula {

/// The characters of a string, each of one byte or several.
std::vector<llvm::StringRef> splitCharacters(llvm::StringRef text);

/// `repr(object)` and `str(object)`; nothing if its text is not known here.
std::optional<std::string> reprOf(const Object &object);
std::optional<std::string> textOf(const Object &object);

/// `format(object, spec)`: a string, or an UnusableObject.
Object formatObject(const Object &object, llvm::StringRef spec);

/// A number rounded as `round(value, digits)` does.
double roundToDigits(double value, int64_t digits);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_LIBRARY_PYTHONTEXT_H
