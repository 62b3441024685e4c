// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that pick elements and rows at indices known at run time.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/builtins/GatherScatter.h"
#include "tegula/frontend/builtins/Windows.h"
#include "tegula/ir/ops/PlIndexOps.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static Object wrap(Value value) {
  return value ? Object(value) : Object::poison();
}

/// True if the axes of `index` besides `axis` fit those of `shaped`: known to
/// be no longer, or equal.
static bool checkOtherAxes(const BuiltinCall &call, Value shaped, Value index,
                           unsigned axis) {
  llvm::ArrayRef<pl::Dim> have = pl::getDims(shaped.getType());
  llvm::ArrayRef<pl::Dim> want = pl::getDims(index.getType());
  for (unsigned other = 0; other < want.size(); ++other) {
    bool isShorter = want[other].isExact() && have[other].isExact() &&
                     want[other].getBound() <= have[other].getBound();
    if (other != axis && !isShorter &&
        !call.emitter.shapes.check(call.loc, index, other, shaped, other))
      return false;
  }
  return true;
}

/// Along an axis, or flat without one.
Object tegula::gatherAlong(const BuiltinCall &call, Value source, Value index,
                           std::optional<unsigned> axis,
                           std::optional<mlir::Location> indexLoc) {
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
  mlir::Location loc =
      indexLoc ? pl::withIndexLocations(call.loc, *indexLoc) : call.loc;
  return wrap(call.emitter.create<pl::GatherOp>(loc, "gather", {source, index},
                                                properties));
}

/// Every second or fourth column, its bits read as another type if there is
/// one.
static Object gatherPattern(const BuiltinCall &call, Value source,
                            const BuiltinArgument &given, mlir::Type element) {
  Emitter &emitter = call.emitter;
  std::optional<ColumnPattern> pattern = readPattern(given);
  if (!pattern)
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
  Value width = emitter.extents.of(call.loc, source, rank - 1);
  Value count = emitter.scalars.indexBinary(
      call.loc, ast::BinaryOp::FloorDiv,
      emitter.scalars.indexBinary(call.loc, ast::BinaryOp::Add, width,
                                  emitter.scalars.index(extra)),
      emitter.scalars.index(pattern->step));
  Object picked(source);
  if (pattern->step > 1)
    picked = gatherAlong(call, source,
                         patternIndices(call, source, count, dim, *pattern),
                         rank - 1);
  if (picked.isPoison() || !element)
    return picked;
  pl::BitcastOp::Properties properties;
  properties.element = mlir::TypeAttr::get(element);
  return wrap(emitter.create<pl::BitcastOp>(call.loc, call.name,
                                            picked.asValue(), properties));
}

/// The indices where a row compares true, and how many there are.
static Object gatherCompare(const GatherCall &call) {
  Value source = call.x();
  Emitter &emitter = call.emitter;
  std::optional<pl::Comparison> comparison = readComparison(call.cmpMode());
  if (!comparison)
    return Object::poison();
  std::optional<int64_t> columns =
      call.outCols().isGiven() ? call.outCols()->asInteger() : std::nullopt;
  if (!columns || *columns < 1 || pl::getDims(source.getType()).size() != 2)
    return call.fail("comparing takes a source of two axes and a constant "
                     "'out_cols' of at least 1");
  Object mask = emitter.elementwise.comparison(call.loc, *comparison,
                                               Object(source), call.kvalue());
  if (mask.isPoison())
    return mask;
  mlir::Type i32 = emitter.builder.getI32Type();
  pl::FindOp::Properties find;
  find.columns = emitter.builder.getI64IntegerAttr(*columns);
  Object indices = wrap(
      emitter.create<pl::FindOp>(call.loc, "gather", mask.asValue(), find));
  Object ones =
      emitter.elementwise.cast(call.loc, mask, i32, pl::Rounding::None);
  pl::ReduceOp::Properties sum;
  sum.reduction =
      pl::ReductionAttr::get(emitter.getContext(), pl::Reduction::Sum);
  sum.axis = emitter.builder.getI64IntegerAttr(1);
  Object counts = wrap(
      emitter.create<pl::ReduceOp>(call.loc, "gather", ones.asValue(), sum));
  if (call.offset().isGiven() && call.offset()->asInteger() != 0) {
    Value ramp =
        patternIndices(call, indices.asValue(), emitter.scalars.index(*columns),
                       pl::Dim::exactly(*columns), {1, 0});
    Object isFound = emitter.elementwise.comparison(
        call.loc, pl::Comparison::Lt, Object(ramp), counts);
    Object moved = emitter.operators.binary(call.loc, ast::BinaryOp::Add,
                                            indices, call.offset());
    indices = emitter.elementwise.select(call.loc, isFound, moved,
                                         Object::integer(0));
  }
  pl::TransposeOp::Properties transposed;
  transposed.permutation = emitter.builder.getDenseI64ArrayAttr({1, 0});
  counts = wrap(emitter.create<pl::TransposeOp>(call.loc, "gather",
                                                counts.asValue(), transposed));
  if (call.hasCountDtype())
    counts = emitter.elementwise.cast(call.loc, counts, call.countDtype(),
                                      pl::Rounding::None);
  if (indices.isPoison() || counts.isPoison())
    return Object::poison();
  return Object::tuple({indices, counts});
}

/// gather(x, dim, index), gather(x, index), gather(x, mask_pattern=...),
/// gather(x, kvalue=..., cmp_mode=..., out_cols=...)
Object tegula::buildGather(const GatherCall &call) {
  if (call.maskPattern().isGiven())
    return gatherPattern(call, call.x(), call.maskPattern(),
                         call.outputDtype());
  if (call.kvalue().isGiven())
    return gatherCompare(call);
  BuiltinArgument dim = call.dim();
  bool isIndex = dim.isGiven() && (dim->asTensor() || dim->asTile());
  BuiltinArgument given = isIndex ? dim : call.index();
  if (!given.isGiven())
    return call.fail("gather() needs 'index', 'mask_pattern' or 'kvalue'");
  Value index = indexTile(given);
  if (!index)
    return Object::poison();
  if (isIndex || !dim.isGiven())
    return gatherAlong(call, call.x(), index, std::nullopt, given.loc());
  std::optional<unsigned> axis =
      dim.axis(pl::getDims(call.x().getType()).size());
  return axis ? gatherAlong(call, call.x(), index, axis, given.loc())
              : Object::poison();
}

/// find(mask, columns): where the elements of each row are true
Object tegula::buildFind(const FindCall &call) {
  Value mask = call.mask();
  std::optional<int64_t> columns = call.columns()->asInteger();
  if (!pl::isBool(pl::getElementOrSelf(mask.getType())) ||
      pl::getDims(mask.getType()).size() != 2)
    return call.fail("'find' takes booleans of two axes, got " +
                     describe(mask.getType()));
  if (!columns || *columns < 1)
    return call.columns().fail("'columns' must be a positive integer known at "
                               "compile time, got " +
                               describe(call.columns()));
  pl::FindOp::Properties properties;
  properties.columns = call.emitter.builder.getI64IntegerAttr(*columns);
  return wrap(
      call.emitter.create<pl::FindOp>(call.loc, "find", mask, properties));
}

/// An index brought into `0 <= index < extent` as `gather_oob` says.
static Value withinExtent(const BuiltinCall &call, llvm::StringRef policy,
                          Value index, Value extent) {
  Emitter &emitter = call.emitter;
  Value least = emitter.scalars.index(0), one = emitter.scalars.index(1);
  if (policy == "clamp") {
    Value last =
        emitter.scalars.indexBinary(call.loc, ast::BinaryOp::Sub, extent, one);
    index =
        emitter.scalars.indexExtreme(call.loc, /*isMax=*/false, index, last);
    return emitter.scalars.indexExtreme(call.loc, /*isMax=*/true, index, least);
  }
  if (policy == "wrap") {
    Value length =
        emitter.scalars.indexExtreme(call.loc, /*isMax=*/true, extent, one);
    return emitter.scalars.indexBinary(call.loc, ast::BinaryOp::Mod, index,
                                       length);
  }
  return index;
}

/// Copies a row where there is one; where not, the target keeps its zeros.
static void copyRowWithin(const BuiltinCall &call, Value row, Value numRows,
                          llvm::function_ref<void()> copy) {
  mlir::OpBuilder &builder = call.emitter.builder;
  auto compare = [&](mlir::arith::CmpIPredicate predicate, Value limit) {
    return builder.createOrFold<mlir::arith::CmpIOp>(call.loc, predicate, row,
                                                     limit);
  };
  Value isInside = builder.createOrFold<mlir::arith::AndIOp>(
      call.loc,
      compare(mlir::arith::CmpIPredicate::sge, call.emitter.scalars.index(0)),
      compare(mlir::arith::CmpIPredicate::slt, numRows));
  auto branch = mlir::scf::IfOp::create(builder, call.loc, isInside,
                                        /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  copy();
}

static void fillWithZeros(const BuiltinCall &call, Value memory) {
  Emitter &emitter = call.emitter;
  mlir::Type element = pl::getElementOrSelf(memory.getType());
  Object zero =
      pl::isBool(element) ? Object::boolean(false) : Object::integer(0);
  Value number = emitter.scalars.constant(call.loc, zero, element);
  pl::StoreOp::create(emitter.builder, call.loc,
                      emitter.shapes.fullLike(call.loc, number, memory),
                      memory);
}

/// The rows of a tensor that a list names, one after the other.
static Object gatherRows(const BuiltinCall &call, Value tensor,
                         const IndexList &list, llvm::StringRef policy) {
  Emitter &emitter = call.emitter;
  pl::Dims dims(pl::getDims(tensor.getType()));
  SmallVector<Value> extents = emitter.extents.allOf(call.loc, tensor);
  Value numRows = extents.front();
  dims.front() = pl::getDims(list.shaped.getType())[list.axis];
  extents.front() = emitter.extents.of(call.loc, list.shaped, list.axis);
  Value memory =
      memoryFor(call, dims, extents, pl::getElementOrSelf(tensor.getType()));
  if (policy == "zero")
    fillWithZeros(call, memory);
  forEachApart(call, extents.front(), [&](Value position) {
    Value row =
        withinExtent(call, policy, readEntry(call, list, position), numRows);
    auto copy = [&] {
      Value tile =
          emitter.memory.toTile(call.loc, Object(rowOf(call, tensor, {row})));
      pl::StoreOp::create(emitter.builder, call.loc, tile,
                          rowOf(call, memory, {position}));
    };
    if (policy == "zero")
      copyRowWithin(call, row, numRows, copy);
    else
      copy();
  });
  return Object(emitter.memory.toTile(call.loc, Object(memory)));
}

/// What `gather_oob` says, by name or number.
static std::optional<llvm::StringRef> readPolicy(const BuiltinArgument &given) {
  static constexpr llvm::StringLiteral names[] = {"undefined", "clamp", "wrap",
                                                  "zero"};
  if (!given.isGiven())
    return names[0];
  if (std::optional<int64_t> number = given->asInteger();
      number && *number >= 0 && *number < 4)
    return names[*number];
  if (const auto *name = given->as<StringObject>())
    for (llvm::StringRef policy : names)
      if (policy == name->value)
        return policy;
  given.fail("'gather_oob' is \"undefined\", which makes an index out of range "
             "an error, \"clamp\", \"wrap\", \"zero\" or 0 to 3, got " +
             describe(given));
  return std::nullopt;
}

/// Elements counted flat, each index brought into range as `policy` says.
static Object gatherElements(const BuiltinCall &call, Value tensor, Value index,
                             llvm::StringRef policy, mlir::Location indexLoc) {
  Emitter &emitter = call.emitter;
  Value tile = emitter.memory.toTile(call.loc, Object(tensor));
  if (policy == "undefined")
    return gatherAlong(call, tile, index, std::nullopt, indexLoc);
  Value count = emitter.scalars.index(1);
  for (Value extent : emitter.extents.allOf(call.loc, tile))
    count = emitter.scalars.indexBinary(call.loc, ast::BinaryOp::Mul, count,
                                        extent);
  auto apply = [&](llvm::StringRef op, const Object &lhs, const Object &rhs) {
    return emitter.elementwise.build(call.loc, op, {lhs, rhs});
  };
  mlir::Type wide = emitter.builder.getI64Type();
  Object given = emitter.elementwise.cast(call.loc, Object(index), wide,
                                          pl::Rounding::None);
  Object length(emitter.scalars.convert(call.loc, count, wide));
  Object last = apply("sub", length, Object::integer(1));
  Object within =
      policy == "wrap"
          ? apply("rem", given, length)
          : apply("maximum", apply("minimum", given, last), Object::integer(0));
  Object found = within.isPoison()
                     ? within
                     : gatherAlong(call, tile, within.asValue(), std::nullopt);
  if (policy != "zero" || found.isPoison())
    return found;
  Object isInside = emitter.elementwise.comparison(call.loc, pl::Comparison::Eq,
                                                   given, within);
  bool isBoolean = pl::isBool(pl::getElementOrSelf(tile.getType()));
  return emitter.elementwise.select(call.loc, isInside, found,
                                    isBoolean ? Object::boolean(false)
                                              : Object::integer(0));
}

/// mgather(tensor, idx, coalesce): rows, or elements counted flat
Object tegula::buildMemoryGather(const MemoryGatherCall &call) {
  Value tensor = call.tensor();
  std::optional<bool> byRows = isByRows(call.coalesce(), true);
  std::optional<llvm::StringRef> policy =
      byRows ? readPolicy(call.gatherOob()) : std::nullopt;
  if (!policy)
    return Object::poison();
  Object result = Object::poison();
  if (*byRows) {
    std::optional<IndexList> list = indexList(call.idx());
    if (list && !pl::getDims(tensor.getType()).empty())
      result = gatherRows(call, tensor, *list, *policy);
  } else if (Value index = indexTile(call.idx())) {
    result = gatherElements(call, tensor, index, *policy, call.idx().loc());
  }
  if (result.isPoison() || !call.hasValidShape())
    return result;
  unsigned rank = pl::getDims(result.asValue().getType()).size();
  if (call.validShape().size() != rank)
    return call.fail("'mgather' needs " + llvm::Twine(rank) +
                     " entries in 'valid_shape', one for each axis, got " +
                     llvm::Twine(call.validShape().size()));
  return Object(beginningOf(call, result.asValue(), call.validShape()));
}

/// paged_gather(src, indices, block_table, block_size, size, max_indices): row
/// block_table[i // block_size] * block_size + i % block_size for each index i
Object tegula::buildPagedGather(const PagedGatherCall &call) {
  Emitter &emitter = call.emitter;
  Value pool = call.src();
  std::optional<IndexList> indices = indexList(call.indices());
  std::optional<IndexList> table = indexList(call.blockTable());
  if (!indices || !table)
    return Object::poison();
  if (pl::getDims(pool.getType()).size() != 2)
    return call.fail("'paged_gather' takes a pool of two axes, got " +
                     describe(pool.getType()));
  Value blockSize = call.blockSize(), width = call.size();
  Value offset = call.hasColOff() ? call.colOff() : emitter.scalars.index(0);
  Value count = emitter.scalars.indexExtreme(
      call.loc, /*isMax=*/false,
      emitter.extents.of(call.loc, indices->shaped, indices->axis),
      call.maxIndices());
  pl::Dim rows = pl::dimOfExtent(call.maxIndices());
  if (rows.isExact() && !pl::dimOfExtent(count).isExact())
    rows = pl::Dim::atMost(rows.getBound());
  if (pl::dimOfExtent(count).isExact())
    rows = pl::dimOfExtent(count);
  Value memory = memoryFor(call, {rows, pl::dimOfExtent(width)}, {count, width},
                           pl::getElementOrSelf(pool.getType()));
  forEachApart(call, count, [&](Value position) {
    auto math = [&](ast::BinaryOp op, Value lhs, Value rhs) {
      return emitter.scalars.indexBinary(call.loc, op, lhs, rhs);
    };
    Value logical = readEntry(call, *indices, position);
    Value block = readEntry(call, *table,
                            math(ast::BinaryOp::FloorDiv, logical, blockSize));
    Value row =
        math(ast::BinaryOp::Add, math(ast::BinaryOp::Mul, block, blockSize),
             math(ast::BinaryOp::Mod, logical, blockSize));
    Value part = emitter.memory.window(call.loc, rowOf(call, pool, {row}),
                                       {offset}, {width}, {});
    pl::StoreOp::create(emitter.builder, call.loc,
                        emitter.memory.toTile(call.loc, Object(part)),
                        rowOf(call, memory, {position}));
  });
  Value tile = emitter.memory.toTile(call.loc, Object(memory));
  if (!call.isTrans())
    return Object(tile);
  pl::TransposeOp::Properties transposed;
  transposed.permutation = emitter.builder.getDenseI64ArrayAttr({1, 0});
  return wrap(emitter.create<pl::TransposeOp>(call.loc, "paged_gather", tile,
                                              transposed));
}

/// gather_row(acc, src, dst_offset, src_offset, shapes): a window of one in
/// another
Object tegula::buildGatherRow(const GatherRowCall &call) {
  Emitter &emitter = call.emitter;
  Value acc = call.acc(), source = call.src();
  unsigned rank = pl::getDims(source.getType()).size();
  std::optional<SmallVector<Value>> to =
      call.dstOffset(pl::getDims(acc.getType()).size());
  std::optional<SmallVector<Value>> from =
      to ? call.srcOffset(rank) : std::nullopt;
  std::optional<SmallVector<Value>> sizes =
      call.hasValidShape() ? call.validShape(rank) : call.shapes(rank);
  if (!from || !sizes)
    return Object::poison();
  if (to->size() != rank || (call.transpose() && rank != 2))
    return call.fail("'gather_row' puts a window into a tile of the same rank, "
                     "2 to transpose it");
  Value part = emitter.memory.toTile(
      call.loc,
      Object(emitter.memory.window(call.loc, source, *from, *sizes, {})));
  if (call.transpose()) {
    pl::TransposeOp::Properties transposed;
    transposed.permutation = emitter.builder.getDenseI64ArrayAttr({1, 0});
    part = emitter.create<pl::TransposeOp>(call.loc, "gather_row", part,
                                           transposed);
  }
  if (mlir::isa<pl::TileType>(acc.getType()))
    return emitter.memory.insert(call.loc, Object(part), acc, *to,
                                 emitter.extents.allOf(call.loc, part), {});
  emitter.memory.store(
      call.loc, Object(part),
      emitter.memory.window(call.loc, acc, *to,
                            emitter.extents.allOf(call.loc, part), {}));
  return Object(acc);
}
