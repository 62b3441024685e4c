// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/interpreter/InterpreterTarget.h"

#include "tegula/backends/interpreter/InterpretedImage.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;

static constexpr llvm::StringLiteral backendName = "interpreter";

std::string InterpreterTarget::getKey() const {
  if (stage == Stage::Frontend)
    return backendName.str();
  return (backendName + ":" + getName(stage)).str();
}

/// The interpreter has no limits. Small tiles show more of what can go wrong
/// between them.
const MachineModel &InterpreterTarget::getMachine() const {
  static const MachineModel machine = {
      "interpreter",
      {/*rows=*/8, /*columns=*/64, /*elements=*/256, /*matmulRows=*/16,
       /*matmulColumns=*/32, /*depth=*/32, /*largest=*/64},
      {{pl::MemorySpace::Scratchpad,
        "memory",
        /*bytes=*/0,
        /*alignment=*/1,
        {TileRole::Value}}},
      {pl::FunctionKind::InCore, pl::FunctionKind::Opaque}};
  return machine;
}

Expected<std::string> InterpreterTarget::print(mlir::ModuleOp,
                                               StringRef) const {
  llvm_unreachable("the interpreter has no stages of its own");
}

Expected<KernelImage> InterpreterTarget::emit(mlir::ModuleOp module,
                                              KernelFacts facts) const {
  KernelImage image;
  image.facts = std::move(facts);
  image.facts.runner = backendName;
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(mlir::writeBytecodeToFile(module, stream)))
    return makeError("cannot write the program down");
  image.objects.push_back({InterpretedImage::programKind, std::move(bytes)});
  return image;
}

StringRef InterpreterBackend::getName() const { return backendName; }

StringRef InterpreterBackend::getUsage() const { return "interpreter[:STAGE]"; }

StringRef InterpreterBackend::getSummary() const {
  return "the reference interpreter, which runs the program as it is at a "
         "stage (frontend)";
}

std::vector<TargetChoice> InterpreterBackend::listChoices() const {
  return {{backendName.str(), "in the interpreter"}};
}

Expected<std::unique_ptr<Target>>
InterpreterBackend::makeTarget(StringRef options) const {
  if (options.empty())
    return std::make_unique<InterpreterTarget>(Stage::Frontend);
  if (std::optional<Stage> stage = findCommonStage(options))
    return std::make_unique<InterpreterTarget>(*stage);
  auto names = llvm::map_range(
      listCommonStages(), [](Stage stage) { return tegula::getName(stage); });
  return makeError("there is no stage '{0}'; there is: {1}", options,
                   llvm::join(names, ", "));
}

Problem InterpreterBackend::load(const KernelImage &image,
                                 std::unique_ptr<LoadedImage> &loaded) const {
  return InterpretedImage::load(image, loaded);
}
