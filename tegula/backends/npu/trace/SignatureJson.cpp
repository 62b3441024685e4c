// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/SignatureJson.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::ObjectMapper;
using llvm::json::OStream;
using llvm::json::Path;
using llvm::json::Value;
using Op = ExtentProgram::Op;

// By number: in the order of the enumerators.
static constexpr StringRef directions[] = {"in", "out", "inout"};
static constexpr StringRef kinds[] = {"tensor", "scalar"};
// None of them can be a name of the source.
static constexpr StringRef operators[] = {
    "+",  "-", "*",  "//", "ceildiv()", "min()", "max()",   "==",
    "!=", "<", "<=", "&",  "|",         "^",     "either()"};
static constexpr unsigned firstOperator = unsigned(Op::Add);
static_assert(firstOperator + std::size(operators) == unsigned(Op::Either) + 1);

static Array toArray(const ExtentProgram &program) {
  Array steps;
  for (const ExtentProgram::Step &step : program.steps)
    switch (step.op) {
    case Op::Constant:
      steps.push_back(step.number);
      break;
    case Op::Size:
      steps.push_back(program.names[step.number]);
      break;
    case Op::Scalar:
      steps.push_back(llvm::json::Object{{"scalar", step.number}});
      break;
    default:
      steps.push_back(operators[unsigned(step.op) - firstOperator]);
    }
  return steps;
}

/// On one line.
static void writeList(StringRef name, Array list, OStream &json) {
  json.attributeBegin(name);
  json.rawValue(llvm::formatv("{0}", Value(std::move(list))).str());
  json.attributeEnd();
}

static void writeAxis(const Axis &axis, OStream &json) {
  json.object([&] {
    if (axis.extent)
      json.attribute("extent", *axis.extent);
    else
      json.attribute("symbol", axis.symbol);
    if (axis.bound)
      json.attribute("at_most", *axis.bound);
    if (axis.excludesOne)
      json.attribute("not_one", true);
    if (axis.expression) {
      writeList("computed", toArray(*axis.expression), json);
    }
  });
}

static void writeParameter(const Parameter &parameter, OStream &json) {
  json.object([&] {
    json.attribute("name", parameter.name);
    json.attribute("kind", kinds[unsigned(parameter.kind)]);
    json.attribute("direction", directions[unsigned(parameter.direction)]);
    json.attribute("dtype", getName(*parameter.dtype));
    if (parameter.isTensor())
      json.attributeArray("axes", [&] {
        for (const Axis &axis : *parameter.axes)
          writeAxis(axis, json);
      });
    if (parameter.constant)
      json.attribute("constant", int64_t(*parameter.constant));
    if (!parameter.reason.empty())
      json.attribute("reason", parameter.reason);
  });
}

static void writeRequirement(const SizeRequirement &requirement,
                             OStream &json) {
  json.object([&] {
    json.attribute("text", requirement.text);
    json.attribute("location", requirement.location);
    writeList("condition", toArray(requirement.condition), json);
    json.attributeArray("shown", [&] {
      for (const auto &[name, size] : requirement.sizes)
        json.object([&, &name = name, &size = size] {
          json.attribute("name", name);
          writeList("size", toArray(size), json);
        });
    });
    if (requirement.parameter < 0)
      return;
    json.attribute("parameter", requirement.parameter);
    json.attribute("axis", requirement.axis);
  });
}

void tegula::writeSignature(const Signature &signature, OStream &json) {
  json.attribute("kernel", signature.kernel);
  writeList("symbols", Array(signature.getSymbols()), json);
  json.attributeArray("parameters", [&] {
    for (const Parameter &parameter : signature.parameters)
      writeParameter(parameter, json);
  });
  json.attributeArray("requirements", [&] {
    for (const SizeRequirement &requirement : signature.requirements)
      writeRequirement(requirement, json);
  });
  json.attributeArray("exact", [&] {
    for (const SizeRequirement &requirement : signature.exact)
      writeRequirement(requirement, json);
  });
  json.attributeArray("results", [&] {
    for (unsigned result : signature.results)
      json.value(int64_t(result));
  });
}

/// The place of the text among `words`, or an error with `message`.
static bool readWord(const Value &value, llvm::ArrayRef<StringRef> words,
                     unsigned &number, Path path, llvm::StringLiteral message) {
  const auto *found = llvm::find(words, value.getAsString().value_or(""));
  number = found - words.begin();
  if (found == words.end())
    path.report(message);
  return found != words.end();
}

static bool readStep(const Value &value, ExtentProgram &program, Path path) {
  if (std::optional<int64_t> number = value.getAsInteger()) {
    program.steps.push_back({Op::Constant, *number});
  } else if (std::optional<StringRef> text = value.getAsString()) {
    const auto *found = llvm::find(operators, *text);
    if (found == std::end(operators))
      program.steps.push_back({Op::Size, program.indexOf(text->str())});
    else
      program.steps.push_back(
          {Op(firstOperator + unsigned(found - std::begin(operators)))});
  } else {
    int64_t number = 0;
    ObjectMapper mapper(value, path);
    if (!mapper || !mapper.map("scalar", number))
      return false;
    program.steps.push_back({Op::Scalar, number});
  }
  return true;
}

namespace tegula {

static bool fromJSON(const Value &value, ExtentProgram &program, Path path) {
  const Array *steps = value.getAsArray();
  if (!steps)
    return path.report("expected steps of arithmetic"), false;
  for (auto [index, step] : llvm::enumerate(*steps))
    if (!readStep(step, program, path.index(index)))
      return false;
  return true;
}

static bool fromJSON(const Value &value, Axis &axis, Path path) {
  ObjectMapper mapper(value, path);
  bool isRead = mapper && mapper.mapOptional("extent", axis.extent) &&
                mapper.mapOptional("symbol", axis.symbol) &&
                mapper.mapOptional("at_most", axis.bound) &&
                mapper.mapOptional("not_one", axis.excludesOne) &&
                mapper.mapOptional("computed", axis.expression);
  if (isRead && axis.extent.has_value() == !axis.symbol.empty())
    return path.report("expected either an extent or a symbol"), false;
  return isRead;
}

static bool fromJSON(const Value &value, Parameter &parameter, Path path) {
  ObjectMapper mapper(value, path);
  std::string dtype;
  std::optional<int64_t> constant;
  unsigned kind = 0, direction = 0;
  if (!mapper || !mapper.map("name", parameter.name) ||
      !mapper.map("dtype", dtype) ||
      !mapper.mapOptional("axes", parameter.axes) ||
      !mapper.mapOptional("constant", constant) ||
      !mapper.mapOptional("reason", parameter.reason))
    return false;
  const llvm::json::Object &object = *value.getAsObject();
  auto get = [&](StringRef key) {
    const Value *found = object.get(key);
    return found ? *found : Value(nullptr);
  };
  if (!readWord(get("kind"), kinds, kind, path.field("kind"),
                "expected tensor or scalar") ||
      !readWord(get("direction"), directions, direction,
                path.field("direction"), "expected in, out or inout"))
    return false;
  parameter.kind = Parameter::Kind(kind);
  parameter.direction = Direction(direction);
  parameter.dtype = parseDType(dtype);
  if (!parameter.dtype)
    return path.field("dtype").report("expected an element type"), false;
  if (parameter.isTensor() != parameter.axes.has_value())
    return path.report("expected axes of tensors only"), false;
  if (constant)
    parameter.constant = uint64_t(*constant);
  return true;
}

/// A size that a message shows.
using ShownSize = std::pair<std::string, ExtentProgram>;

static bool readShown(const Value &value, ShownSize &shown, Path path) {
  ObjectMapper mapper(value, path);
  return mapper && mapper.map("name", shown.first) &&
         mapper.map("size", shown.second);
}

static bool fromJSON(const Value &value, SizeRequirement &requirement,
                     Path path) {
  ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("text", requirement.text) ||
      !mapper.map("location", requirement.location) ||
      !mapper.map("condition", requirement.condition) ||
      !mapper.mapOptional("parameter", requirement.parameter) ||
      !mapper.mapOptional("axis", requirement.axis))
    return false;
  const Array *shown = value.getAsObject()->getArray("shown");
  if (!shown)
    return path.field("shown").report("expected array"), false;
  for (auto [index, entry] : llvm::enumerate(*shown))
    if (!readShown(entry, requirement.sizes.emplace_back(),
                   path.field("shown").index(index)))
      return false;
  return true;
}

} // namespace tegula

bool tegula::readSignature(const Value &object, Signature &signature,
                           Path path) {
  ObjectMapper mapper(object, path);
  std::vector<std::string> symbols;
  if (!mapper || !mapper.map("kernel", signature.kernel) ||
      !mapper.map("symbols", symbols) ||
      !mapper.map("parameters", signature.parameters) ||
      !mapper.map("requirements", signature.requirements) ||
      !mapper.map("exact", signature.exact) ||
      !mapper.map("results", signature.results))
    return false;
  if (symbols == signature.getSymbols())
    return true;
  path.field("symbols").report("expected the symbols of the parameters");
  return false;
}
