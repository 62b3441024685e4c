// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that pick elements and rows at places known at run time.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/builtins/IndexedForms.h"
#include "tegula/ir/PlIndexOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static Object wrap(Value value) {
  return value ? Object(value) : Object::poison();
}

/// True if the axes of `index` beside `axis` fit those of `shaped`: known to be
/// no longer, or equal.
static bool checkOtherAxes(BuiltinCall &call, Value shaped, Value index,
                           unsigned axis) {
  llvm::ArrayRef<pl::Dim> have = pl::getDims(shaped.getType());
  llvm::ArrayRef<pl::Dim> want = pl::getDims(index.getType());
  for (unsigned other = 0; other < want.size(); ++other) {
    bool isShorter = want[other].isExact() && have[other].isExact() &&
                     want[other].getBound() <= have[other].getBound();
    if (other != axis && !isShorter &&
        !call.emitter.checkExtents(call.loc, index, other, shaped, other))
      return false;
  }
  return true;
}

/// Along an axis, or flat without one.
Object tegula::gatherAlong(BuiltinCall &call, Value source, Value index,
                           std::optional<unsigned> axis) {
  if (axis && pl::getDims(source.getType()).size() !=
                  pl::getDims(index.getType()).size())
    return call.fail("'gather' along an axis takes an index of the rank of "
                     "its source, got " +
                     describe(index.getType()) + " for " +
                     describe(source.getType()));
  if (axis && !checkOtherAxes(call, source, index, *axis))
    return Object::poison();
  pl::GatherOp::Properties properties;
  if (axis)
    properties.axis = call.emitter.builder.getI64IntegerAttr(*axis);
  return wrap(call.emitter.create<pl::GatherOp>(call.loc, "gather",
                                                {source, index}, properties));
}

/// Every second or fourth column of argument 0, its bits read as another type.
static Object gatherPattern(BuiltinCall &call, unsigned patternPosition,
                            unsigned dtypePosition) {
  Emitter &emitter = call.emitter;
  Value source = call.tile(0);
  std::optional<ColumnPattern> pattern = readPattern(call, patternPosition);
  if (!source || !pattern)
    return Object::poison();
  unsigned rank = pl::getDims(source.getType()).size();
  if (rank == 0)
    return call.fail("a mask pattern picks columns, got " +
                     describe(source.getType()));
  // ceil((width - start) / step), never below 0 because start < step
  int64_t extra = pattern->step - 1 - pattern->start;
  pl::Dim dim = pl::getDims(source.getType()).back();
  if (dim.hasBound()) {
    int64_t most = (dim.getBound() + extra) / pattern->step;
    dim = dim.isExact() ? pl::Dim::exactly(most) : pl::Dim::atMost(most);
  }
  Value width = emitter.extent(call.loc, source, rank - 1);
  Value count =
      emitter.indexBinary(call.loc, ast::BinaryOp::FloorDiv,
                          emitter.indexBinary(call.loc, ast::BinaryOp::Add,
                                              width, emitter.index(extra)),
                          emitter.index(pattern->step));
  Object picked(source);
  if (pattern->step > 1)
    picked = gatherAlong(call, source,
                         patternIndices(call, source, count, dim, *pattern),
                         rank - 1);
  if (picked.isPoison() || !call.has(dtypePosition) ||
      call[dtypePosition].is<NoneObject>())
    return picked;
  mlir::Type element = call.dtype(dtypePosition);
  if (!element)
    return Object::poison();
  pl::BitcastOp::Properties properties;
  properties.element = mlir::TypeAttr::get(element);
  return wrap(emitter.create<pl::BitcastOp>(call.loc, call.name,
                                            picked.asValue(), properties));
}

static std::optional<pl::Comparison> readComparison(BuiltinCall &call,
                                                    unsigned position) {
  std::optional<pl::Comparison> comparison;
  if (!call.has(position))
    return pl::Comparison::Eq;
  if (const auto *name = call[position].as<StringObject>())
    comparison = pl::symbolizeComparison(name->value);
  else if (std::optional<int64_t> number = call[position].asInteger())
    comparison = pl::symbolizeComparison(static_cast<uint32_t>(*number));
  if (!comparison)
    call.emitter.fail(call.locOf(position),
                      "a comparison is 'eq', 'ne', 'lt', 'le', 'gt', 'ge' or "
                      "0 to 5, got " +
                          describe(call[position]));
  return comparison;
}

namespace {

/// Where the arguments of the comparing form stand.
struct ComparePositions {
  unsigned value, mode, columns, offset, countDtype;
};

} // namespace

/// The places where a row compares true, and how many there are.
static Object gatherCompare(BuiltinCall &call, const ComparePositions &at) {
  Emitter &emitter = call.emitter;
  Value source = call.tile(0);
  std::optional<pl::Comparison> comparison = readComparison(call, at.mode);
  if (!source || !comparison)
    return Object::poison();
  std::optional<int64_t> columns =
      call.has(at.columns) ? call[at.columns].asInteger() : std::nullopt;
  if (!columns || *columns < 1 || pl::getDims(source.getType()).size() != 2)
    return call.fail("comparing takes a source of two axes and a constant "
                     "'out_cols' of at least 1");
  Object mask =
      emitter.comparison(call.loc, *comparison, Object(source), call[at.value]);
  if (mask.isPoison())
    return mask;
  mlir::Type i32 = emitter.builder.getI32Type();
  pl::FindOp::Properties find;
  find.columns = emitter.builder.getI64IntegerAttr(*columns);
  Object places = wrap(
      emitter.create<pl::FindOp>(call.loc, "gather", mask.asValue(), find));
  Object ones = emitter.cast(call.loc, mask, i32, pl::Rounding::None);
  pl::ReduceOp::Properties sum;
  sum.reduction =
      pl::ReductionAttr::get(emitter.getContext(), pl::Reduction::Sum);
  sum.axis = emitter.builder.getI64IntegerAttr(1);
  Object counts = wrap(
      emitter.create<pl::ReduceOp>(call.loc, "gather", ones.asValue(), sum));
  if (call.has(at.offset) && call[at.offset].asInteger() != 0) {
    Value ramp = patternIndices(call, places.asValue(), emitter.index(*columns),
                                pl::Dim::exactly(*columns), {1, 0});
    Object isFound =
        emitter.comparison(call.loc, pl::Comparison::Lt, Object(ramp), counts);
    Object moved =
        emitter.binary(call.loc, ast::BinaryOp::Add, places, call[at.offset]);
    places = emitter.select(call.loc, isFound, moved, Object::integer(0));
  }
  pl::TransposeOp::Properties turned;
  turned.permutation = emitter.builder.getDenseI64ArrayAttr({1, 0});
  counts = wrap(emitter.create<pl::TransposeOp>(call.loc, "gather",
                                                counts.asValue(), turned));
  if (call.has(at.countDtype) && !call[at.countDtype].is<NoneObject>()) {
    mlir::Type dtype = call.dtype(at.countDtype);
    counts = dtype ? emitter.cast(call.loc, counts, dtype, pl::Rounding::None)
                   : Object::poison();
  }
  if (places.isPoison() || counts.isPoison())
    return Object::poison();
  return Object::tuple({places, counts});
}

/// gather(x, dim, index), gather(x, index), gather(x, mask_pattern=...),
/// gather(x, kvalue=..., cmp_mode=..., out_cols=...)
static Object buildGather(BuiltinCall &call) {
  if (call.has(3))
    return gatherPattern(call, 3, 4);
  if (call.has(5))
    return gatherCompare(call, {5, 6, 7, 8, 9});
  bool isFlat = !call.has(1) || call[1].is<NoneObject>() ||
                call[1].asTensor() || call[1].asTile();
  unsigned position =
      call.has(1) && isFlat && !call[1].is<NoneObject>() ? 1 : 2;
  if (!call.has(position))
    return call.fail("gather() needs 'index', 'mask_pattern' or 'kvalue'");
  Value source = call.tile(0);
  Value index = source ? indexTile(call, position) : Value();
  if (!index)
    return Object::poison();
  if (isFlat)
    return gatherAlong(call, source, index, std::nullopt);
  std::optional<unsigned> axis =
      call.axis(1, pl::getDims(source.getType()).size());
  return axis ? gatherAlong(call, source, index, axis) : Object::poison();
}

static Object buildGatherMask(BuiltinCall &call) {
  return gatherPattern(call, 1, 2);
}

static Object buildGatherCompare(BuiltinCall &call) {
  return gatherCompare(call, {1, 3, 5, 4, 6});
}

/// find(mask, columns): where the elements of each row are true
static Object buildFind(BuiltinCall &call) {
  Value mask = call.tile(0);
  std::optional<int64_t> columns = call[1].asInteger();
  if (!mask)
    return Object::poison();
  if (!pl::isBool(pl::getElementOrSelf(mask.getType())) ||
      pl::getDims(mask.getType()).size() != 2)
    return call.fail("'find' takes booleans of two axes, got " +
                     describe(mask.getType()));
  if (!columns || *columns < 1)
    return call.emitter.fail(call.locOf(1),
                             "'columns' must be a positive integer known at "
                             "compile time, got " +
                                 describe(call[1]));
  pl::FindOp::Properties properties;
  properties.columns = call.emitter.builder.getI64IntegerAttr(*columns);
  return wrap(
      call.emitter.create<pl::FindOp>(call.loc, "find", mask, properties));
}

/// An index brought into `0 <= index < extent` as `gather_oob` says.
static Value withinExtent(BuiltinCall &call, llvm::StringRef policy,
                          Value index, Value extent) {
  Emitter &emitter = call.emitter;
  Value least = emitter.index(0), one = emitter.index(1);
  if (policy == "clamp") {
    Value last = emitter.indexBinary(call.loc, ast::BinaryOp::Sub, extent, one);
    index = emitter.indexExtreme(call.loc, /*isMax=*/false, index, last);
    return emitter.indexExtreme(call.loc, /*isMax=*/true, index, least);
  }
  if (policy == "wrap") {
    Value length = emitter.indexExtreme(call.loc, /*isMax=*/true, extent, one);
    return emitter.indexBinary(call.loc, ast::BinaryOp::Mod, index, length);
  }
  return index;
}

/// Copies a row where there is one; where not, the target keeps its zeros.
static void copyRowWithin(BuiltinCall &call, Value row, Value numRows,
                          llvm::function_ref<void()> copy) {
  mlir::OpBuilder &builder = call.emitter.builder;
  auto compare = [&](mlir::arith::CmpIPredicate predicate, Value limit) {
    return builder.createOrFold<mlir::arith::CmpIOp>(call.loc, predicate, row,
                                                     limit);
  };
  Value isInside = builder.createOrFold<mlir::arith::AndIOp>(
      call.loc, compare(mlir::arith::CmpIPredicate::sge, call.emitter.index(0)),
      compare(mlir::arith::CmpIPredicate::slt, numRows));
  auto branch = mlir::scf::IfOp::create(builder, call.loc, isInside,
                                        /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  copy();
}

static void fillWithZeros(BuiltinCall &call, Value memory) {
  Emitter &emitter = call.emitter;
  mlir::Type element = pl::getElementOrSelf(memory.getType());
  Object zero =
      pl::isBool(element) ? Object::boolean(false) : Object::integer(0);
  Value number = emitter.constant(call.loc, zero, element);
  pl::StoreOp::create(emitter.builder, call.loc,
                      emitter.fullLike(call.loc, number, memory), memory);
}

/// The rows of a tensor that a list names, one after the other.
static Object gatherRows(BuiltinCall &call, Value tensor, const IndexList &list,
                         llvm::StringRef policy) {
  Emitter &emitter = call.emitter;
  pl::Dims dims(pl::getDims(tensor.getType()));
  SmallVector<Value> extents = emitter.extents(call.loc, tensor);
  Value numRows = extents.front();
  dims.front() = pl::getDims(list.shaped.getType())[list.axis];
  extents.front() = emitter.extent(call.loc, list.shaped, list.axis);
  Value memory =
      memoryFor(call, dims, extents, pl::getElementOrSelf(tensor.getType()));
  if (policy == "zero")
    fillWithZeros(call, memory);
  forEachApart(call, extents.front(), [&](Value place) {
    Value row =
        withinExtent(call, policy, readEntry(call, list, place), numRows);
    auto copy = [&] {
      Value tile = emitter.toTile(call.loc, Object(rowOf(call, tensor, {row})));
      pl::StoreOp::create(emitter.builder, call.loc, tile,
                          rowOf(call, memory, {place}));
    };
    if (policy == "zero")
      copyRowWithin(call, row, numRows, copy);
    else
      copy();
  });
  return Object(emitter.toTile(call.loc, Object(memory)));
}

/// mgather(tensor, idx, coalesce): rows, or elements counted flat
static Object buildMemoryGather(BuiltinCall &call) {
  Value tensor = call.shaped(0);
  std::optional<bool> byRows = isByRows(call, 2, true);
  if (!tensor || !byRows)
    return Object::poison();
  const auto *policy = call.has(3) ? call[3].as<StringObject>() : nullptr;
  llvm::StringRef name = policy ? llvm::StringRef(policy->value) : "undefined";
  if ((call.has(3) && !policy) ||
      !llvm::is_contained({"undefined", "clamp", "wrap", "zero"}, name) ||
      (!*byRows && name != "undefined"))
    return call.fail("'gather_oob' is \"undefined\", which makes an index out "
                     "of range an error, or for rows \"clamp\", \"wrap\" or "
                     "\"zero\"");
  if (!*byRows) {
    Value index = indexTile(call, 1);
    return index ? gatherAlong(call, call.tile(0), index, std::nullopt)
                 : Object::poison();
  }
  std::optional<IndexList> list = indexList(call, 1);
  if (!list || pl::getDims(tensor.getType()).size() == 0)
    return Object::poison();
  return gatherRows(call, tensor, *list, name);
}

/// paged_gather(src, indices, block_table, block_size, size, max_indices): row
/// block_table[i // block_size] * block_size + i % block_size for each index i
static Object buildPagedGather(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  Value pool = call.shaped(0);
  std::optional<IndexList> indices = indexList(call, 1);
  std::optional<IndexList> table = indexList(call, 2);
  std::optional<bool> isTurned = call.flag(8, false);
  SmallVector<Value> numbers;
  for (unsigned position : {3u, 4u, 5u, 7u})
    if (pool && indices && table && (position != 7 || call.has(7)))
      numbers.push_back(
          emitter.toIndex(call.locOf(position), call[position], "a size"));
  if (numbers.size() < 3 || !isTurned || llvm::is_contained(numbers, Value()))
    return Object::poison();
  if (pl::getDims(pool.getType()).size() != 2)
    return call.fail("'paged_gather' takes a pool of two axes, got " +
                     describe(pool.getType()));
  Value blockSize = numbers[0], width = numbers[1];
  Value offset = numbers.size() > 3 ? numbers[3] : emitter.index(0);
  Value count = emitter.indexExtreme(
      call.loc, /*isMax=*/false,
      emitter.extent(call.loc, indices->shaped, indices->axis), numbers[2]);
  pl::Dim rows = pl::dimOfExtent(numbers[2]);
  if (rows.isExact() && !pl::dimOfExtent(count).isExact())
    rows = pl::Dim::atMost(rows.getBound());
  if (pl::dimOfExtent(count).isExact())
    rows = pl::dimOfExtent(count);
  Value memory = memoryFor(call, {rows, pl::dimOfExtent(width)}, {count, width},
                           pl::getElementOrSelf(pool.getType()));
  forEachApart(call, count, [&](Value place) {
    auto math = [&](ast::BinaryOp op, Value lhs, Value rhs) {
      return emitter.indexBinary(call.loc, op, lhs, rhs);
    };
    Value logical = readEntry(call, *indices, place);
    Value block = readEntry(call, *table,
                            math(ast::BinaryOp::FloorDiv, logical, blockSize));
    Value row =
        math(ast::BinaryOp::Add, math(ast::BinaryOp::Mul, block, blockSize),
             math(ast::BinaryOp::Mod, logical, blockSize));
    Value part = emitter.window(call.loc, rowOf(call, pool, {row}), {offset},
                                {width}, {});
    pl::StoreOp::create(emitter.builder, call.loc,
                        emitter.toTile(call.loc, Object(part)),
                        rowOf(call, memory, {place}));
  });
  Value tile = emitter.toTile(call.loc, Object(memory));
  if (!*isTurned)
    return Object(tile);
  pl::TransposeOp::Properties turned;
  turned.permutation = emitter.builder.getDenseI64ArrayAttr({1, 0});
  return wrap(
      emitter.create<pl::TransposeOp>(call.loc, "paged_gather", tile, turned));
}

/// gather_row(acc, src, dst_offset, src_offset, shapes): a window of one in
/// another
static Object buildGatherRow(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  Value acc = call.shaped(0), source = acc ? call.shaped(1) : Value();
  if (!source)
    return Object::poison();
  unsigned rank = pl::getDims(source.getType()).size();
  SmallVector<Value> to, from, sizes;
  std::optional<bool> isTurned = call.flag(5, false);
  if (!isTurned || !call.indices(2, pl::getDims(acc.getType()).size(), to) ||
      !call.indices(3, rank, from) ||
      !call.indices(call.has(6) && !call[6].is<NoneObject>() ? 6 : 4, rank,
                    sizes))
    return Object::poison();
  if (to.size() != rank || (*isTurned && rank != 2))
    return call.fail("'gather_row' puts a window into a tile of the same rank, "
                     "2 to transpose it");
  Value part = emitter.toTile(
      call.loc, Object(emitter.window(call.loc, source, from, sizes, {})));
  if (*isTurned) {
    pl::TransposeOp::Properties turned;
    turned.permutation = emitter.builder.getDenseI64ArrayAttr({1, 0});
    part =
        emitter.create<pl::TransposeOp>(call.loc, "gather_row", part, turned);
  }
  if (mlir::isa<pl::TileType>(acc.getType()))
    return emitter.insert(call.loc, Object(part), acc, to,
                          emitter.extents(call.loc, part), {});
  emitter.store(
      call.loc, Object(part),
      emitter.window(call.loc, acc, to, emitter.extents(call.loc, part), {}));
  return call[0];
}

llvm::ArrayRef<Builtin> tegula::gatherBuiltins() {
  static constexpr Builtin table[] = {
      {"gather",
       "x|input|src dim? index|indices? mask_pattern? output_dtype? kvalue? "
       "cmp_mode? out_cols? offset? count_dtype?",
       buildGather, false,
       "elements at places that are data: `out[i, k] = x[i, index[i, k]]`; "
       "with `mask_pattern` every 2nd or 4th column, with `kvalue` the places "
       "that compare"},
      {"find", "mask columns", buildFind, false,
       "the places where each row holds, in order, as many as `columns`, and "
       "0 where there are no more"},
      {"gather_mask", "src mask_pattern output_dtype?", buildGatherMask, false,
       "every 2nd or 4th column of a tile, as `pl.gather` with `mask_pattern`"},
      {"gather_compare",
       "src kvalue tmp? cmp_mode? offset? out_cols? count_dtype?",
       buildGatherCompare, false,
       "the places of each row that compare with `kvalue`, and how many there "
       "are"},
      {"mgather",
       "tensor|mem idx coalesce? gather_oob? target_memory? scratch? "
       "valid_shape?",
       buildMemoryGather, false,
       "elements or rows of a tensor at places that are data"},
      {"paged_gather",
       "src|pool indices block_table block_size size max_indices space? "
       "col_off? is_trans? is_b_matrix?",
       buildPagedGather, false,
       "rows of a pool of pages at places that are data, through a table of "
       "blocks"},
      {"gather_row",
       "acc src dst_offset|dst_off src_offset|src_off shapes|shape transpose? "
       "valid_shape?",
       buildGatherRow, false, "the tile with a window of a tensor put into it"},
  };
  return table;
}
