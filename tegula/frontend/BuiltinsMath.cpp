// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that compute and are not plain elementwise ops: casts, comparisons,
// selections, matrix products.
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/Builtins.h"
#include "tegula/frontend/ConstantFolding.h"
#include "tegula/frontend/Dtypes.h"

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

static Object finishMatmul(BuiltinCall &call, const Object &product,
                           unsigned dtype) {
  if (product.isPoison() || !call.has(dtype) || call[dtype].is<NoneObject>())
    return product;
  mlir::Type type = call.dtype(dtype);
  return type ? call.emitter.cast(call.loc, product, type, pl::Rounding::Rint)
              : Object::poison();
}

static Object buildMatmul(BuiltinCall &call) {
  std::optional<bool> transposeLhs = call.flag(3, false);
  std::optional<bool> transposeRhs = call.flag(4, false);
  if (!transposeLhs || !transposeRhs)
    return Object::poison();
  Object product = call.emitter.matmul(call.loc, call[0], call[1], {},
                                       *transposeLhs, *transposeRhs);
  return finishMatmul(call, product, 2);
}

/// The accumulator, or zeros where `init` holds.
static Value startOfSum(BuiltinCall &call, Value acc, const Object &init) {
  Emitter &emitter = call.emitter;
  mlir::OpBuilder &builder = emitter.builder;
  Value condition = emitter.toCondition(call.loc, init);
  if (!condition)
    return {};
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < pl::getDims(acc.getType()).size(); ++axis)
    extents.push_back(emitter.settledExtent(call.loc, acc, axis));
  auto choice = mlir::scf::IfOp::create(builder, call.loc, acc.getType(),
                                        condition, /*addThenBlock=*/true,
                                        /*addElseBlock=*/true);
  for (auto [axis, extent] : llvm::enumerate(extents))
    emitter.setExtent(choice.getResult(0), axis, extent);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(choice.thenBlock());
  Value zero = emitter.constant(call.loc, Object::integer(0),
                                pl::getElementOrSelf(acc.getType()));
  Value zeros = emitter.fullLike(call.loc, zero, acc);
  mlir::scf::YieldOp::create(builder, call.loc, zeros);
  builder.setInsertionPointToEnd(choice.elseBlock());
  mlir::scf::YieldOp::create(builder, call.loc, acc);
  return choice.getResult(0);
}

/// matmul_acc(acc, a, b): acc + a @ b; with a true init_cond just a @ b
static Object buildMatmulAcc(BuiltinCall &call) {
  std::optional<bool> transposeLhs = call.flag(3, false);
  std::optional<bool> transposeRhs = call.flag(4, false);
  Value acc = call.tile(0);
  if (!acc || !transposeLhs || !transposeRhs)
    return Object::poison();
  Object init = call.has(5) ? call[5] : Object::boolean(false);
  if (init.is<NoneObject>())
    init = Object::boolean(false);
  if (isConstant(init))
    acc = isTrue(init) ? Value() : acc;
  else
    acc = startOfSum(call, acc, init);
  if (!acc && !isConstant(init))
    return Object::poison();
  return call.emitter.matmul(call.loc, call[1], call[2], acc, *transposeLhs,
                             *transposeRhs);
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
  };
  return table;
}

llvm::ArrayRef<Builtin> tegula::productBuiltins() {
  static constexpr Builtin table[] = {
      {"matmul", "a b out_dtype? a_trans? b_trans? c_matrix_nz?", buildMatmul,
       false,
       "the product of two matrices; `a_trans` and `b_trans` take an operand "
       "transposed"},
      {"matmul_acc", "acc a b a_trans? b_trans? init_cond?", buildMatmulAcc,
       false,
       "`acc` plus the product; just the product where `init_cond` holds"},
  };
  return table;
}
