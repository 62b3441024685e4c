// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that read and write tensors.
#include "mlir/IR/Matchers.h"
#include "tegula/frontend/builtins/IndexedForms.h"
#include "tegula/frontend/builtins/Padding.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

/// A window at `offsets` of `sizes`, of which `valid` is valid, without the
/// axes in `drop`. Its type never claims less than the sizes say: filling it up
/// fills up to them.
static Value nominalWindow(BuiltinCall &call, Value shaped,
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

/// The sizes of a window, one for each axis; a constant must not be negative.
static bool readSizes(BuiltinCall &call, unsigned position, unsigned rank,
                      SmallVector<Value> &sizes) {
  if (!call.indices(position, rank, sizes))
    return false;
  llvm::APInt number;
  for (Value size : sizes)
    if (mlir::matchPattern(size, mlir::m_ConstantInt(&number)) &&
        number.isNegative()) {
      call.emitter.fail(call.locOf(position),
                        "an extent must not be negative, got " +
                            llvm::Twine(number.getSExtValue()));
      return false;
    }
  return true;
}

/// load(tensor, offsets, shapes): a window as a tile
static Object buildLoad(BuiltinCall &call) {
  Value tensor = call[0].asTensor();
  if (!tensor)
    return call.fail("'load' reads a tensor, got " + describe(call[0]));
  unsigned rank = pl::getDims(tensor.getType()).size();
  if (!call.has(1))
    return Object(call.emitter.toTile(call.loc, call[0]));
  SmallVector<Value> offsets, sizes, valid;
  if (!call.has(2))
    return call.fail("load() missing required argument 'shapes'");
  if (!call.indices(1, rank, offsets) || !readSizes(call, 2, rank, sizes))
    return Object::poison();
  if (call.has(3) && !readSizes(call, 3, rank, valid))
    return Object::poison();
  Value view = nominalWindow(call, tensor, offsets, sizes, valid, {});
  return Object(call.emitter.toTile(call.loc, Object(view)));
}

/// store(tile, offsets, tensor): writes the tile at the offsets
static Object buildStore(BuiltinCall &call) {
  Value tensor = call[2].asTensor();
  if (!tensor)
    return call.fail("'store' writes to a tensor, got " + describe(call[2]));
  std::optional<bool> isAdded = isAtomicAdd(call, 4);
  if (!isAdded)
    return Object::poison();
  unsigned rank = pl::getDims(tensor.getType()).size();
  SmallVector<Value> offsets;
  if (!call.indices(1, rank, offsets))
    return Object::poison();
  Value tile = call.emitter.toTile(call.loc, call[0]);
  if (!tile && !call[0].isNumber() && !call[0].asScalar())
    return call.fail("'store' takes a tile, got " + describe(call[0]));
  if (!tile) {
    Object value = call[0];
    if (*isAdded)
      value = call.emitter.binary(call.loc, ast::BinaryOp::Add,
                                  call.emitter.read(call.loc, tensor, offsets),
                                  value);
    call.emitter.write(call.loc, value, tensor, offsets);
    return call[2];
  }
  unsigned tileRank = pl::getDims(tile.getType()).size();
  if (tileRank > rank)
    return call.fail("cannot store " + describe(tile.getType()) + " in " +
                     describe(tensor.getType()));
  SmallVector<Value> sizes(rank - tileRank, call.emitter.index(1));
  llvm::append_range(sizes, call.emitter.extents(call.loc, tile));
  SmallVector<int64_t> drop;
  for (unsigned axis = 0; axis < rank - tileRank; ++axis)
    drop.push_back(axis);
  if (!call.emitter.checkWritable(call.loc, tensor))
    return call[2];
  Value view = call.emitter.window(call.loc, tensor, offsets, sizes, drop);
  mlir::Type element = pl::getElementOrSelf(tensor.getType());
  if (*isAdded && pl::getElementOrSelf(tile.getType()) == element) {
    // Program order is the meaning, so a sum in place is as good as an atomic
    // one.
    Object sum = call.emitter.binary(
        call.loc, ast::BinaryOp::Add,
        Object(call.emitter.toTile(call.loc, Object(view))), Object(tile));
    if (sum.isPoison())
      return sum;
    tile = sum.asValue();
  }
  call.emitter.uses.write(tensor);
  if (pl::getElementOrSelf(tile.getType()) != element) {
    call.emitter.store(call.loc, Object(tile), view);
    return call[2];
  }
  // The view was cut to the tile, so it fits whatever is known of it.
  pl::StoreOp::create(call.emitter.builder, call.loc, tile, view);
  return call[2];
}

static Object buildRead(BuiltinCall &call) {
  Value shaped = call.shaped(0);
  SmallVector<Value> indices;
  if (!shaped ||
      !call.indices(1, pl::getDims(shaped.getType()).size(), indices))
    return Object::poison();
  return call.emitter.read(call.loc, shaped, indices);
}

static Object buildWrite(BuiltinCall &call) {
  Value tensor = call[0].asTensor();
  if (!tensor)
    return call.fail("'write' writes to a tensor, got " + describe(call[0]) +
                     "; assign t[i, j] = v for a tile");
  SmallVector<Value> indices;
  if (!call.indices(1, pl::getDims(tensor.getType()).size(), indices))
    return Object::poison();
  call.emitter.write(call.loc, call[2], tensor, indices);
  return call[0];
}

/// The axes that `drop_dims` lists, in order; false, and an error, if they
/// cannot go.
static bool readDropped(BuiltinCall &call, unsigned position,
                        llvm::ArrayRef<Value> sizes,
                        SmallVector<int64_t> &drop) {
  if (!call.has(position) || call[position].is<NoneObject>())
    return true;
  const std::vector<Object> *entries = call[position].asTuple();
  if (!entries) {
    call.fail("'drop_dims' takes a list of axes, got " +
              describe(call[position]));
    return false;
  }
  for (const Object &entry : *entries) {
    std::optional<int64_t> axis = entry.asInteger();
    if (!axis || *axis < 0 || *axis >= int64_t(sizes.size()) ||
        !pl::dimOfExtent(sizes[*axis]).isExactly(1)) {
      call.fail("'drop_dims' takes axes of size 1");
      return false;
    }
    drop.push_back(*axis);
  }
  llvm::sort(drop);
  return true;
}

/// A window as a tile of all its sizes: `pad_value` where nothing is valid.
static Object padWindow(BuiltinCall &call, unsigned position, Value window,
                        llvm::ArrayRef<Value> sizes,
                        llvm::ArrayRef<int64_t> drop) {
  Value tile = call.emitter.toTile(call.loc, Object(window));
  Value value =
      padScalar(call, position, pl::getElementOrSelf(window.getType()));
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
static Object buildSlice(BuiltinCall &call) {
  Value shaped = call.shaped(0);
  if (!shaped)
    return Object::poison();
  unsigned rank = pl::getDims(shaped.getType()).size();
  SmallVector<Value> sizes, offsets, valid;
  if (!readSizes(call, 1, rank, sizes) || !call.indices(2, rank, offsets))
    return Object::poison();
  if (call.has(3) && !call[3].is<NoneObject>() &&
      !readSizes(call, 3, rank, valid))
    return Object::poison();
  SmallVector<int64_t> drop;
  if (!readDropped(call, 4, sizes, drop))
    return Object::poison();
  Value window = nominalWindow(call, shaped, offsets, sizes, valid, drop);
  const std::string *pad = call.has(5) ? call[5].asLanguage() : nullptr;
  bool isPadded = call.has(5) && !call[5].is<NoneObject>() &&
                  !(pad && *pad == "PadValue.null");
  return isPadded ? padWindow(call, 5, window, sizes, drop) : Object(window);
}

/// A tile with a part replaced whose place along the axes in `drop_dims` is an
/// index, which must lie inside: as `t[i, a:b] = x`.
static Object assembleAt(BuiltinCall &call, Value target) {
  unsigned rank = pl::getDims(target.getType()).size();
  SmallVector<Value> offsets, sizes;
  if (!call.indices(2, rank, offsets))
    return Object::poison();
  Value source = call.emitter.toTile(call.loc, call[1]);
  if (call.has(3) && !call.indices(3, rank, sizes))
    return Object::poison();
  if (!call.has(3) && source &&
      pl::getDims(source.getType()).size() == offsets.size())
    sizes = call.emitter.extents(call.loc, source);
  if (sizes.empty())
    return call.fail("'assemble' with 'drop_dims' takes a tile of the rank of "
                     "its target, or needs 'shapes'");
  SmallVector<int64_t> drop;
  return readDropped(call, 5, sizes, drop)
             ? call.emitter.insert(call.loc, call[1], target, offsets, sizes,
                                   drop)
             : Object::poison();
}

/// assemble(target, source, offset): writes a part of a tensor, or makes a tile
/// with a part replaced
static Object buildAssemble(BuiltinCall &call) {
  if (call[0].asTensor()) {
    std::swap(call.arguments[0], call.arguments[2]);
    std::swap(call.arguments[0], call.arguments[1]);
    return buildStore(call);
  }
  Value target = call.shaped(0);
  if (target && call.has(5))
    return assembleAt(call, target);
  Value source = target ? call.tile(1) : Value();
  SmallVector<Value> offsets;
  if (!source ||
      !call.indices(2, pl::getDims(target.getType()).size(), offsets))
    return Object::poison();
  if (pl::getDims(source.getType()).size() != offsets.size())
    return call.fail("'assemble' puts a tile into one of the same rank, got " +
                     describe(source.getType()));
  SmallVector<Value> sizes = call.emitter.extents(call.loc, source);
  std::optional<bool> isAdded = isAtomicAdd(call, 4);
  if (!isAdded)
    return Object::poison();
  Object part(source);
  if (*isAdded)
    part = call.emitter.binary(
        call.loc, ast::BinaryOp::Add, part,
        Object(call.emitter.window(call.loc, target, offsets, sizes, {})));
  return call.emitter.insert(call.loc, part, target, offsets, sizes, {});
}

llvm::ArrayRef<Builtin> tegula::memoryBuiltins() {
  static constexpr Builtin table[] = {
      {"load",
       "tensor offsets|offset? shapes|shape? valid_shape|valid_shapes? "
       "target_memory? clamp?",
       buildLoad, false,
       "a window of a tensor as a tile, or all of it; `valid_shape` takes less "
       "of the window"},
      {"store", "tile offsets|offset tensor|output_tensor shapes? atomic?",
       buildStore, true,
       "writes a tile to a tensor at the offsets, or adds it with "
       "`atomic=pl.AtomicType.Add`; what lies beyond the edge is not written"},
      {"read", "x indices", buildRead, false,
       "one element as a scalar, as `x[i, j]`"},
      {"write", "x indices value", buildWrite, true,
       "sets one element of a tensor, as `x[i, j] = value`"},
      {"slice", "x shape offset valid_shape? drop_dims? pad_value? clamp?",
       buildSlice, false,
       "a window: of a tensor a view, of a tile a part; `drop_dims` lists axes "
       "of 1 to leave out; with `pad_value` a tile of that shape, filled with "
       "it where nothing is valid"},
      {"assemble", "target source offset shapes? atomic? drop_dims?",
       buildAssemble, true,
       "writes a window of a tensor; of a tile, the tile with that part "
       "replaced, which must lie inside along the axes in `drop_dims`"},
  };
  return table;
}
