// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/Windows.h"

using namespace tegula;
using llvm::ArrayRef;
using mlir::SmallVector;
using mlir::Value;

SmallVector<Value> CallWindow::remainingSizes() const {
  SmallVector<Value> kept;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(drop, static_cast<int64_t>(axis)))
      kept.push_back(size);
  return kept;
}

/// A size for each of `rank` axes, 1 for those in front that are missing.
static std::optional<SmallVector<Value>>
completed(const BuiltinCall &call, ArrayRef<Value> sizes, unsigned rank) {
  if (sizes.size() > rank || (sizes.empty() && rank > 0)) {
    call.fail("'" + call.name + "' needs " + llvm::Twine(rank) +
              " entries here, one for each axis, got " +
              llvm::Twine(sizes.size()));
    return std::nullopt;
  }
  SmallVector<Value> all(rank - sizes.size(), call.emitter.scalars.index(1));
  llvm::append_range(all, sizes);
  return all;
}

std::optional<CallWindow> tegula::readWindow(const BuiltinCall &call,
                                             ArrayRef<Value> offsets,
                                             ArrayRef<Value> sizes,
                                             ArrayRef<Value> valid) {
  CallWindow window;
  window.offsets.assign(offsets.begin(), offsets.end());
  std::optional<SmallVector<Value>> all =
      completed(call, sizes, offsets.size());
  if (!all)
    return std::nullopt;
  window.sizes = *all;
  for (size_t axis = 0; axis < offsets.size() - sizes.size(); ++axis)
    window.drop.push_back(axis);
  if (valid.empty())
    return window;
  all = completed(call, valid, offsets.size());
  if (!all)
    return std::nullopt;
  window.valid = *all;
  return window;
}

/// True if nothing is outside of the window.
static bool isAllOf(Value shaped, const CallWindow &window) {
  bool isWhole = window.valid.empty() && window.drop.empty();
  for (auto [dim, offset, size] :
       llvm::zip(pl::getDims(shaped.getType()), window.offsets, window.sizes))
    isWhole &= dim.isExact() && pl::dimOfExtent(size) == dim &&
               mlir::matchPattern(offset, mlir::m_Zero());
  return isWhole;
}

Value tegula::nominalWindow(const BuiltinCall &call, Value shaped,
                            const CallWindow &window) {
  if (isAllOf(shaped, window))
    return shaped;
  Emitter &emitter = call.emitter;
  SmallVector<Value> actual(window.sizes), kept = window.remainingSizes();
  for (size_t axis = 0; axis < actual.size(); ++axis)
    if (!window.valid.empty() &&
        !llvm::is_contained(window.drop, static_cast<int64_t>(axis)))
      actual[axis] = emitter.scalars.indexExtreme(
          call.loc, /*isMax=*/false, window.valid[axis], actual[axis]);
  Value view = emitter.memory.window(call.loc, shaped, window.offsets, actual,
                                     window.drop);
  pl::Dims dims(pl::getDims(view.getType()));
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    pl::Dim nominal = pl::dimOfExtent(kept[axis]);
    if (nominal.isExact() && dim != nominal)
      dim = pl::Dim::atMost(nominal.getBound());
  }
  mlir::Type element = pl::getElementOrSelf(view.getType());
  if (mlir::isa<pl::TensorViewType>(view.getType()))
    view.setType(pl::TensorViewType::get(element.getContext(), dims, element));
  else
    view.setType(pl::TileType::get(element.getContext(), dims, element));
  return view;
}

Value tegula::beginningOf(const BuiltinCall &call, Value tile,
                          ArrayRef<Value> sizes) {
  if (sizes.empty())
    return tile;
  SmallVector<Value> offsets(sizes.size(), call.emitter.scalars.index(0));
  return call.emitter.memory.window(call.loc, tile, offsets, sizes, {});
}

Value tegula::dropLeading(const BuiltinCall &call, Value tile, unsigned rank) {
  ArrayRef<pl::Dim> dims = pl::getDims(tile.getType());
  SmallVector<Value> sizes = call.emitter.extents.allOf(call.loc, tile);
  SmallVector<int64_t> drop;
  for (unsigned axis = 0; axis + rank < dims.size(); ++axis) {
    if (!dims[axis].isUnit())
      return {};
    drop.push_back(axis);
    sizes[axis] = call.emitter.scalars.index(1);
  }
  if (drop.empty())
    return tile;
  SmallVector<Value> offsets(dims.size(), call.emitter.scalars.index(0));
  return call.emitter.memory.window(call.loc, tile, offsets, sizes, drop);
}

Value tegula::exchangeLast(const BuiltinCall &call, Value tile) {
  unsigned rank = pl::getDims(tile.getType()).size();
  if (rank < 2) {
    call.fail("'" + call.name + "' needs two axes to transpose, got " +
              describe(tile.getType()));
    return {};
  }
  SmallVector<int64_t> permutation;
  for (unsigned axis = 0; axis < rank; ++axis)
    permutation.push_back(axis);
  std::swap(permutation[rank - 2], permutation[rank - 1]);
  pl::TransposeOp::Properties properties;
  properties.permutation =
      call.emitter.builder.getDenseI64ArrayAttr(permutation);
  return call.emitter.create<pl::TransposeOp>(call.loc, call.name, tile,
                                              properties);
}
