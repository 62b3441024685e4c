// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/calls/DispatchResults.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace tegula;
using mlir::Value;

/// True for a value that the function made itself.
static bool isResult(const Object &returned) {
  Value value = returned.asValue();
  return value && !asParameter(value);
}

/// Counts the values among the results; extents of them may follow.
static size_t countResults(const Object &returned) {
  size_t count = isResult(returned);
  if (const auto *tuple = returned.asTuple())
    for (const Object &element : *tuple)
      count += countResults(element);
  return count;
}

bool DispatchResults::create(const FunctionInstance &instance,
                             llvm::ArrayRef<Value> arguments) {
  mlir::func::FuncOp func = instance.func;
  for (size_t result = 0, count = countResults(instance.returned);
       result < count; ++result) {
    mlir::Type type = func.getResultTypes()[result];
    bool isScalar = !llvm::isa<pl::TileType, pl::TensorViewType>(type);
    llvm::SmallVector<Value> sizes;
    if (isScalar)
      sizes.push_back(emitter.scalars.index(1));
    llvm::ArrayRef<pl::Dim> axes;
    if (!isScalar)
      axes = pl::getDims(type);
    for (auto [axis, dim] : llvm::enumerate(axes)) {
      if (dim.isExact()) {
        sizes.push_back(emitter.scalars.index(dim.getBound()));
        continue;
      }
      auto extent = llvm::find_if(
          instance.extents, [&, axis = axis](const CrossingExtent &each) {
            return each.position == result && each.axis == axis && each.known;
          });
      if (extent == instance.extents.end())
        return false;
      sizes.push_back(
          emitter.extents.importExtent(loc, extent->known, arguments));
    }
    pl::Dims dims;
    for (Value size : sizes)
      dims.push_back(pl::dimOfExtent(size));
    mlir::Type element = pl::getElementOrSelf(type);
    if (element.isIndex())
      element = emitter.builder.getI64Type();
    tensors.push_back(pl::CreateTensorOp::create(
        emitter.builder, loc,
        pl::TensorViewType::get(emitter.getContext(), dims, element), sizes));
  }
  return true;
}

void DispatchResults::store(const Object &returned, const Object &given) {
  llvm::ArrayRef<Value> remaining = tensors;
  store(returned, given, remaining);
}

void DispatchResults::store(const Object &returned, const Object &given,
                            llvm::ArrayRef<Value> &remaining) {
  if (const auto *tuple = returned.asTuple())
    for (auto [inside, outside] : llvm::zip(*tuple, *given.asTuple()))
      store(inside, outside, remaining);
  if (!isResult(returned))
    return;
  Value target = remaining.front();
  remaining = remaining.drop_front();
  if (given.asScalar())
    emitter.memory.write(
        loc,
        Object(emitter.scalars.toScalar(
            loc, given, pl::getElementOrSelf(target.getType()))),
        target, {emitter.scalars.index(0)});
  else
    emitter.memory.store(loc, Object(emitter.memory.toTile(loc, given)),
                         target);
}

Object DispatchResults::take(const Object &returned, const Object &given) {
  llvm::ArrayRef<Value> remaining = tensors;
  return take(returned, given, remaining);
}

Object DispatchResults::take(const Object &returned, const Object &given,
                             llvm::ArrayRef<Value> &remaining) {
  if (const auto *tuple = returned.asTuple()) {
    std::vector<Object> elements;
    for (auto [inside, outside] : llvm::zip(*tuple, *given.asTuple()))
      elements.push_back(take(inside, outside, remaining));
    return Object::tuple(std::move(elements));
  }
  if (!isResult(returned))
    return given;
  Value source = remaining.front();
  remaining = remaining.drop_front();
  emitter.uses.write(source);
  if (!given.asScalar())
    return Object(source);
  Object number = emitter.memory.read(loc, source, {emitter.scalars.index(0)});
  return given.asScalar().getType().isIndex()
             ? Object(emitter.scalars.toIndex(loc, number, "a result"))
             : number;
}
