// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Extents as they are written on a command line: one, several, or a range.
///
///   512              512
///   64,100,128       64 100 128
///   64..512:x2       64 128 256 512
///   64..256:+64      64 128 192 256
///   1,64..256:x2     1 64 128 256

#ifndef TEGULA_SIM_SWEEP_EXTENTLIST_H
#define TEGULA_SIM_SWEEP_EXTENTLIST_H

#include "tegula/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace tegula::sim {

/// The largest extent that can be simulated: the rows of an operation are 32
/// bits.
constexpr int64_t maxExtent = INT32_MAX;

/// The most sizes of one sweep.
constexpr int64_t maxSizes = 10000;

/// The extents that `text` lists, each once, in their order.
[[nodiscard]] Expected<std::vector<int64_t>>
parseExtentList(llvm::StringRef text);

} // namespace tegula::sim

#endif // TEGULA_SIM_SWEEP_EXTENTLIST_H
