// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// NVIDIA's GPUs, and their emulation on this processor.

#ifndef TEGULA_BACKENDS_CUDA_CUDATARGET_H
#define TEGULA_BACKENDS_CUDA_CUDATARGET_H

#include "tegula/backends/Backend.h"

namespace tegula {

struct CudaBlocks;
struct GpuProgram;

/// Chips that code is made for, or one that is emulated.
class CudaTarget : public Target, public LibraryMaker {
public:
  /// How it was asked for.
  struct Words {
    std::string key;
    std::vector<std::string> chips;
    bool isEmulated = false;
    /// Of an emulated GPU: every thread is a fiber, and two warps are enough.
    int64_t emulatedThreads = 64;
    /// Whether loops without a tuned variant keep their tiles in registers.
    bool keepsTiles = true;
    /// Whether no kernel has a tuned variant.
    bool isGeneral = false;
  };

  /// Code of the host is for this processor, or for any in libraries.
  CudaTarget(Words words, std::unique_ptr<Target> host,
             std::unique_ptr<Target> anyHost)
      : key(std::move(words.key)), chips(std::move(words.chips)),
        isEmulated(words.isEmulated), emulatedThreads(words.emulatedThreads),
        keepsTiles(words.keepsTiles), isGeneral(words.isGeneral),
        host(std::move(host)), anyHost(std::move(anyHost)) {}

  std::string getKey() const override { return key; }
  const MachineModel &getMachine() const override;
  /// Rows are found while they are whole.
  Stage getStart() const override { return Stage::Inferred; }
  double getRounding(pl::Precision precision) const override;
  llvm::ArrayRef<llvm::StringRef> getStages() const override;
  llvm::ArrayRef<llvm::StringRef> getBranches() const override;
  void buildPipeline(PipelineBuilder &pm, llvm::StringRef stage) const override;
  Expected<std::string> print(mlir::ModuleOp module,
                              llvm::StringRef stage) const override;
  Expected<KernelImage> emit(mlir::ModuleOp module,
                             KernelFacts facts) const override;

  [[nodiscard]] llvm::LogicalResult
  explainVariant(mlir::ModuleOp module) const override;

  const LibraryMaker *getLibraryMaker() const override { return this; }
  /// Emulated GPUs as well: what calls one then calls the other.
  bool takesStream() const override { return true; }
  bool isTaken(const std::string &name) const override;
  Expected<std::string>
  emitObject(mlir::ModuleOp module, const std::string &name, KernelFacts facts,
             llvm::ArrayRef<BoundTensor> bound) const override;
  Expected<std::string> link(llvm::ArrayRef<std::string> objects,
                             llvm::StringRef fileName) const override;

private:
  CudaBlocks describeBlocks() const;
  /// Leaves the code of the host, with that of the device in it.
  Error makeHost(mlir::ModuleOp module, const Signature &signature) const;
  Error makeEmulated(mlir::ModuleOp module, GpuProgram program,
                     llvm::StringRef store) const;
  /// Code for several chips is one text of IR.
  bool keepsAllTiles() const;

  std::string key;
  std::vector<std::string> chips;
  bool isEmulated;
  int64_t emulatedThreads;
  bool keepsTiles, isGeneral;
  std::unique_ptr<Target> host, anyHost;
};

/// Makes such targets.
class CudaBackend : public Backend {
public:
  llvm::StringRef getName() const override;
  llvm::StringRef getUsage() const override;
  llvm::StringRef getSummary() const override;
  std::vector<TargetChoice> listChoices() const override;
  Expected<std::unique_ptr<Target>>
  makeTarget(llvm::StringRef options) const override;
  void registerDialects(mlir::DialectRegistry &registry) const override;
  void registerPasses() const override;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_CUDATARGET_H
