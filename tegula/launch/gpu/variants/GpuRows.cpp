// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/variants/GpuRows.h"

#include <algorithm>

using namespace tegula;

static int64_t divide(int64_t count, int64_t each) {
  return (count + each - 1) / each;
}

int64_t GpuRowVariant::countFitted(int64_t columns, int64_t threads) const {
  if (!isFitted)
    return threads;
  int64_t warps = divide(columns / elements, groups * warpThreads);
  return std::min(threads, std::max<int64_t>(1, warps) * warpThreads);
}

bool GpuRowVariant::holds(int64_t columns, int64_t threads) const {
  // What is before and behind whole groups is in none, and there are two less
  // where a row does not begin with them.
  bool isShifted = alignment == GpuRowAlignment::Shifted;
  int64_t lead = countLead();
  int64_t most = isShifted ? columns / lead * 2 : divide(columns, elements);
  int64_t fewest =
      isShifted ? (columns - (lead - 1)) / lead * 2 : columns / elements;
  int64_t sharing = countThreads(countFitted(columns, threads));
  return most <= sharing * groups && sureGroups * sharing <= fewest;
}

GpuRowCall::GpuRowCall(const GpuRows &kernel,
                       const std::vector<GpuTensor> &tensors,
                       const int64_t *slots) {
  for (const GpuRowTensor &part : kernel.tensors) {
    const GpuTensor &tensor = tensors[part.tensor];
    const int64_t *sizes = slots + tensor.slot + 1;
    const int64_t *strides = sizes + tensor.rank;
    if (part.hasRows)
      rows = sizes[0];
    if (!part.hasColumns)
      continue;
    columns = sizes[tensor.rank - 1];
    // The same row again and again is no further away.
    int64_t row = part.hasRows ? strides[0] : 0;
    views.push_back({static_cast<uint64_t>(slots[tensor.slot]),
                     tensor.elementBits / 8, row, strides[tensor.rank - 1],
                     part.hasRows});
  }
}

bool GpuRowCall::isFlat() const {
  return std::all_of(views.begin(), views.end(), [&](const GpuRowView &view) {
    return rows == 1 || view.row == columns;
  });
}

bool GpuRowCall::hasRows() const {
  return std::all_of(views.begin(), views.end(), [&](const GpuRowView &view) {
    return view.column == 1 || columns <= 1;
  });
}

bool GpuRowCall::isAligned(int64_t elements) const {
  constexpr int64_t most = 16;
  if (columns % elements != 0)
    return false;
  return std::all_of(views.begin(), views.end(), [&](const GpuRowView &view) {
    int64_t bytes = std::min(most, elements * view.elementBytes);
    return view.address % bytes == 0 &&
           (rows == 1 || view.row * view.elementBytes % bytes == 0);
  });
}

bool GpuRowCall::isShifted(const GpuRowVariant &variant) const {
  if (columns < 2 * variant.countLead() - 1)
    return false;
  bool areRows =
      std::any_of(views.begin(), views.end(),
                  [](const GpuRowView &view) { return view.hasRows; });
  // Of a power of two.
  auto offsetOf = [&](int64_t number) {
    return number & (variant.elements - 1);
  };
  int64_t start = -1, step = -1;
  for (const GpuRowView &view : views) {
    if (areRows && !view.hasRows)
      continue;
    if (view.address % view.elementBytes != 0)
      return false;
    int64_t ownStart = offsetOf(view.address / view.elementBytes);
    int64_t ownStep = rows == 1 ? 0 : offsetOf(view.row);
    if (start >= 0 && (start != ownStart || step != ownStep))
      return false;
    start = ownStart;
    step = ownStep;
  }
  return true;
}

bool GpuRowCall::suits(const GpuRowVariant &variant) const {
  switch (variant.alignment) {
  case GpuRowAlignment::Aligned:
    return isAligned(variant.elements);
  case GpuRowAlignment::Shifted:
    return isShifted(variant);
  case GpuRowAlignment::Single:
    return true;
  }
  return false;
}

/// Blocks that an SM has at once, about.
static constexpr int64_t blocksAtOnce = 4;

std::optional<size_t> GpuRowCall::choose(const GpuRows &kernel, int64_t numSMs,
                                         int64_t threads) const {
  if (rows <= 0 || columns <= 0 || !hasRows())
    return std::nullopt;
  // A warp for each row where there are enough of them to keep SMs busy.
  int64_t warps = threads / GpuRowVariant::warpThreads;
  bool hasManyRows = rows >= numSMs * blocksAtOnce * warps / 2;
  std::optional<size_t> best;
  auto isBetter = [&](const GpuRowVariant &variant) {
    if (!best)
      return true;
    const GpuRowVariant &known = kernel.variants[*best];
    if (variant.alignment != known.alignment)
      return variant.alignment < known.alignment;
    if (!kernel.hasReductions)
      return variant.groups < known.groups;
    if (variant.isByWarp != known.isByWarp)
      return variant.isByWarp == hasManyRows;
    return variant.groups < known.groups;
  };
  for (size_t i = 0; i < kernel.variants.size(); ++i) {
    const GpuRowVariant &variant = kernel.variants[i];
    if (kernel.hasReductions && !variant.holds(columns, threads))
      continue;
    if (isBetter(variant) && suits(variant))
      best = i;
  }
  return best;
}

int64_t GpuRowCall::countBlocks(const GpuRows &kernel,
                                const GpuRowVariant &variant,
                                int64_t threads) const {
  int64_t together = threads / variant.countThreads(threads);
  if (kernel.hasReductions)
    return divide(rows, together);
  return rows * divide(columns, variant.countColumns(threads));
}

std::optional<GpuRowLaunch>
tegula::planRows(const GpuRows &rows, const std::vector<GpuTensor> &tensors,
                 const int64_t *slots, int64_t numSlots, int64_t numSMs,
                 int64_t threads) {
  GpuRowCall call(rows, tensors, slots);
  GpuRowLaunch launch;
  if (rows.mayBeFlat && call.rows > 1 && call.columns > 0 && call.hasRows() &&
      call.isFlat()) {
    launch.slots.assign(slots, slots + numSlots);
    call.columns *= call.rows;
    call.rows = 1;
    for (const GpuRowTensor &part : rows.tensors) {
      int64_t *sizes = launch.slots.data() + tensors[part.tensor].slot + 1;
      sizes[0] = 1;
      sizes[1] = call.columns;
    }
  }
  std::optional<size_t> variant = call.choose(rows, numSMs, threads);
  if (!variant)
    return std::nullopt;
  launch.variant = *variant;
  launch.blocks = call.countBlocks(rows, rows.variants[*variant], threads);
  launch.threads = rows.variants[*variant].countFitted(call.columns, threads);
  constexpr int64_t mostBlocks = INT32_MAX;
  if (launch.blocks > mostBlocks)
    return std::nullopt;
  return launch;
}
