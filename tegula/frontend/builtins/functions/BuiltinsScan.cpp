// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that combine each element with all before it.
#include "tegula/frontend/builtins/BooleanReduction.h"
#include "tegula/frontend/builtins/GatherScatter.h"
#include "tegula/frontend/builtins/ResultsInMemory.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/ops/semantics/Reduction.h"

using namespace tegula;
using mlir::Value;

static Object scan(const ScanCall &call, pl::Reduction reduction, Value shaped,
                   unsigned axis) {
  Emitter &emitter = call.emitter;
  Value source = inMemory(call, shaped);
  Value target = memoryFor(call, pl::getDims(source.getType()),
                           emitter.extents.allOf(call.loc, source),
                           pl::getElementOrSelf(source.getType()));
  pl::ScanOp::create(emitter.builder, call.loc, reduction, source, axis,
                     target);
  return loaded(call, target);
}

static bool isBoolean(const Object &object) {
  Value value = object.asValue();
  return value && pl::isBool(pl::getElementOrSelf(value.getType()));
}

/// True if what comes before the first element is one number for each row, or
/// one truth before extremes of truths.
static bool checkInitial(const ScanCall &call, pl::Reduction reduction,
                         unsigned axis) {
  const Object &initial = call.initial();
  if (pl::isChoice(reduction) && isBoolean(Object(call.x())) &&
      !isBoolean(initial) && !initial.is<BoolObject>()) {
    call.initial().fail("'" + call.name + "' of BOOL starts with BOOL, got " +
                        describe(initial));
    return false;
  }
  Value shaped = initial.asTensor() ? initial.asTensor() : initial.asTile();
  if (!shaped)
    return true;
  unsigned rank = pl::getDims(call.x().getType()).size();
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(shaped.getType());
  unsigned fromEnd = rank - axis;
  if (dims.size() <= rank &&
      (dims.size() < fromEnd || dims[dims.size() - fromEnd].isUnit()))
    return true;
  call.initial().fail("'initial' is a number, or has the extent 1 along axis " +
                      llvm::Twine(axis) + ", got " + describe(initial));
  return false;
}

static Object combine(const ScanCall &call, pl::Reduction reduction,
                      const Object &lhs, const Object &rhs) {
  Emitter &emitter = call.emitter;
  switch (reduction) {
  case pl::Reduction::Sum:
    return emitter.operators.binary(call.loc, ast::BinaryOp::Add, lhs, rhs);
  case pl::Reduction::Prod:
    return emitter.operators.binary(call.loc, ast::BinaryOp::Mul, lhs, rhs);
  case pl::Reduction::Max:
    return emitter.elementwise.build(call.loc, "maximum", {lhs, rhs},
                                     call.name);
  case pl::Reduction::Min:
    return emitter.elementwise.build(call.loc, "minimum", {lhs, rhs},
                                     call.name);
  default:
    llvm_unreachable("nothing else is scanned");
  }
}

/// A scan that goes on from what came before. Narrow floats are rounded once.
static Object scanFrom(const ScanCall &call, pl::Reduction reduction,
                       Value shaped, unsigned axis) {
  Emitter &emitter = call.emitter;
  mlir::Type element = pl::getElementOrSelf(shaped.getType());
  bool isNarrow = pl::isFloat(element) && element.getIntOrFloatBitWidth() < 32;
  mlir::Type wide = isNarrow ? emitter.builder.getF32Type() : element;
  Object source(emitter.memory.toTile(call.loc, Object(shaped)));
  if (isNarrow)
    source =
        emitter.elementwise.cast(call.loc, source, wide, pl::Rounding::None);
  Object scanned = scan(call, reduction, source.asValue(), axis);
  Object result = combine(call, reduction, call.initial(), scanned);
  if (result.isPoison())
    return result;
  if (pl::getElementOrSelf(result.asValue().getType()) != wide)
    return call.initial().fail("'" + call.name + "' of " + dtypeName(element) +
                               " cannot start with " +
                               describe(call.initial()) + "; write pl.cast");
  return isNarrow ? emitter.elementwise.cast(call.loc, result, element,
                                             pl::Rounding::Rint)
                  : result;
}

/// cumsum(x, axis, initial)
Object tegula::buildScan(const ScanCall &call, pl::Reduction reduction) {
  unsigned rank = pl::getDims(call.x().getType()).size();
  if (rank == 0)
    return call.fail("'" + call.name + "' needs at least one axis");
  std::optional<unsigned> axis = call.hasAxis() ? call.axis(rank) : rank - 1;
  if (!axis)
    return Object::poison();
  Value shaped = countedBooleans(call, reduction, call.x(), {*axis});
  if (!checkNumbers(call, shaped))
    return Object::poison();
  Object scanned;
  if (!call.initial().isGiven())
    scanned = scan(call, reduction, shaped, *axis);
  else if (checkInitial(call, reduction, *axis))
    scanned = scanFrom(call, reduction, shaped, *axis);
  else
    return Object::poison();
  return reducedBooleans(call, reduction, call.x(), scanned);
}
