// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that compute and are not plain elementwise ops: casts, comparisons,
// selections.
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Dtypes.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

/// The rounding mode of a cast; without one, to nearest with ties away from
/// zero, as in the language.
static std::optional<pl::Rounding> rounding(BuiltinCall &call) {
  if (!call.has(2))
    return pl::Rounding::Round;
  std::optional<pl::Rounding> mode;
  if (const auto *name = call[2].as<StringObject>())
    mode = pl::symbolizeRounding(name->value);
  else if (std::optional<int64_t> number = call[2].asInteger())
    mode = pl::symbolizeRounding(static_cast<uint32_t>(*number));
  if (!mode)
    call.emitter.fail(call.locOf(2),
                      "a mode is 'none', 'rint', 'round', 'floor', 'ceil', "
                      "'trunc', 'odd' or 0 to 6, got " +
                          describe(call[2]));
  return mode;
}

static Object buildCast(BuiltinCall &call) {
  mlir::Type type = call.dtype(1);
  std::optional<pl::Rounding> mode = rounding(call);
  if (!type || !mode)
    return Object::poison();
  return call.emitter.cast(call.loc, call[0], type, *mode);
}

/// cmp(a, b, cmp_type): 0 to 5 or a name, in the order of pl.Comparison
static Object buildCmp(BuiltinCall &call) {
  std::optional<pl::Comparison> comparison = pl::Comparison::Eq;
  if (call.has(2)) {
    comparison.reset();
    if (const auto *name = call[2].as<StringObject>())
      comparison = pl::symbolizeComparison(name->value);
    else if (std::optional<int64_t> number = call[2].asInteger())
      comparison = pl::symbolizeComparison(static_cast<uint32_t>(*number));
  }
  if (!comparison)
    return call.emitter.fail(call.locOf(2),
                             "a comparison is 'eq', 'ne', 'lt', 'le', 'gt', "
                             "'ge' or 0 to 5, got " +
                                 describe(call[2]));
  return call.emitter.comparison(call.loc, *comparison, call[0], call[1]);
}

static Object buildSelect(BuiltinCall &call) {
  return call.emitter.select(call.loc, call[0], call[1], call[2]);
}

/// sels(mask, x, tmp, scalar)
static Object buildSelectScalar(BuiltinCall &call) {
  return call.emitter.select(call.loc, call[0], call[1],
                             call.has(3) ? call[3] : call[2]);
}

/// max(a, b) of scalars; max(x, axis=...) is a reduction, see there.
static Object buildAbs(BuiltinCall &call) {
  Value scalar = call[0].asScalar();
  if (scalar && scalar.getType().isIndex())
    return call.emitter.extreme(
        call.loc, true, call[0],
        call.emitter.unary(call.loc, ast::UnaryOp::Minus, call[0]));
  return call.emitter.elementwise(call.loc, "abs", {call[0]});
}

/// (lhs + rhs - 1) // rhs
static Object buildCeilDivide(BuiltinCall &call) {
  auto binary = [&](ast::BinaryOp op, const Object &lhs, const Object &rhs) {
    return call.emitter.binary(call.loc, op, lhs, rhs);
  };
  for (unsigned position : {0, 1})
    if (!call[position].asInteger() && !call[position].asScalar())
      return call.fail("'cdiv' takes integers, got " +
                       describe(call[position]));
  Object less = binary(ast::BinaryOp::Sub, call[1], Object::integer(1));
  return binary(ast::BinaryOp::FloorDiv,
                binary(ast::BinaryOp::Add, call[0], less), call[1]);
}

llvm::ArrayRef<Builtin> tegula::mathBuiltins() {
  static constexpr Builtin table[] = {
      {"cast", "x dtype mode?", buildCast, false,
       "converted to another type; `mode` says how it is rounded"},
      {"cmp", "lhs rhs cmp_type? tmp?", buildCmp, false,
       "compared element by element: `cmp_type` is \"eq\", \"ne\", \"lt\", "
       "\"le\", \"gt\", \"ge\" or 0 to 5"},
      {"cmps", "lhs rhs cmp_type? tmp?", buildCmp, false,
       "as `pl.cmp`, with a scalar"},
      {"select", "mask lhs rhs tmp?", buildSelect, false,
       "`lhs` where the mask holds, `rhs` elsewhere"},
      {"sel", "mask lhs rhs tmp?", buildSelect, false, "as `pl.select`"},
      {"where", "mask lhs rhs tmp?", buildSelect, false, "as `pl.select`"},
      {"sels", "mask lhs tmp scalar?", buildSelectScalar, false,
       "`lhs` where the mask holds, the scalar elsewhere"},
      {"abs", "x tmp?", buildAbs, false, "the absolute value"},
      {"cdiv", "lhs rhs", buildCeilDivide, false,
       "the quotient of two integers, rounded up"},
  };
  return table;
}
