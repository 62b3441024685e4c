// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/Description.h"

#include "tegula/backends/npu/trace/SignatureJson.h"
#include "tegula/launch/cache/Digest.h"
#include "tegula/launch/call/SignatureBytes.h"
#include "tegula/sim/machine/MachineJson.h"

using namespace tegula;
using llvm::json::Object;
using llvm::json::ObjectMapper;
using llvm::json::OStream;
using llvm::json::Path;
using llvm::json::Value;

namespace {

/// A number of a formula and its name in the text.
struct FormulaKey {
  llvm::StringLiteral name;
  int32_t TegulaTraceFormula::*number;
};

} // namespace

static constexpr FormulaKey formulaKeys[] = {
    {"ops", &TegulaTraceFormula::ops},
    {"specials", &TegulaTraceFormula::specials},
    {"row_cycles", &TegulaTraceFormula::rowCycles},
    {"fill_cycles", &TegulaTraceFormula::fillCycles},
    {"iteration_elements", &TegulaTraceFormula::iterationElements},
    {"iteration_cycles", &TegulaTraceFormula::iterationCycles}};

/// What the code relies on.
static std::string digestInterface(const NpuDescription &description) {
  Digest digest;
  digest.add(toBytes(description.signature));
  digest.add(description.valueEntry);
  digest.add(description.traceEntry);
  digest.add(description.obstacle);
  digest.add(uint64_t(description.tilings.size()));
  digest.add(uint64_t(description.formulas.size()));
  return digest.finishText().substr(0, 32);
}

static void writeFormula(const NamedFormula &named, OStream &json) {
  json.object([&] {
    json.attribute("name", named.name);
    for (const FormulaKey &key : formulaKeys)
      json.attribute(key.name, int64_t(named.formula.*key.number));
  });
}

std::string tegula::writeDescription(const NpuDescription &description) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OStream json(stream, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("tegula_producer", descriptionVersion);
    json.attribute("backend", "npu");
    json.attribute("abi", int64_t(TegulaTraceVersion));
    json.attribute("library", description.library);
    json.attribute("library_digest", description.libraryDigest);
    json.attribute("library_features", description.libraryFeatures);
    json.attribute("interface_digest", digestInterface(description));
    json.attribute("trace_entry", description.traceEntry);
    json.attribute("value_entry", description.valueEntry);
    json.attribute("obstacle", description.obstacle);
    writeSignature(description.signature, json);
    json.attributeArray("tilings", [&] {
      for (const std::vector<int64_t> &sizes : description.tilings)
        json.rawValue(
            llvm::formatv("{0}", Value(llvm::json::Array(sizes))).str());
    });
    json.attributeArray("formulas", [&] {
      for (const NamedFormula &named : description.formulas)
        writeFormula(named, json);
    });
    json.attribute("sites", llvm::json::Array(description.sites));
    sim::writeMachine("machine", description.machine, json);
  });
  stream << "\n";
  return text;
}

namespace tegula {

static bool fromJSON(const Value &value, NamedFormula &named, Path path) {
  ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("name", named.name))
    return false;
  for (const FormulaKey &key : formulaKeys) {
    int64_t number = 0;
    if (!mapper.map(key.name, number))
      return false;
    if (number < 0 || number > std::numeric_limits<int32_t>::max()) {
      path.field(key.name).report("expected a number from 0 to 2147483647");
      return false;
    }
    named.formula.*key.number = int32_t(number);
  }
  return true;
}

} // namespace tegula

static bool readMembers(const Value &value, NpuDescription &description,
                        std::string &interfaceDigest, Path path) {
  ObjectMapper mapper(value, path);
  return mapper && readSignature(value, description.signature, path) &&
         mapper.map("library", description.library) &&
         mapper.map("library_digest", description.libraryDigest) &&
         mapper.map("library_features", description.libraryFeatures) &&
         mapper.map("interface_digest", interfaceDigest) &&
         mapper.map("trace_entry", description.traceEntry) &&
         mapper.map("value_entry", description.valueEntry) &&
         mapper.map("obstacle", description.obstacle) &&
         mapper.map("tilings", description.tilings) &&
         mapper.map("formulas", description.formulas) &&
         mapper.map("sites", description.sites);
}

/// Versions first: all else may be different in another.
static Error checkVersions(const Object &object, llvm::StringRef path) {
  std::optional<int64_t> version = object.getInteger("tegula_producer");
  if (!version)
    return makeError("{0}: not the description of a producer: there is no "
                     "version 'tegula_producer'",
                     path);
  if (version != descriptionVersion)
    return makeError("{0}: version {1} of descriptions, but this simulator "
                     "reads version {2}; build the kernel again",
                     path, *version, descriptionVersion);
  int64_t abi = object.getInteger("abi").value_or(0);
  if (abi != TegulaTraceVersion)
    return makeError("{0}: version {1} of the interface to producers, but this "
                     "simulator has version {2}; build the kernel again",
                     path, abi, int64_t(TegulaTraceVersion));
  return Error::success();
}

Expected<NpuDescription> tegula::readDescription(llvm::StringRef text,
                                                 llvm::StringRef path) {
  Expected<Value> parsed = llvm::json::parse(text);
  if (!parsed)
    return makeError("{0}: {1}", path, llvm::toString(parsed.takeError()));
  const Object *object = parsed->getAsObject();
  if (!object)
    return makeError("{0}: not the description of a producer: no object", path);
  if (Error error = checkVersions(*object, path))
    return error;
  NpuDescription description;
  std::string interfaceDigest;
  Path::Root root("description");
  if (!readMembers(*parsed, description, interfaceDigest, root))
    return makeError("{0}: {1}", path, llvm::toString(root.getError()));
  if (interfaceDigest != digestInterface(description))
    return makeError("{0}: was changed: the code was compiled for other "
                     "parameters, tilings or formulas; only costs and the "
                     "machine can be changed",
                     path);
  const Object *machine = object->getObject("machine");
  if (!machine)
    return makeError("{0}: there is no 'machine'", path);
  Expected<sim::Machine> read =
      sim::readMachine(*machine, (path + ": machine").str());
  if (!read)
    return read.takeError();
  description.machine = std::move(*read);
  return description;
}
