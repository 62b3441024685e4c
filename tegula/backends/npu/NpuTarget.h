// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Simulated NPUs as targets. An image has two pieces of host code, made from
/// one program of steps: one computes its values, the other tells a simulator
/// what is done at a size.

#ifndef TEGULA_BACKENDS_NPU_NPUTARGET_H
#define TEGULA_BACKENDS_NPU_NPUTARGET_H

#include "tegula/backends/Backend.h"
#include "tegula/sim/machine/Machine.h"

namespace tegula {

/// A machine that a file describes.
class NpuTarget : public Target {
public:
  NpuTarget(std::string key, sim::Machine machine);

  std::string getKey() const override { return key; }
  const MachineModel &getMachine() const override { return model; }
  /// Tiles are cut in several ways.
  Stage getStart() const override { return Stage::Inferred; }
  llvm::ArrayRef<llvm::StringRef> getStages() const override;
  llvm::ArrayRef<llvm::StringRef> getBranches() const override;
  void buildPipeline(PipelineBuilder &pm, llvm::StringRef stage) const override;
  [[nodiscard]] Expected<std::string>
  print(mlir::ModuleOp module, llvm::StringRef stage) const override;
  [[nodiscard]] Expected<KernelImage> emit(mlir::ModuleOp module,
                                           KernelFacts facts) const override;
  const sim::Machine *getSimulatedMachine() const override { return &machine; }
  [[nodiscard]] Expected<ProducerFiles>
  emitProducer(mlir::ModuleOp module, const Signature &signature,
               llvm::StringRef libraryName) const override;

private:
  std::string key;
  sim::Machine machine;
  MachineModel model;
};

/// `npu:tpuv3` is a machine that is shipped, `npu:FILE.toml` one of the
/// user's.
class NpuBackend : public Backend {
public:
  llvm::StringRef getName() const override;
  llvm::StringRef getUsage() const override;
  llvm::StringRef getSummary() const override;
  std::vector<TargetChoice> listChoices() const override;
  [[nodiscard]] Expected<std::unique_ptr<Target>>
  makeTarget(llvm::StringRef options) const override;
  std::string nameSimulated(llvm::StringRef machine) const override;
  Problem load(const KernelImage &image,
               std::unique_ptr<LoadedImage> &loaded) const override;
  [[nodiscard]] Expected<ReadProducer>
  readProducer(llvm::StringRef path) const override;
  void registerDialects(mlir::DialectRegistry &registry) const override;
  void registerPasses() const override;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_NPUTARGET_H
