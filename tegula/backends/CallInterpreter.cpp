// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/CallInterpreter.h"

#include "tegula/backends/RunPasses.h"
#include "tegula/ir/interpreter/Interpreter.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/PipelineBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;

mlir::func::FuncOp tegula::findEntry(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    auto kind = function->getAttrOfType<pl::FunctionKindAttr>(pl::kindAttrName);
    if (kind && (kind.getValue() == pl::FunctionKind::Entry ||
                 kind.getValue() == pl::FunctionKind::Host))
      return function;
  }
  return {};
}

static pl::RankOptions &getChosenRanks() {
  static pl::RankOptions chosen;
  return chosen;
}

pl::RankOptions tegula::chooseInterpretedRanks(const pl::RankOptions &ranks) {
  return std::exchange(getChosenRanks(), ranks);
}

/// True if the function waits for all ranks at its end.
static bool isOrdered(mlir::func::FuncOp entry) {
  return !entry.getOps<pl::HostEndOp>().empty();
}

/// A copy of the program of `entry` that several ranks can run; null after an
/// error.
static mlir::OwningOpRef<mlir::ModuleOp>
copyForRanks(mlir::func::FuncOp entry) {
  mlir::OwningOpRef<mlir::ModuleOp> copy =
      entry->getParentOfType<mlir::ModuleOp>().clone();
  if (isOrdered(entry))
    return copy;
  auto build = [](PipelineBuilder &pm) {
    pm.addPass(createInlineFunctions());
    pm.addNestedPass<mlir::func::FuncOp>(createOrderHostAccesses());
  };
  if (failed(runPasses(*copy, build)))
    return {};
  if (isOrdered(findEntry(*copy)))
    return copy;
  entry.emitError("only host programs run on several ranks");
  return {};
}

static llvm::LogicalResult
interpretEntry(mlir::func::FuncOp entry, llvm::ArrayRef<pl::Argument> arguments,
               pl::InterpreterOptions options) {
  if (options.ranks.count <= 1)
    options.ranks = getChosenRanks();
  if (options.ranks.count <= 1)
    return pl::interpret(entry, arguments, options);
  mlir::OwningOpRef<mlir::ModuleOp> copy = copyForRanks(entry);
  return copy ? pl::interpret(findEntry(*copy), arguments, options)
              : llvm::failure();
}

llvm::LogicalResult
tegula::callInterpreter(mlir::func::FuncOp entry, const Signature &signature,
                        llvm::ArrayRef<Argument> arguments,
                        const int64_t *slots,
                        const pl::InterpreterOptions &options) {
  std::vector<pl::Argument> values;
  for (auto [argument, parameter] :
       llvm::zip(arguments, signature.parameters)) {
    if (argument.isTensor()) {
      // The guard may have seen the memory in another way than the caller.
      size_t rank = argument.getTensor().rank;
      values.push_back(TensorView(reinterpret_cast<void *>(slots[0]),
                                  *parameter.dtype, {slots + 1, rank},
                                  {slots + 1 + rank, rank}));
      slots += 1 + 2 * rank;
      continue;
    }
    values.push_back(pl::Scalar::ofBits(*parameter.dtype, *slots++));
  }
  return interpretEntry(entry, values, options);
}
