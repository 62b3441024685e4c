// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/OpCosts.h"

#include "tegula/ir/ops/PlIndexOps.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::pl;

/// True if all elements are one number that is known.
static bool isKnown(Value value) {
  if (auto full = value.getDefiningOp<FullOp>())
    value = full.getValue();
  return matchPattern(value, m_Constant());
}

/// An integer is divided by a known number by a product and shifts, which take
/// as long as a quotient of floats.
static int64_t costOfDivision(Operation *op, OpCost cost) {
  return isKnown(op->getOperand(1)) ? DivOp::getCost().floats : cost.integers;
}

static int64_t costOfElementwise(ElementwiseOpInterface op) {
  OpCost cost = op.getCost();
  Type element = getElementOrSelf(op->getOperand(0).getType());
  if (isFloat(element))
    return cost.floats;
  return isa<DivOp, RemOp, FmodOp>(op) ? costOfDivision(op, cost)
                                       : cost.integers;
}

/// What is built for an elementwise op and costs as much.
static int64_t costOfArith(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<arith::DivFOp>([](auto) { return DivOp::getCost().floats; })
      .Case<arith::RemFOp>([](auto) { return FmodOp::getCost().floats; })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [](Operation *op) { return costOfDivision(op, DivOp::getCost()); })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [](Operation *op) { return costOfDivision(op, FmodOp::getCost()); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::BitcastOp>(
          [](auto) { return BitcastOp::getCost().integers; })
      .Default([](Operation *) { return AddOp::getCost().floats; });
}

static int64_t costOfMath(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<math::ExpOp>([](auto) { return ExpOp::getCost().floats; })
      .Case<math::LogOp>([](auto) { return LogOp::getCost().floats; })
      .Case<math::SinOp>([](auto) { return SinOp::getCost().floats; })
      .Case<math::CosOp>([](auto) { return CosOp::getCost().floats; })
      .Case<math::TanhOp>([](auto) { return TanhOp::getCost().floats; })
      .Case<math::ErfOp>([](auto) { return ErfOp::getCost().floats; })
      .Case<math::SqrtOp>([](auto) { return SqrtOp::getCost().floats; })
      .Case<math::RsqrtOp>([](auto) { return RsqrtOp::getCost().floats; })
      .Case<math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp,
            math::RoundEvenOp>([](auto) { return FloorOp::getCost().floats; })
      .Case<math::AbsFOp, math::AbsIOp, math::CopySignOp>(
          [](auto) { return AbsOp::getCost().floats; })
      .Case<math::FmaOp>([](auto) { return MulOp::getCost().floats; })
      // Powers, and functions that no elementwise op is built of.
      .Default([](Operation *) { return PowOp::getCost().floats; });
}

int64_t tegula::pl::getTileCost(Operation *op) {
  return isa<ElementwiseOpInterface>(op) &&
                 isa<TileType>(op->getResult(0).getType())
             ? getCost(op)
             : 0;
}

int64_t tegula::pl::getCost(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>())
    return 0;
  if (auto elementwise = dyn_cast<ElementwiseOpInterface>(op))
    return costOfElementwise(elementwise);
  if (isa<arith::ArithDialect>(op->getDialect()))
    return costOfArith(op);
  return isa<math::MathDialect>(op->getDialect()) ? costOfMath(op) : 1;
}
