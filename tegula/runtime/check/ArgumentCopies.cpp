// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/check/ArgumentCopies.h"

#include "tegula/launch/call/Overlap.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <new>

using namespace tegula;

/// True if the range of `view` may be copied: the call would refuse others.
static bool canCopy(const TensorView &view, AddressRange &range) {
  if (view.rank > TensorView::maxRank ||
      llvm::any_of(view.getSizes(), [](int64_t size) { return size < 0; }))
    return false;
  return computeRange(view, range) && (view.data || range.isEmpty());
}

Expected<ArgumentCopies>
ArgumentCopies::create(llvm::ArrayRef<Argument> arguments) {
  ArgumentCopies copies;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (!argument.isTensor()) {
      copies.arguments.push_back(argument);
      continue;
    }
    TensorView view = argument.getTensor();
    AddressRange range;
    if (!canCopy(view, range))
      return makeError("argument {0} is not a tensor in memory", index);
    size_t size = range.high - range.low;
    copies.memory.emplace_back(new (std::nothrow) char[size + 1]);
    char *bytes = copies.memory.back().get();
    if (!bytes)
      return makeError("no memory for a copy of {0} bytes", size);
    if (size != 0)
      std::memcpy(bytes, reinterpret_cast<const char *>(range.low), size);
    view.data = bytes + (reinterpret_cast<uintptr_t>(view.data) - range.low);
    copies.arguments.push_back(view);
  }
  return copies;
}
