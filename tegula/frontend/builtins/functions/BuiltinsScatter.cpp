// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that put elements and rows at indices known at run time.
#include "tegula/frontend/builtins/GatherScatter.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/ops/PlIndexOps.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static unsigned rankOf(Value shaped) {
  return pl::getDims(shaped.getType()).size();
}

/// True if a source and its indices fit each other, and the target besides
/// `axis`.
static bool checkScatter(const BuiltinCall &call, Value source, Value target,
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
    if (!call.emitter.shapes.check(call.loc, source, at, index, at))
      return false;
    pl::Dim want = pl::getDims(index.getType())[at];
    if (!axis || at == *axis)
      continue;
    pl::Dim have = pl::getDims(target.getType())[at];
    bool isShorter =
        want.isExact() && have.isExact() && want.getBound() <= have.getBound();
    if (!isShorter &&
        !call.emitter.shapes.check(call.loc, index, at, target, at))
      return false;
  }
  return true;
}

Object tegula::scatterAlong(const BuiltinCall &call, Value source, Value target,
                            Value index, std::optional<unsigned> axis,
                            std::optional<mlir::Location> indexLoc) {
  if (!checkScatter(call, source, target, index, axis))
    return Object::poison();
  pl::ScatterOp::Properties properties;
  if (axis)
    properties.axis = call.emitter.builder.getI64IntegerAttr(*axis);
  Value result = call.emitter.create<pl::ScatterOp>(
      indexLoc ? pl::withIndexLocations(call.loc, *indexLoc) : call.loc,
      call.name, {source, target, index}, properties);
  return result ? Object(result) : Object::poison();
}

/// The columns of `target` that a pattern names, replaced by `source`.
static Object scatterPattern(const BuiltinCall &call, Value source,
                             Value target, const BuiltinArgument &given) {
  std::optional<ColumnPattern> pattern = readPattern(given);
  if (!pattern || rankOf(source) == 0)
    return Object::poison();
  unsigned last = rankOf(source) - 1;
  Value index = patternIndices(call, source,
                               call.emitter.extents.of(call.loc, source, last),
                               pl::getDims(source.getType())[last], *pattern);
  return scatterAlong(call, source, target, index, last);
}

/// scatter(x, dim, index, src), scatter(x, mask_pattern=..., dst=...),
/// scatter(dst, src, indexes) with flat indices
Object tegula::buildScatter(const ScatterCall &call) {
  Value target = call.hasX() ? call.x() : call.dst();
  if (!target)
    return call.fail("scatter() missing required argument 'x'");
  if (call.maskPattern().isGiven()) {
    if (!call.hasDst() || !call.hasX())
      return call.fail("scatter() with 'mask_pattern' needs 'dst'");
    return scatterPattern(call, call.x(), call.dst(), call.maskPattern());
  }
  BuiltinArgument dim = call.dim();
  bool isSource = dim.isGiven() && (dim->asTensor() || dim->asTile());
  bool isFlat = isSource || !dim.isGiven();
  if (!call.index().isGiven() || (!isSource && !call.src().isGiven()))
    return call.fail("scatter() needs 'index' and 'src', or 'mask_pattern' and "
                     "'dst'");
  Value source = isSource ? dim.tile() : call.src().tile();
  Value index = source ? indexTile(call.index()) : Value();
  std::optional<unsigned> axis;
  if (index && !isFlat && !(axis = dim.axis(rankOf(target))))
    return Object::poison();
  return index ? scatterAlong(call, source, target, index, axis,
                              call.index().loc())
               : Object::poison();
}

/// The sum of what is there and what is put, or just the latter.
std::optional<bool> tegula::isAtomicAdd(const BuiltinArgument &argument) {
  if (!argument.isGiven())
    return false;
  const Object &object = argument;
  if (const auto *flag = object.as<BoolObject>())
    return flag->value;
  const std::string *path = object.asLanguage();
  const auto *name = object.as<StringObject>();
  llvm::StringRef text = path   ? llvm::StringRef(*path)
                         : name ? llvm::StringRef(name->value)
                                : "";
  text.consume_front("distributed.");
  if (text == "AtomicType.Add" || text.equals_insensitive("add"))
    return true;
  if (text == "AtomicType.None_" || text.equals_insensitive("AtomicType.None"))
    return false;
  argument.fail("'atomic' is pl.AtomicType.Add, \"add\" or None, got " +
                describe(object));
  return std::nullopt;
}

/// mscatter(src, idx, tensor, coalesce, atomic): elements counted flat, or rows
Object tegula::buildMemoryScatter(const MemoryScatterCall &call) {
  Emitter &emitter = call.emitter;
  Value source = call.src(), target = call.tensor()->asTensor();
  if (!target)
    return call.fail("'mscatter' writes to a tensor, got " +
                     describe(call.tensor()));
  Value index = indexTile(call.idx());
  std::optional<bool> byRows = isByRows(call.coalesce(), false);
  std::optional<bool> isAdded = isAtomicAdd(call.atomic());
  if (!index || !byRows || !isAdded ||
      !emitter.memory.checkWritable(call.loc, target))
    return Object::poison();
  if (*byRows) {
    std::optional<IndexList> list = indexList(call.idx());
    if (!list)
      return Object::poison();
    // One index for all elements of a row.
    SmallVector<Value> sizes(rankOf(source), emitter.scalars.index(1));
    sizes.front() = emitter.extents.of(call.loc, list->shaped, list->axis);
    Object column = emitter.reshapes.build(call.loc, index, sizes);
    index =
        column.isPoison()
            ? Value()
            : emitter.shapes.broadcastTo(call.loc, column.asValue(), source);
    if (!index)
      return Object::poison();
  }
  std::optional<unsigned> axis;
  if (*byRows)
    axis = 0;
  else if (call.hasDim() && !(axis = call.dim(rankOf(target))))
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
      emitter.builder, pl::withIndexLocations(call.loc, call.idx().loc()),
      source, target, index, along,
      *isAdded ? emitter.builder.getUnitAttr() : mlir::UnitAttr());
  return Object(target);
}

namespace {

/// The arguments of scatter_update, however they were given.
struct RowUpdate {
  BuiltinArgument index, source;
};

} // namespace

/// scatter_update(input, dim, index, src) or scatter_update(input, index, src)
static std::optional<RowUpdate> readUpdate(const ScatterUpdateCall &call) {
  bool hasAxis = call.first().isGiven() && call.first()->asInteger();
  BuiltinArgument axis = hasAxis ? call.first() : call.dim();
  BuiltinArgument second = hasAxis ? call.second() : call.first();
  BuiltinArgument third = hasAxis ? call.third() : call.second();
  RowUpdate update{call.index().isGiven() ? call.index() : second,
                   call.src().isGiven() ? call.src() : third};
  if (!update.index.isGiven() || !update.source.isGiven()) {
    call.fail("scatter_update() needs 'index' and 'src'");
    return std::nullopt;
  }
  if (axis.isGiven() && axis->asInteger() != -2) {
    call.fail("'scatter_update' replaces rows: 'dim' is -2");
    return std::nullopt;
  }
  return update;
}

/// Row `index[i, j]` of the target becomes row `i * columns + j` of the source,
/// or with four axes its row `[i, j]`, rows counted over both leading axes.
static void updateRows(const BuiltinCall &call, Value target, Value source,
                       Value index) {
  Emitter &emitter = call.emitter;
  auto math = [&](ast::BinaryOp op, Value lhs, Value rhs) {
    return emitter.scalars.indexBinary(call.loc, op, lhs, rhs);
  };
  Value columns = emitter.extents.of(call.loc, index, 1);
  bool isPaged = rankOf(target) == 4;
  Value page = isPaged ? emitter.scalars.indexExtreme(
                             call.loc, /*isMax=*/true,
                             emitter.extents.of(call.loc, target, 1),
                             emitter.scalars.index(1))
                       : Value();
  forEachIndex(call, emitter.extents.of(call.loc, index, 0), [&](Value i) {
    forEachIndex(call, columns, [&](Value j) {
      Value row = readIndex(call, index, {i, j});
      SmallVector<Value> to = {row}, from = {i, j};
      if (isPaged)
        to = {math(ast::BinaryOp::FloorDiv, row, page),
              math(ast::BinaryOp::Mod, row, page)};
      else
        from = {
            math(ast::BinaryOp::Add, math(ast::BinaryOp::Mul, i, columns), j)};
      Value part =
          emitter.memory.toTile(call.loc, Object(rowOf(call, source, from)));
      emitter.memory.store(call.loc, Object(part), rowOf(call, target, to));
    });
  });
}

Object tegula::buildScatterUpdate(const ScatterUpdateCall &call) {
  Emitter &emitter = call.emitter;
  Value input = call.input();
  std::optional<RowUpdate> update = readUpdate(call);
  Value source = update ? update->source.shaped() : Value();
  Value index = source ? update->index.shaped() : Value();
  if (!index)
    return Object::poison();
  mlir::Type indexElement = pl::getElementOrSelf(index.getType());
  if (rankOf(index) != 2 || !pl::isNumeric(indexElement) ||
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
    if (emitter.memory.checkWritable(call.loc, input))
      updateRows(call, input, source, index);
    return Object(input);
  }
  Value memory = memoryFor(call, pl::getDims(input.getType()),
                           emitter.extents.allOf(call.loc, input),
                           pl::getElementOrSelf(input.getType()));
  pl::StoreOp::create(emitter.builder, call.loc, input, memory);
  updateRows(call, memory, source, index);
  return Object(emitter.memory.toTile(call.loc, Object(memory)));
}
