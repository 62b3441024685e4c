// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/Description.h"

#include "llvm/Support/JSON.h"

using namespace tegula;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

/// A number of a formula and its name in the text.
struct FormulaKey {
  const char *name;
  int32_t TegulaTraceFormula::*number;
};

} // namespace

static constexpr FormulaKey formulaKeys[] = {
    {"ops", &TegulaTraceFormula::ops},
    {"specials", &TegulaTraceFormula::specials},
    {"row_cycles", &TegulaTraceFormula::rowCycles},
    {"fill_cycles", &TegulaTraceFormula::fillCycles},
    {"turn_elements", &TegulaTraceFormula::turnElements},
    {"turn_cycles", &TegulaTraceFormula::turnCycles}};

static Value describe(const Parameter &parameter) {
  Object object{{"name", parameter.name}, {"written", parameter.isWritten()}};
  if (parameter.dtype)
    object["dtype"] = getName(*parameter.dtype).str();
  if (parameter.axes)
    object["axes"] = formatAxes(*parameter.axes);
  return object;
}

std::string tegula::writeDescription(const NpuDescription &description,
                                     const Signature &signature) {
  Array parameters, symbols, formulas, tilings;
  for (const Parameter &parameter : signature.parameters)
    parameters.push_back(describe(parameter));
  for (const std::string &symbol : signature.getSymbols())
    symbols.push_back(symbol);
  for (const NamedFormula &named : description.formulas) {
    Object formula{{"name", named.name}};
    for (const FormulaKey &key : formulaKeys)
      formula[key.name] = named.formula.*key.number;
    formulas.push_back(std::move(formula));
  }
  for (const std::vector<int64_t> &sizes : description.tilings)
    tilings.push_back(Array(sizes));
  Object text{{"abi", int64_t(TegulaTraceVersion)},
              {"kernel", description.kernel},
              {"machine", description.machine},
              {"value_entry", description.valueEntry},
              {"trace_entry", description.traceEntry},
              {"obstacle", description.obstacle},
              {"parameters", std::move(parameters)},
              {"symbols", std::move(symbols)},
              {"tilings", std::move(tilings)},
              {"formulas", std::move(formulas)}};
  return llvm::formatv("{0:2}\n", Value(std::move(text))).str();
}

Expected<NpuDescription> tegula::readDescription(const std::string &text) {
  Expected<Value> parsed = llvm::json::parse(text);
  if (!parsed)
    return parsed.takeError();
  const Object *object = parsed->getAsObject();
  if (!object || object->getInteger("abi") != int64_t(TegulaTraceVersion))
    return makeError("the kernel was compiled for another simulator");
  auto get = [&](llvm::StringRef key) {
    return object->getString(key).value_or("").str();
  };
  NpuDescription description{get("kernel"),
                             get("machine"),
                             get("value_entry"),
                             get("trace_entry"),
                             get("obstacle"),
                             {},
                             {}};
  if (const Array *tilings = object->getArray("tilings"))
    for (const Value &sizes : *tilings) {
      description.tilings.emplace_back();
      if (const Array *numbers = sizes.getAsArray())
        for (const Value &number : *numbers)
          description.tilings.back().push_back(
              number.getAsInteger().value_or(0));
    }
  if (const Array *formulas = object->getArray("formulas"))
    for (const Value &value : *formulas) {
      const Object *entry = value.getAsObject();
      if (!entry)
        return makeError("the description of kernel {0} is damaged",
                         description.kernel);
      NamedFormula named{entry->getString("name").value_or("").str(), {}};
      for (const FormulaKey &key : formulaKeys)
        named.formula.*key.number =
            int32_t(entry->getInteger(key.name).value_or(0));
      description.formulas.push_back(std::move(named));
    }
  return description;
}
