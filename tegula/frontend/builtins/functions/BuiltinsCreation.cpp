// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that make tensors, tiles and constants.
#include "tegula/frontend/builtins/BuiltinCall.h"
#include "tegula/frontend/builtins/Padding.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/Dtypes.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

/// The type of elements; INDEX is kept in 64 bits.
static mlir::Type elementOf(mlir::Type dtype) {
  return dtype.isIndex() ? mlir::IntegerType::get(dtype.getContext(), 64)
                         : dtype;
}

/// The number that a pl.PadValue means.
static Object padNumber(const BuiltinCall &call, const BuiltinArgument &pad,
                        mlir::Type element) {
  Value number = padScalar(call, pad, element);
  return number ? Object(number) : Object::poison();
}

Object tegula::buildCreateTensor(const CreateTensorCall &call) {
  mlir::Type element = elementOf(call.dtype());
  pl::Dims dims;
  for (Value size : call.shape())
    dims.push_back(pl::dimOfExtent(size));
  Emitter &emitter = call.emitter;
  auto type = pl::TensorViewType::get(emitter.getContext(), dims, element);
  Value tensor =
      pl::CreateTensorOp::create(emitter.builder, call.loc, type, call.shape());
  BuiltinArgument init = call.initValue();
  if (!init.isGiven())
    return Object(tensor);
  Object value = init;
  if (init->asLanguage())
    value = padNumber(call, init, element);
  if (value.isPoison())
    return value;
  emitter.memory.store(init.loc(), value, tensor);
  return Object(tensor);
}

static Object makeFull(const BuiltinCall &call, llvm::ArrayRef<Value> sizes,
                       mlir::Type dtype, const Object &value,
                       mlir::Location valueLoc) {
  mlir::Type element = elementOf(dtype);
  Object zero = pl::isBool(element) && value.asInteger() == 0
                    ? Object::boolean(false)
                    : value;
  Value scalar = call.emitter.scalars.toScalar(valueLoc, zero, element);
  if (!scalar)
    return Object::poison();
  return Object(
      pl::FullOp::create(call.emitter.builder, call.loc, scalar, sizes)
          .getResult());
}

Object tegula::buildCreateTile(const CreateTileCall &call) {
  return makeFull(call, call.shape(), call.dtype(), Object::integer(0),
                  call.loc);
}

/// create_tile_buffers(count, shape, dtype): tiles along an axis in front
Object tegula::buildTileBuffers(const TileBuffersCall &call) {
  SmallVector<Value> sizes = {call.count()};
  llvm::append_range(sizes, call.shape());
  return makeFull(call, sizes, call.dtype(), Object::integer(0), call.loc);
}

Object tegula::buildFull(const FullCall &call) {
  Object value = call.value();
  if (value.asLanguage())
    value = padNumber(call, call.value(), elementOf(call.dtype()));
  if (value.isPoison())
    return value;
  return makeFull(call, call.shape(), call.dtype(), value, call.value().loc());
}

/// Every row start, start + 1, ...; where rows are known to have one element,
/// the axis before them counts.
static Object ramp(const ArangeCall &call, Value start) {
  Emitter &emitter = call.emitter;
  auto isOne = [](Value size) { return pl::dimOfExtent(size).isExactly(1); };
  llvm::ArrayRef<Value> sizes = call.shape(), counted = sizes;
  if (!llvm::all_of(sizes, isOne))
    while (isOne(counted.back()))
      counted = counted.drop_back();
  Value tile = pl::ArangeOp::create(emitter.builder, call.loc, start, counted);
  return counted.size() == sizes.size()
             ? Object(tile)
             : emitter.reshapes.build(call.loc, tile, sizes);
}

/// arange(start, shape, dtype, descending)
Object tegula::buildArange(const ArangeCall &call) {
  Emitter &emitter = call.emitter;
  mlir::Type element = call.hasDtype()
                           ? elementOf(call.dtype())
                           : mlir::Type(emitter.builder.getI32Type());
  if (call.shape().empty() || pl::isBool(element))
    return call.fail("'arange' needs at least one axis and a number type");
  Value start =
      emitter.scalars.toScalar(call.start().loc(), call.start(), element);
  if (!start)
    return Object::poison();
  if (!call.descending())
    return ramp(call, start);
  Value zero = emitter.scalars.constant(call.loc, Object::integer(0), element);
  return emitter.operators.binary(call.loc, ast::BinaryOp::Sub, Object(start),
                                  ramp(call, zero));
}

/// const(value, dtype): a number with a type
Object tegula::buildConst(const ConstCall &call) {
  if (!call.value()->isNumeric())
    return call.fail("'const' takes a number known at compile time, got " +
                     describe(call.value()));
  Value value = call.emitter.scalars.constant(call.value().loc(), call.value(),
                                              call.dtype());
  return value ? Object(value) : Object::poison();
}

Object tegula::buildDynamic(const DynamicCall &call) {
  Object symbol = makeSymbol(call.name(), call.loc);
  if (const auto *failure = symbol.as<UnusableObject>())
    return call.fail(failure->message);
  return call.fail("pl.dynamic must be assigned to a name at the top level of "
                   "the body, or outside the kernel");
}

/// expands(target, scalar): the scalar in the shape of the target
Object tegula::buildExpands(const ExpandsCall &call) {
  Value scalar = call.emitter.scalars.toScalar(
      call.scalar().loc(), call.scalar(),
      pl::getElementOrSelf(call.target().getType()));
  return scalar ? Object(call.emitter.shapes.fullLike(call.loc, scalar,
                                                      call.target()))
                : Object::poison();
}
