// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Generates a module: one entry, and every function it calls once for each
/// combination of argument types and constants it is called with.

#ifndef TEGULA_FRONTEND_IRGEN_MODULEGENERATOR_H
#define TEGULA_FRONTEND_IRGEN_MODULEGENERATOR_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "tegula/frontend/Frontend.h"
#include "tegula/frontend/constants/Annotations.h"
#include "tegula/frontend/constants/DeclaredSymbols.h"
#include "tegula/frontend/constants/module/KernelFunction.h"
#include "tegula/frontend/emit/Emitter.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <map>

namespace tegula {

struct Builtin;

/// Where in a grid a function runs: numbers known while compiling, or run-time
/// values. Outside of any grid it is block 0 of 1.
struct GridPosition {
  Object block = Object::integer(0);
  Object numBlocks = Object::integer(1);
  Object lane = Object::integer(0);

  std::array<Object *, 3> parts() { return {&block, &numBlocks, &lane}; }
  std::array<const Object *, 3> parts() const {
    return {&block, &numBlocks, &lane};
  }
};

/// Axes of the parameters of a function that it, or a function it calls,
/// declares with one symbol, or that it needs to have one extent.
struct DynamicGroup {
  /// Parameter and axis.
  std::vector<std::pair<unsigned, unsigned>> axes;
  /// Null if the extent is only computed from these axes.
  std::shared_ptr<Symbol> symbol;
  /// True if the extent must be a number: one of them is.
  bool isPinned = false;
  /// True if nobody declares them: an operation needs them to be equal.
  bool isAgreement = false;
};

/// A parameter of the entry, or an axis of one, that the program needs as a
/// constant.
struct Fixed {
  unsigned parameter;
  /// Nothing for a number.
  std::optional<unsigned> axis;
  /// The number as the program sees it.
  Object value;
  /// What the call brings: an integer, or the bits of a double.
  int64_t bits;
  /// Why it is needed.
  std::string reason = {};
};

/// What a function becomes for one combination of arguments.
struct FunctionInstance {
  /// Null if it contains mistakes.
  mlir::func::FuncOp func;
  /// The object returned, as seen inside. Its values are arguments of the
  /// entry block or, in order, the results of the function.
  Object returned;
  /// The extents of results that have no bound: values of the function that a
  /// call can compute from its arguments, or else further results.
  std::vector<CrossingExtent> extents;
  /// For each parameter, whether the function writes to it.
  std::vector<bool> isWritten;
  /// Which parts of the place in the grid the function takes as further
  /// arguments.
  std::array<bool, 3> takesPosition = {false, false, false};
  /// What is declared dynamic about the parameters, here and in what it calls.
  std::vector<DynamicGroup> groups;
  /// What it was made for. Its key names some of these by where they are.
  std::vector<Object> arguments;
};

/// For each axis of the tensors and tiles among the arguments of a call,
/// counted through, the first axis that is known to have the same extent;
/// itself if there is none before it.
using EqualAxes = llvm::SmallVector<unsigned>;

/// Generates functions into a module.
class ModuleGenerator {
public:
  ModuleGenerator(mlir::MLIRContext *context, mlir::ModuleOp module,
                  const MachineParts &parts, Reporter &reporter)
      : context(context), module(module), parts(parts), reporter(reporter) {}

  /// Generates the entry; false if there was a mistake.
  bool generateEntry(const KernelFunction &function,
                     llvm::ArrayRef<ArgumentSpec> specs);

  /// The instance of `function` for these arguments: run-time values become
  /// parameters, constants are known inside. Null if it contains mistakes or
  /// calls itself, which is reported.
  const FunctionInstance *instantiate(const KernelFunction &function,
                                      llvm::ArrayRef<Object> arguments,
                                      const EqualAxes &equal,
                                      const GridPosition &grid,
                                      mlir::Location call);

  /// The declared parameters of a function; null if they contain mistakes.
  const std::vector<DeclaredParameter> *
  parametersOf(const KernelFunction &function);

  /// The syntax of a function that is written in the language itself, parsed
  /// when it is first called.
  const ast::FunctionDef &preludeFunction(const Builtin &builtin);

  /// Erases what nothing uses: functions left over from callers that were
  /// generated more than once, and index arithmetic about extents.
  void eraseUnused();

  Reporter &getReporter() { return reporter; }
  /// What the program is told of the machine.
  const MachineParts &getParts() const { return parts; }

  /// The entry returns these parameters. If it returns others elsewhere, it
  /// returns nothing that a caller can rely on.
  void addReturned(std::vector<int64_t> numbers) {
    if (returned && *returned != numbers)
      numbers.clear();
    returned = std::move(numbers);
  }

  /// True if the module is generated only to learn what is declared about the
  /// axes that the call leaves open.
  bool isProbe = false;
  /// True if `entryGroups` is wanted; a probe always finds it.
  bool notesGroups = false;
  /// Axes of the entry that get a symbol because of what it calls.
  std::vector<AxisSymbol> cascaded;
  /// What the entry is specialised on because the program needs it.
  std::vector<Fixed> fixed;
  /// True if an extent of 1 of an open axis is a program of its own.
  bool splitsOnes = false;
  /// What was learnt about the parameters of the entry.
  std::vector<DynamicGroup> entryGroups;

private:
  bool generateBody(const KernelFunction &function,
                    const std::vector<DeclaredParameter> &params,
                    const DeclaredSymbols &symbols, mlir::func::FuncOp func,
                    llvm::ArrayRef<Object> arguments,
                    FunctionInstance &instance, const EqualAxes &equal = {},
                    const GridPosition &grid = {});
  void markEntry(mlir::func::FuncOp func,
                 const std::vector<DeclaredParameter> &params);
  std::string nameFor(const KernelFunction &function);
  bool checkRecursion(const KernelFunction &function, mlir::Location call);
  mlir::Type entryType(const DeclaredParameter &parameter, unsigned position,
                       const DeclaredSymbols &symbols,
                       llvm::ArrayRef<ArgumentSpec> specs);
  mlir::func::FuncOp
  createFunction(const KernelFunction &function, llvm::StringRef name,
                 const std::vector<DeclaredParameter> &params,
                 llvm::ArrayRef<llvm::SmallVector<mlir::Type>> types);

  mlir::MLIRContext *context;
  mlir::ModuleOp module;
  MachineParts parts;
  Reporter &reporter;
  std::map<std::string, FunctionInstance> instances;
  /// Those with mistakes that were made in this round of the function that
  /// calls them.
  std::vector<std::string> failedInstances;
  /// The names that functions have, and how often each was asked for.
  llvm::StringMap<unsigned> names;
  std::map<const KernelFunction *,
           std::optional<std::vector<DeclaredParameter>>>
      parameters;
  std::optional<std::vector<int64_t>> returned;
  std::map<const Builtin *, std::unique_ptr<ast::Module>> prelude;
  /// The functions being generated, the entry first.
  std::vector<const KernelFunction *> stack;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_MODULEGENERATOR_H
