// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that read and write tensors.
#include "tegula/frontend/builtins/GatherScatter.h"
#include "tegula/frontend/builtins/Padding.h"
#include "tegula/frontend/builtins/SaturatedCast.h"
#include "tegula/frontend/builtins/Windows.h"
#include "tegula/frontend/emit/StoredMatmul.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

/// load(tensor, offsets, shapes): a window as a tile
Object tegula::buildLoad(const LoadCall &call) {
  Value source = call.tensor()->asTensor();
  // What a helper is given as a tensor may be the result of an expression.
  if (!source)
    source = call.tensor()->asTile();
  if (!source)
    return call.fail("'load' reads a tensor, got " + describe(call.tensor()));
  if (call.hasOffsets()) {
    if (!call.hasShapes())
      return call.fail("load() missing required argument 'shapes'");
    std::optional<SmallVector<Value>> offsets =
        call.offsets(pl::getDims(source.getType()).size());
    std::optional<CallWindow> window =
        offsets ? readWindow(call, *offsets, call.shapes(), call.validShape())
                : std::nullopt;
    if (!window)
      return Object::poison();
    source = nominalWindow(call, source, *window);
  }
  Value tile = call.emitter.memory.toTile(call.loc, Object(source));
  if (call.transpose())
    tile = exchangeLast(call, tile);
  return tile ? Object(tile) : Object::poison();
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

/// A number or scalar at one index.
static void storeScalar(const BuiltinCall &call, Object value, Value tensor,
                        llvm::ArrayRef<Value> offsets, bool isAdded) {
  if (isAdded)
    value = call.emitter.operators.binary(
        call.loc, ast::BinaryOp::Add,
        call.emitter.memory.read(call.loc, tensor, offsets), value);
  call.emitter.memory.write(call.loc, value, tensor, offsets);
}

/// Writes a tile to a tensor at the offsets; poison after a mistake, else the
/// tensor.
static Object storeAt(const BuiltinCall &call, Value tile, Value tensor,
                      llvm::ArrayRef<Value> offsets, bool isAdded) {
  Emitter &emitter = call.emitter;
  unsigned rank = offsets.size();
  Value fitting = dropLeading(call, tile, rank);
  if (!fitting)
    return call.fail("cannot store " + describe(tile.getType()) + " in " +
                     describe(tensor.getType()));
  mlir::Type element = pl::getElementOrSelf(tensor.getType());
  tile = storedMatmul(emitter, call.loc, fitting, element);
  unsigned tileRank = pl::getDims(tile.getType()).size();
  SmallVector<Value> sizes(rank - tileRank, emitter.scalars.index(1));
  llvm::append_range(sizes, emitter.extents.allOf(call.loc, tile));
  SmallVector<int64_t> drop;
  for (unsigned axis = 0; axis < rank - tileRank; ++axis)
    drop.push_back(axis);
  if (!emitter.memory.checkWritable(call.loc, tensor))
    return Object(tensor);
  Value view = emitter.memory.window(call.loc, tensor, offsets, sizes, drop);
  if (isAdded && pl::getElementOrSelf(tile.getType()) == element) {
    // Program order is the meaning, so a sum in place is as good as an atomic
    // one. The view was cut to the tile: nothing is repeated.
    Value old = emitter.memory.toTile(call.loc, Object(view));
    if (!pl::isBool(element) &&
        pl::getDims(old.getType()) == pl::getDims(tile.getType())) {
      tile = pl::AddOp::create(emitter.builder, call.loc, old, tile);
    } else {
      Object sum = emitter.operators.binary(call.loc, ast::BinaryOp::Add,
                                            Object(old), Object(tile));
      if (sum.isPoison())
        return sum;
      tile = sum.asValue();
    }
  }
  emitter.uses.write(tensor);
  // The view was cut to the tile, so it fits whatever is known of it.
  if (pl::getElementOrSelf(tile.getType()) == element)
    pl::StoreOp::create(emitter.builder, call.loc, tile, view);
  else
    emitter.memory.store(call.loc, Object(tile), view);
  return Object(tensor);
}

/// A tile without what is below 0, if the call says so, scaled and rounded to
/// the type of its target; as it is if the call says neither.
template <typename Call>
static Value quantized(const Call &call, Value tile, mlir::Type element) {
  Emitter &emitter = call.emitter;
  if (!call.preQuant().isGiven() && !call.preRelu())
    return tile;
  Object value(tile);
  if (call.preRelu())
    value = emitter.elementwise.build(call.loc, "relu", {value});
  if (call.preQuant().isGiven() && !value.isPoison()) {
    value = emitter.elementwise.cast(
        call.loc, value, emitter.builder.getF32Type(), pl::Rounding::Rint);
    value = emitter.operators.binary(call.loc, ast::BinaryOp::Mul, value,
                                     call.preQuant().object());
  }
  if (value.isPoison())
    return {};
  Object result =
      castSaturated(emitter, call.loc, value, element, pl::Rounding::Rint);
  return result.isPoison() ? Value() : result.asValue();
}

/// The tile a call puts somewhere: as far as `shapes` go, and quantized. Null,
/// after an error, if it cannot be.
template <typename Call>
static Value partToPut(const Call &call, Value tile, mlir::Type element,
                       llvm::ArrayRef<Value> sizes) {
  unsigned rank = pl::getDims(tile.getType()).size();
  // Leading axes of 1 may be missing in either.
  while (sizes.size() > rank && pl::dimOfExtent(sizes.front()).isExactly(1))
    sizes = sizes.drop_front();
  if (!sizes.empty() && sizes.size() < rank)
    if (Value fitting = dropLeading(call, tile, sizes.size()))
      tile = fitting;
  rank = pl::getDims(tile.getType()).size();
  if (!sizes.empty() && sizes.size() != rank) {
    call.fail("'shapes' needs " + llvm::Twine(rank) + " entries for " +
              describe(tile.getType()) + ", got " + llvm::Twine(sizes.size()));
    return {};
  }
  return quantized(call, beginningOf(call, tile, sizes), element);
}

/// A number or scalar at one index, or everywhere in `shapes`.
template <typename Call>
static Object putScalar(const Call &call, const BuiltinArgument &source,
                        Value tensor, llvm::ArrayRef<Value> offsets,
                        llvm::ArrayRef<Value> sizes, bool isAdded) {
  if (!source->isNumeric() && !source->asScalar())
    return call.fail("'" + call.name + "' takes a tile, got " +
                     describe(source));
  if (call.preQuant().isGiven() || call.preRelu())
    return call.fail("'pre_quant' and 'pre_relu' are for tiles, got " +
                     describe(source));
  bool isOne = llvm::all_of(
      sizes, [](Value size) { return pl::dimOfExtent(size).isExactly(1); });
  if (isOne) {
    storeScalar(call, source, tensor, offsets, isAdded);
    return Object(tensor);
  }
  std::optional<CallWindow> window = readWindow(call, offsets, sizes, {});
  if (!window || !call.emitter.memory.checkWritable(call.loc, tensor))
    return Object::poison();
  Value view = nominalWindow(call, tensor, *window);
  Object value = source;
  if (isAdded)
    value = call.emitter.operators.binary(call.loc, ast::BinaryOp::Add,
                                          Object(view), value);
  call.emitter.memory.store(call.loc, value, view);
  return Object(tensor);
}

/// A tile, number or scalar written to a tensor at the offsets.
template <typename Call>
static Object storeAny(const Call &call, const BuiltinArgument &source,
                       Value tensor,
                       const std::optional<SmallVector<Value>> &offsets,
                       llvm::ArrayRef<Value> sizes) {
  std::optional<bool> isAdded = isAtomicAdd(call.atomic());
  if (!isAdded || !offsets)
    return Object::poison();
  Value tile = call.emitter.memory.toTile(call.loc, source);
  if (tile) {
    tile = partToPut(call, tile, pl::getElementOrSelf(tensor.getType()), sizes);
    if (!tile)
      return Object::poison();
  }
  SumInPlace sum(call, *isAdded);
  return tile ? storeAt(call, tile, tensor, *offsets, *isAdded)
              : putScalar(call, source, tensor, *offsets, sizes, *isAdded);
}

/// store(tile, offsets, tensor, shapes): writes the tile at the offsets. The
/// tensor may also stand behind the shapes.
Object tegula::buildStore(const StoreCall &call) {
  bool isTensorLast = call.shapes().isGiven() && call.shapes()->asTensor();
  BuiltinArgument target = isTensorLast ? call.shapes() : call.tensor(),
                  shapes = isTensorLast ? call.tensor() : call.shapes();
  Value tensor = target->asTensor();
  if (!tensor)
    return call.fail("'store' writes to a tensor, got " + describe(target));
  std::optional<SmallVector<Value>> sizes = SmallVector<Value>();
  if (shapes.isGiven())
    sizes = shapes.sizes();
  if (!sizes)
    return Object::poison();
  return storeAny(call, call.tile(), tensor,
                  call.offsets(pl::getDims(tensor.getType()).size()), *sizes);
}

/// copy(dst, src, dst_offsets, src_offsets, shapes): a window of one tensor
/// written to another
Object tegula::buildCopy(const CopyCall &call) {
  Value target = call.dst()->asTensor();
  if (!target)
    return call.fail("'copy' writes to a tensor, got " + describe(call.dst()));
  SmallVector<Value> start(pl::getDims(target.getType()).size(),
                           call.emitter.scalars.index(0));
  std::optional<SmallVector<Value>> to = start;
  if (call.hasDstOffsets())
    to = call.dstOffsets(start.size());
  unsigned rank = pl::getDims(call.src().getType()).size();
  std::optional<SmallVector<Value>> from =
      SmallVector<Value>(rank, call.emitter.scalars.index(0));
  if (call.hasSrcOffsets())
    from = call.srcOffsets(rank);
  if (!to || !from)
    return Object::poison();
  Value part = call.src();
  if (call.hasShapes() || call.hasSrcOffsets()) {
    SmallVector<Value> sizes =
        call.hasShapes() ? SmallVector<Value>(call.shapes())
                         : call.emitter.extents.allOf(call.loc, call.src());
    std::optional<CallWindow> window = readWindow(call, *from, sizes, {});
    if (!window)
      return Object::poison();
    part = nominalWindow(call, part, *window);
  }
  return storeAt(call, call.emitter.memory.toTile(call.loc, Object(part)),
                 target, *to,
                 /*isAdded=*/false);
}

/// The place of an element: an index for each axis, or one that counts the
/// elements of all axes, the last one first.
static std::optional<SmallVector<Value>>
indicesOf(const BuiltinCall &call, const BuiltinArgument &given, Value shaped) {
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(shaped.getType());
  if (given->asTuple() || dims.size() < 2)
    return given.indices(dims.size());
  Emitter &emitter = call.emitter;
  Value rest = given.number("an index");
  if (!rest)
    return std::nullopt;
  SmallVector<Value> position(dims.size());
  for (unsigned axis = dims.size() - 1; axis > 0; --axis) {
    Value length = dims[axis].isBounded()
                       ? emitter.scalars.index(dims[axis].getBound())
                       : emitter.extents.of(call.loc, shaped, axis);
    position[axis] =
        emitter.scalars.indexBinary(call.loc, ast::BinaryOp::Mod, rest, length);
    rest = emitter.scalars.indexBinary(call.loc, ast::BinaryOp::FloorDiv, rest,
                                       length);
  }
  position.front() = rest;
  return position;
}

Object tegula::buildRead(const ReadCall &call) {
  std::optional<SmallVector<Value>> position =
      indicesOf(call, call.indices(), call.x());
  return position ? call.emitter.memory.read(
                        pl::withIndexLocations(call.loc, call.indices().loc()),
                        call.x(), *position)
                  : Object::poison();
}

/// write(x, indices, value): a tensor is written, a tile is another one then
Object tegula::buildWrite(const WriteCall &call) {
  std::optional<SmallVector<Value>> position =
      indicesOf(call, call.indices(), call.x());
  if (!position)
    return Object::poison();
  if (mlir::isa<pl::TensorViewType>(call.x().getType())) {
    call.emitter.memory.write(
        pl::withIndexLocations(call.loc, call.indices().loc()), call.value(),
        call.x(), *position);
    return Object(call.x());
  }
  SmallVector<Value> sizes(position->size(), call.emitter.scalars.index(1));
  SmallVector<int64_t> drop;
  for (size_t axis = 0; axis < position->size(); ++axis)
    drop.push_back(axis);
  return call.emitter.memory.insert(call.loc, call.value(), call.x(), *position,
                                    sizes, drop);
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
static Object padWindow(const SliceCall &call, Value part,
                        const CallWindow &window) {
  Value tile = call.emitter.memory.toTile(call.loc, Object(part));
  Value value =
      padScalar(call, call.padValue(), pl::getElementOrSelf(part.getType()));
  if (!value)
    return Object::poison();
  pl::Dims dims;
  SmallVector<Value> kept = window.remainingSizes();
  for (Value size : kept)
    dims.push_back(pl::dimOfExtent(size));
  Value result = padTo(call, tile, value, dims, kept);
  return result ? Object(result) : Object::poison();
}

/// slice(x, shape, offset): a view of a tensor, a part of a tile; with
/// `pad_value` a tile of that shape
Object tegula::buildSlice(const SliceCall &call) {
  std::optional<SmallVector<Value>> offsets =
      call.offset(pl::getDims(call.x().getType()).size());
  std::optional<CallWindow> window =
      offsets ? readWindow(call, *offsets, call.shape(), call.validShape())
              : std::nullopt;
  if (!window)
    return Object::poison();
  std::optional<SmallVector<int64_t>> drop =
      readDropped(call, call.dropDims(), window->sizes);
  if (!drop)
    return Object::poison();
  for (int64_t axis : *drop)
    if (!llvm::is_contained(window->drop, axis))
      window->drop.push_back(axis);
  llvm::sort(window->drop);
  Value part = nominalWindow(call, call.x(), *window);
  BuiltinArgument pad = call.padValue();
  const std::string *path = pad.isGiven() ? pad->asLanguage() : nullptr;
  bool isPadded =
      pad.isGiven() && !(path && llvm::StringRef(*path).ends_with(".null"));
  return isPadded ? padWindow(call, part, *window) : Object(part);
}

/// A tile with a part replaced whose index along the axes in `drop_dims` is an
/// index, which must lie inside: as `t[i, a:b] = x`.
static Object assembleAt(const AssembleCall &call,
                         llvm::ArrayRef<Value> offsets) {
  SmallVector<Value> sizes;
  Value source = call.emitter.memory.toTile(call.loc, call.source());
  if (call.hasShapes()) {
    if (call.shapes().size() != offsets.size())
      return call.fail("'assemble' needs " + llvm::Twine(offsets.size()) +
                       " entries in 'shapes', one for each axis, got " +
                       llvm::Twine(call.shapes().size()));
    llvm::append_range(sizes, call.shapes());
  } else if (source && pl::getDims(source.getType()).size() == offsets.size()) {
    sizes = call.emitter.extents.allOf(call.loc, source);
  }
  if (sizes.empty())
    return call.fail("'assemble' with 'drop_dims' takes a tile of the rank of "
                     "its target, or needs 'shapes'");
  std::optional<SmallVector<int64_t>> drop =
      readDropped(call, call.dropDims(), sizes);
  return drop ? call.emitter.memory.insert(call.loc, call.source(),
                                           call.target(), offsets, sizes, *drop)
              : Object::poison();
}

/// A tile of `rank` axes, with axes of extent 1 in front or without; null if it
/// cannot be.
static Value withRank(const BuiltinCall &call, Value tile, unsigned rank) {
  unsigned own = pl::getDims(tile.getType()).size();
  if (own >= rank)
    return dropLeading(call, tile, rank);
  SmallVector<Value> sizes(rank - own, call.emitter.scalars.index(1));
  llvm::append_range(sizes, call.emitter.extents.allOf(call.loc, tile));
  Object result = call.emitter.reshapes.build(call.loc, tile, sizes);
  return result.isPoison() ? Value() : result.asValue();
}

/// assemble(target, source, offset): writes a part of a tensor, or makes a tile
/// with a part replaced
Object tegula::buildAssemble(const AssembleCall &call) {
  Value target = call.target();
  std::optional<SmallVector<Value>> offsets =
      call.offset(pl::getDims(target.getType()).size());
  if (mlir::isa<pl::TensorViewType>(target.getType()))
    return storeAny(call, call.source(), target, offsets, call.shapes());
  if (offsets && call.dropDims().isGiven())
    return assembleAt(call, *offsets);
  Value given = offsets ? call.source().tile() : Value();
  mlir::Type element = pl::getElementOrSelf(target.getType());
  Value source =
      given ? partToPut(call, given, element, call.shapes()) : Value();
  if (!source)
    return Object::poison();
  source = withRank(call, source, offsets->size());
  if (!source)
    return call.fail("cannot put " + describe(given.getType()) + " into " +
                     describe(target.getType()));
  SmallVector<Value> sizes = call.emitter.extents.allOf(call.loc, source);
  std::optional<bool> isAdded = isAtomicAdd(call.atomic());
  if (!isAdded)
    return Object::poison();
  Object part(storedMatmul(call.emitter, call.loc, source, element));
  if (*isAdded)
    part = call.emitter.operators.binary(
        call.loc, ast::BinaryOp::Add, part,
        Object(
            call.emitter.memory.window(call.loc, target, *offsets, sizes, {})));
  return call.emitter.memory.insert(call.loc, part, target, *offsets, sizes,
                                    {});
}
