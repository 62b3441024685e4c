// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Passes that LLVM would run when it makes code, and that take time for
/// nothing here.

#ifndef TEGULA_BACKENDS_CPU_PASSESLEFTOUT_H
#define TEGULA_BACKENDS_CPU_PASSESLEFTOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/OptBisect.h"

namespace tegula {

/// What LLVM calls them when it asks.
llvm::ArrayRef<llvm::StringLiteral> getPassesLeftOut();

/// While it lives, code is made of the context's functions without them.
class PassesLeftOut : public llvm::OptPassGate {
public:
  explicit PassesLeftOut(llvm::LLVMContext &context);
  ~PassesLeftOut() override;

  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef passName,
                     llvm::StringRef description) const override;

private:
  llvm::LLVMContext &context;
  llvm::OptPassGate &before;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_PASSESLEFTOUT_H
