// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// RISC-V cores with vectors that LLVM can compile for and knows the timing of.

#ifndef TEGULA_BACKENDS_NPU_VECTOR_VECTORCORE_H
#define TEGULA_BACKENDS_NPU_VECTOR_VECTORCORE_H

#include "tegula/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace tegula {

/// One core. Nothing of it changes once it is made, so threads share it.
class VectorCore {
public:
  /// The core that LLVM calls `name`. One that is unknown, has no vectors or
  /// no scheduling model is an error that lists those that can be had.
  [[nodiscard]] static Expected<std::shared_ptr<const VectorCore>>
  find(llvm::StringRef name);

  const std::string &getName() const { return name; }

  /// Bits of a vector register: the model's, and no others.
  unsigned getRegisterBits() const { return registerBits; }

  /// Whether the core has an extension, by LLVM's name: "zvfhmin".
  bool has(llvm::StringRef feature) const;

  const llvm::Target &getTarget() const { return target; }
  const llvm::Triple &getTriple() const { return triple; }
  const llvm::MCSubtargetInfo &getSubtarget() const { return *subtarget; }

  /// What makes code for the core; of one thread only.
  std::unique_ptr<llvm::TargetMachine> createTargetMachine() const;

private:
  VectorCore(llvm::StringRef name, const llvm::Target &target,
             const llvm::Triple &triple,
             std::unique_ptr<llvm::MCSubtargetInfo> subtarget);

  std::string name;
  const llvm::Target &target;
  llvm::Triple triple;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  unsigned registerBits;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_VECTOR_VECTORCORE_H
