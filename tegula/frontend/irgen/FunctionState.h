// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What all parts of the generator of a function share: what it is made from,
/// and where generation stands. What only one part needs is that part's own.

#ifndef TEGULA_FRONTEND_IRGEN_FUNCTIONSTATE_H
#define TEGULA_FRONTEND_IRGEN_FUNCTIONSTATE_H

#include "tegula/frontend/emit/Emitter.h"
#include "tegula/frontend/irgen/ModuleGenerator.h"
#include "tegula/frontend/irgen/Scope.h"
#include "tegula/frontend/irgen/expressions/LanguageConstructs.h"
#include "tegula/frontend/irgen/loops/LoopTypes.h"
#include <optional>

namespace tegula {

/// A loop around the statement being generated.
struct EnclosingLoop {
  enum class Kind { Sequential, Unrolled, Parallel };
  Kind kind;
  mlir::Location loc;
  /// How the author calls it: "pl.parallel".
  llvm::StringRef shown = "pl.range";
};

/// A function while it is generated.
struct FunctionState {
  FunctionState(ModuleGenerator &module, const KernelFunction &function,
                const std::vector<DeclaredParameter> &parameters,
                const DeclaredSymbols &symbols, LoopTypeTable &loopTypes,
                mlir::func::FuncOp func);

  /// The location of an offset in the source.
  mlir::Location locate(llvm::SMLoc loc) const;
  /// True if a caller of the program calls this function.
  bool isEntry() const;
  /// The name below `pl` that a callee is, without the `pl.`; empty if it is
  /// none.
  std::string languagePath(const ast::Expr &callee) const;
  /// The form of the language that a callee is.
  Construct calleeConstruct(const ast::Expr &callee) const {
    return constructOf(languagePath(callee));
  }

  ModuleGenerator &module;
  const KernelFunction &function;
  const std::vector<DeclaredParameter> &parameters;
  const DeclaredSymbols &symbols;
  LoopTypeTable &loopTypes;
  mlir::func::FuncOp func;

  Emitter emitter;
  Scope scope;
  /// The loops around, the innermost last.
  std::vector<EnclosingLoop> loops;
  /// Where in a grid the function runs.
  GridPosition grid;
  /// The axis that `pl.split_aiv` cuts, counted from the end; 0 if none is.
  unsigned splitAxis = 0;
  /// The loop over the lanes of `pl.split_aiv`; null outside of one.
  mlir::Operation *lanes = nullptr;
  /// Whether the expression just called does something by itself.
  bool lastCallHadEffect = false;
  /// Where the text is that is being evaluated, if it is not the source itself.
  std::optional<mlir::Location> insideText;
  /// What the author called, while a function of the prelude is generated for
  /// it.
  std::optional<std::string> preludeCall;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_FUNCTIONSTATE_H
