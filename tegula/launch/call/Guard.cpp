// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/call/Guard.h"

#include "tegula/launch/call/Overlap.h"
#include "tegula/support/Format.h"
#include "tegula/support/PackedBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstring>

using namespace tegula;

/// True if all sizes and scalars that the programs ask for are there.
static bool areKnown(llvm::ArrayRef<SizeRequirement> requirements,
                     llvm::ArrayRef<std::string> symbols,
                     size_t numParameters) {
  auto isKnown = [&](const ExtentProgram &program) {
    return llvm::all_of(program.steps, [&](const ExtentProgram::Step &step) {
      if (step.op == ExtentProgram::Op::Size)
        return llvm::is_contained(symbols, program.names[step.number]);
      return step.op != ExtentProgram::Op::Scalar ||
             static_cast<uint64_t>(step.number) < numParameters;
    });
  };
  return llvm::all_of(requirements, [&](const SizeRequirement &requirement) {
    return isKnown(requirement.condition) &&
           llvm::all_of(requirement.sizes,
                        [&](const auto &size) { return isKnown(size.second); });
  });
}

Problem Guard::create(Signature signature, Guard &guard) {
  assert(!signature.isOpen() && "types and shapes must be known");
  guard = Guard();
  guard.signature = std::move(signature);
  std::vector<std::string> symbols;
  guard.addOrder();
  for (uint32_t index : guard.order)
    guard.addParameter(index, symbols);
  guard.numSymbols = symbols.size();
  const Signature &own = guard.signature;
  if (!areKnown(own.requirements, symbols, own.parameters.size()) ||
      !areKnown(own.exact, symbols, own.parameters.size()))
    return makeCallProblem(
        "kernel '{0}' needs sizes or numbers that no argument has", own.kernel);
  guard.addRequirements(symbols);
  guard.addExact(symbols);
  if (guard.numSlots > maxSlots)
    return makeCallProblem(
        "kernel '{0}' needs {1} argument slots, the limit is {2}",
        guard.signature.kernel, guard.numSlots, maxSlots);
  for (const Parameter &parameter : guard.signature.parameters)
    if (parameter.axes && parameter.axes->size() > TensorView::maxRank)
      return makeCallProblem("parameter '{0}' has {1} axes, the limit is {2}",
                             parameter.name, parameter.axes->size(),
                             TensorView::maxRank);
  return {};
}

void Guard::addOrder() {
  std::vector<uint32_t> halves;
  for (uint32_t index = 0; index < signature.parameters.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    unsigned rank = parameter.isTensor() ? parameter.axes->size() : 0;
    checks.push_back({0, static_cast<uint8_t>(rank), *parameter.dtype,
                      parameter.isTensor(), parameter.isWritten(), numSlots});
    numSlots += 1 + 2 * rank;
    bool isHalves = parameter.isTensor() && isHalfByte(*parameter.dtype);
    (isHalves ? halves : order).push_back(index);
  }
  llvm::append_range(order, halves);
}

void Guard::addParameter(unsigned index, std::vector<std::string> &symbols) {
  const Parameter &parameter = signature.parameters[index];
  checks[index].firstAxis = axes.size();
  for (unsigned number = 0; number < checks[index].rank; ++number) {
    const Axis &axis = (*parameter.axes)[number];
    AxisCheck check = {axis.extent.value_or(-1),
                       axis.bound.value_or(INT64_MAX),
                       0,
                       /*isFirst=*/false,
                       index,
                       number};
    if (!axis.extent) {
      auto found = llvm::find(symbols, axis.symbol);
      check.symbol = found - symbols.begin();
      check.isFirst = found == symbols.end();
      if (check.isFirst) {
        symbols.push_back(axis.symbol);
      } else {
        const AxisCheck &origin =
            *llvm::find_if(axes, [&](const AxisCheck &other) {
              return other.extent < 0 && other.symbol == check.symbol;
            });
        check.originParameter = origin.originParameter;
        check.originAxis = origin.originAxis;
      }
    }
    axes.push_back(check);
  }
}

Problem tegula::makeCountProblem(const Signature &signature, size_t found) {
  std::vector<std::string> names;
  for (const Parameter &parameter : signature.parameters)
    names.push_back(parameter.name);
  return makeCallProblem("kernel '{0}' takes {1} arguments ({2}), got {3}",
                         signature.kernel, signature.parameters.size(),
                         llvm::join(names, ", "), found);
}

Problem Guard::wrongRank(unsigned index, const TensorView &view) const {
  const Parameter &parameter = signature.parameters[index];
  if (view.rank > TensorView::maxRank)
    return makeCallProblem("argument '{0}': {1}", parameter.name,
                           TensorView::wrongAxes);
  return makeCallProblem("argument '{0}': shape {1} is wanted, got {2}",
                         parameter.name, formatAxes(*parameter.axes),
                         formatShape(view.getSizes()));
}

Problem Guard::checkAxis(unsigned index, unsigned axis, int64_t extent,
                         int64_t *symbolValues) const {
  const AxisCheck &check = axes[checks[index].firstAxis + axis];
  if (LLVM_LIKELY(check.extent == extent && extent >= 0))
    return Problem();
  const std::string &name = signature.parameters[index].name;
  if (LLVM_UNLIKELY(extent < 0))
    return makeCallProblem(
        "argument '{0}': axis {1} is {2}, an extent cannot be "
        "negative",
        name, axis, extent);
  if (LLVM_UNLIKELY(check.extent >= 0))
    return makeCallProblem("argument '{0}': axis {1} is {2}, but {3} is wanted",
                           name, axis, extent, check.extent);
  if (LLVM_UNLIKELY(extent > check.bound))
    return makeCallProblem(
        "argument '{0}': axis {1} is {2}, but at most {3} is "
        "wanted",
        name, axis, extent, check.bound);
  if (check.isFirst)
    symbolValues[check.symbol] = extent;
  if (LLVM_LIKELY(symbolValues[check.symbol] == extent))
    return Problem();
  return makeCallProblem(
      "argument '{0}': axis {1} is {2}, but {3} is {4} (from "
      "argument '{5}' axis {6})",
      name, axis, extent, (*signature.parameters[index].axes)[axis].symbol,
      symbolValues[check.symbol],
      signature.parameters[check.originParameter].name, check.originAxis);
}

Problem Guard::checkMemory(unsigned index, const TensorView &view,
                           AddressRange &range) const {
  const std::string &name = signature.parameters[index].name;
  if (LLVM_UNLIKELY(!computeRange(view, range)))
    return makeCallProblem(
        "argument '{0}': shape {1} with strides {2} does not fit "
        "the address space",
        name, formatShape(view.getSizes()), formatShape(view.getStrides()));
  if (range.isEmpty())
    return Problem();
  if (LLVM_UNLIKELY(isHalfByte(view.dtype)))
    if (Problem problem = checkHalfBytes(index, view))
      return problem;
  if (LLVM_UNLIKELY(!view.data))
    return makeCallProblem(
        "argument '{0}': the data pointer is null, but shape {1} "
        "has {2} elements",
        name, formatShape(view.getSizes()), view.getNumElements());
  unsigned alignment = getSize(view.dtype);
  if (LLVM_UNLIKELY(reinterpret_cast<uintptr_t>(view.data) & (alignment - 1)))
    return makeCallProblem(
        "argument '{0}': the data pointer {1} is not a multiple "
        "of {2}, the size of {3}",
        name,
        "0x" + llvm::utohexstr(reinterpret_cast<uintptr_t>(view.data),
                               /*LowerCase=*/true),
        alignment, getName(view.dtype));
  if (!checks[index].isWritten)
    return Problem();
  unsigned axis = findSelfOverlap(view);
  if (LLVM_LIKELY(axis == view.rank))
    return Problem();
  return makeCallProblem(
      "argument '{0}': stride {1} along axis {2} makes elements "
      "share memory, but the kernel writes them",
      name, view.strides[axis], axis);
}

Problem Guard::checkTensor(unsigned index, const TensorView &view,
                           int64_t *symbolValues, AddressRange &range) const {
  const ParameterCheck &check = checks[index];
  if (LLVM_UNLIKELY(view.rank != check.rank))
    return wrongRank(index, view);
  if (LLVM_UNLIKELY(view.dtype != check.dtype))
    return makeCallProblem("argument '{0}': {1} is wanted, got {2}",
                           signature.parameters[index].name,
                           getName(check.dtype), getName(view.dtype));
  for (unsigned axis = 0; axis < view.rank; ++axis)
    if (Problem problem =
            checkAxis(index, axis, view.sizes[axis], symbolValues))
      return problem;
  return checkMemory(index, view, range);
}

/// The number as it was given.
static std::string describe(const Argument &argument) {
  if (argument.isFloat())
    return formatNumber(argument.getFloat());
  if (argument.isNegativeInteger())
    return std::to_string(static_cast<int64_t>(argument.getIntegerBits()));
  return std::to_string(argument.getIntegerBits());
}

/// Converts to an integer type. Returns false if the number does not fit.
static bool toInteger(const Argument &argument, DType dtype, int64_t &slot) {
  IntegerRange range = getIntegerRange(dtype);
  if (!argument.isFloat()) {
    slot = static_cast<int64_t>(argument.getIntegerBits());
    return argument.isNegativeInteger()
               ? slot >= range.low
               : argument.getIntegerBits() <= range.high;
  }
  double value = argument.getFloat();
  if (value != std::trunc(value) || value < static_cast<double>(range.low))
    return false;
  // The greatest value of 64-bit types is not a double, the next power of two
  // is.
  if (value >= std::ldexp(1.0, 64 - __builtin_clzll(range.high)))
    return false;
  slot = value < 0 ? static_cast<int64_t>(value)
                   : static_cast<int64_t>(static_cast<uint64_t>(value));
  return true;
}

/// Converts to a float type. Returns false if a number does not fit: a finite
/// one becomes infinite, or an infinite one NaN.
static bool toFloat(const Argument &argument, DType dtype, int64_t &slot) {
  double value = argument.getFloat();
  if (!argument.isFloat())
    value = argument.isNegativeInteger()
                ? static_cast<double>(
                      static_cast<int64_t>(argument.getIntegerBits()))
                : static_cast<double>(argument.getIntegerBits());
  uint64_t bits;
  if (dtype == DType::FP32) {
    float rounded = static_cast<float>(value);
    uint32_t narrow;
    std::memcpy(&narrow, &rounded, sizeof(narrow));
    bits = narrow;
  } else {
    bits = toFloatBits(value, dtype);
  }
  slot = static_cast<int64_t>(bits);
  double converted = fromFloatBits(bits, dtype);
  return std::isinf(value) ? std::isinf(converted)
                           : std::isnan(value) || std::isfinite(converted);
}

Problem Guard::checkScalar(unsigned index, const Argument &argument,
                           int64_t &slot) const {
  DType dtype = checks[index].dtype;
  bool fits = isFloat(dtype) ? toFloat(argument, dtype, slot)
                             : toInteger(argument, dtype, slot);
  if (LLVM_LIKELY(fits))
    return Problem();
  const std::string &name = signature.parameters[index].name;
  if (isFloat(dtype))
    return makeCallProblem("argument '{0}': {1} is too large for {2}", name,
                           describe(argument), getName(dtype));
  if (argument.isFloat() &&
      argument.getFloat() != std::trunc(argument.getFloat()))
    return makeCallProblem(
        "argument '{0}': an integer is wanted ({1}), got {2}", name,
        getName(dtype), describe(argument));
  IntegerRange range = getIntegerRange(dtype);
  return makeCallProblem("argument '{0}': {1} does not fit {2} ({3} to {4})",
                         name, describe(argument), getName(dtype), range.low,
                         range.high);
}

Problem Guard::checkOverlap(llvm::ArrayRef<Argument> arguments,
                            const AddressRange *ranges) const {
  for (unsigned written = 0; written < checks.size(); ++written) {
    if (!checks[written].isWritten || ranges[written].isEmpty())
      continue;
    for (unsigned other = 0; other < checks.size(); ++other) {
      // A pair of two outputs is looked at once.
      if (!checks[other].isTensor ||
          (checks[other].isWritten ? other <= written : other == written))
        continue;
      if (LLVM_LIKELY(ranges[other].isEmpty() ||
                      !ranges[written].overlaps(ranges[other])))
        continue;
      if (mayShareMemory(arguments[written].getTensor(),
                         arguments[other].getTensor()))
        return makeCallProblem(
            "argument '{0}' is written and shares memory with "
            "argument '{1}'",
            signature.parameters[written].name,
            signature.parameters[other].name);
    }
  }
  return Problem();
}

Problem Guard::check(llvm::ArrayRef<Argument> arguments, int64_t *slots) const {
  if (LLVM_UNLIKELY(arguments.size() != checks.size()))
    return makeCountProblem(signature, arguments.size());
  int64_t symbolValues[maxSlots];
  AddressRange ranges[maxSlots];
  for (uint32_t index : order) {
    int64_t *slot = slots + checks[index].firstSlot;
    const Argument &argument = arguments[index];
    if (LLVM_UNLIKELY(argument.isTensor() != checks[index].isTensor))
      return checks[index].isTensor
                 ? makeCallProblem(
                       "argument '{0}': a tensor is wanted, got the "
                       "number {1}",
                       signature.parameters[index].name, describe(argument))
                 : makeCallProblem(
                       "argument '{0}': a number is wanted ({1}), got a "
                       "tensor",
                       signature.parameters[index].name,
                       getName(checks[index].dtype));
    if (!argument.isTensor()) {
      if (Problem problem = checkScalar(index, argument, *slot))
        return problem;
      continue;
    }
    TensorView halves;
    bool isPacked = LLVM_UNLIKELY(isHalfByte(checks[index].dtype)) &&
                    isPlainByte(argument.getTensor().dtype) &&
                    argument.getTensor().rank == checks[index].rank;
    if (isPacked)
      halves = toHalfBytes(argument.getTensor(), checks[index].dtype,
                           findColumns(index, symbolValues));
    const TensorView &view = isPacked ? halves : argument.getTensor();
    if (Problem problem = checkTensor(index, view, symbolValues, ranges[index]))
      return problem;
    *slot++ = reinterpret_cast<int64_t>(view.data);
    for (unsigned axis = 0; axis < view.rank; ++axis) {
      slot[axis] = view.sizes[axis];
      slot[view.rank + axis] = view.strides[axis];
    }
  }
  if (LLVM_UNLIKELY(areLarge(symbolValues, slots)))
    if (Problem problem = checkExact(symbolValues, slots))
      return problem;
  for (const SizeRequirement &requirement : requirements)
    if (LLVM_UNLIKELY(!requirement.condition.run(symbolValues, slots)))
      return wrongSizes(requirement, symbolValues, slots);
  return checkOverlap(arguments, ranges);
}
