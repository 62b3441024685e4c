// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of scalars: tiles of one axis.
#include "tegula/frontend/Builtins.h"

using namespace tegula;

/// array.create(n, dtype): zeros on the core
static Object buildArray(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  std::optional<int64_t> length = call[0].asInteger();
  mlir::Type element = call.dtype(1);
  if (!element)
    return Object::poison();
  if (!length || *length < 0)
    return call.fail("the length of an array is known at compile time, got " +
                     describe(call[0]));
  if (element.isIndex())
    element = emitter.builder.getI64Type();
  Object zero =
      pl::isBool(element) ? Object::boolean(false) : Object::integer(0);
  mlir::Value scalar = emitter.constant(call.loc, zero, element);
  return Object(pl::FullOp::create(emitter.builder, call.loc, scalar,
                                   mlir::ValueRange{emitter.index(*length)})
                    .getResult());
}

static Object buildGetElement(BuiltinCall &call) {
  mlir::Value array = call.shaped(0);
  llvm::SmallVector<mlir::Value> place;
  if (!array || !call.indices(1, 1, place))
    return Object::poison();
  return call.emitter.read(call.loc, array, place);
}

/// array.update_element(a, i, v): the array with one element replaced
static Object buildUpdateElement(BuiltinCall &call) {
  mlir::Value array = call.tile(0);
  llvm::SmallVector<mlir::Value> place;
  if (!array || !call.indices(1, 1, place))
    return Object::poison();
  return call.emitter.insert(call.loc, call[2], array, place,
                             {call.emitter.index(1)}, {});
}

llvm::ArrayRef<Builtin> tegula::arrayBuiltins() {
  static constexpr Builtin table[] = {
      {"array.create", "extent|n dtype", buildArray, false,
       "an array of zeros: a tile of one axis, whose elements are read as "
       "`a[i]` and set as `a[i] = v`"},
      {"array.get_element", "array|a index|i", buildGetElement, false,
       "one element, as `a[i]`"},
      {"array.update_element", "array|a index|i value|v", buildUpdateElement,
       false, "the array with one element replaced"},
  };
  return table;
}
