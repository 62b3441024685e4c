// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/Reference.h"
#include "tegula/frontend/builtins/Builtins.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;

/// "x, axis1=, axis2=".
static std::string asCall(llvm::ArrayRef<BuiltinParameter> parameters) {
  std::string text;
  for (const BuiltinParameter &parameter : parameters) {
    text += (text.empty() ? "" : ", ") + parameter.name.str();
    text += parameter.isRequired ? "" : "=";
  }
  return text;
}

std::vector<FunctionEntry> tegula::listFunctions() {
  std::vector<FunctionEntry> entries;
  for (const Builtin &builtin : listBuiltins())
    if (!builtin.name.starts_with("_"))
      entries.push_back({builtin.name, asCall(builtin.parameters),
                         builtin.meaning, builtin.theme});
  return entries;
}

/// True if a function takes a parameter of that name that is not ignored.
static bool counts(llvm::StringRef name) {
  return llvm::any_of(listBuiltins(), [&](const Builtin &builtin) {
    return llvm::any_of(
        builtin.parameters, [&](const BuiltinParameter &parameter) {
          return parameter.name == name && !parameter.isIgnored();
        });
  });
}

std::vector<IgnoredParameters> tegula::listIgnored() {
  std::vector<IgnoredParameters> groups;
  for (const Builtin &builtin : listBuiltins())
    for (const BuiltinParameter &parameter : builtin.parameters) {
      if (!parameter.isIgnored())
        continue;
      auto group = llvm::find_if(groups, [&](const IgnoredParameters &each) {
        return each.why == parameter.whyIgnored;
      });
      if (group == groups.end())
        group = groups.insert(group, {parameter.whyIgnored, {}});
      std::string name = parameter.name.str() + "=";
      if (counts(parameter.name))
        name = ("pl." + builtin.name + "(" + name + ")").str();
      if (!llvm::is_contained(group->names, name))
        group->names.push_back(name);
    }
  for (IgnoredParameters &group : groups)
    llvm::sort(group.names);
  return groups;
}

std::string tegula::formatConstruct(const ConstructEntry &entry) {
  std::string call =
      entry.parameters.empty() ? "" : ("(" + entry.parameters + ")").str();
  return ("pl." + entry.name + call + ": " + entry.meaning).str();
}

std::string tegula::formatFunction(const FunctionEntry &entry) {
  return ("pl." + entry.name + "(" + entry.parameters + "): " + entry.meaning)
      .str();
}
