// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/memory/TensorStage.h"

#include "tegula/launch/call/Overlap.h"
#include "tegula/support/KernelAbi.h"

using namespace tegula;

void tegula::forEachTensorSlot(
    const Signature &signature,
    llvm::function_ref<void(const Parameter &, unsigned slot)> use) {
  unsigned slot = 0;
  for (const Parameter &parameter : signature.parameters) {
    if (parameter.isTensor())
      use(parameter, slot);
    slot += parameter.isTensor() ? 1 + 2 * parameter.axes->size() : 1;
  }
}

TensorStage::TensorStage(const Signature &signature, int64_t *slots)
    : signature(signature), slots(slots) {}

bool TensorStage::allocateCopies(
    llvm::function_ref<bool(const void *)> isShared,
    llvm::function_ref<void *(int64_t)> allocate) {
  bool isPlaced = true;
  forEachTensorSlot(signature, [&](const Parameter &parameter, unsigned slot) {
    size_t rank = parameter.axes->size();
    TensorView view(reinterpret_cast<void *>(slots[slot]), *parameter.dtype,
                    {slots + slot + 1, rank}, {slots + slot + 1 + rank, rank});
    AddressRange range;
    if (!isPlaced || !computeRange(view, range) || range.isEmpty() ||
        isShared(reinterpret_cast<void *>(range.low)))
      return;
    auto *memory = static_cast<char *>(allocate(range.high - range.low));
    if (!memory) {
      isPlaced = false;
      return;
    }
    // Half bytes have addresses of their own, which count alike.
    bool isHalves = isHalfByte(view.dtype);
    auto *low = reinterpret_cast<char *>(range.low);
    char *first = view.getFirstElement();
    TensorView copy = view;
    copy.data = isHalves ? toHalfByte(memory) + (first - toHalfByte(low))
                         : memory + (first - low);
    copies.push_back({view, copy, parameter.isWritten()});
    slots[slot] = reinterpret_cast<int64_t>(copy.data);
  });
  return isPlaced;
}

/// Copies the elements of `from` whose first index that varies is in a part.
static void copyChunk(const TensorView &to, const TensorView &from,
                      int64_t part, int64_t numChunks) {
  unsigned rank = from.rank;
  std::vector<int64_t> shape(3 * rank);
  for (unsigned axis = 0; axis < rank; ++axis) {
    shape[axis] = from.sizes[axis];
    shape[rank + axis] = to.strides[axis];
    shape[2 * rank + axis] = from.strides[axis];
  }
  unsigned axis = 0;
  while (axis < rank && from.sizes[axis] < numChunks)
    ++axis;
  int64_t size = isHalfByte(from.dtype) ? 0 : getSize(from.dtype);
  int64_t step = size == 0 ? 1 : size;
  int64_t toStart = 0, fromStart = 0;
  if (axis < rank) {
    int64_t begin = from.sizes[axis] * part / numChunks;
    shape[axis] = from.sizes[axis] * (part + 1) / numChunks - begin;
    toStart = begin * to.strides[axis] * step;
    fromStart = begin * from.strides[axis] * step;
  } else if (part != 0) {
    return;
  }
  char *target = to.getFirstElement() + toStart;
  char *source = from.getFirstElement() + fromStart;
  if (rank == 0 && size == 0)
    writeHalfByte(target, readHalfByte(source));
  else
    tegulaPackTile(target, source, rank, shape.data(), size);
}

void TensorStage::copyIn(int64_t rank, int64_t count) const {
  for (const Copy &copy : copies)
    copyChunk(copy.inside, copy.outside, rank, count);
}

void TensorStage::copyOut() const {
  for (const Copy &copy : copies)
    if (copy.isWritten)
      copyChunk(copy.outside, copy.inside, 0, 1);
}
