// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel for an NPU, loaded.

#ifndef TEGULA_BACKENDS_NPU_NPUIMAGE_H
#define TEGULA_BACKENDS_NPU_NPUIMAGE_H

#include "tegula/launch/CodeLibrary.h"
#include "tegula/launch/KernelImage.h"
#include "tegula/launch/LoadedImage.h"
#include "tegula/sim/producer/PushedKernel.h"

namespace tegula {

/// Computes values, and says what is done at a size.
class NpuImage : public LoadedImage {
public:
  /// The kinds of its objects.
  static constexpr const char *valueKind = "npu values";
  static constexpr const char *traceKind = "npu trace";
  static constexpr const char *recordingKind = "npu recording";
  static constexpr const char *descriptionKind = "npu description";

  static Problem load(const KernelImage &image,
                      std::unique_ptr<NpuImage> &loaded);

  Problem run(llvm::ArrayRef<Argument> arguments,
              const int64_t *slots) override;

  Problem trace(llvm::ArrayRef<Argument> arguments,
                llvm::ArrayRef<int64_t> slots,
                std::unique_ptr<TracedCall> &traced) override;

private:
  NpuImage() = default;

  Signature signature;
  std::shared_ptr<CodeLibrary> valueCode, traceCode;
  TegulaKernel values = nullptr;
  TegulaKernel tell = nullptr;
  std::vector<std::string> sites;
  std::vector<std::string> formulaNames;
  std::vector<TegulaTraceFormula> formulas;
  /// Why steps can only be told in a run; empty if they can be without.
  std::string obstacle;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_NPUIMAGE_H
