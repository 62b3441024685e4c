// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that give their results in memory, as source. The front end makes the
// memory they write and loads it again, so a call names what is loaded.
#include "tegula/frontend/unparse/SourceExpressions.h"
#include "tegula/ir/ops/PlSortOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace tegula;
using namespace mlir;

/// The tensors that an op gives its results in.
static SmallVector<Value, 2> targetsOf(Operation *op) {
  SmallVector<Value, 2> targets;
  if (isa<pl::ResultsInMemoryOpInterface>(op))
    for (OpOperand &operand : op->getOpOperands())
      if (cast<MemoryEffectOpInterface>(op)
              .getEffectOnValue<MemoryEffects::Write>(operand.get()))
        targets.push_back(operand.get());
  return targets;
}

/// The load of memory that nothing but the op writes, and nothing else reads;
/// null if nobody loads it, nothing if the memory is used in other ways.
static std::optional<pl::LoadOp> loadAfter(Operation *op, Value memory) {
  pl::LoadOp found;
  if (!memory.getDefiningOp<pl::CreateTensorOp>())
    return std::nullopt;
  for (Operation *user : memory.getUsers()) {
    if (user == op)
      continue;
    auto load = dyn_cast<pl::LoadOp>(user);
    if (!load || found || load->getBlock() != op->getBlock() ||
        !op->isBeforeInBlock(load))
      return std::nullopt;
    found = load;
  }
  return found;
}

SmallVector<Value, 2> tegula::orderedResults(Operation *op) {
  SmallVector<Value, 2> results;
  for (Value memory : targetsOf(op)) {
    std::optional<pl::LoadOp> load = loadAfter(op, memory);
    if (!load)
      return {};
    results.push_back(*load ? load->getResult() : memory);
  }
  return results;
}

Operation *tegula::orderingOf(Operation *load) {
  auto from = dyn_cast<pl::LoadOp>(load);
  if (!from)
    return nullptr;
  for (Operation *user : from.getSource().getUsers())
    if (llvm::is_contained(orderedResults(user), from.getResult()))
      return user;
  return nullptr;
}

/// `pl.sort`, or `pl.topk` where fewer are kept. Where as many are kept as
/// there may be, it may have been either.
static std::string sortCall(pl::SortRowsOp sort, const std::string &source,
                            SourceStyle style) {
  unsigned axis = sort.getAxis();
  ArrayRef<pl::Dim> dims = getDims(sort.getSource().getType());
  pl::Dim kept = getDims(sort.getValues().getType())[axis];
  bool mayBeTopk = axis + 1 == dims.size() && kept.hasBound();
  bool isTopk =
      mayBeTopk && (kept != dims[axis] || style == SourceStyle::Explicit);
  if (isTopk)
    return "pl.topk(" + source + ", " + std::to_string(kept.getBound()) +
           (sort.getDescending() ? ")" : ", largest=False)");
  std::string text = "pl.sort(" + source;
  if (axis + 1 != dims.size())
    text += ", axis=" + std::to_string(axis);
  return text + (sort.getDescending() ? ", descending=True)" : ")");
}

std::optional<std::string> ExpressionWriter::ordering(Operation *op) {
  if (orderedResults(op).empty())
    return std::nullopt;
  auto tensor = [&](Value value) {
    return write(value, Wanted::Value, Strength::Any);
  };
  if (auto sort = dyn_cast<pl::SortRowsOp>(op))
    return sortCall(sort, tensor(sort.getSource()), style);
  auto merge = dyn_cast<pl::MergeRunsOp>(op);
  if (!merge)
    return call(op);
  std::string text;
  for (Value source : merge.getSources())
    text += (text.empty() ? "" : ", ") + tensor(source);
  if (merge.getLength())
    text += ", block_len=" + tensor(merge.getLength());
  return "pl.mrgsort(" + text + ")";
}
