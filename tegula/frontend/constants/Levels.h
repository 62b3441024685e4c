// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The levels of the machine as authors name them.

#ifndef TEGULA_FRONTEND_CONSTANTS_LEVELS_H
#define TEGULA_FRONTEND_CONSTANTS_LEVELS_H

#include "tegula/frontend/constants/Object.h"
#include "tegula/ir/ops/PlDialect.h"
#include <optional>

namespace tegula {

/// `pl.Level.CORE_GROUP` and the like; nothing if it is something else.
std::optional<pl::Level> levelOf(const Object &object);

/// The level that `pl.FunctionType.AIV` and the like are made for; nothing if
/// the type names none.
std::optional<pl::Level> levelOfType(const Object &object);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_LEVELS_H
