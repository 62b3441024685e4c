// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that put elements and rows at places known at run time.
#include "tegula/frontend/builtins/IndexedForms.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/PlIndexOps.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static unsigned rankOf(Value shaped) {
  return pl::getDims(shaped.getType()).size();
}

/// True if a source and its indices fit each other, and the target beside
/// `axis`.
static bool checkScatter(BuiltinCall &call, Value source, Value target,
                         Value index, std::optional<unsigned> axis) {
  if (rankOf(source) != rankOf(index) ||
      (axis && rankOf(target) != rankOf(index))) {
    call.fail("'" + call.name +
              "' takes one index for each element to put, got " +
              describe(source.getType()) + " and " + describe(index.getType()) +
              " for " + describe(target.getType()));
    return false;
  }
  mlir::Type element = pl::getElementOrSelf(target.getType());
  if (pl::getElementOrSelf(source.getType()) != element) {
    call.fail("cannot put " + describe(source.getType()) +
              " among elements of " + dtypeName(element) +
              "; write pl.cast(value, pl." + dtypeName(element) + ")");
    return false;
  }
  for (unsigned at = 0; at < rankOf(index); ++at) {
    if (!call.emitter.checkExtents(call.loc, source, at, index, at))
      return false;
    pl::Dim want = pl::getDims(index.getType())[at];
    if (!axis || at == *axis)
      continue;
    pl::Dim have = pl::getDims(target.getType())[at];
    bool isShorter =
        want.isExact() && have.isExact() && want.getBound() <= have.getBound();
    if (!isShorter &&
        !call.emitter.checkExtents(call.loc, index, at, target, at))
      return false;
  }
  return true;
}

Object tegula::scatterAlong(BuiltinCall &call, Value source, Value target,
                            Value index, std::optional<unsigned> axis) {
  if (!checkScatter(call, source, target, index, axis))
    return Object::poison();
  pl::ScatterOp::Properties properties;
  if (axis)
    properties.axis = call.emitter.builder.getI64IntegerAttr(*axis);
  Value result = call.emitter.create<pl::ScatterOp>(
      call.loc, call.name, {source, target, index}, properties);
  return result ? Object(result) : Object::poison();
}

/// The columns of `target` that a pattern names, replaced by `source`.
static Object scatterPattern(BuiltinCall &call, Value source, Value target,
                             unsigned position) {
  std::optional<ColumnPattern> pattern = readPattern(call, position);
  if (!pattern || rankOf(source) == 0)
    return Object::poison();
  unsigned last = rankOf(source) - 1;
  Value index =
      patternIndices(call, source, call.emitter.extent(call.loc, source, last),
                     pl::getDims(source.getType())[last], *pattern);
  return scatterAlong(call, source, target, index, last);
}

/// scatter(x, dim, index, src), scatter(x, mask_pattern=..., dst=...),
/// scatter(dst, src, indexes) with flat indices
static Object buildScatter(BuiltinCall &call) {
  Value target = call.tile(0);
  if (!target)
    return Object::poison();
  if (call.has(4)) {
    if (!call.has(5))
      return call.fail("scatter() with 'mask_pattern' needs 'dst'");
    Value into = call.tile(5);
    return into ? scatterPattern(call, target, into, 4) : Object::poison();
  }
  bool isFlat = call.has(1) && (call[1].asTensor() || call[1].asTile());
  if (!call.has(1) || !call.has(2) || (!isFlat && !call.has(3)))
    return call.fail("scatter() needs 'dim', 'index' and 'src', or "
                     "'mask_pattern' and 'dst'");
  Value source = call.tile(isFlat ? 1 : 3);
  Value index = source ? indexTile(call, 2) : Value();
  std::optional<unsigned> axis;
  if (index && !isFlat && !(axis = call.axis(1, rankOf(target))))
    return Object::poison();
  return index ? scatterAlong(call, source, target, index, axis)
               : Object::poison();
}

/// scatter_mask(dst, src, mask_pattern)
static Object buildScatterMask(BuiltinCall &call) {
  Value target = call.tile(0), source = target ? call.tile(1) : Value();
  return source ? scatterPattern(call, source, target, 2) : Object::poison();
}

/// The sum of what is there and what is put, or just the latter.
std::optional<bool> tegula::isAtomicAdd(BuiltinCall &call, unsigned position) {
  if (!call.has(position) || call[position].is<NoneObject>())
    return false;
  const Object &object = call[position];
  if (const auto *flag = object.as<BoolObject>())
    return flag->value;
  const std::string *path = object.asLanguage();
  const auto *name = object.as<StringObject>();
  llvm::StringRef text = path   ? llvm::StringRef(*path)
                         : name ? llvm::StringRef(name->value)
                                : "";
  if (text == "AtomicType.Add" || text.equals_insensitive("add"))
    return true;
  if (text == "AtomicType.None_" || text.equals_insensitive("AtomicType.None"))
    return false;
  call.emitter.fail(call.locOf(position),
                    "'atomic' is pl.AtomicType.Add, \"add\" or None, got " +
                        describe(object));
  return std::nullopt;
}

/// mscatter(src, idx, tensor, coalesce, atomic): elements counted flat, or rows
static Object buildMemoryScatter(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  Value source = call.tile(0), target = call[2].asTensor();
  if (!target)
    return call.fail("'mscatter' writes to a tensor, got " + describe(call[2]));
  Value index = source ? indexTile(call, 1) : Value();
  std::optional<bool> byRows = isByRows(call, 3, false);
  std::optional<bool> isAdded = isAtomicAdd(call, 4);
  if (!index || !byRows || !isAdded || !emitter.checkWritable(call.loc, target))
    return Object::poison();
  if (*byRows) {
    std::optional<IndexList> list = indexList(call, 1);
    if (!list)
      return Object::poison();
    // One index for all elements of a row.
    SmallVector<Value> sizes(rankOf(source), emitter.index(1));
    sizes.front() = emitter.extent(call.loc, list->shaped, list->axis);
    Object column = emitter.reshape(call.loc, index, sizes);
    index = column.isPoison()
                ? Value()
                : emitter.broadcastTo(call.loc, column.asValue(), source);
    if (!index)
      return Object::poison();
  }
  std::optional<unsigned> axis;
  if (*byRows)
    axis = 0;
  else if (call.has(5) && !(axis = call.axis(5, rankOf(target))))
    return Object::poison();
  if (!checkScatter(call, source, target, index, axis))
    return Object::poison();
  if (*isAdded)
    emitter.uses.read(target, call.loc);
  emitter.uses.write(target);
  mlir::IntegerAttr along;
  if (axis)
    along = emitter.builder.getI64IntegerAttr(*axis);
  pl::ScatterStoreOp::create(
      emitter.builder, call.loc, source, target, index, along,
      *isAdded ? emitter.builder.getUnitAttr() : mlir::UnitAttr());
  return call[2];
}

namespace {

/// The arguments of scatter_update, however they were given.
struct RowUpdate {
  unsigned index, source;
};

} // namespace

/// scatter_update(input, dim, index, src) or scatter_update(input, index, src)
static std::optional<RowUpdate> readUpdate(BuiltinCall &call) {
  bool hasAxis = call.has(1) && call[1].asInteger();
  unsigned axisAt = hasAxis ? 1 : 5;
  RowUpdate update{hasAxis ? 2u : 1u, hasAxis ? 3u : 2u};
  if (call.has(6))
    update.index = 6;
  if (call.has(7))
    update.source = 7;
  if (!call.has(update.index) || !call.has(update.source)) {
    call.fail("scatter_update() needs 'index' and 'src'");
    return std::nullopt;
  }
  if (call.has(axisAt) && call[axisAt].asInteger() != -2) {
    call.fail("'scatter_update' replaces rows: 'dim' is -2");
    return std::nullopt;
  }
  return update;
}

/// Row `index[i, j]` of the target becomes row `i * columns + j` of the source,
/// or with four axes its row `[i, j]`, rows counted over both leading axes.
static void updateRows(BuiltinCall &call, Value target, Value source,
                       Value index) {
  Emitter &emitter = call.emitter;
  auto math = [&](ast::BinaryOp op, Value lhs, Value rhs) {
    return emitter.indexBinary(call.loc, op, lhs, rhs);
  };
  Value columns = emitter.extent(call.loc, index, 1);
  bool isPaged = rankOf(target) == 4;
  Value page = isPaged
                   ? emitter.indexExtreme(call.loc, /*isMax=*/true,
                                          emitter.extent(call.loc, target, 1),
                                          emitter.index(1))
                   : Value();
  forEachIndex(call, emitter.extent(call.loc, index, 0), [&](Value i) {
    forEachIndex(call, columns, [&](Value j) {
      Value row = readIndex(call, index, {i, j});
      SmallVector<Value> to = {row}, from = {i, j};
      if (isPaged)
        to = {math(ast::BinaryOp::FloorDiv, row, page),
              math(ast::BinaryOp::Mod, row, page)};
      else
        from = {
            math(ast::BinaryOp::Add, math(ast::BinaryOp::Mul, i, columns), j)};
      Value part = emitter.toTile(call.loc, Object(rowOf(call, source, from)));
      emitter.store(call.loc, Object(part), rowOf(call, target, to));
    });
  });
}

static Object buildScatterUpdate(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  std::optional<RowUpdate> update = readUpdate(call);
  Value input = update ? call.shaped(0) : Value();
  Value source = input ? call.shaped(update->source) : Value();
  Value index = source ? call.shaped(update->index) : Value();
  if (!index)
    return Object::poison();
  mlir::Type indexElement = pl::getElementOrSelf(index.getType());
  if (rankOf(index) != 2 || !pl::isNumber(indexElement) ||
      pl::isFloat(indexElement))
    return call.fail("'scatter_update' takes integers of shape [b, s] as its "
                     "index, got " +
                     describe(index.getType()));
  if ((rankOf(input) != 2 && rankOf(input) != 4) ||
      rankOf(source) != rankOf(input))
    return call.fail(
        "'scatter_update' takes an input and a source of two axes, "
        "or of four, got " +
        describe(input.getType()) + " and " + describe(source.getType()));
  if (mlir::isa<pl::TensorViewType>(input.getType())) {
    if (emitter.checkWritable(call.loc, input))
      updateRows(call, input, source, index);
    return call[0];
  }
  Value memory = memoryFor(call, pl::getDims(input.getType()),
                           emitter.extents(call.loc, input),
                           pl::getElementOrSelf(input.getType()));
  pl::StoreOp::create(emitter.builder, call.loc, input, memory);
  updateRows(call, memory, source, index);
  return Object(emitter.toTile(call.loc, Object(memory)));
}

llvm::ArrayRef<Builtin> tegula::scatterBuiltins() {
  static constexpr Builtin table[] = {
      {"scatter", "x|input dim? index|indexes? src? mask_pattern? dst?",
       buildScatter, false,
       "`x` with elements put at places that are data: `out[i, index[i, k]] = "
       "src[i, k]`"},
      {"scatter_mask", "dst src mask_pattern", buildScatterMask, false,
       "`dst` with its every 2nd or 4th column replaced"},
      {"mscatter", "src|tile idx tensor|output_tensor coalesce? atomic? dim?",
       buildMemoryScatter, true,
       "writes elements or rows of a tile to a tensor at places that are data: "
       "counted flat, or along `dim`"},
      {"scatter_update",
       "input first? second? third? scratch? dim? index? src?",
       buildScatterUpdate, true,
       "`input` with whole rows replaced, at places that are data"},
  };
  return table;
}
