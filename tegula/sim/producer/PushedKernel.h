// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel whose code pushes its operations becomes one they are pulled from.
/// Every stream runs on a stack of its own, as far as it is asked for, so no
/// more than a few operations are ever held.

#ifndef TEGULA_SIM_PRODUCER_PUSHEDKERNEL_H
#define TEGULA_SIM_PRODUCER_PUSHEDKERNEL_H

#include "tegula/sim/producer/OpStream.h"
#include <string>
#include <unordered_map>
#include <vector>

namespace tegula::sim {

/// One call of a kernel. It can be simulated as often as one likes, one
/// simulation at a time.
class PushedKernel {
public:
  /// `code` is called with `slots`, whose tensors lie at `tensors`.
  PushedKernel(std::string name, TegulaKernel code, std::vector<int64_t> slots,
               std::vector<TracedTensor> tensors,
               std::vector<TegulaTraceFormula> formulas);
  PushedKernel(const PushedKernel &) = delete;
  PushedKernel &operator=(const PushedKernel &) = delete;

  const TegulaTraceKernel &getKernel() const { return kernel; }
  /// What the code found wrong, if anything, once it was simulated.
  const TegulaCallState &getState() const { return state; }

private:
  static int64_t startPhase(void *context, int64_t phase);
  static int32_t next(void *context, int64_t phase, int64_t item,
                      TegulaTraceCursor *cursor, TegulaTraceOp *ops,
                      int32_t capacity);
  static void setRank(void *context, int64_t rank, int64_t count);
  int64_t startPhase(int64_t phase);
  void noteState(const TegulaCallState &reported);
  OpStream &getStream(int64_t item, TegulaTraceCursor &cursor);

  std::string name;
  TegulaKernel code;
  std::vector<int64_t> slots;
  TensorMap tensors;
  RankProgram ranks;
  std::vector<TegulaTraceFormula> formulas;
  std::vector<const char *> tensorNames;
  TegulaTraceKernel kernel{};
  TegulaCallState state{};
  /// The kernel's own stream: what runs between launches.
  std::unique_ptr<OpStream> main;
  /// What is running; its items are pulled, unless it is the main stream.
  LaunchRequest current{};
  std::unordered_map<int64_t, std::unique_ptr<OpStream>> items;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_PRODUCER_PUSHEDKERNEL_H
