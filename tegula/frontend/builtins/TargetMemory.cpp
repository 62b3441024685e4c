// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/TargetMemory.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Value;

/// The memory that `pl.Mem.Left` and the like name.
static std::optional<pl::MemorySpace> spaceOf(const Object &object) {
  const std::string *path = object.asLanguage();
  auto [kind, name] = StringRef(path ? StringRef(*path) : "").split('.');
  if (kind != "Mem" && kind != "MemorySpace")
    return std::nullopt;
  using Space = std::optional<pl::MemorySpace>;
  return llvm::StringSwitch<Space>(name)
      .Cases({"DDR", "SRAM"}, pl::MemorySpace::Global)
      .Case("Vec", pl::MemorySpace::Scratchpad)
      .Case("Mat", pl::MemorySpace::Matrix)
      .Case("Left", pl::MemorySpace::Left)
      .Case("Right", pl::MemorySpace::Right)
      .Case("Acc", pl::MemorySpace::Accumulator)
      .Case("Bias", pl::MemorySpace::Bias)
      .Case("ScalarLocal", pl::MemorySpace::Scalar)
      .Default(std::nullopt);
}

Object tegula::assignMemory(Emitter &emitter, const CallArguments &arguments,
                            const Object &result) {
  auto asked = llvm::find_if(arguments.keywords, [](const auto &keyword) {
    return keyword.first == "target_memory";
  });
  if (asked == arguments.keywords.end() ||
      asked->second.object.is<NoneObject>())
    return result;
  const CallArgument &memory = asked->second;
  std::optional<pl::MemorySpace> space = spaceOf(memory.object);
  if (!space)
    return emitter.fail(memory.loc, "'target_memory' takes one of pl.Mem, such "
                                    "as pl.Mem.Vec, got " +
                                        describe(memory.object));
  Value value = result.asTile() ? result.asTile() : result.asTensor();
  mlir::Operation *made = value ? value.getDefiningOp() : nullptr;
  if (!made)
    return result;
  // A tile that was there before is the same tile in another memory.
  bool isMoved =
      result.asTile() &&
      llvm::any_of(arguments.positional, [&](const CallArgument &argument) {
        return argument.object.asTile() == value;
      });
  if (isMoved) {
    made = pl::RelaxOp::create(emitter.builder, arguments.loc, value.getType(),
                               value);
    value = made->getResult(0);
  }
  if (made->getNumResults() == 1)
    made->setAttr(pl::spaceAttrName,
                  pl::MemorySpaceAttr::get(emitter.getContext(), *space));
  return Object(value);
}
