// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols as numbers, and declared extents that are arithmetic on symbols.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/frontend/constants/ExtentExpression.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/frontend/irgen/IRGenFunction.h"

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

Object FunctionGenerator::symbolExtent(const SymbolObject &object,
                                       Location loc) {
  const Symbol &symbol = *object.symbol;
  auto found = symbolExtents.find(&symbol);
  if (found != symbolExtents.end())
    return found->second;
  if (!symbol.expression)
    return fail(loc,
                "the symbol " + symbol.name +
                    " is not the extent of any parameter of '" +
                    function.getName() + "'",
                {{symbol.declared, "declared here"}});
  auto operand = [&](const ExtentExpression::Operand &part) {
    return part.symbol ? symbolExtent(SymbolObject{part.symbol}, loc)
                       : Object::integer(part.number);
  };
  const ExtentExpression &expression = *symbol.expression;
  Object lhs = operand(expression.lhs), rhs = operand(expression.rhs);
  if (expression.op == Op::Min || expression.op == Op::Max)
    return emitter.extreme(loc, expression.op == Op::Max, lhs, rhs);
  return emitter.binary(loc, toBinary(expression.op), lhs, rhs);
}

/// The symbols of `axis` that have no extent yet.
std::vector<Symbol *>
FunctionGenerator::unknownSymbols(const AxisSymbol &axis) const {
  llvm::SetVector<Symbol *> bases;
  collectBases(axis.symbol, bases);
  std::vector<Symbol *> unknown;
  for (Symbol *base : bases)
    if (!symbolExtents.count(base))
      unknown.push_back(base);
  return unknown;
}

/// Finds `unknown` from the extent that the expression of `axis` has. What is
/// left to check is added to `conditions`.
bool FunctionGenerator::solveSymbol(const AxisSymbol &axis, Symbol *unknown,
                                    const Object &extent,
                                    std::vector<Object> &conditions) {
  auto steps = invertExpression(axis.symbol, unknown);
  if (!steps)
    return false;
  Object value = extent;
  for (const InverseStep &step : *steps) {
    Object other = step.other.symbol
                       ? symbolExtent(SymbolObject{step.other.symbol}, axis.loc)
                       : Object::integer(step.other.number);
    if (step.op == Op::Mul && other.asValue())
      conditions.push_back(emitter.compare(axis.loc, ast::CompareOp::Gt, other,
                                           Object::integer(0)));
    if (step.op == Op::Add)
      value = emitter.binary(axis.loc, ast::BinaryOp::Sub, value, other);
    else if (step.op == Op::Mul)
      value = emitter.binary(axis.loc, ast::BinaryOp::FloorDiv, value, other);
    else if (step.isLeft)
      value = emitter.binary(axis.loc, ast::BinaryOp::Sub, other, value);
    else
      value = emitter.binary(axis.loc, ast::BinaryOp::Add, value, other);
  }
  symbolExtents.insert({unknown, value});
  conditions.push_back(
      emitter.compare(axis.loc, ast::CompareOp::Ge, value, Object::integer(0)));
  return true;
}

/// Binds the symbols that appear only inside expressions, and requires every
/// axis declared by an expression to be what the expression says.
bool FunctionGenerator::bindExpressions(llvm::ArrayRef<Object> arguments) {
  std::vector<std::vector<Object>> conditions(symbols.expressions.size());
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (auto [position, axis] : llvm::enumerate(symbols.expressions)) {
      std::vector<Symbol *> unknown = unknownSymbols(axis);
      Value shaped = arguments[axis.parameter].asValue();
      if (unknown.size() == 1)
        hasChanged |=
            solveSymbol(axis, unknown.front(),
                        emitter.extentObject(axis.loc, shaped, axis.axis),
                        conditions[position]);
    }
  }
  for (const AxisSymbol &axis : symbols.expressions)
    for (Symbol *unknown : unknownSymbols(axis)) {
      fail(axis.loc,
           unknown->name + " cannot be found from " + axis.symbol->name +
               "; give a tensor whose axis is " + unknown->name,
           {{unknown->declared, "declared here"}});
      return false;
    }
  for (auto [position, axis] : llvm::enumerate(symbols.expressions))
    if (!requireExpression(axis, arguments[axis.parameter].asValue(),
                           conditions[position]))
      return false;
  return true;
}

/// What the expression of an axis comes to, and the symbols in it.
std::vector<std::pair<std::string, Value>>
FunctionGenerator::sizesOf(const AxisSymbol &axis, const Object &expected) {
  std::vector<NamedSize> sizes;
  sizes.push_back(
      {axis.symbol->name, emitter.toIndex(axis.loc, expected, "an extent")});
  llvm::SetVector<Symbol *> bases;
  collectBases(axis.symbol, bases);
  for (Symbol *base : bases)
    if (Value size = symbolExtents.at(base).asValue())
      sizes.push_back({base->name, size});
  return sizes;
}

bool FunctionGenerator::requireExpression(const AxisSymbol &axis, Value shaped,
                                          llvm::ArrayRef<Object> conditions) {
  Location loc = axis.loc;
  Object actual = emitter.extentObject(loc, shaped, axis.axis);
  Object expected = symbolExtent(SymbolObject{axis.symbol}, loc);
  bool isSolved = !conditions.empty();
  std::vector<Object> all(conditions.begin(), conditions.end());
  all.insert(all.begin(),
             emitter.compare(loc, ast::CompareOp::Eq, actual, expected));
  Value condition;
  for (const Object &part : all) {
    if (part.isPoison())
      return false;
    if (part.isNumber() && *part.asInteger() == 0) {
      fail(loc, "axis " + llvm::Twine(axis.axis) + " of '" +
                    parameters[axis.parameter].name + "' is " +
                    axis.symbol->name + ", got " +
                    (actual.asInteger() ? std::to_string(*actual.asInteger())
                                        : std::string("a run-time extent")));
      return false;
    }
    if (Value truth = part.asValue())
      condition = condition ? emitter.builder.createOrFold<mlir::arith::AndIOp>(
                                  loc, condition, truth)
                            : truth;
  }
  std::string text = "axis " + std::to_string(axis.axis) + " of '" +
                     parameters[axis.parameter].name.str() +
                     "' == " + axis.symbol->name;
  Requirement requirement{condition, text, pl::declaredOrigin};
  bool isEntry = function.getKind() == pl::FunctionKind::Entry ||
                 function.getKind() == pl::FunctionKind::Host;
  if (isEntry) {
    requirement.argument = axis.parameter;
    requirement.axis = axis.axis;
  }
  if (!isSolved)
    requirement.sizes = sizesOf(axis, expected);
  if (condition && !require(emitter, loc, std::move(requirement)))
    return false;
  if (!isSolved && expected.asValue() &&
      !pl::getDims(shaped.getType())[axis.axis].isExact())
    parameterExtents[{axis.parameter, axis.axis}] = expected.asValue();
  return true;
}
