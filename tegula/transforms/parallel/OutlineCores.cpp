// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/IndexRange.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {
#define GEN_PASS_DEF_OUTLINECORES
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// What a region needs from outside: values it is given, and constants and
/// arithmetic on sizes that it can do by itself, so that what types say follows
/// in the function, too.
struct Needs {
  llvm::SetVector<Value> values;
  llvm::SetVector<Operation *> computed;

  void add(Value value) {
    Operation *op = value.getDefiningOp();
    bool isSize = op && value.getType().isIndex() &&
                  isa<arith::ArithDialect>(op->getDialect());
    if (!isSize && !matchPattern(value, m_Constant())) {
      values.insert(value);
      return;
    }
    if (computed.contains(op))
      return;
    for (Value operand : op->getOperands())
      add(operand);
    computed.insert(op);
  }
};

struct OutlineCoresPass : tegula::impl::OutlineCoresBase<OutlineCoresPass> {
  void runOnOperation() override;
};

} // namespace

static Needs needsOf(pl::AtOp at) {
  Needs needs;
  at.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (!at.getBody().isAncestor(operand.getParentRegion()))
        needs.add(operand);
    }
  });
  return needs;
}

/// What is known of a number from where it comes, such as a loop; null if
/// nothing is.
static DenseI64ArrayAttr rangeOf(Value value) {
  if (!value.getType().isIndex())
    return {};
  std::optional<int64_t> least = pl::leastOf(value);
  std::optional<int64_t> greatest = pl::greatestOf(value);
  if (!least && !greatest)
    return {};
  return DenseI64ArrayAttr::get(
      value.getContext(),
      {least.value_or(INT64_MIN), greatest.value_or(INT64_MAX)});
}

/// What is known of a number where it comes from may not follow from what the
/// function is given: v -> min(v, bound)
static Value withBound(OpBuilder &builder, Value made, Value known) {
  if (!made.getType().isIndex())
    return made;
  std::optional<int64_t> wanted = pl::greatestOf(known);
  std::optional<int64_t> found = pl::greatestOf(made);
  if (!wanted || (found && *found <= *wanted))
    return made;
  Location loc = made.getLoc();
  Value bound = arith::ConstantIndexOp::create(builder, loc, *wanted);
  return arith::MinSIOp::create(builder, loc, made, bound);
}

/// What a core says of a number is not seen behind its call, but what is as
/// long as that has a bound: v -> min(v, bound)
static void keepBound(OpBuilder &builder, Value result,
                      std::optional<int64_t> greatest) {
  if (!greatest || result.use_empty())
    return;
  Location loc = result.getLoc();
  Value bound = arith::ConstantIndexOp::create(builder, loc, *greatest);
  auto least = arith::MinSIOp::create(builder, loc, result, bound);
  result.replaceAllUsesExcept(least, least);
}

/// at { ... yield v }  ->  launch @core(...), and the function, which comes
/// behind `last`.
static func::FuncOp outline(pl::AtOp at, func::FuncOp caller, unsigned number,
                            Operation *last, SymbolTable &symbols) {
  Location loc = at.getLoc();
  Needs needs = needsOf(at);
  OpBuilder builder(at.getContext());
  ValueRange operands = needs.values.getArrayRef();
  std::string name = (caller.getName() + "_core" + Twine(number)).str();
  auto core = func::FuncOp::create(
      loc, name,
      builder.getFunctionType(operands.getTypes(), at.getResultTypes()));
  core->setAttr(
      pl::kindAttrName,
      pl::FunctionKindAttr::get(at.getContext(), pl::FunctionKind::InCore));
  core.setPrivate();
  symbols.insert(core, std::next(Block::iterator(last)));

  for (auto [position, value] : llvm::enumerate(operands))
    if (DenseI64ArrayAttr range = rangeOf(value))
      core.setArgAttr(position, pl::rangeAttrName, range);
  IRMapping mapping;
  Block *body = core.addEntryBlock();
  builder.setInsertionPointToStart(body);
  for (auto [value, argument] : llvm::zip(operands, body->getArguments())) {
    argument.setLoc(value.getLoc());
    mapping.map(value, argument);
  }
  for (Operation *op : needs.computed) {
    Value known = op->getResult(0);
    Value made = builder.clone(*op, mapping)->getResult(0);
    mapping.map(known, withBound(builder, made, known));
  }
  Block &region = at.getBody().front();
  SmallVector<std::optional<int64_t>> bounds;
  for (Value value : region.getTerminator()->getOperands())
    bounds.push_back(value.getType().isIndex() ? pl::greatestOf(value)
                                               : std::nullopt);
  for (Operation &op : region.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> results;
  for (Value value : region.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  func::ReturnOp::create(builder, loc, results);

  builder.setInsertionPoint(at);
  auto launch =
      pl::LaunchOp::create(builder, loc, at.getResultTypes(), core.getName(),
                           operands, at.getLevel(), at.getTaskAttr());
  at.replaceAllUsesWith(launch.getResults());
  for (auto [result, bound] : llvm::zip(launch.getResults(), bounds))
    keepBound(builder, result, bound);
  at.erase();
  return core;
}

void OutlineCoresPass::runOnOperation() {
  SymbolTable symbols(getOperation());
  for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
    SmallVector<pl::AtOp> cores;
    function.walk<WalkOrder::PreOrder>([&](pl::AtOp at) {
      if (!at.isCore())
        return WalkResult::advance();
      cores.push_back(at);
      return WalkResult::skip();
    });
    Operation *last = function;
    for (auto [number, at] : llvm::enumerate(cores))
      last = outline(at, function, number, last, symbols);
  }
}
