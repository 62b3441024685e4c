// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The builtins that multiply matrices.
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/builtins/MatmulPrecision.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/emit/BoundedExtent.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static unsigned rankOf(Value tile) {
  return pl::getDims(tile.getType()).size();
}

/// "'exact', 'tf32' or 'fp8'"
static std::string listPrecisions() {
  std::string list = "'exact'";
  constexpr unsigned last = pl::getMaxEnumValForPrecision();
  for (unsigned i = 0; i <= last; ++i)
    list += ((i < last ? ", '" : " or '") +
             pl::stringifyPrecision(static_cast<pl::Precision>(i)) + "'")
                .str();
  return list;
}

bool tegula::readPrecision(const BuiltinArgument &argument,
                           std::optional<pl::Precision> &precision) {
  precision = std::nullopt;
  if (!argument.isGiven())
    return true;
  const auto *name = argument->as<StringObject>();
  if (name && name->value == "exact")
    return true;
  if (name)
    precision = pl::symbolizePrecision(name->value);
  if (!precision)
    argument.fail("'precision' is " + listPrecisions() + ", got " +
                  describe(argument));
  return precision.has_value();
}

/// matmul(a, b, out_dtype, a_trans, b_trans, precision)
Object tegula::buildMatmul(const MatmulCall &call) {
  MatmulFlags flags{call.aTrans(), call.bTrans()};
  if (!readPrecision(call.precision(), flags.precision))
    return Object::poison();
  Object matmul =
      call.emitter.matmuls.build(call.loc, call.a(), call.b(), {}, flags);
  if (matmul.isPoison() || !call.hasOutDtype())
    return matmul;
  return call.emitter.elementwise.cast(call.loc, matmul, call.outDtype(),
                                       pl::Rounding::Rint);
}

/// The dims of a value that is one of two.
static pl::Dims joinDims(Value lhs, Value rhs) {
  pl::Dims dims;
  for (auto [left, right] :
       llvm::zip_equal(pl::getDims(lhs.getType()), pl::getDims(rhs.getType())))
    dims.push_back(left.join(right));
  return dims;
}

/// The accumulator, or where `condition` holds zeros as far as `matmul` is
/// valid.
static Value initialAcc(Emitter &emitter, mlir::Location loc, Value acc,
                        Value matmul, Value condition) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::Type element = pl::getElementOrSelf(acc.getType());
  auto type =
      pl::TileType::get(emitter.getContext(), joinDims(acc, matmul), element);
  SmallVector<Value> extents;
  SmallVector<bool> isSame;
  for (unsigned axis = 0; axis < rankOf(acc); ++axis) {
    extents.push_back(emitter.extents.settled(loc, matmul, axis));
    isSame.push_back(
        emitter.extents.isSameExtent(loc, acc, axis, matmul, axis));
    if (isSame.back())
      extents.back() = emitter.extents.settled(loc, acc, axis);
  }
  Value zero = emitter.scalars.constant(loc, Object::integer(0), element);
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(matmul.getType());
  auto zerosType = pl::TileType::get(emitter.getContext(), dims, element);
  SmallVector<Value> sizes;
  for (auto [extent, dim] : llvm::zip_equal(extents, dims))
    sizes.push_back(boundedBy(emitter, loc, extent, dim));
  Value relaxed = emitter.shapes.relax(loc, acc, type);
  std::vector<CrossingExtent> crossing = emitter.crossing.find(relaxed);
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
    emitter.crossing.addFurther(loc, crossing, values);
    mlir::scf::YieldOp::create(builder, loc, values);
  };
  yield(choice.thenBlock(), [&] {
    Value zeros = pl::FullOp::create(builder, loc, zerosType, zero, sizes);
    return emitter.shapes.relax(loc, zeros, type);
  });
  yield(choice.elseBlock(), [&] { return relaxed; });
  Value start = choice.getResult(0);
  emitter.crossing.state(loc, crossing, start,
                         choice.getResults().drop_front());
  return start;
}

/// matmul_acc(acc, a, b): acc + a @ b; with a true init_cond just a @ b
Object tegula::buildMatmulAcc(const MatmulAccCall &call) {
  Emitter &emitter = call.emitter;
  Value acc = call.acc();
  Object init = call.initCond().isGiven() ? call.initCond().object()
                                          : Object::boolean(false);
  Object lhs = call.a(), rhs = call.b();
  MatmulFlags flags{call.aTrans(), call.bTrans()};
  if (!readPrecision(call.precision(), flags.precision))
    return Object::poison();
  auto multiply = [&](Value start) {
    return emitter.matmuls.build(call.loc, lhs, rhs, start, flags);
  };
  if (isConstant(init))
    return multiply(isTrue(init) ? Value() : acc);
  Value condition = emitter.scalars.toCondition(call.loc, init);
  // Loads them once for both.
  for (Object *operand : {&lhs, &rhs})
    if (Value tile = emitter.memory.toTile(call.loc, *operand))
      *operand = Object(tile);
  // Its extents are those of a sum that starts anew. Nothing else uses it.
  Object matmul = multiply({});
  if (!condition || matmul.isPoison())
    return Object::poison();
  Value fresh = matmul.asValue();
  if (rankOf(fresh) != rankOf(acc) || pl::getElementOrSelf(fresh.getType()) !=
                                          pl::getElementOrSelf(acc.getType()))
    return multiply(acc);
  Value start = initialAcc(emitter, call.loc, acc, fresh, condition);
  if (fresh.use_empty() && fresh.getDefiningOp<pl::MatmulOp>())
    emitter.eraseTrial(fresh.getDefiningOp());
  return multiply(start);
}
