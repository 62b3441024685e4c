// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which index arithmetic gives what it would give without a limit to numbers.
/// What is computed from sizes and numbers of the call does in every call that
/// the guard lets through, because the guard computes its range; what depends
/// on data wraps around where it may, and nothing is concluded from it.

#ifndef TEGULA_IR_EXTENTS_EXACTARITHMETIC_H
#define TEGULA_IR_EXTENTS_EXACTARITHMETIC_H

#include "tegula/support/Int64Range.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula::pl {

/// Finds ranges, looking at each value once.
class ExactArithmetic {
public:
  /// True if the op that computes the value does not leave 64 bits in any call
  /// that the guard lets through.
  bool isExact(mlir::Value index) { return find(index).isExact; }
  /// True if no op that the value is computed from leaves 64 bits.
  bool isExactThroughout(mlir::Value index) {
    return find(index).isExactThroughout;
  }
  /// The program that the guard asks for the range of a value.
  ExtentProgram programOf(mlir::Value index);
  /// The program for one step beyond the end of a loop.
  ExtentProgram programOfEnd(mlir::Value upper, mlir::Value step);

private:
  struct Found {
    /// For the smallest sizes there are.
    Int64Range range = {};
    bool isExact = true, isExactThroughout = true;
    /// What the program takes: steps, and numbers at once.
    unsigned steps = 3, room = 2;
  };

  Found find(mlir::Value index);
  Found compute(mlir::Value index);
  void addSteps(ExtentProgram &program, mlir::OpFoldResult part);

  llvm::DenseMap<mlir::Value, Found> known;
  unsigned depth = 0;
};

/// Something that the guard has to look at: an op, the program whose range must
/// fit 64 bits, and whether it is a loop rather than arithmetic.
struct CheckedArithmetic {
  mlir::Operation *op;
  ExtentProgram program;
  bool isLoop;
};

/// The index arithmetic in `root` whose range the guard has to look at, and the
/// ends of loops: not what is part of another such computation, nor what fits
/// whatever the sizes are.
std::vector<CheckedArithmetic> findCheckedArithmetic(mlir::Operation *root);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_EXACTARITHMETIC_H
