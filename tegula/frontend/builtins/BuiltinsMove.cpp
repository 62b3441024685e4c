// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that give the same elements another place, shape or type.
#include "tegula/frontend/builtins/IndexedForms.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/PlIndexOps.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static Object wrap(Value value) {
  return value ? Object(value) : Object::poison();
}

/// move(x, ...): where a tile lies is the compiler's business
static Object buildMove(BuiltinCall &call) { return wrap(call.tile(0)); }

/// expand_clone(src, target): src repeated to the shape of the target
static Object buildExpandClone(BuiltinCall &call) {
  Value source = call.tile(0), target = source ? call.shaped(1) : Value();
  return target ? wrap(call.emitter.broadcastTo(call.loc, source, target))
                : Object::poison();
}

/// extract(src, row, col, shape): a window of a tile
static Object buildExtract(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  Value source = call.tile(0);
  SmallVector<Value> sizes;
  if (!source || !call.indices(3, 2, sizes))
    return Object::poison();
  if (pl::getDims(source.getType()).size() != 2)
    return call.fail("'extract' takes a tile of two axes, got " +
                     describe(source.getType()));
  Value row = emitter.toIndex(call.locOf(1), call[1], "the row");
  Value column = emitter.toIndex(call.locOf(2), call[2], "the column");
  if (!row || !column)
    return Object::poison();
  return Object(emitter.window(call.loc, source, {row, column}, sizes, {}));
}

/// transpose_view(x): the last two axes exchanged
static Object buildTransposeView(BuiltinCall &call) {
  Value tile = call.tile(0);
  if (!tile)
    return Object::poison();
  unsigned rank = pl::getDims(tile.getType()).size();
  if (rank < 2)
    return call.fail("'transpose_view' needs two axes, got " +
                     describe(tile.getType()));
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[rank - 1], permutation[rank - 2]);
  pl::TransposeOp::Properties properties;
  properties.permutation =
      call.emitter.builder.getDenseI64ArrayAttr(permutation);
  return wrap(call.emitter.create<pl::TransposeOp>(call.loc, "transpose_view",
                                                   tile, properties));
}

/// The part from the start on that an optional list of extents leaves valid.
static Object narrowed(BuiltinCall &call, const Object &object,
                       unsigned position) {
  if (object.isPoison() || !call.has(position) ||
      call[position].is<NoneObject>())
    return object;
  Value tile = object.asValue();
  SmallVector<Value> sizes;
  unsigned rank = pl::getDims(tile.getType()).size();
  if (!call.indices(position, rank, sizes))
    return Object::poison();
  SmallVector<Value> offsets(rank, call.emitter.index(0));
  return Object(call.emitter.window(call.loc, tile, offsets, sizes, {}));
}

/// view(x, shape, valid_shape): the same elements in another shape; a tensor
/// stays a view of its memory
static Object buildView(BuiltinCall &call) {
  Value shaped = call.shaped(0);
  SmallVector<Value> sizes;
  if (!shaped)
    return Object::poison();
  Object result(shaped);
  if (call.has(1) && !call[1].is<NoneObject>()) {
    if (!call.sizes(1, sizes))
      return Object::poison();
    result = call.emitter.reshape(call.loc, shaped, sizes);
  }
  return narrowed(call, result, 2);
}

static Value bitcast(BuiltinCall &call, Value tile, mlir::Type element) {
  pl::BitcastOp::Properties properties;
  properties.element = mlir::TypeAttr::get(element);
  return call.emitter.create<pl::BitcastOp>(call.loc, call.name, tile,
                                            properties);
}

static mlir::Type unsignedOf(Emitter &emitter, unsigned width) {
  return mlir::IntegerType::get(emitter.getContext(), width,
                                mlir::IntegerType::Unsigned);
}

/// Every `ratio` narrow elements as one, the first in the lowest bits.
static Object joinBits(BuiltinCall &call, Value bits, unsigned width,
                       unsigned ratio) {
  Emitter &emitter = call.emitter;
  mlir::Type wide = unsignedOf(emitter, width * ratio);
  unsigned last = pl::getDims(bits.getType()).size() - 1;
  pl::Dim dim = pl::getDims(bits.getType())[last];
  if (dim.isExact() && dim.getBound() % ratio != 0)
    return call.fail("the last axis must hold a multiple of " +
                     llvm::Twine(ratio) + " elements, got " +
                     llvm::Twine(dim.getBound()));
  if (dim.hasBound())
    dim = dim.isExact() ? pl::Dim::exactly(dim.getBound() / ratio)
                        : pl::Dim::atMost(dim.getBound() / ratio);
  Value count = emitter.indexBinary(call.loc, ast::BinaryOp::FloorDiv,
                                    emitter.extent(call.loc, bits, last),
                                    emitter.index(ratio));
  Object joined;
  for (unsigned part = 0; part < ratio; ++part) {
    Object piece = gatherAlong(
        call, bits, patternIndices(call, bits, count, dim, {ratio, part}),
        last);
    if (piece.isPoison())
      return piece;
    piece = emitter.cast(call.loc, piece, wide, pl::Rounding::None);
    if (part == 0) {
      joined = piece;
      continue;
    }
    piece = emitter.elementwise(call.loc, "shl",
                                {piece, Object::integer(part * width)});
    joined = emitter.elementwise(call.loc, "or_", {joined, piece});
  }
  return joined;
}

/// Every element as `ratio` narrow ones, the lowest bits first.
static Object splitBits(BuiltinCall &call, Value bits, unsigned width,
                        unsigned ratio) {
  Emitter &emitter = call.emitter;
  mlir::Type narrow = unsignedOf(emitter, width);
  unsigned last = pl::getDims(bits.getType()).size() - 1;
  pl::Dims dims(pl::getDims(bits.getType()));
  SmallVector<Value> extents = emitter.extents(call.loc, bits);
  pl::Dim dim = dims[last];
  Value count = extents[last];
  if (dim.hasBound())
    dims[last] = dim.isExact() ? pl::Dim::exactly(dim.getBound() * ratio)
                               : pl::Dim::atMost(dim.getBound() * ratio);
  extents[last] = emitter.indexBinary(call.loc, ast::BinaryOp::Mul, count,
                                      emitter.index(ratio));
  auto type = pl::TileType::get(emitter.getContext(), dims, narrow);
  Value zero = emitter.constant(call.loc, Object::integer(0), narrow);
  Object result(
      pl::FullOp::create(emitter.builder, call.loc, type, zero, extents)
          .getResult());
  for (unsigned part = 0; part < ratio; ++part) {
    Object piece(bits);
    if (part > 0)
      piece = emitter.elementwise(call.loc, "shr",
                                  {piece, Object::integer(part * width)});
    piece = emitter.cast(call.loc, piece, narrow, pl::Rounding::None);
    result = scatterAlong(call, piece.asValue(), result.asValue(),
                          patternIndices(call, bits, count, dim, {ratio, part}),
                          last);
    if (result.isPoison())
      return result;
  }
  return result;
}

/// reinterpret_view(x, dtype, shape): the same bytes as another element type
static Object buildReinterpret(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  Value tile = call.tile(0);
  mlir::Type to = tile ? call.dtype(1) : mlir::Type();
  if (!to)
    return Object::poison();
  mlir::Type from = pl::getElementOrSelf(tile.getType());
  if (!pl::isNumber(from) || !pl::isNumber(to) ||
      pl::getDims(tile.getType()).size() == 0)
    return call.fail("cannot read the bytes of " + describe(tile.getType()) +
                     " as " + dtypeName(to));
  unsigned have = from.getIntOrFloatBitWidth();
  unsigned want = to.getIntOrFloatBitWidth();
  Object bits(tile);
  if (want != have)
    bits = wrap(bitcast(call, tile, unsignedOf(emitter, have)));
  if (want > have && !bits.isPoison())
    bits = joinBits(call, bits.asValue(), have, want / have);
  else if (want < have && !bits.isPoison())
    bits = splitBits(call, bits.asValue(), want, have / want);
  Object result =
      bits.isPoison() ? bits : wrap(bitcast(call, bits.asValue(), to));
  bool hasShape =
      call.arguments.size() > 2 && call.has(2) && !call[2].is<NoneObject>();
  if (result.isPoison() || !hasShape)
    return result;
  SmallVector<Value> sizes;
  return call.sizes(2, sizes)
             ? emitter.reshape(call.loc, result.asValue(), sizes)
             : Object::poison();
}

llvm::ArrayRef<Builtin> tegula::moveBuiltins() {
  static constexpr Builtin table[] = {
      {"move", "x|tile target_memory? blayout? slayout?", buildMove, false,
       "the same tile; where it lies is the compiler's business"},
      {"expand_clone", "src target", buildExpandClone, false,
       "`src` repeated to the shape of `target`"},
      {"extract", "src row|index_row col|index_col shape target_memory?",
       buildExtract, false, "a window of a tile"},
      {"transpose_view", "x|tile", buildTransposeView, false,
       "the last two axes exchanged"},
      {"view", "x|tensor shape? valid_shape? layout?", buildView, false,
       "the same elements in another shape, of which `valid_shape` is valid"},
      {"reinterpret_view", "x|data dtype shape?", buildReinterpret, false,
       "the same bytes as elements of another type; the last axis grows or "
       "shrinks with it"},
      {"bitcast", "x dtype", buildReinterpret, false,
       "as `pl.reinterpret_view`"},
  };
  return table;
}
