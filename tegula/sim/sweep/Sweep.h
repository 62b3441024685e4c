// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One kernel at many sizes: which they are, and what was found at each. The
/// first dimension that is swept is the axis of curves; each combination of the
/// others is a curve.

#ifndef TEGULA_SIM_SWEEP_SWEEP_H
#define TEGULA_SIM_SWEEP_SWEEP_H

#include "tegula/sim/report/Summary.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tegula::sim {

/// What was found at one size.
struct SweepPoint {
  /// In the order of the kernel's symbols.
  std::vector<int64_t> extents;
  Summary summary;
  /// On the machine that a what-if changed.
  std::optional<Summary> changed;
};

/// See the file comment.
struct Sweep {
  std::string kernel;
  std::string machine;
  /// What the what-if changes; empty if there is none.
  std::string whatIf;
  std::vector<std::string> symbols;
  /// The symbols with several extents, by index; the axis first.
  std::vector<size_t> swept;
  /// "N=512 K=512": what does not vary; empty if all does.
  std::string fixed;
  std::vector<SweepPoint> points;

  /// "N=512": what tells the curve of `point` from others.
  std::string formatSeries(const SweepPoint &point) const;
};

/// Every combination of `extents`, which are given by symbol. The axis of
/// `swept` varies fastest, the last of the others slowest.
std::vector<std::vector<int64_t>>
listSizes(llvm::ArrayRef<std::vector<int64_t>> extents,
          llvm::ArrayRef<size_t> swept);

/// "M=512 N=512"; `symbols` are those at the indices `which`.
std::string formatExtents(llvm::ArrayRef<std::string> symbols,
                          llvm::ArrayRef<int64_t> extents,
                          llvm::ArrayRef<size_t> which);
/// The same with all of them.
std::string formatExtents(llvm::ArrayRef<std::string> symbols,
                          llvm::ArrayRef<int64_t> extents);

} // namespace tegula::sim

#endif // TEGULA_SIM_SWEEP_SWEEP_H
