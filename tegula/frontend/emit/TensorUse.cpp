// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/emit/TensorUse.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tegula/frontend/emit/TensorRoots.h"
#include "tegula/ir/ops/PlRankOps.h"

using namespace tegula;

mlir::Value tegula::rootOf(mlir::Value tensor) {
  while (auto view = tensor.getDefiningOp<mlir::ViewLikeOpInterface>())
    tensor = view.getViewSource();
  if (llvm::isa_and_present<pl::CreateTensorOp, pl::AllocWindowOp>(
          tensor.getDefiningOp()))
    return tensor;
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(tensor);
  bool isParameter = argument && llvm::isa<mlir::func::FuncOp>(
                                     argument.getOwner()->getParentOp());
  return isParameter ? tensor : mlir::Value();
}

void TensorUse::addParameter(mlir::Value value,
                             const DeclaredParameter &declared, bool mayWrite) {
  parameters.try_emplace(value, Parameter{&declared, mayWrite});
  order.push_back(value);
}

const DeclaredParameter *TensorUse::declarationOf(mlir::Value tensor) const {
  mlir::Value root = rootOf(tensor);
  auto found = root ? parameters.find(root) : parameters.end();
  return found == parameters.end() ? nullptr : found->second.declared;
}

bool TensorUse::isReadOnly(mlir::Value tensor) const {
  return llvm::any_of(rootsOf(tensor), [&](mlir::Value root) {
    auto found = parameters.find(root);
    return found != parameters.end() && !found->second.mayWrite;
  });
}

bool TensorUse::isWritten(mlir::Value parameter) const {
  return parameters.lookup(parameter).isWritten;
}

void TensorUse::read(mlir::Value tensor, mlir::Location loc) {
  mlir::Value root = rootOf(tensor);
  auto found = root ? parameters.find(root) : parameters.end();
  if (found == parameters.end() || found->second.isWritten ||
      found->second.declared->direction != pl::Direction::Out)
    return;
  earlyReads.push_back({root, loc});
}

void TensorUse::write(mlir::Value tensor) {
  mlir::Value root = rootOf(tensor);
  auto found = root ? parameters.find(root) : parameters.end();
  if (found != parameters.end())
    found->second.isWritten = true;
  if (root)
    return;
  // Which tensor it is depends on the run: it may be any of them.
  for (auto &entry : parameters)
    entry.second.isWritten |= entry.second.mayWrite;
}

void TensorUse::endLoop(size_t begin) {
  auto first = earlyReads.begin() + std::min(begin, earlyReads.size());
  earlyReads.erase(
      std::remove_if(first, earlyReads.end(),
                     [&](const EarlyRead &early) {
                       return parameters.lookup(early.parameter).isWritten;
                     }),
      earlyReads.end());
}

void TensorUse::reportEarlyReads(Reporter &reporter) const {
  for (const EarlyRead &early : earlyReads)
    reporter.error(
        early.loc,
        "'" + parameters.lookup(early.parameter).declared->name +
            "' is read before anything is written to it; declare it pl.InOut "
            "if the caller provides its contents");
}

void TensorUse::reportUnwritten(
    Reporter &reporter,
    llvm::function_ref<bool(mlir::Value)> isHandedBack) const {
  for (mlir::Value value : order) {
    const Parameter &parameter = parameters.lookup(value);
    const DeclaredParameter &declared = *parameter.declared;
    if (parameter.isWritten || !declared.isWritten() || declared.isWindow)
      continue;
    if (declared.direction == pl::Direction::InOut)
      reporter.warning(declared.loc,
                       "'" + declared.name +
                           "' is declared pl.InOut but never written; declare "
                           "it without a direction");
    else if (!isHandedBack(value))
      reporter.error(declared.loc, "'" + declared.name +
                                       "' is declared pl.Out but never "
                                       "written; write " +
                                       declared.name + "[:] = ...");
    else
      reporter.warning(declared.loc,
                       "'" + declared.name +
                           "' is declared pl.Out and handed back without being "
                           "written; it holds what it held before");
  }
}

void TensorUse::warnUndeclared(Reporter &reporter) const {
  for (mlir::Value value : order) {
    const Parameter &parameter = parameters.lookup(value);
    const DeclaredParameter &declared = *parameter.declared;
    if (parameter.isWritten && !declared.hasDirection)
      reporter.warning(declared.loc,
                       "'" + declared.name +
                           "' is written and has no direction; it is taken for "
                           "pl.InOut");
  }
}
