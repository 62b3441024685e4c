// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/VariantPattern.h"

#include <cstring>

using namespace tegula;

bool VariantPattern::Probe::operator==(const Probe &other) const {
  return parameter == other.parameter && isTensor == other.isTensor &&
         rank == other.rank && axes == other.axes &&
         isConstant == other.isConstant && notOne == other.notOne &&
         becomesFloat == other.becomesFloat;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

bool VariantPattern::isFloatFor(const Probe &probe, const Argument &argument) {
  return probe.becomesFloat || argument.isFloat();
}

/// The value of a number as far as variants tell them apart.
uint64_t VariantPattern::constantFor(const Probe &probe,
                                     const Argument &argument) {
  if (!isFloatFor(probe, argument))
    return argument.getIntegerBits();
  double value =
      argument.isFloat() ? argument.getFloat()
      : argument.isNegativeInteger()
          ? static_cast<double>(static_cast<int64_t>(argument.getIntegerBits()))
          : static_cast<double>(argument.getIntegerBits());
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// True for a number where one is wanted, or a tensor that has the rank and no
/// extent of 1 where that makes another variant.
bool VariantPattern::isOfKind(const Probe &probe, const Argument &argument) {
  if (argument.isTensor() != probe.isTensor)
    return false;
  if (!probe.isTensor)
    return true;
  const TensorView &view = argument.getTensor();
  if (view.rank != probe.rank)
    return false;
  if (probe.notOne)
    for (unsigned axis = 0; axis < probe.rank; ++axis)
      if ((probe.notOne >> axis & 1) && view.sizes[axis] == 1)
        return false;
  return true;
}

VariantPattern::VariantPattern(const Signature &resolved,
                               const Signature &declared) {
  for (uint32_t index = 0; index < resolved.parameters.size(); ++index) {
    const Parameter &parameter = resolved.parameters[index];
    bool isConstant = parameter.constant.has_value();
    if (!declared.parameters[index].isOpen() && !isConstant)
      continue;
    Probe probe = {index, parameter.isTensor(), 0, 0, isConstant};
    probe.becomesFloat = isConstant && !declared.parameters[index].isOpen() &&
                         isFloat(*parameter.dtype);
    if (parameter.isTensor()) {
      probe.rank = static_cast<uint8_t>(parameter.axes->size());
      for (unsigned axis = 0; axis < probe.rank; ++axis)
        if ((*parameter.axes)[axis].extent)
          probe.axes |= 1u << axis;
        else if ((*parameter.axes)[axis].excludesOne)
          probe.notOne |= 1u << axis;
    }
    probes.push_back(probe);
  }
}

std::optional<uint64_t>
VariantPattern::hash(llvm::ArrayRef<Argument> arguments) const {
  uint64_t hash = 1;
  for (const Probe &probe : probes) {
    const Argument &argument = arguments[probe.parameter];
    if (!isOfKind(probe, argument))
      return std::nullopt;
    if (!probe.isTensor) {
      hash = mix(hash, isFloatFor(probe, argument));
      if (probe.isConstant)
        hash = mix(hash, constantFor(probe, argument));
      continue;
    }
    const TensorView &view = argument.getTensor();
    hash = mix(hash, static_cast<uint64_t>(view.dtype));
    for (unsigned axis = 0; axis < probe.rank; ++axis)
      if (probe.axes >> axis & 1)
        hash = mix(hash, view.sizes[axis]);
  }
  return hash;
}

uint64_t VariantPattern::hash(const Signature &resolved) const {
  uint64_t hash = 1;
  for (const Probe &probe : probes) {
    const Parameter &parameter = resolved.parameters[probe.parameter];
    if (!probe.isTensor) {
      hash = mix(hash, isFloat(*parameter.dtype));
      if (probe.isConstant)
        hash = mix(hash, *parameter.constant);
      continue;
    }
    hash = mix(hash, static_cast<uint64_t>(*parameter.dtype));
    for (const Axis &axis : *parameter.axes)
      if (axis.extent)
        hash = mix(hash, *axis.extent);
  }
  return hash;
}

bool VariantPattern::matches(const Signature &resolved,
                             llvm::ArrayRef<Argument> arguments) const {
  for (const Probe &probe : probes) {
    const Parameter &parameter = resolved.parameters[probe.parameter];
    const Argument &argument = arguments[probe.parameter];
    if (!probe.isTensor) {
      if (isFloatFor(probe, argument) != isFloat(*parameter.dtype) ||
          (probe.isConstant &&
           constantFor(probe, argument) != *parameter.constant))
        return false;
      continue;
    }
    const TensorView &view = argument.getTensor();
    if (view.dtype != *parameter.dtype)
      return false;
    for (unsigned axis = 0; axis < probe.rank; ++axis)
      if ((probe.axes >> axis & 1) &&
          view.sizes[axis] != *(*parameter.axes)[axis].extent)
        return false;
  }
  return true;
}

/// One parameter of a name: "FP32 3,_,!1" or "float" or "int 16".
std::string VariantPattern::describeTensor(const Probe &probe, DType dtype,
                                           llvm::ArrayRef<int64_t> sizes) {
  std::string text = getName(dtype).str();
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    text += axis ? "," : " ";
    text += probe.axes >> axis & 1     ? std::to_string(sizes[axis])
            : probe.notOne >> axis & 1 ? "!1"
                                       : "_";
  }
  return text + ";";
}

static std::string describeNumber(bool isFloat, bool isConstant,
                                  uint64_t constant) {
  std::string text = isFloat ? "float" : "int";
  return isConstant ? text + " " + std::to_string(constant) + ";" : text + ";";
}

std::optional<std::string>
VariantPattern::name(llvm::ArrayRef<Argument> arguments) const {
  std::string text;
  for (const Probe &probe : probes) {
    const Argument &argument = arguments[probe.parameter];
    if (!isOfKind(probe, argument))
      return std::nullopt;
    text += std::to_string(probe.parameter) + " ";
    text += probe.isTensor
                ? describeTensor(probe, argument.getTensor().dtype,
                                 argument.getTensor().getSizes())
                : describeNumber(isFloatFor(probe, argument), probe.isConstant,
                                 constantFor(probe, argument));
  }
  return text;
}

std::string VariantPattern::name(const Signature &resolved) const {
  std::string text;
  for (const Probe &probe : probes) {
    const Parameter &parameter = resolved.parameters[probe.parameter];
    text += std::to_string(probe.parameter) + " ";
    if (!probe.isTensor) {
      text += describeNumber(isFloat(*parameter.dtype), probe.isConstant,
                             parameter.constant.value_or(0));
      continue;
    }
    std::vector<int64_t> sizes;
    for (const Axis &axis : *parameter.axes)
      sizes.push_back(axis.extent.value_or(0));
    text += describeTensor(probe, *parameter.dtype, sizes);
  }
  return text;
}

void VariantPattern::write(ByteWriter &writer) const {
  writer.writeNumber(probes.size());
  for (const Probe &probe : probes) {
    writer.writeNumber(probe.parameter);
    writer.writeNumber(probe.isTensor);
    writer.writeNumber(probe.rank);
    writer.writeNumber(probe.axes);
    writer.writeNumber(probe.isConstant);
    writer.writeNumber(probe.notOne);
    writer.writeNumber(probe.becomesFloat);
  }
}

bool VariantPattern::read(ByteReader &reader, size_t numParameters) {
  probes.clear();
  uint64_t count = reader.readCount();
  for (uint64_t index = 0; index < count; ++index) {
    Probe probe;
    probe.parameter = static_cast<uint32_t>(reader.readNumber());
    probe.isTensor = reader.readNumber() != 0;
    uint64_t rank = reader.readNumber();
    probe.rank = static_cast<uint8_t>(rank);
    probe.axes = static_cast<uint8_t>(reader.readNumber());
    probe.isConstant = reader.readNumber() != 0;
    probe.notOne = static_cast<uint8_t>(reader.readNumber());
    probe.becomesFloat = reader.readNumber() != 0;
    if (probe.parameter >= numParameters || rank > TensorView::maxRank)
      return false;
    probes.push_back(probe);
  }
  return reader.isGood();
}
