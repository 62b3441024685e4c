// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that read and write tensors.
#include "tegula/frontend/builtins/IndexedForms.h"
#include "tegula/frontend/builtins/Padding.h"
#include "tegula/ir/AtomicAttribute.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

/// A window at `offsets` of `sizes`, of which `valid` is valid, without the
/// axes in `drop`. Its type never claims less than the sizes say: filling it up
/// fills up to them.
static Value nominalWindow(const BuiltinCall &call, Value shaped,
                           llvm::ArrayRef<Value> offsets,
                           llvm::ArrayRef<Value> sizes,
                           llvm::ArrayRef<Value> valid,
                           llvm::ArrayRef<int64_t> drop) {
  Emitter &emitter = call.emitter;
  SmallVector<Value> actual(sizes), kept;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (llvm::is_contained(drop, static_cast<int64_t>(axis)))
      continue;
    kept.push_back(sizes[axis]);
    if (!valid.empty())
      actual[axis] = emitter.indexExtreme(call.loc, /*isMax=*/false,
                                          valid[axis], sizes[axis]);
  }
  Value view = emitter.window(call.loc, shaped, offsets, actual, drop);
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

/// What `valid_shape` leaves of a window; nothing in it if it is left out.
template <typename Call>
static std::optional<SmallVector<Value>> validOf(const Call &call,
                                                 unsigned rank) {
  return call.hasValidShape() ? call.validShape(rank) : SmallVector<Value>();
}

/// load(tensor, offsets, shapes): a window as a tile
Object tegula::buildLoad(const LoadCall &call) {
  Value tensor = call.tensor()->asTensor();
  if (!tensor)
    return call.fail("'load' reads a tensor, got " + describe(call.tensor()));
  unsigned rank = pl::getDims(tensor.getType()).size();
  if (!call.hasOffsets())
    return Object(call.emitter.toTile(call.loc, Object(tensor)));
  if (!call.hasShapes())
    return call.fail("load() missing required argument 'shapes'");
  std::optional<SmallVector<Value>> offsets = call.offsets(rank);
  std::optional<SmallVector<Value>> sizes =
      offsets ? call.shapes(rank) : std::nullopt;
  std::optional<SmallVector<Value>> valid = validOf(call, rank);
  if (!offsets || !sizes || !valid)
    return Object::poison();
  Value view = nominalWindow(call, tensor, *offsets, *sizes, *valid, {});
  return Object(call.emitter.toTile(call.loc, Object(view)));
}

namespace {

/// Marks what reads and writes memory while it lives as one sum in place.
class SumInPlace {
public:
  SumInPlace(const BuiltinCall &call, bool isAdded)
      : builder(call.emitter.builder), isAdded(isAdded) {
    mlir::Block *block = builder.getInsertionBlock();
    if (!block->empty())
      last = &block->back();
  }
  ~SumInPlace() {
    mlir::Block *block = builder.getInsertionBlock();
    for (mlir::Operation *op = isAdded && !block->empty() ? &block->back()
                                                          : nullptr;
         op && op != last; op = op->getPrevNode())
      if (llvm::isa<pl::LoadOp, pl::ReadOp, pl::StoreOp, pl::WriteOp>(op))
        op->setAttr(pl::atomicAttrName, builder.getUnitAttr());
  }

private:
  mlir::OpBuilder &builder;
  bool isAdded;
  mlir::Operation *last = nullptr;
};

} // namespace

/// A number or scalar at one place.
static void storeScalar(const BuiltinCall &call, Object value, Value tensor,
                        llvm::ArrayRef<Value> offsets, bool isAdded) {
  if (isAdded)
    value = call.emitter.binary(call.loc, ast::BinaryOp::Add,
                                call.emitter.read(call.loc, tensor, offsets),
                                value);
  call.emitter.write(call.loc, value, tensor, offsets);
}

/// Writes a tile to a tensor at the offsets; poison after a mistake, else the
/// tensor.
static Object storeAt(const BuiltinCall &call, Value tile, Value tensor,
                      llvm::ArrayRef<Value> offsets, bool isAdded) {
  Emitter &emitter = call.emitter;
  unsigned rank = offsets.size();
  unsigned tileRank = pl::getDims(tile.getType()).size();
  if (tileRank > rank)
    return call.fail("cannot store " + describe(tile.getType()) + " in " +
                     describe(tensor.getType()));
  SmallVector<Value> sizes(rank - tileRank, emitter.index(1));
  llvm::append_range(sizes, emitter.extents(call.loc, tile));
  SmallVector<int64_t> drop;
  for (unsigned axis = 0; axis < rank - tileRank; ++axis)
    drop.push_back(axis);
  if (!emitter.checkWritable(call.loc, tensor))
    return Object(tensor);
  Value view = emitter.window(call.loc, tensor, offsets, sizes, drop);
  mlir::Type element = pl::getElementOrSelf(tensor.getType());
  if (isAdded && pl::getElementOrSelf(tile.getType()) == element) {
    // Program order is the meaning, so a sum in place is as good as an atomic
    // one.
    Object sum = emitter.binary(call.loc, ast::BinaryOp::Add,
                                Object(emitter.toTile(call.loc, Object(view))),
                                Object(tile));
    if (sum.isPoison())
      return sum;
    tile = sum.asValue();
  }
  emitter.uses.write(tensor);
  // The view was cut to the tile, so it fits whatever is known of it.
  if (pl::getElementOrSelf(tile.getType()) == element)
    pl::StoreOp::create(emitter.builder, call.loc, tile, view);
  else
    emitter.store(call.loc, Object(tile), view);
  return Object(tensor);
}

/// A tile, number or scalar written to a tensor at the offsets.
static Object storeAny(const BuiltinCall &call, const BuiltinArgument &source,
                       Value tensor,
                       const std::optional<SmallVector<Value>> &offsets,
                       const BuiltinArgument &atomic) {
  std::optional<bool> isAdded = isAtomicAdd(atomic);
  if (!isAdded || !offsets)
    return Object::poison();
  if (Value tile = call.emitter.toTile(call.loc, source)) {
    SumInPlace sum(call, *isAdded);
    return storeAt(call, tile, tensor, *offsets, *isAdded);
  }
  if (!source->isNumber() && !source->asScalar())
    return call.fail("'store' takes a tile, got " + describe(source));
  SumInPlace sum(call, *isAdded);
  storeScalar(call, source, tensor, *offsets, *isAdded);
  return Object(tensor);
}

/// store(tile, offsets, tensor): writes the tile at the offsets
Object tegula::buildStore(const StoreCall &call) {
  Value tensor = call.tensor()->asTensor();
  if (!tensor)
    return call.fail("'store' writes to a tensor, got " +
                     describe(call.tensor()));
  return storeAny(call, call.tile(), tensor,
                  call.offsets(pl::getDims(tensor.getType()).size()),
                  call.atomic());
}

Object tegula::buildRead(const ReadCall &call) {
  std::optional<SmallVector<Value>> indices =
      call.indices(pl::getDims(call.x().getType()).size());
  return indices ? call.emitter.read(call.loc, call.x(), *indices)
                 : Object::poison();
}

Object tegula::buildWrite(const WriteCall &call) {
  Value tensor = call.x()->asTensor();
  if (!tensor)
    return call.fail("'write' writes to a tensor, got " + describe(call.x()) +
                     "; assign t[i, j] = v for a tile");
  std::optional<SmallVector<Value>> indices =
      call.indices(pl::getDims(tensor.getType()).size());
  if (!indices)
    return Object::poison();
  call.emitter.write(call.loc, call.value(), tensor, *indices);
  return Object(tensor);
}

/// The axes that `drop_dims` lists, in order; nothing, and an error, if they
/// cannot go.
static std::optional<SmallVector<int64_t>>
readDropped(const BuiltinCall &call, const BuiltinArgument &given,
            llvm::ArrayRef<Value> sizes) {
  SmallVector<int64_t> drop;
  if (!given.isGiven())
    return drop;
  const std::vector<Object> *entries = given->asTuple();
  if (!entries) {
    call.fail("'drop_dims' takes a list of axes, got " + describe(given));
    return std::nullopt;
  }
  for (const Object &entry : *entries) {
    std::optional<int64_t> axis = entry.asInteger();
    if (!axis || *axis < 0 || *axis >= int64_t(sizes.size()) ||
        !pl::dimOfExtent(sizes[*axis]).isExactly(1)) {
      call.fail("'drop_dims' takes axes of size 1");
      return std::nullopt;
    }
    drop.push_back(*axis);
  }
  llvm::sort(drop);
  return drop;
}

/// A window as a tile of all its sizes: `pad_value` where nothing is valid.
static Object padWindow(const SliceCall &call, Value window,
                        llvm::ArrayRef<Value> sizes,
                        llvm::ArrayRef<int64_t> drop) {
  Value tile = call.emitter.toTile(call.loc, Object(window));
  Value value =
      padScalar(call, call.padValue(), pl::getElementOrSelf(window.getType()));
  if (!value)
    return Object::poison();
  pl::Dims dims;
  SmallVector<Value> kept;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(drop, static_cast<int64_t>(axis))) {
      kept.push_back(size);
      dims.push_back(pl::dimOfExtent(size));
    }
  Value result = padTo(call, tile, value, dims, kept);
  return result ? Object(result) : Object::poison();
}

/// slice(x, shape, offset): a view of a tensor, a part of a tile; with
/// `pad_value` a tile of that shape
Object tegula::buildSlice(const SliceCall &call) {
  unsigned rank = pl::getDims(call.x().getType()).size();
  std::optional<SmallVector<Value>> sizes = call.shape(rank);
  std::optional<SmallVector<Value>> offsets =
      sizes ? call.offset(rank) : std::nullopt;
  std::optional<SmallVector<Value>> valid =
      offsets ? validOf(call, rank) : std::nullopt;
  if (!valid)
    return Object::poison();
  std::optional<SmallVector<int64_t>> drop =
      readDropped(call, call.dropDims(), *sizes);
  if (!drop)
    return Object::poison();
  Value window = nominalWindow(call, call.x(), *offsets, *sizes, *valid, *drop);
  BuiltinArgument pad = call.padValue();
  const std::string *path = pad.isGiven() ? pad->asLanguage() : nullptr;
  bool isPadded = pad.isGiven() && !(path && *path == "PadValue.null");
  return isPadded ? padWindow(call, window, *sizes, *drop) : Object(window);
}

/// A tile with a part replaced whose place along the axes in `drop_dims` is an
/// index, which must lie inside: as `t[i, a:b] = x`.
static Object assembleAt(const AssembleCall &call,
                         llvm::ArrayRef<Value> offsets) {
  SmallVector<Value> sizes;
  Value source = call.emitter.toTile(call.loc, call.source());
  if (call.hasShapes()) {
    std::optional<SmallVector<Value>> given = call.shapes(offsets.size());
    if (!given)
      return Object::poison();
    sizes = *given;
  } else if (source && pl::getDims(source.getType()).size() == offsets.size()) {
    sizes = call.emitter.extents(call.loc, source);
  }
  if (sizes.empty())
    return call.fail("'assemble' with 'drop_dims' takes a tile of the rank of "
                     "its target, or needs 'shapes'");
  std::optional<SmallVector<int64_t>> drop =
      readDropped(call, call.dropDims(), sizes);
  return drop ? call.emitter.insert(call.loc, call.source(), call.target(),
                                    offsets, sizes, *drop)
              : Object::poison();
}

/// assemble(target, source, offset): writes a part of a tensor, or makes a tile
/// with a part replaced
Object tegula::buildAssemble(const AssembleCall &call) {
  Value target = call.target();
  std::optional<SmallVector<Value>> offsets =
      call.offset(pl::getDims(target.getType()).size());
  if (mlir::isa<pl::TensorViewType>(target.getType()))
    return storeAny(call, call.source(), target, offsets, call.atomic());
  if (offsets && call.dropDims().isGiven())
    return assembleAt(call, *offsets);
  Value source = offsets ? call.source().tile() : Value();
  if (!source)
    return Object::poison();
  if (pl::getDims(source.getType()).size() != offsets->size())
    return call.fail("'assemble' puts a tile into one of the same rank, got " +
                     describe(source.getType()));
  SmallVector<Value> sizes = call.emitter.extents(call.loc, source);
  std::optional<bool> isAdded = isAtomicAdd(call.atomic());
  if (!isAdded)
    return Object::poison();
  Object part(source);
  if (*isAdded)
    part = call.emitter.binary(
        call.loc, ast::BinaryOp::Add, part,
        Object(call.emitter.window(call.loc, target, *offsets, sizes, {})));
  return call.emitter.insert(call.loc, part, target, *offsets, sizes, {});
}
