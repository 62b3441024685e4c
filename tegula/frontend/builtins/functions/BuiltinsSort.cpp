// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that order elements: arg-reductions, sorting, merging.
#include "tegula/frontend/builtins/ResultsInMemory.h"
#include "tegula/ir/ops/PlSortOps.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Type;
using mlir::Value;
using pl::Dim;

static llvm::ArrayRef<Dim> dimsOf(Value shaped) {
  return pl::getDims(shaped.getType());
}

/// Memory for a result that differs from `like` in one axis.
static Value resultMemory(const BuiltinCall &call, Value like, unsigned axis,
                          Dim dim, Value size, Type element) {
  Emitter &emitter = call.emitter;
  pl::Dims dims(dimsOf(like));
  SmallVector<Value> sizes = emitter.extents.allOf(call.loc, like);
  dims[axis] = dim;
  sizes[axis] = size;
  auto type = pl::TensorViewType::get(emitter.getContext(), dims, element);
  return pl::CreateTensorOp::create(emitter.builder, call.loc, type, sizes);
}

static Object argReduce(const BuiltinCall &call, pl::Reduction reduction,
                        Value shaped, unsigned axis, bool keepsAxis) {
  Emitter &emitter = call.emitter;
  Value source = inMemory(call, shaped);
  if (!checkNumbers(call, source))
    return Object::poison();
  Value target =
      resultMemory(call, source, axis, Dim::exactly(1),
                   emitter.scalars.index(1), emitter.builder.getI32Type());
  pl::ArgReduceOp::create(emitter.builder, call.loc, reduction, source, axis,
                          target);
  Object indices = loaded(call, target);
  if (keepsAxis)
    return indices;
  SmallVector<Value> sizes = emitter.extents.allOf(call.loc, indices.asValue());
  sizes.erase(sizes.begin() + axis);
  return emitter.reshapes.build(call.loc, indices.asValue(), sizes);
}

/// row_argmax and the like look along the last axis, col_argmax along the one
/// before.
Object tegula::buildArgLast(const ArgLastCall &call, pl::Reduction reduction,
                            int64_t fromEnd) {
  Value shaped = call.x();
  int64_t rank = dimsOf(shaped).size();
  if (rank == 0)
    return call.fail("'" + call.name + "' needs at least one axis");
  if (rank < fromEnd) {
    // A list is a row.
    Object row = call.emitter.reshapes.build(
        call.loc, shaped,
        {call.emitter.scalars.index(1),
         call.emitter.extents.of(call.loc, shaped, 0)});
    if (row.isPoison())
      return row;
    shaped = row.asValue();
    rank = fromEnd;
  }
  return argReduce(call, reduction, shaped, rank - fromEnd,
                   /*keepsAxis=*/true);
}

/// argmax(x, axis, keepdims)
Object tegula::buildArgAxis(const ArgAxisCall &call, pl::Reduction reduction) {
  std::optional<unsigned> axis = call.axis(dimsOf(call.x()).size());
  return axis ? argReduce(call, reduction, call.x(), *axis, call.keepdims())
              : Object::poison();
}

/// Sorts along an axis and keeps `size` elements of each row.
static Object sortRows(const BuiltinCall &call, Value source, unsigned axis,
                       Dim dim, Value size, bool isDescending) {
  Emitter &emitter = call.emitter;
  Type element = pl::getElementOrSelf(source.getType());
  Value values = resultMemory(call, source, axis, dim, size, element);
  Value indices =
      resultMemory(call, source, axis, dim, size, emitter.builder.getI32Type());
  pl::SortRowsOp::create(emitter.builder, call.loc, source, axis, values,
                         indices, isDescending);
  return Object::tuple({loaded(call, values), loaded(call, indices)});
}

/// sort(x, axis=-1, descending=False) -> (values, indices)
Object tegula::buildSort(const SortCall &call) {
  if (!checkNumbers(call, call.x()))
    return Object::poison();
  unsigned rank = dimsOf(call.x()).size();
  if (rank == 0)
    return call.fail("'sort' needs at least one axis");
  std::optional<unsigned> axis = call.hasAxis() ? call.axis(rank) : rank - 1;
  if (!axis)
    return Object::poison();
  Value source = inMemory(call, call.x());
  return sortRows(call, source, *axis, dimsOf(source)[*axis],
                  call.emitter.extents.of(call.loc, source, *axis),
                  call.descending());
}

/// topk(x, k, largest=True) -> (values, indices) along the last axis
Object tegula::buildTopK(const TopKCall &call) {
  Emitter &emitter = call.emitter;
  Value shaped = call.x();
  if (!checkNumbers(call, shaped))
    return Object::poison();
  std::optional<int64_t> count = call.k()->asInteger();
  if (!count || *count < 1)
    return call.k().fail("k must be a positive integer known at compile time, "
                         "got " +
                         describe(call.k()));
  if (dimsOf(shaped).empty())
    return call.fail("'topk' needs at least one axis");
  unsigned axis = dimsOf(shaped).size() - 1;
  Dim dim = dimsOf(shaped)[axis];
  if (dim.hasBound() && dim.getBound() < *count)
    return call.fail("cannot take " + llvm::Twine(*count) + " of " +
                     llvm::Twine(dim.getBound()) + " elements");
  Value source = inMemory(call, shaped);
  Value kept = emitter.scalars.index(*count);
  if (!dim.isExact())
    kept = emitter.scalars.indexExtreme(
        call.loc, /*isMax=*/false, emitter.extents.of(call.loc, source, axis),
        kept);
  Dim keptDim = dim.isExact() ? Dim::exactly(*count) : Dim::atMost(*count);
  return sortRows(call, source, axis, keptDim, kept, call.largest());
}

static Dim twice(Dim dim) {
  if (dim.isAny())
    return dim;
  return dim.isExact() ? Dim::exactly(2 * dim.getBound())
                       : Dim::atMost(2 * dim.getBound());
}

/// sort32(values, indices): pairs, sorted in runs of 32
Object tegula::buildSort32(const Sort32Call &call) {
  Emitter &emitter = call.emitter;
  Value values = inMemory(call, call.x());
  Value indices = inMemory(call, call.idx());
  if (!pl::getElementOrSelf(values.getType()).isF32())
    return call.fail("'sort32' sorts FP32, because a pair keeps the index in "
                     "the bits of a value; got " +
                     describe(values.getType()) + "; write pl.cast");
  if (!pl::getElementOrSelf(indices.getType()).isInteger(32))
    return call.fail("'sort32' takes indices of INT32 or UINT32, got " +
                     describe(indices.getType()) + "; write pl.cast");
  unsigned rank = dimsOf(values).size();
  if (rank == 0 || dimsOf(indices).size() != rank)
    return call.fail("'sort32' takes values and indices of one shape, got " +
                     describe(values.getType()) + " and " +
                     describe(indices.getType()));
  for (unsigned axis = 0; axis < rank; ++axis)
    if (!emitter.shapes.check(call.loc, values, axis, indices, axis))
      return Object::poison();
  unsigned last = rank - 1;
  Value width = emitter.scalars.indexBinary(
      call.loc, ast::BinaryOp::Mul, emitter.extents.of(call.loc, values, last),
      emitter.scalars.index(2));
  Value target = resultMemory(call, values, last, twice(dimsOf(values)[last]),
                              width, emitter.builder.getF32Type());
  pl::SortRunsOp::create(emitter.builder, call.loc, 32, values, indices,
                         target);
  return loaded(call, target);
}

/// True if the argument holds rows of pairs.
static bool checkPairs(const BuiltinCall &call, Value pairs) {
  bool isF32 = pl::getElementOrSelf(pairs.getType()).isF32();
  bool hasRows = !dimsOf(pairs).empty();
  Dim last = hasRows ? dimsOf(pairs).back() : Dim::exactly(1);
  if (isF32 && hasRows && !(last.isExact() && last.getBound() % 2 != 0))
    return true;
  call.fail("'mrgsort' takes rows of FP32 pairs as sort32 makes them, got " +
            describe(pairs.getType()));
  return false;
}

/// One source of runs of block_len columns, merged four by four.
static Object mergeBlocks(const MergeSortCall &call, Value source) {
  Emitter &emitter = call.emitter;
  std::optional<int64_t> known = call.blockLen()->asInteger();
  if (known && (*known < 2 || *known % 2 != 0))
    return call.blockLen().fail("block_len counts columns, two for each pair: "
                                "an even integer, got " +
                                describe(call.blockLen()));
  Value length = call.blockLen().number("block_len");
  if (!length)
    return Object::poison();
  unsigned last = dimsOf(source).size() - 1;
  Value target = resultMemory(call, source, last, dimsOf(source)[last],
                              emitter.extents.of(call.loc, source, last),
                              emitter.builder.getF32Type());
  pl::MergeRunsOp::create(emitter.builder, call.loc, source, length, target);
  return loaded(call, target);
}

/// Two to four sources, each one sorted run.
static Object mergeLists(const BuiltinCall &call,
                         llvm::ArrayRef<Value> sources) {
  Emitter &emitter = call.emitter;
  Value first = sources.front();
  unsigned rank = dimsOf(first).size(), last = rank - 1;
  Dim dim = dimsOf(first)[last];
  Value width = emitter.extents.of(call.loc, first, last);
  for (Value other : sources.drop_front()) {
    if (dimsOf(other).size() != rank)
      return call.fail("'mrgsort' merges lists of one rank, got " +
                       describe(first.getType()) + " and " +
                       describe(other.getType()));
    for (unsigned axis = 0; axis < last; ++axis)
      if (!emitter.shapes.check(call.loc, first, axis, other, axis))
        return Object::poison();
    Dim more = dimsOf(other)[last];
    bool areExact = dim.isExact() && more.isExact();
    if (dim.isAny() || more.isAny())
      dim = Dim::any();
    else
      dim = areExact ? Dim::exactly(dim.getBound() + more.getBound())
                     : Dim::atMost(dim.getBound() + more.getBound());
    width =
        emitter.scalars.indexBinary(call.loc, ast::BinaryOp::Add, width,
                                    emitter.extents.of(call.loc, other, last));
  }
  Value target =
      resultMemory(call, first, last, dim, width, emitter.builder.getF32Type());
  pl::MergeRunsOp::create(emitter.builder, call.loc, sources, Value(), target);
  return loaded(call, target);
}

/// mrgsort(x, block_len=...) or mrgsort(a, b, c, d)
Object tegula::buildMergeSort(const MergeSortCall &call) {
  SmallVector<Value> sources;
  for (Value source : {call.x(), call.b(), call.c(), call.d()}) {
    if (!source)
      continue;
    sources.push_back(inMemory(call, source));
    if (!checkPairs(call, sources.back()))
      return Object::poison();
  }
  if (call.exhausted())
    return call.fail("'mrgsort' always merges to the end; leave 'exhausted' "
                     "out");
  if (call.blockLen().isGiven() == (sources.size() > 1))
    return call.fail("'mrgsort' takes one list with block_len, or 2 to 4 "
                     "lists without");
  return call.blockLen().isGiven() ? mergeBlocks(call, sources.front())
                                   : mergeLists(call, sources);
}
