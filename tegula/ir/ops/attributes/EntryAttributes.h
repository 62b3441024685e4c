// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a function says besides its types: what an entry was specialised on and
/// why, what it returns, and the level it is made for.

#ifndef TEGULA_IR_OPS_ATTRIBUTES_ENTRYATTRIBUTES_H
#define TEGULA_IR_OPS_ATTRIBUTES_ENTRYATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tegula::pl {

/// On an argument that the program needs as a constant: the bits of its value,
/// an i64. The argument itself is not used.
inline constexpr llvm::StringLiteral constantAttrName = "pl.constant";
/// On an index argument of a core function: its least and its greatest value,
/// as far as they are known; INT64_MIN and INT64_MAX where they are not.
inline constexpr llvm::StringLiteral rangeAttrName = "pl.range";
/// On an argument: why it, or an axis of it, is specialised.
inline constexpr llvm::StringLiteral reasonAttrName = "pl.reason";
/// On a tensor argument: the axes for which an extent of 1 is another program.
inline constexpr llvm::StringLiteral notOneAttrName = "pl.not_one";
/// On an entry: the numbers of the arguments that it returns.
inline constexpr llvm::StringLiteral resultsAttrName = "pl.results";
/// On a function: the level of the machine that it is made for.
inline constexpr llvm::StringLiteral levelAttrName = "pl.level";
/// On a function: the part it has among those of its level, as its author says.
inline constexpr llvm::StringLiteral roleAttrName = "pl.role";
/// On an entry: tensors that it makes start as zeros.
inline constexpr llvm::StringLiteral debugAttrName = "pl.debug";
/// On an entry: what is a warning elsewhere is an error.
inline constexpr llvm::StringLiteral strictAttrName = "pl.strict";

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_ATTRIBUTES_ENTRYATTRIBUTES_H
