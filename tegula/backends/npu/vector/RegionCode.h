// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The code of a vector region for a RISC-V core: the loop over one row, made
/// of vectors by LLVM with a chosen number of registers to the vector.

#ifndef TEGULA_BACKENDS_NPU_VECTOR_REGIONCODE_H
#define TEGULA_BACKENDS_NPU_VECTOR_REGIONCODE_H

#include "tegula/backends/npu/vector/VectorCore.h"
#include "tegula/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace tegula {

/// One row function, ready to be compiled.
class RegionCode {
public:
  /// From what makeRowFunction made, which is lowered by this. The core has to
  /// outlive what is returned.
  [[nodiscard]] static Expected<RegionCode> make(mlir::ModuleOp row,
                                                 const VectorCore &core);

  /// How many registers a vector can have, counted in the widest elements of a
  /// iteration: LLVM makes no vectors of one element to 64 bits.
  llvm::ArrayRef<unsigned> getChoices() const;

  /// The function with vectors of `lmul` registers.
  static std::string getFunctionName(unsigned lmul);

  /// Machine code of the functions for all choices, in their order. The last
  /// iteration of each takes the elements that are left; there is no other
  /// loop.
  [[nodiscard]] Expected<std::string> emit(llvm::CodeGenFileType type) const;

private:
  RegionCode(const VectorCore &core) : core(&core) {}

  const VectorCore *core;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  unsigned widestBits = 8;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_VECTOR_REGIONCODE_H
