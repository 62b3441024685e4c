// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The instructions of a row function, in three parts: before its loop, one
/// iteration of it, and after it.

#ifndef TEGULA_BACKENDS_NPU_VECTOR_LOOPCODE_H
#define TEGULA_BACKENDS_NPU_VECTOR_LOOPCODE_H

#include "tegula/backends/npu/vector/VectorCore.h"
#include "tegula/support/Error.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <memory>
#include <vector>

namespace tegula {

/// What LLVM knows about the instructions of a core.
struct CoreTables {
  explicit CoreTables(const VectorCore &core);

  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> syntax;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
};

/// A row function's code, taken apart.
struct LoopCode {
  std::vector<llvm::MCInst> before;
  std::vector<llvm::MCInst> iteration;
  std::vector<llvm::MCInst> after;
  /// Elements of an iteration, all but the last.
  unsigned iterationElements;
  /// Holds what instructions refer to.
  std::shared_ptr<llvm::MCContext> context;
};

/// Finds the loop of each of the `functions` that `assembly` consists of, in
/// their order. Calls, a loop without vectors, branches in the loop and a
/// second loop are errors.
[[nodiscard]] Expected<std::vector<LoopCode>>
findLoops(llvm::StringRef assembly, llvm::ArrayRef<std::string> functions,
          const VectorCore &core, const CoreTables &tables);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_VECTOR_LOOPCODE_H
