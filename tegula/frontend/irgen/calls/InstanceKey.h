// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What tells the copies of a helper apart: the types of the run-time values it
/// is called with, and everything else that it is called with by value.

#ifndef TEGULA_FRONTEND_IRGEN_CALLS_INSTANCEKEY_H
#define TEGULA_FRONTEND_IRGEN_CALLS_INSTANCEKEY_H

#include "tegula/frontend/constants/Object.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula {

/// Writes a text that is equal for equal constants and types only. Dicts and
/// tuples are told apart by what is in them. Functions, namespaces and symbols
/// are by where they are, so whoever keeps the text keeps the object as well.
void printInstanceKey(const Object &object, llvm::raw_ostream &os);

/// True if a dict in it holds a run-time value, which is then neither handed to
/// a function nor out of it: only tuples are taken apart.
bool hasValueInDict(const Object &object);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_CALLS_INSTANCEKEY_H
