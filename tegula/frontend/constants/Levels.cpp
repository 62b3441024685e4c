// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/Levels.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

std::optional<pl::Level> tegula::levelOf(const Object &object) {
  const std::string *path = object.asLanguage();
  StringRef name = path ? StringRef(*path) : StringRef();
  if (!name.consume_front("Level.") || name != name.upper())
    return std::nullopt;
  return pl::symbolizeLevel(name.lower());
}

std::optional<pl::Level> tegula::levelOfType(const Object &object) {
  const std::string *path = object.asLanguage();
  return llvm::StringSwitch<std::optional<pl::Level>>(path ? *path : "")
      .Case("FunctionType.AIC", pl::Level::Cube)
      .Case("FunctionType.AIV", pl::Level::Vector)
      .Cases({"FunctionType.Group", "FunctionType.Spmd"}, pl::Level::CoreGroup)
      .Default(std::nullopt);
}
