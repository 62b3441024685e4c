// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/SaturatedCast.h"
#include "llvm/ADT/APFloat.h"

using namespace tegula;
using mlir::FloatType;
using mlir::Type;
using mlir::Value;

namespace {

/// The least and the largest number of a type, in another.
struct Ends {
  Object least, largest;
};

} // namespace

static double largestFloat(Type element) {
  llvm::APFloat value = llvm::APFloat::getLargest(
      mlir::cast<FloatType>(element).getFloatSemantics());
  bool losesInfo = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmTowardZero,
                &losesInfo);
  return value.convertToDouble();
}

static int64_t leastInteger(Type element) {
  return pl::isUnsigned(element)
             ? 0
             : llvm::minIntN(element.getIntOrFloatBitWidth());
}

static uint64_t largestInteger(Type element) {
  unsigned width = element.getIntOrFloatBitWidth();
  return pl::isUnsigned(element) ? llvm::maxUIntN(width)
                                 : static_cast<uint64_t>(llvm::maxIntN(width));
}

/// The ends of `to` among integers of `from`; nothing if all of them fit.
static std::optional<Ends> endsAmongIntegers(Type from, Type to) {
  int64_t least = leastInteger(from);
  uint64_t largest = largestInteger(from);
  if (pl::isFloat(to)) {
    double end = largestFloat(to);
    if (end >= static_cast<double>(largest))
      return std::nullopt;
    largest = static_cast<uint64_t>(end);
    least = std::max(least, -static_cast<int64_t>(largest));
  } else {
    least = std::max(least, leastInteger(to));
    largest = std::min(largest, largestInteger(to));
  }
  if (least == leastInteger(from) && largest == largestInteger(from))
    return std::nullopt;
  // What is cut is below the end of a signed type of that width.
  return Ends{Object::integer(least),
              Object::integer(static_cast<int64_t>(
                  std::min<uint64_t>(largest, INT64_MAX)))};
}

Object tegula::castSaturated(Emitter &emitter, mlir::Location loc,
                             const Object &operand, Type element,
                             pl::Rounding rounding) {
  Value value = emitter.memory.toTile(loc, operand);
  Object number = value ? Object(value) : operand;
  Type from = number.asValue()
                  ? pl::getElementOrSelf(number.asValue().getType())
                  : Type();
  bool isKnown = from && pl::isNumeric(from) && pl::isNumeric(element);
  // Integers are always cut where floats become them.
  if (!isKnown || from == element ||
      (pl::isFloat(from) && !pl::isFloat(element)))
    return emitter.elementwise.cast(loc, number, element, rounding);
  std::optional<Ends> ends;
  if (!pl::isFloat(from)) {
    ends = endsAmongIntegers(from, element);
  } else if (largestFloat(element) < largestFloat(from)) {
    // A narrow float may not have the end of another among its numbers.
    if (pl::isNarrowFloat(from))
      number = emitter.elementwise.cast(
          loc, number, emitter.builder.getF32Type(), pl::Rounding::None);
    double largest = largestFloat(element);
    ends = Ends{Object::real(-largest), Object::real(largest)};
  }
  if (ends) {
    number =
        emitter.operators.extreme(loc, /*isMax=*/true, number, ends->least);
    number =
        emitter.operators.extreme(loc, /*isMax=*/false, number, ends->largest);
  }
  return emitter.elementwise.cast(loc, number, element, rounding);
}
