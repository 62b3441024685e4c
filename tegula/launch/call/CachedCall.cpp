// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/CachedCall.h"

#include "tegula/launch/call/Overlap.h"
#include "tegula/support/HalfBytes.h"

#include <algorithm>

using namespace tegula;

bool CachedCall::addTensor(const TensorView &view, size_t slot,
                           bool isWritten) {
  AddressRange range;
  if (numTensors == mostTensors || isHalfByte(view.dtype) ||
      !computeRange(view, range))
    return false;
  auto address = reinterpret_cast<uintptr_t>(view.data);
  Tensor &tensor = tensors[numTensors++];
  tensor = {0, UINTPTR_MAX, 0, 0, 0, slot, range.isEmpty(), isWritten};
  // Nothing is read there.
  if (tensor.isEmpty)
    return true;
  tensor.below = address - range.low;
  tensor.above = range.high - address;
  tensor.lowest = std::max<uintptr_t>(tensor.below, 1);
  tensor.highest = UINTPTR_MAX - tensor.above;
  tensor.mask = getSize(view.dtype) - 1;
  return true;
}

void CachedCall::addPairs() {
  numPairs = 0;
  for (size_t written = 0; written < numTensors; ++written) {
    if (!tensors[written].isWritten || tensors[written].isEmpty)
      continue;
    for (size_t other = 0; other < numTensors; ++other) {
      // A pair of two outputs is looked at once.
      bool isSeen = tensors[other].isWritten ? other <= written : false;
      if (!isSeen && !tensors[other].isEmpty)
        pairs[numPairs++] = {static_cast<uint8_t>(written),
                             static_cast<uint8_t>(other)};
    }
  }
}

bool CachedCall::assign(const Guard &guard,
                        llvm::ArrayRef<Argument> arguments) {
  numTensors = 0;
  numSlots = guard.getNumSlots();
  if (numSlots > mostSlots || guard.check(arguments, known))
    return false;
  const auto &parameters = guard.getSignature().parameters;
  size_t slot = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].isTensor()) {
      ++slot;
      continue;
    }
    const TensorView &view = arguments[i].getTensor();
    // Bytes may stand for half bytes.
    if (isHalfByte(*parameters[i].dtype) ||
        !addTensor(view, slot, parameters[i].isWritten()))
      return false;
    slot += 1 + 2 * view.rank;
  }
  addPairs();
  return true;
}
