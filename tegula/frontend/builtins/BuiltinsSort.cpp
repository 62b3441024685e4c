// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that order elements: arg-reductions, sorting, merging.
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/ir/PlSortOps.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Type;
using mlir::Value;
using pl::Dim;

static llvm::ArrayRef<Dim> dimsOf(Value shaped) {
  return pl::getDims(shaped.getType());
}

/// An argument in memory: a tensor itself, a tile in memory made for it.
static Value inMemory(BuiltinCall &call, unsigned position) {
  Emitter &emitter = call.emitter;
  Value shaped = call.shaped(position);
  if (!shaped)
    return {};
  if (llvm::isa<pl::TensorViewType>(shaped.getType())) {
    emitter.uses.read(shaped, call.loc);
    return shaped;
  }
  auto type = pl::TensorViewType::get(emitter.getContext(), dimsOf(shaped),
                                      pl::getElementOrSelf(shaped.getType()));
  Value memory = pl::CreateTensorOp::create(emitter.builder, call.loc, type,
                                            emitter.extents(call.loc, shaped));
  pl::StoreOp::create(emitter.builder, call.loc, shaped, memory);
  return memory;
}

/// Memory for a result that differs from `like` in one axis.
static Value resultMemory(BuiltinCall &call, Value like, unsigned axis, Dim dim,
                          Value size, Type element) {
  Emitter &emitter = call.emitter;
  pl::Dims dims(dimsOf(like));
  SmallVector<Value> sizes = emitter.extents(call.loc, like);
  dims[axis] = dim;
  sizes[axis] = size;
  auto type = pl::TensorViewType::get(emitter.getContext(), dims, element);
  return pl::CreateTensorOp::create(emitter.builder, call.loc, type, sizes);
}

static Object loaded(BuiltinCall &call, Value memory) {
  return Object(call.emitter.toTile(call.loc, Object(memory)));
}

static bool checkNumbers(BuiltinCall &call, Value shaped) {
  if (pl::isNumber(pl::getElementOrSelf(shaped.getType())))
    return true;
  call.fail("'" + call.name + "' takes numbers, got " +
            describe(shaped.getType()) + "; write pl.cast");
  return false;
}

static Object argReduce(BuiltinCall &call, bool isMax, unsigned axis,
                        bool keepsAxis) {
  Emitter &emitter = call.emitter;
  Value source = inMemory(call, 0);
  if (!source || !checkNumbers(call, source))
    return Object::poison();
  Value target = resultMemory(call, source, axis, Dim::exactly(1),
                              emitter.index(1), emitter.builder.getI32Type());
  pl::ArgReduceOp::create(emitter.builder, call.loc,
                          isMax ? pl::Reduction::Max : pl::Reduction::Min,
                          source, axis, target);
  Object indices = loaded(call, target);
  if (keepsAxis)
    return indices;
  SmallVector<Value> sizes = emitter.extents(call.loc, indices.asValue());
  sizes.erase(sizes.begin() + axis);
  return emitter.reshape(call.loc, indices.asValue(), sizes);
}

/// row_argmax and the like look along the last axis, col_argmax along the one
/// before.
template <bool isMax, unsigned fromEnd>
static Object buildArgLast(BuiltinCall &call) {
  Value shaped = call.shaped(0);
  if (!shaped)
    return Object::poison();
  unsigned rank = dimsOf(shaped).size();
  if (rank < fromEnd)
    return call.fail("'" + call.name + "' needs at least " +
                     (fromEnd == 1 ? "one axis" : "two axes") + ", got " +
                     describe(shaped.getType()));
  return argReduce(call, isMax, rank - fromEnd, /*keepsAxis=*/true);
}

/// argmax(x, axis, keepdims)
template <bool isMax> static Object buildArgAxis(BuiltinCall &call) {
  Value shaped = call.shaped(0);
  std::optional<bool> keepsAxis = call.flag(2, true);
  if (!shaped || !keepsAxis)
    return Object::poison();
  std::optional<unsigned> axis = call.axis(1, dimsOf(shaped).size());
  return axis ? argReduce(call, isMax, *axis, *keepsAxis) : Object::poison();
}

/// Sorts along an axis and keeps `size` elements of each row.
static Object sortRows(BuiltinCall &call, Value source, unsigned axis, Dim dim,
                       Value size, bool isDescending) {
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
static Object buildSort(BuiltinCall &call) {
  Value shaped = call.shaped(0);
  std::optional<bool> isDescending = call.flag(2, false);
  if (!shaped || !isDescending || !checkNumbers(call, shaped))
    return Object::poison();
  unsigned rank = dimsOf(shaped).size();
  if (rank == 0)
    return call.fail("'sort' needs at least one axis");
  std::optional<unsigned> axis = call.has(1) ? call.axis(1, rank) : rank - 1;
  Value source = axis ? inMemory(call, 0) : Value();
  if (!source)
    return Object::poison();
  return sortRows(call, source, *axis, dimsOf(source)[*axis],
                  call.emitter.extent(call.loc, source, *axis), *isDescending);
}

/// topk(x, k, largest=True) -> (values, indices) along the last axis
static Object buildTopK(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  Value shaped = call.shaped(0);
  std::optional<bool> isLargest = call.flag(2, true);
  if (!shaped || !isLargest || !checkNumbers(call, shaped))
    return Object::poison();
  std::optional<int64_t> count = call[1].asInteger();
  if (!count || *count < 1)
    return emitter.fail(call.locOf(1),
                        "k must be a positive integer known at compile time, "
                        "got " +
                            describe(call[1]));
  if (dimsOf(shaped).empty())
    return call.fail("'topk' needs at least one axis");
  unsigned axis = dimsOf(shaped).size() - 1;
  Dim dim = dimsOf(shaped)[axis];
  if (dim.hasBound() && dim.getBound() < *count)
    return call.fail("cannot take " + llvm::Twine(*count) + " of " +
                     llvm::Twine(dim.getBound()) + " elements");
  Value source = inMemory(call, 0);
  Value kept = emitter.index(*count);
  if (!dim.isExact())
    kept = emitter.indexExtreme(call.loc, /*isMax=*/false,
                                emitter.extent(call.loc, source, axis), kept);
  Dim keptDim = dim.isExact() ? Dim::exactly(*count) : Dim::atMost(*count);
  return sortRows(call, source, axis, keptDim, kept, *isLargest);
}

static Dim twice(Dim dim) {
  if (dim.isAny())
    return dim;
  return dim.isExact() ? Dim::exactly(2 * dim.getBound())
                       : Dim::atMost(2 * dim.getBound());
}

/// sort32(values, indices): pairs, sorted in runs of 32
static Object buildSort32(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  Value values = inMemory(call, 0);
  Value indices = values ? inMemory(call, 1) : Value();
  if (!indices)
    return Object::poison();
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
    if (!emitter.checkExtents(call.loc, values, axis, indices, axis))
      return Object::poison();
  unsigned last = rank - 1;
  Value width = emitter.indexBinary(call.loc, ast::BinaryOp::Mul,
                                    emitter.extent(call.loc, values, last),
                                    emitter.index(2));
  Value target = resultMemory(call, values, last, twice(dimsOf(values)[last]),
                              width, emitter.builder.getF32Type());
  pl::SortRunsOp::create(emitter.builder, call.loc, 32, values, indices,
                         target);
  return loaded(call, target);
}

/// True if the argument holds rows of pairs.
static bool checkPairs(BuiltinCall &call, Value pairs) {
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
static Object mergeBlocks(BuiltinCall &call, Value source) {
  Emitter &emitter = call.emitter;
  std::optional<int64_t> length = call[4].asInteger();
  if (!length || *length < 2 || *length % 2 != 0)
    return emitter.fail(call.locOf(4),
                        "block_len counts columns, two for each pair: an even "
                        "integer known at compile time, got " +
                            describe(call[4]));
  unsigned last = dimsOf(source).size() - 1;
  Value target = resultMemory(call, source, last, dimsOf(source)[last],
                              emitter.extent(call.loc, source, last),
                              emitter.builder.getF32Type());
  pl::MergeRunsOp::create(emitter.builder, call.loc, source, *length / 2,
                          target);
  return loaded(call, target);
}

/// Two to four sources, each one sorted run.
static Object mergeLists(BuiltinCall &call, llvm::ArrayRef<Value> sources) {
  Emitter &emitter = call.emitter;
  Value first = sources.front();
  unsigned rank = dimsOf(first).size(), last = rank - 1;
  Dim dim = dimsOf(first)[last];
  Value width = emitter.extent(call.loc, first, last);
  for (Value other : sources.drop_front()) {
    if (dimsOf(other).size() != rank)
      return call.fail("'mrgsort' merges lists of one rank, got " +
                       describe(first.getType()) + " and " +
                       describe(other.getType()));
    for (unsigned axis = 0; axis < last; ++axis)
      if (!emitter.checkExtents(call.loc, first, axis, other, axis))
        return Object::poison();
    Dim more = dimsOf(other)[last];
    bool areExact = dim.isExact() && more.isExact();
    if (dim.isAny() || more.isAny())
      dim = Dim::any();
    else
      dim = areExact ? Dim::exactly(dim.getBound() + more.getBound())
                     : Dim::atMost(dim.getBound() + more.getBound());
    width = emitter.indexBinary(call.loc, ast::BinaryOp::Add, width,
                                emitter.extent(call.loc, other, last));
  }
  Value target =
      resultMemory(call, first, last, dim, width, emitter.builder.getF32Type());
  pl::MergeRunsOp::create(emitter.builder, call.loc, sources, 0, target);
  return loaded(call, target);
}

/// mrgsort(x, block_len=...) or mrgsort(a, b, c, d)
static Object buildMergeSort(BuiltinCall &call) {
  SmallVector<Value> sources;
  for (unsigned position = 0; position < 4; ++position) {
    if (!call.has(position) || call[position].is<NoneObject>())
      continue;
    sources.push_back(inMemory(call, position));
    if (!sources.back() || !checkPairs(call, sources.back()))
      return Object::poison();
  }
  std::optional<bool> isExhausted = call.flag(6, false);
  if (!isExhausted)
    return Object::poison();
  if (*isExhausted)
    return call.fail("'mrgsort' always merges to the end; leave 'exhausted' "
                     "out");
  if (call.has(4) == (sources.size() > 1))
    return call.fail("'mrgsort' takes one list with block_len, or 2 to 4 "
                     "lists without");
  return call.has(4) ? mergeBlocks(call, sources.front())
                     : mergeLists(call, sources);
}

llvm::ArrayRef<Builtin> tegula::sortBuiltins() {
  static constexpr Builtin table[] = {
      {"row_argmax", "x tmp_tile?", buildArgLast<true, 1>, false,
       "where the largest of each row is: `[M, N]` to `[M, 1]` of INT32"},
      {"row_argmin", "x tmp_tile?", buildArgLast<false, 1>, false,
       "where the smallest of each row is"},
      {"col_argmax", "x tmp_tile?", buildArgLast<true, 2>, false,
       "where the largest of each column is: `[M, N]` to `[1, N]` of INT32"},
      {"col_argmin", "x tmp_tile?", buildArgLast<false, 2>, false,
       "where the smallest of each column is"},
      {"argmax", "x axis keepdims?", buildArgAxis<true>, false,
       "where the largest along an axis is"},
      {"argmin", "x axis keepdims?", buildArgAxis<false>, false,
       "where the smallest along an axis is"},
      {"sort", "x axis? descending?", buildSort, false,
       "the elements along an axis in order, and where they were (INT32)"},
      {"topk", "x k largest?", buildTopK, false,
       "the `k` largest of each row in order, and where they were (INT32)"},
      {"sort32", "x idx tmp?", buildSort32, false,
       "pairs of value and index, each 32 of a row in descending order"},
      {"mrgsort", "x b? c? d? block_len? tmp? exhausted?", buildMergeSort,
       false,
       "rows of sorted pairs merged: 2 to 4 lists, or every four blocks of "
       "`block_len` columns of one"},
  };
  return table;
}
