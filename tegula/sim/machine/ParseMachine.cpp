// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/machine/MachineKeys.h"
#include "tegula/support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

// Its parser asserts that a key follows "[", and has a message if none does.
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

using namespace tegula;
using namespace tegula::sim;

namespace {

/// Fills a machine from a table, complaining about the first thing amiss.
class TableReader {
public:
  TableReader(const toml::table &table, llvm::StringRef path)
      : table(table), path(path) {}

  /// Every entry of the table must be a key that `wants` takes, and every such
  /// key must be there.
  Error readAll(Machine &machine,
                llvm::function_ref<bool(const MachineKey &)> wants) {
    for (auto &&[entry, node] : table)
      if (Error error = checkKnown(entry.str(), node, wants))
        return error;
    for (const MachineKey &key : getMachineKeys())
      if (wants(key))
        if (Error error = readOne(machine, key))
          return error;
    return Error::success();
  }

private:
  std::string at(const toml::node &node) const {
    return llvm::formatv("{0}:{1}: ", path, node.source().begin.line).str();
  }

  Error checkKnown(std::string_view entry, const toml::node &node,
                   llvm::function_ref<bool(const MachineKey &)> wants) {
    llvm::StringRef name(entry.data(), entry.size());
    bool isKnown = llvm::any_of(getMachineKeys(), [&](const MachineKey &key) {
      return key.name == name && wants(key);
    });
    if (isKnown)
      return Error::success();
    return makeError("{0}unknown key '{1}'; did you mean '{2}'?", at(node),
                     name, findNearestKey(name).name);
  }

  Error readOne(Machine &machine, const MachineKey &key) {
    const toml::node *node =
        table.get(std::string_view(key.name.data(), key.name.size()));
    if (!node)
      return makeError("{0}: key '{1}' is missing: {2}", path, key.name,
                       key.meaning);
    return std::visit(
        [&](auto field) { return read(*node, key, machine.*field); },
        key.field);
  }

  Error expected(const toml::node &node, const MachineKey &key,
                 const std::string &wanted) {
    return makeError("{0}{1} must be {2}", at(node), key.name, wanted);
  }

  Error readInRange(const toml::node &node, const MachineKey &key,
                    double value) {
    if (value >= key.least && value <= key.most)
      return Error::success();
    return makeError("{0}{1} is {2}, but must be from {3} to {4}", at(node),
                     key.name, formatNumber(value), formatNumber(key.least),
                     formatNumber(key.most));
  }

  Error read(const toml::node &node, const MachineKey &key, int64_t &value) {
    if (!node.is_integer())
      return expected(node, key, "a whole number");
    value = node.as_integer()->get();
    return readInRange(node, key, double(value));
  }

  Error read(const toml::node &node, const MachineKey &key, double &value) {
    if (!node.is_number())
      return expected(node, key, "a number");
    value = *node.value<double>();
    return readInRange(node, key, value);
  }

  Error read(const toml::node &node, const MachineKey &key, bool &value) {
    if (!node.is_boolean())
      return expected(node, key, "true or false");
    value = node.as_boolean()->get();
    return Error::success();
  }

  Error read(const toml::node &node, const MachineKey &key,
             std::string &value) {
    if (!node.is_string())
      return expected(node, key, "a text in quotes");
    value = node.as_string()->get();
    return Error::success();
  }

  Error read(const toml::node &node, const MachineKey &key,
             std::vector<int64_t> &value) {
    if (!node.is_array())
      return expected(node, key, "a list of whole numbers");
    value.clear();
    for (const toml::node &element : *node.as_array()) {
      value.emplace_back();
      if (Error error = read(element, key, value.back()))
        return error;
    }
    return Error::success();
  }

  template <typename Choice>
  Error read(const toml::node &node, const MachineKey &key, Choice &value) {
    llvm::ArrayRef<llvm::StringLiteral> choices = getChoices(key);
    if (node.is_string()) {
      const auto *found =
          llvm::find(choices, llvm::StringRef(node.as_string()->get()));
      value = static_cast<Choice>(found - choices.begin());
      if (found != choices.end())
        return Error::success();
    }
    return expected(node, key, "one of " + llvm::join(choices, ", "));
  }

  const toml::table &table;
  llvm::StringRef path;
};

} // namespace

static Expected<toml::table> parseTable(llvm::StringRef text,
                                        llvm::StringRef path) {
  // What the parser does with some other characters is undefined.
  const char *other =
      llvm::find_if_not(text, [](char c) { return llvm::isASCII(c); });
  if (other != text.end())
    return makeError("{0}:{1}: a machine file has ASCII characters only", path,
                     1 + std::count(text.begin(), other, '\n'));
  toml::parse_result result =
      toml::parse(std::string_view(text.data(), text.size()));
  if (result.failed())
    return makeError("{0}:{1}: {2}", path, result.error().source().begin.line,
                     std::string(result.error().description()));
  return std::move(result.table());
}

Expected<Machine> sim::parseMachine(llvm::StringRef text,
                                    llvm::StringRef path) {
  Expected<toml::table> table = parseTable(text, path);
  if (!table)
    return table.takeError();
  Machine machine;
  if (Error error =
          TableReader(*table, path).readAll(machine, [](const MachineKey &) {
            return true;
          }))
    return error;
  if (Error error = checkMachine(machine))
    return makeError("{0}: {1}", path, llvm::toString(std::move(error)));
  return machine;
}

Error sim::replaceEnergies(Machine &machine, llvm::StringRef text,
                           llvm::StringRef path) {
  Expected<toml::table> table = parseTable(text, path);
  if (!table)
    return table.takeError();
  return TableReader(*table, path).readAll(machine, [](const MachineKey &key) {
    return key.name.starts_with("energy_");
  });
}
