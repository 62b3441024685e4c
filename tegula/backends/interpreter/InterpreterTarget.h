// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The reference interpreter as a target: an image is the program itself.

#ifndef TEGULA_BACKENDS_INTERPRETER_INTERPRETERTARGET_H
#define TEGULA_BACKENDS_INTERPRETER_INTERPRETERTARGET_H

#include "tegula/backends/Backend.h"

namespace tegula {

/// Runs the program as it is at a common stage.
class InterpreterTarget : public Target {
public:
  explicit InterpreterTarget(Stage stage) : stage(stage) {}

  std::string getKey() const override;
  const MachineModel &getMachine() const override;
  Stage getStart() const override { return stage; }
  bool hasCooperativeRanks() const override { return true; }
  llvm::ArrayRef<llvm::StringRef> getStages() const override { return {}; }
  void buildPipeline(PipelineBuilder &, llvm::StringRef) const override {}
  [[nodiscard]] Expected<std::string>
  print(mlir::ModuleOp module, llvm::StringRef stage) const override;
  [[nodiscard]] Expected<KernelImage> emit(mlir::ModuleOp module,
                                           KernelFacts facts) const override;

private:
  Stage stage;
};

/// `interpreter` runs what the front end makes, `interpreter:tiles` what it has
/// become at that stage.
class InterpreterBackend : public Backend {
public:
  llvm::StringRef getName() const override;
  llvm::StringRef getUsage() const override;
  llvm::StringRef getSummary() const override;
  std::vector<TargetChoice> listChoices() const override;
  [[nodiscard]] Expected<std::unique_ptr<Target>>
  makeTarget(llvm::StringRef options) const override;
  Problem load(const KernelImage &image,
               std::unique_ptr<LoadedImage> &loaded) const override;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_INTERPRETER_INTERPRETERTARGET_H
