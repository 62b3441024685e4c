// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loads, stores, windows, single elements.

#ifndef TEGULA_FRONTEND_EMIT_MEMORYEMITTER_H
#define TEGULA_FRONTEND_EMIT_MEMORYEMITTER_H

#include "tegula/frontend/emit/EmitterPart.h"

namespace tegula {

class MemoryEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  /// The tile of a tensor (loaded here) or a tile; null for anything else.
  mlir::Value toTile(mlir::Location loc, const Object &object);
  /// A window of a tensor (a view) or a tile (a value); axes in `drop` have
  /// size 1 and go away.
  mlir::Value window(mlir::Location loc, mlir::Value shaped,
                     llvm::ArrayRef<mlir::Value> offsets,
                     llvm::ArrayRef<mlir::Value> sizes,
                     llvm::ArrayRef<int64_t> drop);
  Object read(mlir::Location loc, mlir::Value shaped,
              llvm::ArrayRef<mlir::Value> indices);
  /// Writes a tile, scalar or number to a whole tensor view.
  void store(mlir::Location loc, const Object &value, mlir::Value target);
  void write(mlir::Location loc, const Object &value, mlir::Value target,
             llvm::ArrayRef<mlir::Value> indices);
  /// A tile with a window of it replaced by a tile, scalar or number.
  Object insert(mlir::Location loc, const Object &value, mlir::Value target,
                llvm::ArrayRef<mlir::Value> offsets,
                llvm::ArrayRef<mlir::Value> sizes,
                llvm::ArrayRef<int64_t> drop);
  /// True if the tensor may be written; otherwise says what to declare.
  bool checkWritable(mlir::Location loc, mlir::Value tensor);

private:
  bool isInside(mlir::Location loc, mlir::Value shaped, unsigned axis,
                mlir::Value offset);
  void sharpen(mlir::Location loc, mlir::Value shaped,
               llvm::ArrayRef<mlir::Value> offsets,
               llvm::ArrayRef<mlir::Value> sizes, mlir::Value part);
  mlir::Value checkedIndex(mlir::Location loc, mlir::Value position,
                           mlir::Value tile, unsigned axis);
  mlir::Value storable(mlir::Location loc, const Object &value,
                       mlir::Type element);
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_MEMORYEMITTER_H
