// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the code of a matmul depends on: the types of its elements, and what
/// the processor has.

#ifndef TEGULA_BACKENDS_CPU_MATMUL_MATMULVARIANT_H
#define TEGULA_BACKENDS_CPU_MATMUL_MATMULVARIANT_H

#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/matmul/VectorCode.h"

namespace tegula {

/// The elements of one operand, as stored in memory.
struct OperandType {
  mlir::Type element;
  bool isUnsigned = false;
};

/// One way of multiplying. Matmuls of one variant share their code.
struct MatmulVariant {
  OperandType lhs, rhs;
  mlir::Type sum;
  const CpuOptions &options;

  /// Lanes of a vector of accumulators, and the columns of a panel.
  int64_t getLanes() const {
    return options.vectorBits / sum.getIntOrFloatBitWidth();
  }
  int64_t getPanel() const { return options.matmul.vectors * getLanes(); }
  int64_t getAccBytes() const { return sum.getIntOrFloatBitWidth() / 8; }
  mlir::VectorType getVector() const {
    return mlir::VectorType::get(getLanes(), sum);
  }
  /// How many neighbours along the inner axis share a lane: more than one where
  /// the processor multiplies and adds up narrow elements in groups. Panels and
  /// strips hold such groups; they hold elements of accumulators otherwise.
  int64_t getGroup() const;
  mlir::Type getPacked() const;
  mlir::VectorType getPackedVector() const {
    return mlir::VectorType::get(getLanes(), getPacked());
  }
  /// True if 128 is added to the elements of lhs in strips, for groups of bytes
  /// are unsigned there.
  bool hasOffset() const { return getGroup() == 4 && !lhs.isUnsigned; }
  /// lhs * rhs + acc for what is in strips and panels.
  mlir::Value multiplyAdd(VectorCode &code, mlir::Value lhs, mlir::Value rhs,
                          mlir::Value sum) const;
  /// True if elements must become those of accumulators before they are
  /// multiplied.
  bool isWidened(const OperandType &operand) const {
    return operand.element != sum;
  }
  /// A name for what is emitted of this variant.
  std::string getName(llvm::StringRef part) const;

  /// As many elements of the operand as a vector of accumulators has lanes,
  /// those that the mask leaves in or all if it is null, as elements of
  /// accumulators.
  mlir::Value loadVector(VectorCode &code, const OperandType &operand,
                         mlir::Value address, mlir::Value mask) const;
  /// One element of the operand as an element of accumulators.
  mlir::Value loadElement(VectorCode &code, const OperandType &operand,
                          mlir::Value address) const;
  /// What the operand has in memory, as integers where it is narrow.
  mlir::Type getStored(const OperandType &operand) const;
  /// The address of an element of the operand.
  mlir::Value at(VectorCode &code, const OperandType &operand,
                 mlir::Value address, mlir::Value index) const;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_MATMULVARIANT_H
