// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that compute and are not plain elementwise ops: casts, comparisons,
// selections.
#include "tegula/frontend/builtins/GatherScatter.h"
#include "tegula/frontend/builtins/SaturatedCast.h"

using namespace tegula;
using mlir::Value;

/// The rounding mode of a cast; without one, to nearest with ties away from
/// zero, as in the language.
static std::optional<pl::Rounding>
readRounding(const BuiltinArgument &argument) {
  if (!argument.isGiven())
    return pl::Rounding::Round;
  std::optional<pl::Rounding> mode;
  if (const auto *name = argument->as<StringObject>())
    mode = pl::symbolizeRounding(name->value);
  else if (std::optional<int64_t> number = argument->asInteger())
    mode = pl::symbolizeRounding(static_cast<uint32_t>(*number));
  if (!mode)
    argument.fail("a mode is 'none', 'rint', 'round', 'floor', 'ceil', "
                  "'trunc', 'odd' or 0 to 6, got " +
                  describe(argument));
  return mode;
}

/// True for "on": what is out of range becomes the nearest finite number.
static std::optional<bool> readSaturation(const BuiltinArgument &argument) {
  if (!argument.isGiven())
    return false;
  const auto *name = argument->as<StringObject>();
  std::optional<int64_t> number = argument->asInteger();
  bool isOn = number == 1 || (name && name->value == "on");
  bool isOff = number == 0 || (name && name->value == "off");
  if (isOn || isOff)
    return isOn;
  argument.fail("'saturation_mode' is 'on', 'off', 1 or 0, got " +
                describe(argument));
  return std::nullopt;
}

Object tegula::buildCast(const CastCall &call) {
  std::optional<pl::Rounding> mode = readRounding(call.mode());
  std::optional<bool> isSaturated = readSaturation(call.saturationMode());
  if (!mode || !isSaturated)
    return Object::poison();
  return *isSaturated ? castSaturated(call.emitter, call.loc, call.x(),
                                      call.dtype(), *mode)
                      : call.emitter.elementwise.cast(call.loc, call.x(),
                                                      call.dtype(), *mode);
}

/// cmp(a, b, cmp_type): 0 to 5 or a name, in the order of pl.Comparison
Object tegula::buildCmp(const CmpCall &call) {
  std::optional<pl::Comparison> comparison = readComparison(call.cmpType());
  return comparison ? call.emitter.elementwise.comparison(
                          call.loc, *comparison, call.lhs(), call.rhs())
                    : Object::poison();
}

Object tegula::buildSelect(const SelectCall &call) {
  return call.emitter.elementwise.select(call.loc, call.mask(), call.lhs(),
                                         call.rhs());
}

/// abs(x), max(x, -x) of an index
Object tegula::buildAbs(const AbsCall &call) {
  const Object &x = call.x();
  Value scalar = x.asScalar();
  if (scalar && scalar.getType().isIndex())
    return call.emitter.operators.extreme(
        call.loc, true, x,
        call.emitter.operators.unary(call.loc, ast::UnaryOp::Minus, x));
  return call.emitter.elementwise.build(call.loc, "abs", {x});
}
