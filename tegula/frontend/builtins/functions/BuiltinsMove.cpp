// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that give the same elements another index, shape or type.
#include "tegula/frontend/builtins/GatherScatter.h"
#include "tegula/frontend/builtins/Windows.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/ops/PlIndexOps.h"
#include "llvm/Support/MathExtras.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static Object wrap(Value value) {
  return value ? Object(value) : Object::poison();
}

/// move(x, ...): where a tile lies is the compiler's business
Object tegula::buildMove(const MoveCall &call) {
  return wrap(call.transpose() ? exchangeLast(call, call.x()) : call.x());
}

/// expand_clone(src, target): src repeated to the shape of the target
Object tegula::buildExpandClone(const ExpandCloneCall &call) {
  return wrap(
      call.emitter.shapes.broadcastTo(call.loc, call.src(), call.target()));
}

/// How many elements there are; nothing if that is not known.
static std::optional<int64_t> countOf(llvm::ArrayRef<pl::Dim> dims) {
  int64_t count = 1;
  for (pl::Dim dim : dims) {
    if (!dim.isExact() || llvm::MulOverflow(count, dim.getBound(), count))
      return std::nullopt;
  }
  return count;
}

/// True if the list after the shape can only be an offset: it is as long as the
/// tensor has axes, and the shape has another number of them or of elements. A
/// zero in it is no extent either.
static bool meansOffset(const ViewCall &call) {
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(call.x().getType());
  if (!call.hasShape() || call.validShape().size() != dims.size())
    return false;
  auto isZero = [](Value entry) {
    return mlir::matchPattern(entry, mlir::m_Zero());
  };
  if (llvm::any_of(call.validShape(), isZero))
    return true;
  pl::Dims wanted;
  for (Value size : call.shape())
    wanted.push_back(pl::dimOfExtent(size));
  std::optional<int64_t> have = countOf(dims), want = countOf(wanted);
  return wanted.size() != dims.size() || (have && want && have != want);
}

/// view(x, shape, valid_shape): the same elements in another shape; a tensor
/// stays a view of its memory. view(x, shape, offset): a window
Object tegula::buildView(const ViewCall &call) {
  bool isOffset = call.hasValidShape() && meansOffset(call);
  if (isOffset || call.hasOffset()) {
    llvm::ArrayRef<Value> offsets =
        call.hasOffset() ? call.offset() : call.validShape();
    unsigned rank = pl::getDims(call.x().getType()).size();
    if (!call.hasShape() || offsets.size() != rank)
      return call.fail("'view' with an offset needs a shape and " +
                       llvm::Twine(rank) + " offsets, one for each axis");
    std::optional<CallWindow> window =
        readWindow(call, offsets, call.shape(),
                   isOffset ? llvm::ArrayRef<Value>() : call.validShape());
    return window ? Object(nominalWindow(call, call.x(), *window))
                  : Object::poison();
  }
  Object result(call.x());
  if (call.hasShape())
    result = call.emitter.reshapes.build(call.loc, call.x(), call.shape());
  if (result.isPoison() || !call.hasValidShape())
    return result;
  unsigned rank = pl::getDims(result.asValue().getType()).size();
  if (call.validShape().size() != rank)
    return call.fail("'view' needs " + llvm::Twine(rank) +
                     " entries in 'valid_shape', one for each axis, got " +
                     llvm::Twine(call.validShape().size()));
  return Object(beginningOf(call, result.asValue(), call.validShape()));
}

static Value bitcast(const BuiltinCall &call, Value tile, mlir::Type element) {
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
static Object joinBits(const BuiltinCall &call, Value bits, unsigned width,
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
  Value count = emitter.scalars.indexBinary(
      call.loc, ast::BinaryOp::FloorDiv,
      emitter.extents.of(call.loc, bits, last), emitter.scalars.index(ratio));
  Object joined;
  for (unsigned part = 0; part < ratio; ++part) {
    Object field = gatherAlong(
        call, bits, patternIndices(call, bits, count, dim, {ratio, part}),
        last);
    if (field.isPoison())
      return field;
    field = emitter.elementwise.cast(call.loc, field, wide, pl::Rounding::None);
    if (part == 0) {
      joined = field;
      continue;
    }
    field = emitter.elementwise.build(call.loc, "shl",
                                      {field, Object::integer(part * width)});
    joined = emitter.elementwise.build(call.loc, "or_", {joined, field});
  }
  return joined;
}

/// Every element as `ratio` narrow ones, the lowest bits first.
static Object splitBits(const BuiltinCall &call, Value bits, unsigned width,
                        unsigned ratio) {
  Emitter &emitter = call.emitter;
  mlir::Type narrow = unsignedOf(emitter, width);
  unsigned last = pl::getDims(bits.getType()).size() - 1;
  pl::Dims dims(pl::getDims(bits.getType()));
  SmallVector<Value> extents = emitter.extents.allOf(call.loc, bits);
  pl::Dim dim = dims[last];
  Value count = extents[last];
  if (dim.hasBound())
    dims[last] = dim.isExact() ? pl::Dim::exactly(dim.getBound() * ratio)
                               : pl::Dim::atMost(dim.getBound() * ratio);
  extents[last] = emitter.scalars.indexBinary(
      call.loc, ast::BinaryOp::Mul, count, emitter.scalars.index(ratio));
  auto type = pl::TileType::get(emitter.getContext(), dims, narrow);
  Value zero = emitter.scalars.constant(call.loc, Object::integer(0), narrow);
  Object result(
      pl::FullOp::create(emitter.builder, call.loc, type, zero, extents)
          .getResult());
  for (unsigned part = 0; part < ratio; ++part) {
    Object field(bits);
    if (part > 0)
      field = emitter.elementwise.build(call.loc, "shr",
                                        {field, Object::integer(part * width)});
    field =
        emitter.elementwise.cast(call.loc, field, narrow, pl::Rounding::None);
    result = scatterAlong(call, field.asValue(), result.asValue(),
                          patternIndices(call, bits, count, dim, {ratio, part}),
                          last);
    if (result.isPoison())
      return result;
  }
  return result;
}

/// reinterpret_view(x, dtype, shape): the same bytes as another element type
Object tegula::buildReinterpret(const ReinterpretCall &call) {
  Emitter &emitter = call.emitter;
  Value tile = call.x();
  mlir::Type to = call.dtype();
  mlir::Type from = pl::getElementOrSelf(tile.getType());
  if (!pl::isNumeric(from) || !pl::isNumeric(to) ||
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
  if (result.isPoison() || !call.hasShape())
    return result;
  return emitter.reshapes.build(call.loc, result.asValue(), call.shape());
}
