// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/emit/Requirements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/extents/IndexExpression.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

/// Adds the symbols, and the numbers given to the function, that a value is
/// computed from.
static void collectSizes(Value value, std::vector<NamedSize> &sizes,
                         unsigned depth = 16) {
  mlir::Operation *op = value.getDefiningOp();
  bool isParameter = !op && llvm::isa<mlir::func::FuncOp>(
                                value.getParentBlock()->getParentOp());
  if (isParameter || llvm::isa_and_nonnull<pl::BindOp, pl::DimOp>(op)) {
    std::string name = pl::formatIndex(value);
    bool isKnown = llvm::any_of(
        sizes, [&](const NamedSize &size) { return size.second == value; });
    if (value.getType().isIndex() && !name.empty() && !isKnown)
      sizes.push_back({name, value});
    return;
  }
  if (op && depth > 0 && llvm::isa<mlir::arith::ArithDialect>(op->getDialect()))
    for (Value operand : op->getOperands())
      collectSizes(operand, sizes, depth - 1);
}

static void emit(Emitter &emitter, Location loc, Requirement requirement) {
  if (requirement.sizes.empty() && requirement.origin != pl::declaredOrigin)
    collectSizes(requirement.condition, requirement.sizes);
  llvm::SmallVector<Value> sizes;
  llvm::SmallVector<llvm::StringRef> names;
  for (const NamedSize &size : requirement.sizes) {
    names.push_back(size.first);
    sizes.push_back(size.second);
  }
  mlir::OpBuilder &builder = emitter.builder;
  pl::RequireOp::create(builder, loc, requirement.condition, requirement.text,
                        requirement.origin, builder.getStrArrayAttr(names),
                        sizes, requirement.argument, requirement.axis,
                        /*at_call=*/false);
}

/// The block around the branches that the end of `block` is in, or itself.
static mlir::Block *outsideBranches(mlir::Block *block) {
  mlir::Block *outside = block;
  for (mlir::Operation *parent = block->getParentOp();
       parent && parent->getBlock() && !llvm::isa<mlir::func::FuncOp>(parent);
       parent = parent->getParentOp())
    if (!llvm::isa<pl::AtOp, pl::ParallelOp, mlir::scf::ForOp>(parent))
      outside = parent->getBlock();
  return outside;
}

/// True if the condition can be met, as far as that can be found out. A branch
/// may be meant never to run for some sizes, so that what leads there does not
/// count.
static bool isPossible(const Emitter &emitter, Value condition) {
  pl::ExtentProver prover(outsideBranches(emitter.builder.getInsertionBlock()));
  auto cases = pl::alternativesOf(prover.getTerms(), condition, true);
  return !cases || llvm::any_of(*cases, [&](const pl::Constraints &entry) {
    return !prover.isImpossible(entry);
  });
}

bool tegula::require(Emitter &emitter, Location loc, Requirement requirement) {
  pl::ExtentProver prover(emitter.builder.getInsertionBlock());
  if (prover.isAlways(requirement.condition))
    return true;
  if (!isPossible(emitter, requirement.condition)) {
    emitter.fail(loc, requirement.text + " does not hold for any sizes");
    return false;
  }
  emit(emitter, loc, std::move(requirement));
  return true;
}

bool tegula::requireEqual(Emitter &emitter, Location loc, Value lhs,
                          Value rhs) {
  Value condition = emitter.builder.createOrFold<mlir::arith::CmpIOp>(
      loc, mlir::arith::CmpIPredicate::eq, lhs, rhs);
  if (!isPossible(emitter, condition))
    return false;
  std::string left = pl::formatIndex(lhs), right = pl::formatIndex(rhs);
  Requirement requirement{condition, left + " == " + right, pl::derivedOrigin};
  if (left.empty() || right.empty()) {
    requirement.text = "two extents to be equal";
    requirement.sizes = {{left.empty() ? "one" : left, lhs},
                         {right.empty() ? "the other" : right, rhs}};
  }
  emit(emitter, loc, std::move(requirement));
  return true;
}
