// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel that tells its operations while it runs: they are kept, and pulled
/// afterwards. For kernels whose operations depend on data.

#ifndef TEGULA_SIM_PRODUCER_RECORDEDKERNEL_H
#define TEGULA_SIM_PRODUCER_RECORDEDKERNEL_H

#include "tegula/sim/producer/TensorMap.h"
#include "tegula/support/TraceAbi.h"
#include <iterator>
#include <string>
#include <vector>

namespace tegula::sim {

/// One call, which is made when this is.
class RecordedKernel {
public:
  /// Operations that are kept unless told otherwise: about a gigabyte.
  static constexpr size_t usualMostOps = 5000000;

  /// As PushedKernel's, but `code` runs on the tensors. Of more than `mostOps`
  /// operations nothing is kept.
  RecordedKernel(std::string name, TegulaKernel code,
                 std::vector<int64_t> slots, std::vector<TracedTensor> tensors,
                 std::vector<TegulaTraceFormula> formulas,
                 size_t mostOps = usualMostOps);
  RecordedKernel(const RecordedKernel &) = delete;
  RecordedKernel &operator=(const RecordedKernel &) = delete;

  const TegulaTraceKernel &getKernel() const { return kernel; }
  const TegulaCallState &getState() const { return call.hooks.state; }
  /// Whether there were more operations than are kept.
  bool isTooLong() const { return hasOverflown; }

private:
  /// What code sees, with the way back.
  struct Call {
    TegulaTraceCall hooks;
    RecordedKernel *kernel;
  };
  static RecordedKernel &get(TegulaTraceCall *call) {
    return *reinterpret_cast<Call *>(call)->kernel;
  }
  /// The operations of a work item are those from `firstOp` to the next item's.
  struct Item {
    size_t firstOp;
  };
  /// The same of items.
  struct Phase {
    size_t firstItem;
  };
  void take(int32_t kind, const int64_t *numbers);
  void beginPhase();
  void findLastReads();
  int64_t countItems(int64_t phase) const;
  int32_t next(int64_t phase, int64_t item, TegulaTraceCursor &cursor,
               TegulaTraceOp *ops, int32_t capacity) const;

  std::string name;
  TensorMap tensors;
  std::vector<TegulaTraceFormula> formulas;
  std::vector<const char *> tensorNames;
  TegulaTraceKernel kernel{};
  Call call{};
  int64_t counters[std::size(TegulaTraceCursor().kept)] = {};
  std::vector<TegulaTraceOp> ops;
  std::vector<Item> items;
  std::vector<Phase> phases;
  /// Whether work items follow that were launched.
  bool isLaunched = false;
  size_t mostOps;
  bool hasOverflown = false;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_PRODUCER_RECORDEDKERNEL_H
