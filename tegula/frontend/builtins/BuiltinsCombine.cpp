// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that are a few elementwise ops.
#include "tegula/frontend/builtins/BuiltinCall.h"

using namespace tegula;
using ast::BinaryOp;

/// addc(a, b, c): a + b + c, of which b may be a scalar
Object tegula::buildAddThree(const AddThreeCall &call) {
  Object sum =
      call.emitter.binary(call.loc, BinaryOp::Add, call.lhs(), call.rhs());
  return call.emitter.binary(call.loc, BinaryOp::Add, sum, call.rhs2());
}

/// subc(a, b, c): a - b - c
Object tegula::buildSubtractTwo(const SubtractTwoCall &call) {
  Object rest =
      call.emitter.binary(call.loc, BinaryOp::Sub, call.lhs(), call.rhs());
  return call.emitter.binary(call.loc, BinaryOp::Sub, rest, call.rhs2());
}

/// lrelu(x, slope), prelu(x, slope): x where it is positive, else slope * x
Object tegula::buildLeaky(const LeakyCall &call) {
  Emitter &emitter = call.emitter;
  mlir::Value tile = call.x();
  mlir::Type element = pl::getElementOrSelf(tile.getType());
  if (!pl::isNumber(element))
    return call.fail("'" + call.name + "' takes numbers, got " +
                     describe(tile.getType()));
  Object zero(emitter.constant(call.loc, Object::integer(0), element));
  Object isPositive =
      emitter.comparison(call.loc, pl::Comparison::Gt, Object(tile), zero);
  Object scaled =
      emitter.binary(call.loc, BinaryOp::Mul, Object(tile), call.slope());
  if (isPositive.isPoison() || scaled.isPoison())
    return Object::poison();
  return emitter.select(call.loc, isPositive, Object(tile), scaled);
}
