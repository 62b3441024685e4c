// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that order elements, as source. They read and write memory; the front end
// makes the memory they write and loads it again, so a call names what is
// loaded.
#include "tegula/frontend/unparse/SourceExpressions.h"
#include "tegula/ir/PlSortOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tegula;
using namespace mlir;

/// The tensors that an op which orders elements writes.
static SmallVector<Value, 2> targetsOf(Operation *op) {
  using Targets = SmallVector<Value, 2>;
  return TypeSwitch<Operation *, Targets>(op)
      .Case<pl::ArgReduceOp, pl::SortRunsOp, pl::MergeRunsOp>(
          [](auto ordering) { return Targets{ordering.getTarget()}; })
      .Case([](pl::SortRowsOp sort) {
        return Targets{sort.getValues(), sort.getIndices()};
      })
      .Default([](Operation *) { return Targets(); });
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
  using Result = std::optional<std::string>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](pl::ArgReduceOp reduce) -> Result {
        bool isMax = reduce.getReduction() == pl::Reduction::Max;
        return std::string(isMax ? "pl.argmax(" : "pl.argmin(") +
               tensor(reduce.getSource()) +
               ", axis=" + std::to_string(reduce.getAxis()) + ")";
      })
      .Case([&](pl::SortRowsOp sort) -> Result {
        return sortCall(sort, tensor(sort.getSource()), style);
      })
      .Case([&](pl::SortRunsOp sort) -> Result {
        std::string values = tensor(sort.getSource());
        return "pl.sort32(" + values + ", " + tensor(sort.getIndices()) + ")";
      })
      .Case([&](pl::MergeRunsOp merge) -> Result {
        std::string text;
        for (Value source : merge.getSources())
          text += (text.empty() ? "" : ", ") + tensor(source);
        if (merge.getRun())
          text += ", block_len=" + std::to_string(2 * merge.getRun());
        return "pl.mrgsort(" + text + ")";
      })
      .Default([](Operation *) -> Result { return std::nullopt; });
}
