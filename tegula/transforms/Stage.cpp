// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/Stage.h"

#include "llvm/Support/ErrorHandling.h"

using namespace tegula;

llvm::ArrayRef<Stage> tegula::listCommonStages() {
  static constexpr Stage stages[] = {Stage::Frontend, Stage::Inferred,
                                     Stage::Tiles, Stage::Outlined};
  return stages;
}

llvm::StringRef tegula::getName(Stage stage) {
  switch (stage) {
  case Stage::Frontend:
    return "frontend";
  case Stage::Inferred:
    return "inferred";
  case Stage::Tiles:
    return "tiles";
  case Stage::Outlined:
    return "outlined";
  }
  llvm_unreachable("every stage has a name");
}

std::optional<Stage> tegula::findCommonStage(llvm::StringRef name) {
  for (Stage stage : listCommonStages())
    if (getName(stage) == name)
      return stage;
  return std::nullopt;
}
