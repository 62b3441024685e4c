// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The builtins that multiply matrices.
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/constants/ConstantFolding.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static unsigned rankOf(Value tile) {
  return pl::getDims(tile.getType()).size();
}

/// matmul(a, b, out_dtype, a_trans, b_trans)
static Object buildMatmul(BuiltinCall &call) {
  std::optional<bool> transposeLhs = call.flag(3, false);
  std::optional<bool> transposeRhs = call.flag(4, false);
  if (!transposeLhs || !transposeRhs)
    return Object::poison();
  Object product = call.emitter.matmul(call.loc, call[0], call[1], {},
                                       *transposeLhs, *transposeRhs);
  if (product.isPoison() || !call.has(2) || call[2].is<NoneObject>())
    return product;
  mlir::Type type = call.dtype(2);
  return type ? call.emitter.cast(call.loc, product, type, pl::Rounding::Rint)
              : Object::poison();
}

/// The dims of a value that is one of two.
static pl::Dims joinDims(Value lhs, Value rhs) {
  pl::Dims dims;
  for (auto [left, right] :
       llvm::zip_equal(pl::getDims(lhs.getType()), pl::getDims(rhs.getType())))
    dims.push_back(left.join(right));
  return dims;
}

/// The accumulator, or where `condition` holds zeros as far as `product` is
/// valid.
static Value startOfSum(Emitter &emitter, mlir::Location loc, Value acc,
                        Value product, Value condition) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::Type element = pl::getElementOrSelf(acc.getType());
  auto type =
      pl::TileType::get(emitter.getContext(), joinDims(acc, product), element);
  SmallVector<Value> extents;
  SmallVector<bool> isSame;
  for (unsigned axis = 0; axis < rankOf(acc); ++axis) {
    extents.push_back(emitter.settledExtent(loc, product, axis));
    isSame.push_back(emitter.isSameExtent(loc, acc, axis, product, axis));
    if (isSame.back())
      extents.back() = emitter.settledExtent(loc, acc, axis);
  }
  Value zero = emitter.constant(loc, Object::integer(0), element);
  auto zerosType = pl::TileType::get(emitter.getContext(),
                                     pl::getDims(product.getType()), element);
  Value relaxed = emitter.relax(loc, acc, type);
  std::vector<CrossingExtent> crossing = emitter.crossingExtents(relaxed);
  SmallVector<mlir::Type> types = {type};
  for (CrossingExtent &extent : crossing)
    if (isSame[extent.axis])
      extent.known = extents[extent.axis];
    else
      types.push_back(builder.getIndexType());
  auto choice = mlir::scf::IfOp::create(builder, loc, types, condition,
                                        /*addThenBlock=*/true,
                                        /*addElseBlock=*/true);
  auto yield = [&](mlir::Block *block, llvm::function_ref<Value()> make) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    SmallVector<Value> values = {make()};
    emitter.addFurtherExtents(loc, crossing, values);
    mlir::scf::YieldOp::create(builder, loc, values);
  };
  yield(choice.thenBlock(), [&] {
    Value zeros = pl::FullOp::create(builder, loc, zerosType, zero, extents);
    return emitter.relax(loc, zeros, type);
  });
  yield(choice.elseBlock(), [&] { return relaxed; });
  Value start = choice.getResult(0);
  emitter.stateExtents(loc, crossing, start, choice.getResults().drop_front());
  return start;
}

/// matmul_acc(acc, a, b): acc + a @ b; with a true init_cond just a @ b
static Object buildMatmulAcc(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  std::optional<bool> transposeLhs = call.flag(3, false);
  std::optional<bool> transposeRhs = call.flag(4, false);
  Value acc = call.tile(0);
  if (!acc || !transposeLhs || !transposeRhs)
    return Object::poison();
  Object init = call.has(5) ? call[5] : Object::boolean(false);
  if (init.is<NoneObject>())
    init = Object::boolean(false);
  Object lhs = call[1], rhs = call[2];
  if (isConstant(init))
    return emitter.matmul(call.loc, lhs, rhs, isTrue(init) ? Value() : acc,
                          *transposeLhs, *transposeRhs);
  Value condition = emitter.toCondition(call.loc, init);
  // Loads them once for both.
  for (Object *operand : {&lhs, &rhs})
    if (Value tile = emitter.toTile(call.loc, *operand))
      *operand = Object(tile);
  // Its extents are those of a sum that starts anew. Nothing else uses it.
  Object product =
      emitter.matmul(call.loc, lhs, rhs, {}, *transposeLhs, *transposeRhs);
  if (!condition || product.isPoison())
    return Object::poison();
  Value fresh = product.asValue();
  if (rankOf(fresh) != rankOf(acc) || pl::getElementOrSelf(fresh.getType()) !=
                                          pl::getElementOrSelf(acc.getType()))
    return emitter.matmul(call.loc, lhs, rhs, acc, *transposeLhs,
                          *transposeRhs);
  Value start = startOfSum(emitter, call.loc, acc, fresh, condition);
  if (fresh.use_empty() && fresh.getDefiningOp<pl::MatmulOp>())
    emitter.eraseTrial(fresh.getDefiningOp());
  return emitter.matmul(call.loc, lhs, rhs, start, *transposeLhs,
                        *transposeRhs);
}

/// A row of N numbers, [1, N] or [N], added to every row of a product.
static Object addBias(BuiltinCall &call, const Object &product,
                      unsigned position) {
  Value bias = product.isPoison() ? Value() : call.tile(position);
  if (!bias)
    return Object::poison();
  mlir::Type sum = pl::getElementOrSelf(product.asValue().getType());
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(bias.getType());
  bool isRow = dims.size() == 1 || (dims.size() == 2 && dims[0].isExactly(1));
  if (!isRow ||
      pl::isFloat(pl::getElementOrSelf(bias.getType())) != pl::isFloat(sum))
    return call.fail("'" + call.name + "' takes a bias [1, N] of " +
                     describe(sum) + ", got " + describe(bias.getType()));
  Object wide =
      call.emitter.cast(call.loc, Object(bias), sum, pl::Rounding::Rint);
  return call.emitter.binary(call.loc, ast::BinaryOp::Add, product, wide);
}

/// matmul_bias(a, b, bias): a @ b + bias
static Object buildMatmulBias(BuiltinCall &call) {
  std::optional<bool> transposeLhs = call.flag(3, false);
  std::optional<bool> transposeRhs = call.flag(4, false);
  if (!transposeLhs || !transposeRhs)
    return Object::poison();
  return addBias(call,
                 call.emitter.matmul(call.loc, call[0], call[1], {},
                                     *transposeLhs, *transposeRhs),
                 2);
}

/// True if the operand is one row: [1, K] or [K].
static bool checkRow(BuiltinCall &call, unsigned position) {
  Value shaped = call.shaped(position);
  if (!shaped)
    return false;
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(shaped.getType());
  if (dims.size() == 1 || (dims.size() == 2 && dims[0].isExactly(1)))
    return true;
  call.fail("'" + call.name + "' multiplies one row [1, K], got " +
            describe(shaped.getType()) + "; use pl.matmul");
  return false;
}

/// gemv(a, b) of one row a
static Object buildGemv(BuiltinCall &call) {
  if (!checkRow(call, 0))
    return Object::poison();
  return call.emitter.matmul(call.loc, call[0], call[1], {}, false, false);
}

static Object buildGemvAcc(BuiltinCall &call) {
  Value acc = call.tile(0);
  if (!acc || !checkRow(call, 1))
    return Object::poison();
  return call.emitter.matmul(call.loc, call[1], call[2], acc, false, false);
}

static Object buildGemvBias(BuiltinCall &call) {
  return addBias(call, buildGemv(call), 2);
}

llvm::ArrayRef<Builtin> tegula::productBuiltins() {
  static constexpr Builtin table[] = {
      {"matmul", "a b out_dtype? a_trans? b_trans? c_matrix_nz?", buildMatmul,
       false,
       "the product of two matrices, or of batches of them; `a_trans` and "
       "`b_trans` take an operand transposed"},
      {"matmul_acc", "acc a b a_trans? b_trans? init_cond?", buildMatmulAcc,
       false,
       "`acc` plus the product; just the product where `init_cond` holds"},
      {"matmul_bias", "a b bias a_trans? b_trans?", buildMatmulBias, false,
       "the product plus a row `[1, N]`"},
      {"batch_matmul", "a b out_dtype? a_trans? b_trans?", buildMatmul, false,
       "as `pl.matmul`"},
      {"batch_matmul_acc", "acc a b a_trans? b_trans? init_cond?",
       buildMatmulAcc, false, "as `pl.matmul_acc`"},
      {"gemv", "a b acc_phase?", buildGemv, false,
       "the product of one row `[1, K]` and a matrix"},
      {"gemv_acc", "acc a b acc_phase?", buildGemvAcc, false,
       "`acc` plus the product of one row and a matrix"},
      {"gemv_bias", "a b bias acc_phase?", buildGemvBias, false,
       "the product of one row and a matrix, plus a row `[1, N]`"},
  };
  return table;
}
