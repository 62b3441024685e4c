// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/DispatchTable.h"

#include "tegula/support/BoxOverlap.h"

#include <algorithm>

using namespace tegula;

/// Unsigned integers stand for all elements of their size.
static DType typeOfBits(int32_t bits) {
  switch (bits) {
  case 4:
    return DType::UInt4;
  case 16:
    return DType::UInt16;
  case 32:
    return DType::UInt32;
  case 64:
    return DType::UInt64;
  default:
    return DType::UInt8;
  }
}

DispatchUse::DispatchUse(const TegulaTensorUse &use)
    : view(use.data, typeOfBits(use.elementBits),
           {use.shape, static_cast<size_t>(use.rank)},
           {use.shape + use.rank, static_cast<size_t>(use.rank)}),
      reads(use.reads), writes(use.writes) {
  if (view.rank > TensorView::maxRank || !computeRange(view, range))
    range = {0, UINTPTR_MAX};
}

static BoxOverlap::Box boxOf(const TensorView &view) {
  return {reinterpret_cast<int64_t>(view.data),
          static_cast<int64_t>(getSize(view.dtype)), view.getSizes(),
          view.getStrides()};
}

bool DispatchUse::overlaps(const DispatchUse &other) const {
  if (range.isEmpty() || other.range.isEmpty() || !range.overlaps(other.range))
    return false;
  if (view.rank > TensorView::maxRank || other.view.rank > TensorView::maxRank)
    return true;
  if (isHalfByte(view.dtype) || isHalfByte(other.view.dtype))
    return true;
  BoxOverlap::Box own = boxOf(view), others = boxOf(other.view);
  BoxOverlap barrier(own, others);
  return barrier.isApplicable() ? barrier.exists()
                                : mayShareMemory(view, other.view);
}

/// True if both are the same part, used in the same way.
static bool areEqual(const DispatchUse &lhs, const DispatchUse &rhs) {
  return lhs.view.data == rhs.view.data && lhs.view.dtype == rhs.view.dtype &&
         lhs.reads == rhs.reads && lhs.writes == rhs.writes &&
         lhs.view.getSizes() == rhs.view.getSizes() &&
         lhs.view.getStrides() == rhs.view.getStrides();
}

void DispatchTable::add(Dispatch dispatch) {
  // Whoever waits for this one waits for those before it on the same rank.
  forget([&](const Dispatch &before) {
    return before.device == dispatch.device &&
           std::equal(before.uses.begin(), before.uses.end(),
                      dispatch.uses.begin(), dispatch.uses.end(), areEqual);
  });
  dispatches.push_back(std::move(dispatch));
}

bool Dispatch::writes() const {
  return std::any_of(uses.begin(), uses.end(),
                     [](const DispatchUse &use) { return use.writes; });
}

void DispatchTable::forget(llvm::function_ref<bool(const Dispatch &)> isOver) {
  dispatches.erase(std::remove_if(dispatches.begin(), dispatches.end(),
                                  [&](const Dispatch &dispatch) {
                                    return isOver(dispatch);
                                  }),
                   dispatches.end());
}

static bool conflicts(llvm::ArrayRef<DispatchUse> later,
                      llvm::ArrayRef<DispatchUse> earlier) {
  for (const DispatchUse &use : later)
    for (const DispatchUse &other : earlier)
      if ((use.writes || other.writes) && use.overlaps(other))
        return true;
  return false;
}

std::vector<size_t>
DispatchTable::findConflicts(llvm::ArrayRef<DispatchUse> uses) const {
  std::vector<size_t> found;
  for (size_t index = 0; index < dispatches.size(); ++index)
    if (conflicts(uses, dispatches[index].uses))
      found.push_back(index);
  return found;
}

static bool writeSame(const Dispatch &lhs, const Dispatch &rhs) {
  for (const DispatchUse &use : lhs.uses)
    for (const DispatchUse &other : rhs.uses)
      if (use.writes && other.writes && use.overlaps(other))
        return true;
  return false;
}

std::vector<size_t>
DispatchTable::findUnreceived(llvm::ArrayRef<size_t> needed) const {
  std::vector<bool> isNeeded(dispatches.size());
  for (size_t index : needed)
    isNeeded[index] = !dispatches[index].isReceived;
  // From the last to the first, so that one pass finds all.
  for (size_t index = dispatches.size(); index-- > 0;)
    if (isNeeded[index])
      for (size_t before = 0; before < index; ++before)
        if (!dispatches[before].isReceived &&
            writeSame(dispatches[index], dispatches[before]))
          isNeeded[before] = true;
  std::vector<size_t> found;
  for (size_t index = 0; index < isNeeded.size(); ++index)
    if (isNeeded[index] && dispatches[index].writes())
      found.push_back(index);
  return found;
}
