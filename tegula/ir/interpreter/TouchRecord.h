// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which iteration of an independent loop has touched which element, to find
/// two that touch the same one. Kept only while the interpreter checks that.

#ifndef TEGULA_IR_INTERPRETER_TOUCHRECORD_H
#define TEGULA_IR_INTERPRETER_TOUCHRECORD_H

#include "tegula/ir/ops/PlOps.h"

#include "llvm/ADT/DenseMap.h"

#include <array>

namespace tegula::pl {

/// What an op does to an element. In-place reductions may overlap.
enum class Touch { Read, Write, Add };

/// The touches of one run of one loop.
class TouchRecord {
public:
  explicit TouchRecord(ParallelOp loop) : loop(loop) {}

  /// The next iteration, in which the loop's variable has this value.
  void beginIteration(int64_t variable) { current = variable; }
  /// Fails, with an error at `op`, if another iteration has touched the element
  /// and one of the two writes.
  llvm::LogicalResult add(mlir::Operation *op, Touch touch,
                          const char *element);
  /// The memory is new: what was touched there is gone.
  void forget(const char *begin, const char *end);

private:
  /// An iteration, and where in it.
  struct Site {
    int64_t iteration = 0;
    mlir::Operation *op = nullptr;
  };
  /// Two iterations tell whether there is another than the current one.
  using Sites = std::array<Site, 2>;

  llvm::LogicalResult report(mlir::Operation *op, Touch touch, Touch before,
                             const Site &other) const;

  ParallelOp loop;
  int64_t current = 0;
  /// By element, then by kind of touch.
  llvm::DenseMap<const char *, std::array<Sites, 3>> touched;
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_TOUCHRECORD_H
