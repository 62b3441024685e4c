// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/sweep/Sweep.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::sim;

std::string sim::formatExtents(llvm::ArrayRef<std::string> symbols,
                               llvm::ArrayRef<int64_t> extents,
                               llvm::ArrayRef<size_t> which) {
  std::string text;
  for (size_t index : which)
    text += (text.empty() ? "" : " ") + symbols[index] + "=" +
            llvm::itostr(extents[index]);
  return text;
}

std::string sim::formatExtents(llvm::ArrayRef<std::string> symbols,
                               llvm::ArrayRef<int64_t> extents) {
  auto all = llvm::seq<size_t>(0, symbols.size());
  return formatExtents(symbols, extents,
                       std::vector<size_t>(all.begin(), all.end()));
}

std::string Sweep::formatSeries(const SweepPoint &point) const {
  return formatExtents(symbols, point.extents,
                       llvm::ArrayRef(swept).drop_front());
}

std::vector<std::vector<int64_t>>
sim::listSizes(llvm::ArrayRef<std::vector<int64_t>> extents,
               llvm::ArrayRef<size_t> swept) {
  std::vector<int64_t> first;
  for (const std::vector<int64_t> &each : extents)
    first.push_back(each.front());
  std::vector<std::vector<int64_t>> sizes = {first};
  // Outer loops first, so that the axis is the innermost.
  for (size_t index : llvm::reverse(swept)) {
    std::vector<std::vector<int64_t>> more;
    for (const std::vector<int64_t> &size : sizes)
      for (int64_t extent : extents[index]) {
        more.push_back(size);
        more.back()[index] = extent;
      }
    sizes = std::move(more);
  }
  return sizes;
}
