// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Windows of tensors and tiles as calls ask for them: leading axes of one step
/// may be missing in a shape.

#ifndef TEGULA_FRONTEND_BUILTINS_WINDOWS_H
#define TEGULA_FRONTEND_BUILTINS_WINDOWS_H

#include "tegula/frontend/builtins/BuiltinCall.h"

namespace tegula {

/// A window.
struct CallWindow {
  llvm::SmallVector<mlir::Value> offsets, sizes;
  /// What of it is valid; empty if nothing says so.
  llvm::SmallVector<mlir::Value> valid;
  /// The axes of size 1 that go away.
  llvm::SmallVector<int64_t> drop;

  /// The sizes of the axes that stay.
  llvm::SmallVector<mlir::Value> remainingSizes() const;
};

/// The window of these sizes at the offsets. Where there are fewer sizes they
/// are those of the last axes, and the others go away. Nothing, and an error,
/// if there are more.
std::optional<CallWindow> readWindow(const BuiltinCall &call,
                                     llvm::ArrayRef<mlir::Value> offsets,
                                     llvm::ArrayRef<mlir::Value> sizes,
                                     llvm::ArrayRef<mlir::Value> valid);

/// The part of a tensor or tile in a window. Its type never claims less than
/// the sizes say: filling it up fills up to them.
mlir::Value nominalWindow(const BuiltinCall &call, mlir::Value shaped,
                          const CallWindow &window);

/// The beginning of a tile, as far as `sizes` go; all of it if they are empty.
mlir::Value beginningOf(const BuiltinCall &call, mlir::Value tile,
                        llvm::ArrayRef<mlir::Value> sizes);

/// A tile without its leading axes of extent 1 beyond `rank` axes; null if it
/// has others there.
mlir::Value dropLeading(const BuiltinCall &call, mlir::Value tile,
                        unsigned rank);

/// A tile with its last two axes exchanged; null, and an error, if it has none.
mlir::Value exchangeLast(const BuiltinCall &call, mlir::Value tile);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_WINDOWS_H
