// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/SignatureBytes.h"

using namespace tegula;

template <typename T, typename Write>
static void writeOptional(ByteWriter &writer, const std::optional<T> &value,
                          Write write) {
  writer.writeNumber(value.has_value());
  if (value)
    write(*value);
}

static void writeProgram(ByteWriter &writer, const ExtentProgram &program) {
  writer.writeNumber(program.steps.size());
  for (const ExtentProgram::Step &step : program.steps) {
    writer.writeNumber(static_cast<uint64_t>(step.op));
    writer.writeNumber(step.number);
  }
  writer.writeNumber(program.names.size());
  for (const std::string &name : program.names)
    writer.writeText(name);
}

static void writeParameter(ByteWriter &writer, const Parameter &parameter) {
  auto writeNumber = [&](uint64_t number) { writer.writeNumber(number); };
  writer.writeText(parameter.name);
  writer.writeNumber(static_cast<uint64_t>(parameter.kind));
  writer.writeNumber(static_cast<uint64_t>(parameter.direction));
  writeOptional(writer, parameter.dtype, [&](DType dtype) {
    writer.writeNumber(static_cast<uint64_t>(dtype));
  });
  writeOptional(writer, parameter.axes, [&](const std::vector<Axis> &axes) {
    writer.writeNumber(axes.size());
    for (const Axis &axis : axes) {
      writeOptional(writer, axis.extent, writeNumber);
      writer.writeText(axis.symbol);
      writeOptional(writer, axis.bound, writeNumber);
      writeOptional(writer, axis.expression, [&](const ExtentProgram &program) {
        writeProgram(writer, program);
      });
      writer.writeNumber(axis.excludesOne);
    }
  });
  writeOptional(writer, parameter.constant, writeNumber);
  writer.writeText(parameter.reason);
}

static void writeRequirement(ByteWriter &writer,
                             const SizeRequirement &requirement) {
  writeProgram(writer, requirement.condition);
  writer.writeText(requirement.text);
  writer.writeText(requirement.location);
  writer.writeNumber(requirement.sizes.size());
  for (const auto &[name, size] : requirement.sizes) {
    writer.writeText(name);
    writeProgram(writer, size);
  }
  writer.writeNumber(requirement.parameter);
  writer.writeNumber(requirement.axis);
}

void tegula::writeSignature(ByteWriter &writer, const Signature &signature) {
  writer.writeText(signature.kernel);
  writer.writeNumber(signature.parameters.size());
  for (const Parameter &parameter : signature.parameters)
    writeParameter(writer, parameter);
  writer.writeNumber(signature.requirements.size());
  for (const SizeRequirement &requirement : signature.requirements)
    writeRequirement(writer, requirement);
  writer.writeNumber(signature.exact.size());
  for (const SizeRequirement &expression : signature.exact)
    writeRequirement(writer, expression);
  writer.writeNumber(signature.results.size());
  for (unsigned result : signature.results)
    writer.writeNumber(result);
}

namespace {

/// Reads the parts; the first that cannot be makes all fail.
class SignatureReader {
public:
  explicit SignatureReader(ByteReader &reader) : reader(reader) {}

  bool read(Signature &signature) {
    signature.kernel = reader.readText();
    uint64_t count = reader.readCount();
    for (uint64_t index = 0; index < count && isGood(); ++index)
      readParameter(signature.parameters.emplace_back());
    count = reader.readCount();
    for (uint64_t index = 0; index < count && isGood(); ++index)
      readRequirement(signature.requirements.emplace_back());
    count = reader.readCount();
    for (uint64_t index = 0; index < count && isGood(); ++index)
      readRequirement(signature.exact.emplace_back());
    count = reader.readCount();
    for (uint64_t index = 0; index < count && isGood(); ++index)
      signature.results.push_back(readBelow(signature.parameters.size()));
    for (const SizeRequirement &requirement : signature.requirements)
      if (requirement.parameter >=
          static_cast<int64_t>(signature.parameters.size()))
        isWrong = true;
    return isGood();
  }

private:
  bool isGood() const { return !isWrong && reader.isGood(); }

  /// A number that must be less than `limit`.
  uint64_t readBelow(uint64_t limit) {
    uint64_t number = reader.readNumber();
    if (number < limit)
      return number;
    isWrong = true;
    return 0;
  }

  bool readFlag() { return readBelow(2) == 1; }

  void readProgram(ExtentProgram &program) {
    uint64_t count = reader.readCount();
    for (uint64_t index = 0; index < count && isGood(); ++index) {
      auto op = static_cast<ExtentProgram::Op>(
          readBelow(static_cast<uint64_t>(ExtentProgram::Op::Either) + 1));
      program.steps.push_back({op, static_cast<int64_t>(reader.readNumber())});
    }
    count = reader.readCount();
    for (uint64_t index = 0; index < count && isGood(); ++index)
      program.names.push_back(reader.readText());
    if (!program.fits())
      isWrong = true;
  }

  void readAxis(Axis &axis) {
    if (readFlag())
      axis.extent = static_cast<int64_t>(reader.readNumber());
    axis.symbol = reader.readText();
    if (readFlag())
      axis.bound = static_cast<int64_t>(reader.readNumber());
    if (readFlag())
      readProgram(axis.expression.emplace());
    axis.excludesOne = readFlag();
  }

  void readParameter(Parameter &parameter) {
    parameter.name = reader.readText();
    parameter.kind = static_cast<Parameter::Kind>(readBelow(3));
    parameter.direction = static_cast<Direction>(readBelow(3));
    if (readFlag())
      parameter.dtype = static_cast<DType>(
          readBelow(static_cast<uint64_t>(DType::Index) + 1));
    if (readFlag()) {
      parameter.axes.emplace();
      uint64_t count = reader.readCount();
      for (uint64_t index = 0; index < count && isGood(); ++index)
        readAxis(parameter.axes->emplace_back());
    }
    if (readFlag())
      parameter.constant = reader.readNumber();
    parameter.reason = reader.readText();
  }

  void readRequirement(SizeRequirement &requirement) {
    readProgram(requirement.condition);
    requirement.text = reader.readText();
    requirement.location = reader.readText();
    uint64_t count = reader.readCount();
    for (uint64_t index = 0; index < count && isGood(); ++index) {
      auto &[name, size] = requirement.sizes.emplace_back();
      name = reader.readText();
      readProgram(size);
    }
    requirement.parameter = static_cast<int64_t>(reader.readNumber());
    requirement.axis = static_cast<int64_t>(reader.readNumber());
  }

  ByteReader &reader;
  bool isWrong = false;
};

} // namespace

bool tegula::readSignature(ByteReader &reader, Signature &signature) {
  signature = {};
  return SignatureReader(reader).read(signature);
}
