// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `pl.space`: the memory that an author asks for, on the op that makes the
/// tile or the tensor. No result depends on it, so it is not part of types;
/// whoever makes an op that stands for another says with keepSpace that it
/// does.

#ifndef TEGULA_IR_OPS_ATTRIBUTES_SPACEATTRIBUTE_H
#define TEGULA_IR_OPS_ATTRIBUTES_SPACEATTRIBUTE_H

#include "tegula/ir/ops/PlDialect.h"

namespace tegula::pl {

/// The memory that is asked for; null if none is.
MemorySpaceAttr getSpaceAttr(mlir::Operation *op);

/// Asks for a memory, or no longer, if it is null.
void setSpaceAttr(mlir::Operation *op, MemorySpaceAttr space);

/// What takes the place of `like`, or of a part of it, in the memory that is
/// asked for there: `tile` itself, which was just made and has the attribute
/// now, or a move of it if it comes out of a region or lies elsewhere.
mlir::Value keepSpace(mlir::OpBuilder &builder, mlir::Value like,
                      mlir::Value tile);

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_ATTRIBUTES_SPACEATTRIBUTE_H
