// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The stages that a kernel takes on its way to every target. What follows them
/// is the target's own and has a name only.

#ifndef TEGULA_TRANSFORMS_STAGE_H
#define TEGULA_TRANSFORMS_STAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace tegula {

/// In the order in which they are reached.
enum class Stage : uint8_t {
  /// As the front end makes it.
  Frontend,
  /// One function per entry, extents resolved to symbols, accesses checked.
  Inferred,
  /// Bounded tiles only, each op on them in one core region, parallel loops
  /// proved.
  Tiles,
  /// Core regions are functions that are launched.
  Outlined
};

/// All of them, in order.
llvm::ArrayRef<Stage> listCommonStages();

llvm::StringRef getName(Stage stage);

/// The stage of that name, if it is one of these.
std::optional<Stage> findCommonStage(llvm::StringRef name);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_STAGE_H
