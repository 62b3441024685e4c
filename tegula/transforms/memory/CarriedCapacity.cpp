// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/memory/CarriedCapacity.h"

#include "tegula/ir/extents/ExtentProver.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tegula;

std::optional<CarriedIndex> tegula::findCarried(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent);
      loop && argument != loop.getInductionVar())
    return CarriedIndex{loop.getTiedLoopInit(argument)->get(), argument,
                        loop.getTiedLoopYieldedValue(argument)->get()};
  auto loop = dyn_cast_or_null<scf::WhileOp>(parent);
  if (loop && argument.getOwner() == loop.getBeforeBody())
    return CarriedIndex{loop.getInits()[argument.getArgNumber()], argument,
                        loop.getYieldOp().getOperand(argument.getArgNumber())};
  return std::nullopt;
}

namespace {

/// The proof for one argument and those it gets its value from.
class CapacityProof {
public:
  explicit CapacityProof(const CarriedIndex &first);

  /// A value before the loop that is at least as large as any of them; null if
  /// that cannot be shown.
  Value prove();

private:
  void collect(Value value);
  void collectResult(OpResult result);
  void assumeAtMost(Value value, ArrayRef<Value> bounds);

  Operation *loop;
  pl::ExtentProver prover;
  /// What goes around and takes part.
  llvm::SetVector<Value> arguments;
  llvm::SmallPtrSet<void *, 32> seen;
};

} // namespace

/// Computations with more values than this are not looked through.
static constexpr unsigned maxValues = 500;

CapacityProof::CapacityProof(const CarriedIndex &first)
    : loop(first.argument.getOwner()->getParentOp()),
      prover(loop->getRegions().back().front().getTerminator()) {
  arguments.insert(first.argument);
}

/// `value` is no more than the greatest of these.
void CapacityProof::assumeAtMost(Value value, ArrayRef<Value> bounds) {
  pl::ExtentTerms &terms = prover.getTerms();
  pl::Polynomial greatest = terms.of(bounds.front());
  for (Value bound : bounds.drop_front())
    greatest = terms.greatest(greatest, terms.of(bound));
  prover.assume({{pl::Constraint::atMost(terms.of(value), greatest)}});
}

/// A branch gives what one of its sides gives; a loop no more than its
/// capacity.
void CapacityProof::collectResult(OpResult result) {
  unsigned position = result.getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
    Value sides[] = {branch.thenYield().getOperand(position),
                     branch.elseYield().getOperand(position)};
    assumeAtMost(result, sides);
    for (Value side : sides)
      collect(side);
    return;
  }
  Value argument;
  if (auto inner = dyn_cast<scf::ForOp>(result.getOwner()))
    argument = inner.getRegionIterArg(position);
  if (auto inner = dyn_cast<scf::WhileOp>(result.getOwner()))
    argument = inner.getConditionOp().getArgs()[position];
  Value capacity =
      argument && findCarried(argument) &&
              argument.getParentRegion()->getParentOp() == result.getOwner()
          ? buildCapacity(argument)
          : Value();
  if (!capacity)
    return;
  assumeAtMost(result, capacity);
  collect(capacity);
}

/// Finds what goes around among the values that `value` is computed from, and
/// learns what is needed of the others.
void CapacityProof::collect(Value value) {
  if (seen.size() > maxValues || !value.getType().isIndex() ||
      !seen.insert(value.getAsOpaquePointer()).second)
    return;
  if (isa<BlockArgument>(value)) {
    std::optional<CarriedIndex> carried = findCarried(value);
    if (carried && value.getParentRegion()->getParentOp() == loop)
      arguments.insert(value);
    auto argument = cast<BlockArgument>(value);
    auto around = dyn_cast<scf::WhileOp>(loop);
    // The condition hands it through.
    if (around && argument.getOwner() == around.getAfterBody()) {
      Value handed = around.getConditionOp().getArgs()[argument.getArgNumber()];
      assumeAtMost(value, handed);
      collect(handed);
    }
    return;
  }
  Operation *op = value.getDefiningOp();
  if (!loop->isProperAncestor(op))
    return;
  if (auto select = dyn_cast<arith::SelectOp>(op))
    assumeAtMost(value, {select.getTrueValue(), select.getFalseValue()});
  if (isa<arith::ArithDialect>(op->getDialect()))
    for (Value operand : op->getOperands())
      collect(operand);
  if (op->getNumRegions() != 0)
    collectResult(cast<OpResult>(value));
}

Value CapacityProof::prove() {
  // Grows while it is traversed.
  for (unsigned next = 0; next < arguments.size(); ++next)
    collect(findCarried(arguments[next])->next);
  OpBuilder builder(loop);
  Value capacity;
  for (Value argument : arguments) {
    Value init = findCarried(argument)->init;
    capacity = capacity ? builder.createOrFold<arith::MaxSIOp>(loop->getLoc(),
                                                               capacity, init)
                        : init;
  }
  for (Value argument : arguments)
    assumeAtMost(argument, capacity);
  pl::ExtentTerms &terms = prover.getTerms();
  pl::Polynomial most = terms.of(capacity);
  for (Value argument : arguments)
    if (!prover.isAtMost(terms.of(findCarried(argument)->next), most))
      return {};
  return capacity;
}

Value tegula::buildCapacity(Value argument) {
  std::optional<CarriedIndex> carried = findCarried(argument);
  if (!carried || !argument.getType().isIndex())
    return {};
  return CapacityProof(*carried).prove();
}
