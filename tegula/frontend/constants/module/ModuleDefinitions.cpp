// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/module/ModuleDefinitions.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using llvm::StringRef;

void ModuleDefinitions::define(StringRef name, Object object) {
  std::vector<Definition> &values = definitions[name];
  if (values.empty() || values.back().order != order)
    values.push_back({order});
  values.back() = {order, std::move(object)};
}

void ModuleDefinitions::define(StringRef name,
                               std::function<Object()> compute) {
  std::vector<Definition> &values = definitions[name];
  if (values.empty() || values.back().order != order)
    values.push_back({order});
  values.back() = {order, Object(), std::move(compute)};
}

ModuleDefinitions::Definition *ModuleDefinitions::findBefore(StringRef name,
                                                             unsigned before) {
  Definition *last = nullptr;
  auto found = definitions.find(name);
  if (found != definitions.end())
    for (Definition &definition : found->second)
      if (definition.order < before)
        last = &definition;
  return last;
}

const Object *ModuleDefinitions::findLast(StringRef name) const {
  auto found = definitions.find(name);
  if (found == definitions.end() || found->second.back().compute)
    return nullptr;
  return &found->second.back().object;
}

Object ModuleDefinitions::valueOf(StringRef name, Definition &definition) {
  if (definition.isBeingComputed)
    return Object(UnusableObject{
        ("the value of '" + name + "' depends on itself").str(), {}});
  if (!definition.compute)
    return definition.object;
  // Computing it may run other files, and define names here.
  unsigned wanted = definition.order;
  std::function<Object()> compute = definition.compute;
  definition.isBeingComputed = true;
  Object object = compute();
  for (Definition &known : definitions[name])
    if (known.order == wanted && known.isBeingComputed)
      known = {wanted, object};
  return object;
}

void ModuleDefinitions::settle() {
  for (StringRef name : listNames())
    for (size_t i = 0; i < definitions[name].size(); ++i)
      if (definitions[name][i].compute && !definitions[name][i].isBeingComputed)
        valueOf(name, definitions[name][i]);
}

std::vector<StringRef> ModuleDefinitions::listNames() const {
  std::vector<StringRef> names;
  for (const auto &entry : definitions)
    if (!entry.getKey().starts_with("__"))
      names.push_back(entry.getKey());
  llvm::sort(names);
  return names;
}
