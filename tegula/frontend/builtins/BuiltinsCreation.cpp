// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that make tensors, tiles and constants.
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/Dtypes.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static bool checkElement(BuiltinCall &call, mlir::Type element) {
  if (element && element.isIndex())
    call.fail("elements cannot be INDEX; use pl.INT64");
  return element && !element.isIndex();
}

static Object buildCreateTensor(BuiltinCall &call) {
  SmallVector<Value> sizes;
  mlir::Type element = call.dtype(1);
  if (!checkElement(call, element) || !call.sizes(0, sizes))
    return Object::poison();
  pl::Dims dims;
  for (Value size : sizes)
    dims.push_back(pl::dimOfExtent(size));
  Emitter &emitter = call.emitter;
  auto type = pl::TensorViewType::get(emitter.getContext(), dims, element);
  Value tensor =
      pl::CreateTensorOp::create(emitter.builder, call.loc, type, sizes);
  if (call.has(4) && !call[4].is<NoneObject>())
    emitter.store(call.locOf(4), call[4], tensor);
  return Object(tensor);
}

static Object makeFull(BuiltinCall &call, unsigned shape, mlir::Type element,
                       const Object &value, mlir::Location valueLoc) {
  SmallVector<Value> sizes;
  if (!checkElement(call, element) || !call.sizes(shape, sizes))
    return Object::poison();
  Object zero = pl::isBool(element) && value.asInteger() == 0
                    ? Object::boolean(false)
                    : value;
  Value scalar = call.emitter.toScalar(valueLoc, zero, element);
  if (!scalar)
    return Object::poison();
  return Object(
      pl::FullOp::create(call.emitter.builder, call.loc, scalar, sizes)
          .getResult());
}

static Object buildCreateTile(BuiltinCall &call) {
  return makeFull(call, 0, call.dtype(1), Object::integer(0), call.loc);
}

static Object buildFull(BuiltinCall &call) {
  return makeFull(call, 0, call.dtype(1), call[2], call.locOf(2));
}

/// arange(start, shape): every row start, start + 1, ...
static Object buildArange(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  SmallVector<Value> sizes;
  mlir::Type element =
      call.has(2) ? call.dtype(2) : mlir::Type(emitter.builder.getI32Type());
  std::optional<bool> isDescending = call.flag(3, false);
  if (!isDescending || !checkElement(call, element) || !call.sizes(1, sizes))
    return Object::poison();
  if (sizes.empty() || pl::isBool(element))
    return call.fail("'arange' needs at least one axis and a number type");
  Value start = emitter.toScalar(call.locOf(0), call[0], element);
  if (!start)
    return Object::poison();
  auto ramp = [&](Value from) {
    return Object(pl::ArangeOp::create(emitter.builder, call.loc, from, sizes)
                      .getResult());
  };
  if (!*isDescending)
    return ramp(start);
  Value zero = emitter.constant(call.loc, Object::integer(0), element);
  return emitter.binary(call.loc, ast::BinaryOp::Sub, Object(start),
                        ramp(zero));
}

/// const(value, dtype): a number with a type
static Object buildConst(BuiltinCall &call) {
  mlir::Type type = call.dtype(1);
  if (!type)
    return Object::poison();
  if (!call[0].isNumber())
    return call.fail("'const' takes a number known at compile time, got " +
                     describe(call[0]));
  Value value = call.emitter.constant(call.locOf(0), call[0], type);
  return value ? Object(value) : Object::poison();
}

static Object buildDynamic(BuiltinCall &call) {
  Object symbol = makeSymbol(call[0], call.loc);
  if (const auto *failure = symbol.as<UnusableObject>())
    return call.fail(failure->message);
  return call.fail("pl.dynamic must be assigned to a name at the top level of "
                   "the body, or outside the kernel");
}

/// expands(target, scalar): the scalar in the shape of the target
static Object buildExpands(BuiltinCall &call) {
  Value target = call.shaped(0);
  if (!target)
    return Object::poison();
  Value scalar = call.emitter.toScalar(call.locOf(1), call[1],
                                       pl::getElementOrSelf(target.getType()));
  return scalar ? Object(call.emitter.fullLike(call.loc, scalar, target))
                : Object::poison();
}

llvm::ArrayRef<Builtin> tegula::creationBuiltins() {
  static constexpr Builtin table[] = {
      {"create_tensor", "shape dtype layout? manual_dep? init_value?",
       buildCreateTensor, false,
       "memory of that shape for the length of the call; `init_value` fills "
       "it, otherwise it must be written before it is read"},
      {"create", "shape dtype target_memory? transpose? flat_layout?",
       buildCreateTile, false,
       "as `pl.create_tile`; `pl.tensor.create` is `pl.create_tensor`"},
      {"create_tile", "shape dtype target_memory? transpose? flat_layout?",
       buildCreateTile, false, "a tile of zeros"},
      {"full", "shape dtype value", buildFull, false,
       "a tile with one value everywhere"},
      {"arange", "start shape dtype? descending?", buildArange, false,
       "rows that count up from `start`, or down with `descending`; `INT32` "
       "unless `dtype` says otherwise"},
      {"ci", "start shape dtype? descending?", buildArange, false,
       "as `pl.arange`"},
      {"const", "value dtype", buildConst, false, "a number with a type"},
      {"dynamic", "name", buildDynamic, false,
       "a dimension that the call binds; assigned to a name outside the kernel "
       "or at the top of its body"},
      {"create_l1", "shape dtype transpose?", buildCreateTile, false,
       "as `pl.create_tile`"},
      {"expands", "target scalar", buildExpands, false,
       "a scalar in the shape and type of `target`"},
  };
  return table;
}
