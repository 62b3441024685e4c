// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/Reference.h"
#include "tegula/frontend/builtins/Builtins.h"

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

std::string tegula::formatFunction(const FunctionEntry &entry) {
  return ("pl." + entry.name + "(" + entry.parameters + "): " + entry.meaning)
      .str();
}
