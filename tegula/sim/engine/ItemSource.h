// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where cores get their work items from. A kernel knows nothing of cores: each
/// takes the next item when it has room for one.

#ifndef TEGULA_SIM_ENGINE_ITEMSOURCE_H
#define TEGULA_SIM_ENGINE_ITEMSOURCE_H

#include "tegula/sim/engine/Clock.h"
#include "tegula/support/TraceAbi.h"
#include <optional>
#include <vector>

namespace tegula::sim {

/// A work item of a kernel that is running.
struct WorkItem {
  const TegulaTraceKernel *kernel;
  int64_t phase;
  int64_t index;
  /// For each tensor of the kernel, its number in the whole run.
  const std::vector<int32_t> *tensors;
};

/// Gives out work items.
class ItemSource {
public:
  virtual ~ItemSource() = default;
  /// The next item; nothing if there is none now.
  virtual std::optional<WorkItem> takeItem() = 0;
  /// An item that was taken is done.
  virtual void finishItem() = 0;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_ITEMSOURCE_H
