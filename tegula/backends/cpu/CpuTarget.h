// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Processors as targets: an image is a shared library that is simply called.

#ifndef TEGULA_BACKENDS_CPU_CPUTARGET_H
#define TEGULA_BACKENDS_CPU_CPUTARGET_H

#include "tegula/backends/Backend.h"
#include "tegula/backends/cpu/CpuOptions.h"

namespace tegula {

/// A processor. What a target has other numbers for, by the position in
/// `tunableChoices`.
using ChosenNumbers = std::vector<std::pair<size_t, int64_t>>;

/// The options of a target.
struct CpuTargetOptions {
  bool useThreads = true;
  bool keepsLines = false;
  bool poisonsTensors = false;
  ChosenNumbers chosen = {};

  /// Puts it into options.
  void apply(CpuOptions &options) const;
};

class CpuTarget : public Target, public LibraryMaker {
public:
  /// `key` is the text for these options. `features` is what the processor
  /// must have, if it need not be the one this runs on.
  CpuTarget(std::string key, CpuOptions options, std::string features = "")
      : key(std::move(key)), options(std::move(options)),
        features(std::move(features)) {}
  /// The processor this runs on, which is looked at when something is compiled.
  CpuTarget(std::string key, CpuTargetOptions words)
      : key(std::move(key)), words(std::move(words)) {}

  std::string getKey() const override { return key; }
  const MachineModel &getMachine() const override;
  llvm::ArrayRef<llvm::StringRef> getStages() const override;
  void buildPipeline(PipelineBuilder &pm, llvm::StringRef stage) const override;
  [[nodiscard]] Expected<std::string>
  print(mlir::ModuleOp module, llvm::StringRef stage) const override;
  [[nodiscard]] Expected<KernelImage> emit(mlir::ModuleOp module,
                                           KernelFacts facts) const override;
  const LibraryMaker *getLibraryMaker() const override { return this; }
  std::string getKeyWithLines() const override;
  [[nodiscard]] llvm::LogicalResult
  explainChoices(mlir::ModuleOp module, const CallSizes &sizes) const override;

  bool isTaken(const std::string &name) const override;
  [[nodiscard]] Expected<std::string>
  emitObject(mlir::ModuleOp module, const std::string &name, KernelFacts facts,
             llvm::ArrayRef<BoundTensor> bound) const override;
  [[nodiscard]] Expected<std::string>
  link(llvm::ArrayRef<std::string> objects,
       llvm::StringRef fileName) const override;

private:
  CpuOptions getOptions() const;

  std::string key;
  /// Not there for the processor this runs on.
  std::optional<CpuOptions> options;
  CpuTargetOptions words;
  std::string features;
};

/// `cpu` is the processor this runs on, `cpu:NAME` one by LLVM's name;
/// `no-threads` after it keeps loops on one thread, `lines` makes code that
/// debuggers and profilers find the source of, `poison` spoils the memory of
/// tensors that hold nothing, and `stream=NUMBER` and the like
/// decide how calls compute.
class CpuBackend : public Backend {
public:
  llvm::StringRef getName() const override;
  llvm::StringRef getUsage() const override;
  llvm::StringRef getSummary() const override;
  std::vector<TargetChoice> listChoices() const override;
  [[nodiscard]] Expected<std::unique_ptr<Target>>
  makeTarget(llvm::StringRef options) const override;
  void registerDialects(mlir::DialectRegistry &registry) const override;
  void registerPasses() const override;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_CPUTARGET_H
