// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel for an NPU, loaded.

#ifndef TEGULA_BACKENDS_NPU_NPUIMAGE_H
#define TEGULA_BACKENDS_NPU_NPUIMAGE_H

#include "tegula/backends/npu/tiling/TilingChoice.h"
#include "tegula/launch/image/CodeLibrary.h"
#include "tegula/launch/image/KernelImage.h"
#include "tegula/launch/image/LoadedImage.h"
#include "tegula/sim/producer/TensorMap.h"

#include <optional>

namespace tegula {

struct NpuDescription;

/// Computes values, unless it came from files, and says what is done at a
/// size.
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
  bool isSimulated() const override { return true; }
  bool mustRunToTrace() const override { return !obstacle.empty(); }
  Problem trace(llvm::ArrayRef<Argument> arguments,
                llvm::ArrayRef<int64_t> slots, const std::string &machine,
                std::unique_ptr<TracedCall> &traced) override;
  Problem report(ReportFormat format, std::string &text) override;

private:
  /// A call, and whether it did too much to be told.
  struct MadeCall {
    std::shared_ptr<TracedCall> call;
    bool isTooLong = false;
  };
  /// What is kept of the last call, to report on it.
  struct LastCall {
    std::vector<int64_t> slots;
    std::vector<sim::TracedTensor> tensors;
    /// What was recorded, if it had to be.
    std::optional<MadeCall> recorded;
  };

  NpuImage(const KernelImage &image, NpuDescription description);

  Problem loadCode(const KernelImage &image, const NpuDescription &description);
  /// The slots, and after them the number of the tiling for such a call.
  std::vector<int64_t> withTiling(llvm::ArrayRef<int64_t> slots,
                                  const sim::Machine &machine);
  MadeCall makeCall(llvm::ArrayRef<int64_t> slots,
                    std::vector<sim::TracedTensor> tensors) const;

  Signature signature;
  size_t numSlots = 0;
  /// The slots that are addresses.
  std::vector<size_t> addressSlots;
  std::shared_ptr<CodeLibrary> valueCode, traceCode;
  TegulaKernel values = nullptr;
  TegulaKernel emitTrace = nullptr;
  /// What sites mean, in the code for values and in that which emits.
  std::vector<std::string> valueSites, traceSites;
  std::vector<std::string> formulaNames;
  std::vector<TegulaTraceFormula> formulas;
  /// Why steps can only be told in a run; empty if they can be without.
  std::string obstacle;
  sim::Machine machine;
  TilingChoice tilings;
  std::mutex mutex;
  std::optional<LastCall> last;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_NPUIMAGE_H
