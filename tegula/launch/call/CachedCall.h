// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A call that a guard has accepted. Of another one whose tensors have the same
/// types, sizes and strides only addresses are left to be checked.

#ifndef TEGULA_LAUNCH_CALL_CACHEDCALL_H
#define TEGULA_LAUNCH_CALL_CACHEDCALL_H

#include "tegula/launch/call/Guard.h"

namespace tegula {

/// What of such a call does not depend on addresses.
class CachedCall {
public:
  /// Calls with more are checked by the guard each time.
  static constexpr size_t mostSlots = 64;
  static constexpr size_t mostTensors = 12;

  /// Takes a call. False if calls like it are to be checked by the guard each
  /// time: it refuses this one, they have more than that, or half bytes.
  bool assign(const Guard &guard, llvm::ArrayRef<Argument> arguments);

  /// Fills `slots`, `mostSlots` at most, for the same call with its tensors at
  /// other addresses, in order. False if the guard has to look: it may refuse
  /// them, or find that tensors whose memory interleaves share none.
  bool admit(const uintptr_t *addresses, int64_t *slots) const {
    uintptr_t lows[mostTensors], highs[mostTensors];
    for (size_t i = 0; i < numTensors; ++i) {
      const Tensor &tensor = tensors[i];
      uintptr_t address = addresses[i];
      if ((address & tensor.mask) != 0 ||
          address - tensor.lowest > tensor.highest - tensor.lowest)
        return false;
      lows[i] = address - tensor.below;
      highs[i] = address + tensor.above;
    }
    for (size_t i = 0; i < numPairs; ++i) {
      auto [written, other] = pairs[i];
      if (lows[written] < highs[other] && lows[other] < highs[written])
        return false;
    }
    for (size_t i = 0; i < numSlots; ++i)
      slots[i] = known[i];
    for (size_t i = 0; i < numTensors; ++i)
      slots[tensors[i].slot] = static_cast<int64_t>(addresses[i]);
    return true;
  }

private:
  /// The addresses that a tensor may begin at, and what lies around them.
  struct Tensor {
    uintptr_t lowest, highest;
    /// The bits that are zero.
    uintptr_t mask;
    /// Bytes before the address and from it on.
    uintptr_t below, above;
    size_t slot;
    bool isEmpty, isWritten;
  };
  /// Tensors that must not share memory.
  struct Pair {
    uint8_t written, other;
  };
  static constexpr size_t mostPairs = mostTensors * (mostTensors - 1);

  bool addTensor(const TensorView &view, size_t slot, bool isWritten);
  void addPairs();

  size_t numTensors = 0, numPairs = 0, numSlots = 0;
  Tensor tensors[mostTensors];
  Pair pairs[mostPairs];
  int64_t known[mostSlots];
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_CACHEDCALL_H
