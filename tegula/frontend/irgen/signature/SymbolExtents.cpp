// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/signature/SymbolExtents.h"
#include "tegula/frontend/constants/ExtentExpression.h"
#include "tegula/frontend/emit/Requirements.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;
using Op = ExtentExpression::Op;

static ast::BinaryOp toBinary(Op op) {
  switch (op) {
  case Op::Add:
    return ast::BinaryOp::Add;
  case Op::Sub:
    return ast::BinaryOp::Sub;
  case Op::Mul:
    return ast::BinaryOp::Mul;
  case Op::FloorDiv:
    return ast::BinaryOp::FloorDiv;
  default:
    return ast::BinaryOp::Mod;
  }
}

Object SymbolExtents::valueOf(const SymbolObject &object, Location loc) {
  const Symbol &symbol = *object.symbol;
  if (const Object *extent = find(&symbol))
    return *extent;
  if (!symbol.expression)
    return fail(loc,
                "the symbol " + symbol.name +
                    " is not the extent of any parameter of '" +
                    state.function.getName() + "'",
                {{symbol.declared, "declared here"}});
  auto operand = [&](const ExtentExpression::Operand &part) {
    return part.symbol ? valueOf(SymbolObject{part.symbol}, loc)
                       : Object::integer(part.number);
  };
  const ExtentExpression &expression = *symbol.expression;
  Object lhs = operand(expression.lhs), rhs = operand(expression.rhs);
  if (expression.op == Op::Min || expression.op == Op::Max)
    return emitter.operators.extreme(loc, expression.op == Op::Max, lhs, rhs);
  return emitter.operators.binary(loc, toBinary(expression.op), lhs, rhs);
}

std::vector<Symbol *> SymbolExtents::unknownIn(const AxisSymbol &axis) const {
  llvm::SetVector<Symbol *> bases;
  collectBases(axis.symbol, bases);
  std::vector<Symbol *> unknown;
  for (Symbol *base : bases)
    if (!find(base))
      unknown.push_back(base);
  return unknown;
}

bool SymbolExtents::solve(const AxisSymbol &axis, Symbol *unknown,
                          const Object &extent,
                          std::vector<Object> &conditions) {
  auto steps = invertExpression(axis.symbol, unknown);
  if (!steps)
    return false;
  Object value = extent;
  for (const InverseStep &step : *steps) {
    Object other = step.other.symbol
                       ? valueOf(SymbolObject{step.other.symbol}, axis.loc)
                       : Object::integer(step.other.number);
    if (step.op == Op::Mul && other.asValue())
      conditions.push_back(emitter.operators.compare(
          axis.loc, ast::CompareOp::Gt, other, Object::integer(0)));
    if (step.op == Op::Add)
      value =
          emitter.operators.binary(axis.loc, ast::BinaryOp::Sub, value, other);
    else if (step.op == Op::Mul)
      value = emitter.operators.binary(axis.loc, ast::BinaryOp::FloorDiv, value,
                                       other);
    else if (step.isLeft)
      value =
          emitter.operators.binary(axis.loc, ast::BinaryOp::Sub, other, value);
    else
      value =
          emitter.operators.binary(axis.loc, ast::BinaryOp::Add, value, other);
  }
  bind(*unknown, value);
  conditions.push_back(emitter.operators.compare(axis.loc, ast::CompareOp::Ge,
                                                 value, Object::integer(0)));
  return true;
}

std::vector<std::pair<std::string, Value>>
SymbolExtents::sizesOf(const AxisSymbol &axis, const Object &expected) {
  std::vector<NamedSize> sizes;
  sizes.push_back({axis.symbol->name,
                   emitter.scalars.toIndex(axis.loc, expected, "an extent")});
  llvm::SetVector<Symbol *> bases;
  collectBases(axis.symbol, bases);
  for (Symbol *base : bases)
    if (Value size = find(base)->asValue())
      sizes.push_back({base->name, size});
  return sizes;
}
