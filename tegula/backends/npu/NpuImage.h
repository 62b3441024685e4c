// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel for an NPU, loaded.

#ifndef TEGULA_BACKENDS_NPU_NPUIMAGE_H
#define TEGULA_BACKENDS_NPU_NPUIMAGE_H

#include "tegula/launch/CodeLibrary.h"
#include "tegula/launch/KernelImage.h"
#include "tegula/launch/LoadedImage.h"
#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/machine/Machine.h"
#include "tegula/sim/producer/PushedKernel.h"

#include <map>
#include <mutex>

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

  bool mustRunToTrace() const override { return !obstacle.empty(); }
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
  /// The number of the tiling that takes least time in such a call.
  int64_t choose(llvm::ArrayRef<int64_t> slots) const;
  /// The cycles of a call with that tiling.
  int64_t estimate(llvm::ArrayRef<int64_t> slots, int64_t tiling,
                   const sim::Machine &onMachine,
                   const sim::SimulateOptions &options) const;

  sim::Machine machine;
  int64_t numTilings = 1;
  size_t numSlots = 0;
  /// The slots that are addresses, which decide nothing.
  std::vector<size_t> addressSlots;
  mutable std::mutex turn;
  mutable std::map<std::vector<int64_t>, int64_t> chosen;
  /// Why steps can only be told in a run; empty if they can be without.
  std::string obstacle;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_NPUIMAGE_H
