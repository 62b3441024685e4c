// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/machine/MachineKeys.h"
#include "tegula/support/Format.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace tegula;
using namespace tegula::sim;

/// The key that `name` means: exactly, or with the rest of its words left out,
/// which only numbers have.
static Expected<const MachineKey *> findKey(llvm::StringRef name) {
  llvm::SmallVector<const MachineKey *> found;
  llvm::SmallVector<llvm::StringRef> names;
  for (const MachineKey &key : getMachineKeys()) {
    if (key.name == name)
      return &key;
    if (key.name.starts_with((name + "_").str()) &&
        !std::holds_alternative<bool Machine::*>(key.field)) {
      found.push_back(&key);
      names.push_back(key.name);
    }
  }
  if (found.size() == 1)
    return found.front();
  if (found.empty())
    return makeError("unknown key '{0}'; did you mean '{1}'?", name,
                     findNearestKey(name).name);
  return makeError("'{0}' could be {1}", name, llvm::join(names, ", "));
}

static Expected<double> changed(const MachineKey &key, double value,
                                llvm::StringRef text) {
  bool isFactor = text.consume_front("x");
  double number;
  if (text.getAsDouble(number))
    return makeError("{0}: '{1}' is neither a number nor x and a factor",
                     key.name, text);
  double result = isFactor ? value * number : number;
  bool isInRange = result >= key.least && result <= key.most;
  if (!isInRange)
    return makeError("{0} is {1}, but must be from {2} to {3}", key.name,
                     formatNumber(result), formatNumber(key.least),
                     formatNumber(key.most));
  return result;
}

static Error apply(Machine &machine, const MachineKey &key,
                   llvm::StringRef text) {
  if (auto *field = std::get_if<double Machine::*>(&key.field)) {
    Expected<double> value = changed(key, machine.**field, text);
    if (!value)
      return value.takeError();
    machine.**field = *value;
    return Error::success();
  }
  if (auto *field = std::get_if<int64_t Machine::*>(&key.field)) {
    Expected<double> value = changed(key, double(machine.**field), text);
    if (!value)
      return value.takeError();
    if (*value != std::floor(*value))
      return makeError("{0} is {1}, but must be a whole number", key.name,
                       formatNumber(*value));
    machine.**field = int64_t(*value);
    return Error::success();
  }
  // Whatever else there is is read as a machine file would have it.
  std::string line;
  std::string value = text.str();
  bool isText = !getChoices(key).empty() ||
                std::holds_alternative<std::string Machine::*>(key.field);
  if (isText && !text.starts_with("\""))
    value = "\"" + value + "\"";
  for (const MachineKey &each : getMachineKeys())
    line += llvm::formatv("{0} = {1}\n", each.name,
                          &each == &key ? value : printValue(machine, each));
  Expected<Machine> parsed = parseMachine(line, "what-if");
  if (!parsed)
    return parsed.takeError();
  machine = std::move(*parsed);
  return Error::success();
}

Error sim::applyWhatIf(Machine &machine, llvm::StringRef changes) {
  llvm::SmallVector<llvm::StringRef> parts;
  changes.split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [name, text] = part.split('=');
    if (name.empty() || text.empty())
      return makeError("'{0}' should be a key, '=' and a value", part);
    Expected<const MachineKey *> key = findKey(name.trim());
    if (!key)
      return key.takeError();
    if (Error error = apply(machine, **key, text.trim()))
      return error;
  }
  return checkMachine(machine);
}
