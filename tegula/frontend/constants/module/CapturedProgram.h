// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A Program as the front end sees it: each block is parsed when something
/// refers to it, and the names in it stand for what was captured.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULE_CAPTUREDPROGRAM_H
#define TEGULA_FRONTEND_CONSTANTS_MODULE_CAPTUREDPROGRAM_H

#include "tegula/frontend/constants/module/KernelFiles.h"
#include "tegula/launch/call/Program.h"
#include <memory>
#include <vector>

namespace tegula {

class CapturedNames;

/// The functions of a Program.
class CapturedProgram {
public:
  /// `program` and `reporter` outlive it.
  CapturedProgram(mlir::MLIRContext &context, const Program &program,
                  Reporter &reporter);
  ~CapturedProgram();

  /// The function that is called from outside; null after an error.
  const KernelFunction *findEntry();

  /// What a captured value is for the front end.
  Object toObject(const CapturedValue &value);

private:
  /// A block, once it has been parsed.
  struct Parsed;

  /// Parses a block, unless that has been done.
  Parsed &parse(size_t index);
  void readFunction(Parsed &parsed, const ProgramBlock &block,
                    const ast::FunctionDef &definition);
  void readClass(Parsed &parsed, const ast::ClassDef &definition);
  const KernelFunction *findMethod(Parsed &parsed);
  Object toSymbol(const CapturedValue &value);
  Object toFunction(const CapturedValue &value);

  mlir::MLIRContext &context;
  const Program &program;
  Reporter &reporter;
  /// What classes ask for imports; a captured program has none.
  KernelFiles files;
  std::vector<std::unique_ptr<Parsed>> blocks;
  std::vector<std::shared_ptr<Symbol>> symbols;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULE_CAPTUREDPROGRAM_H
