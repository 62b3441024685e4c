// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `x[a:b, i, ...]`: views of tensors, windows of tiles, elements of tuples.

#ifndef TEGULA_FRONTEND_IRGEN_EXPRESSIONS_SUBSCRIPTS_H
#define TEGULA_FRONTEND_IRGEN_EXPRESSIONS_SUBSCRIPTS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Expressions;

/// A part of a tensor or tile.
struct Window {
  llvm::SmallVector<mlir::Value> offsets, sizes;
  /// Axes of size 1 that go away.
  llvm::SmallVector<int64_t> drop;
  /// Where each axis is spoken of.
  llvm::SmallVector<mlir::Location> locations;
  bool isWhole = true;
  /// The axes of what is read that `None` stands for: they are new, of extent
  /// 1.
  llvm::SmallVector<unsigned> added;
};

/// Reads subscripts.
class Subscripts : FunctionPart {
public:
  Subscripts(FunctionState &state, Expressions &expressions)
      : FunctionPart(state), expressions(expressions) {}

  Object evaluate(const ast::Subscript &node, mlir::Location loc);
  /// The window of a tensor or tile that a subscript means; false after a
  /// mistake.
  bool readWindow(const ast::Subscript &node, mlir::Value shaped,
                  mlir::Location loc, Window &window);
  /// The index into an array of tasks. There is nothing in it to read, but a
  /// wrong index is a mistake all the same.
  bool readTaskIndex(const ast::Subscript &node, int64_t count,
                     mlir::Location loc);

private:
  Object withNewAxes(const Object &read, const Window &window,
                     mlir::Location loc);
  /// What stands between the commas; nothing for slices.
  std::vector<std::optional<Object>> evaluateItems(const ast::Subscript &node);
  bool readIndex(const Object &position, mlir::Location loc, mlir::Value shaped,
                 unsigned axis, Window &window);
  bool readSlice(const ast::Slice &slice, mlir::Value shaped, unsigned axis,
                 Window &window);
  mlir::Value fromEnd(const Object &position, mlir::Value shaped, unsigned axis,
                      mlir::Location loc, llvm::StringRef what);
  mlir::Value sliceBound(const Object &position, mlir::Value shaped,
                         unsigned axis, mlir::Location loc,
                         llvm::StringRef what);
  mlir::Value sliceSize(const Object &lower, const Object &upper,
                        mlir::Value start, mlir::Value stop,
                        mlir::Location loc);

  Expressions &expressions;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_EXPRESSIONS_SUBSCRIPTS_H
