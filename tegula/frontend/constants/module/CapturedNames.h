// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names that one block of a captured program uses.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULE_CAPTUREDNAMES_H
#define TEGULA_FRONTEND_CONSTANTS_MODULE_CAPTUREDNAMES_H

#include "tegula/frontend/constants/module/CapturedProgram.h"
#include "llvm/ADT/StringMap.h"

namespace tegula {

/// Answers from the names of a block. Of a module or an object only the dotted
/// names that the block uses are known.
class CapturedNames : public Environment {
public:
  CapturedNames(CapturedProgram &program, const ProgramBlock &block)
      : program(program), block(block) {}

  std::optional<Object> lookup(llvm::StringRef name) override;

private:
  std::optional<Object> find(llvm::StringRef name);

  CapturedProgram &program;
  const ProgramBlock &block;
  llvm::StringMap<std::optional<Object>> known;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULE_CAPTUREDNAMES_H
