// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/machine/MachineJson.h"

#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/machine/MachineKeys.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::sim;

void sim::writeMachine(llvm::StringRef name, const Machine &machine,
                       llvm::json::OStream &json) {
  json.attributeObject(name, [&] {
    for (const MachineKey &key : getMachineKeys())
      std::visit(
          [&](auto field) {
            const auto &value = machine.*field;
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_enum_v<Value>)
              json.attribute(key.name, getChoices(key)[size_t(value)]);
            else if constexpr (std::is_same_v<Value, std::vector<int64_t>>)
              json.attributeArray(key.name, [&] {
                for (int64_t element : value)
                  json.value(element);
              });
            else
              json.attribute(key.name, value);
          },
          key.field);
  });
}

/// Values of JSON are values of TOML, so the reader of machine files reads
/// both.
Expected<Machine> sim::readMachine(const llvm::json::Object &object,
                                   llvm::StringRef path) {
  std::string text;
  auto add = [&](llvm::StringRef key, const llvm::json::Value &value) {
    text += llvm::formatv("{0} = {1}\n", llvm::json::Value(key), value);
  };
  for (const MachineKey &key : getMachineKeys())
    if (const llvm::json::Value *value = object.get(key.name))
      add(key.name, *value);
  for (const auto *entry : llvm::json::sortedElements(object))
    if (llvm::none_of(getMachineKeys(), [&](const MachineKey &key) {
          return key.name == llvm::StringRef(entry->first);
        }))
      add(entry->first, entry->second);
  return parseMachine(text, path);
}
