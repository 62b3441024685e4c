// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that are a few elementwise ops.
#include "tegula/frontend/builtins/Builtins.h"

using namespace tegula;
using ast::BinaryOp;

/// addc(a, b, c): a + b + c, of which b may be a scalar
static Object buildAddThree(BuiltinCall &call) {
  Object sum = call.emitter.binary(call.loc, BinaryOp::Add, call[0], call[1]);
  return call.emitter.binary(call.loc, BinaryOp::Add, sum, call[2]);
}

/// subc(a, b, c): a - b - c
static Object buildSubtractTwo(BuiltinCall &call) {
  Object rest = call.emitter.binary(call.loc, BinaryOp::Sub, call[0], call[1]);
  return call.emitter.binary(call.loc, BinaryOp::Sub, rest, call[2]);
}

/// lrelu(x, slope), prelu(x, slope): x where it is positive, else slope * x
static Object buildLeaky(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  mlir::Value tile = call.tile(0);
  if (!tile)
    return Object::poison();
  mlir::Type element = pl::getElementOrSelf(tile.getType());
  if (!pl::isNumber(element))
    return call.fail("'" + call.name + "' takes numbers, got " +
                     describe(tile.getType()));
  Object zero(emitter.constant(call.loc, Object::integer(0), element));
  Object isPositive =
      emitter.comparison(call.loc, pl::Comparison::Gt, Object(tile), zero);
  Object scaled =
      emitter.binary(call.loc, BinaryOp::Mul, Object(tile), call[1]);
  if (isPositive.isPoison() || scaled.isPoison())
    return Object::poison();
  return emitter.select(call.loc, isPositive, Object(tile), scaled);
}

llvm::ArrayRef<Builtin> tegula::combineBuiltins() {
  static constexpr Builtin table[] = {
      {"addc", "lhs rhs rhs2", buildAddThree, false, "lhs + rhs + rhs2"},
      {"addsc", "lhs rhs rhs2", buildAddThree, false,
       "lhs + rhs + rhs2, of which rhs is a scalar"},
      {"subc", "lhs rhs rhs2", buildSubtractTwo, false, "lhs - rhs - rhs2"},
      {"subsc", "lhs rhs rhs2", buildSubtractTwo, false,
       "lhs - rhs - rhs2, of which rhs is a scalar"},
      {"lrelu", "x|tile slope", buildLeaky, false,
       "x where it is above 0, elsewhere slope * x"},
      {"prelu", "x|tile slope tmp?", buildLeaky, false,
       "as `pl.lrelu`, with a slope for each element"},
  };
  return table;
}
