// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/bench/CompareKernels.h"

#include "tools/tegula/bench/Measure.h"

#include <utility>

using namespace tegula;

static constexpr unsigned mostRounds = 16, enoughWins = 14;
/// What saves less is not worth a setting.
static constexpr double enoughRatio = 0.97;

bool KernelComparison::isFaster() const {
  return rounds == mostRounds && wins >= enoughWins && ratio < enoughRatio;
}

Expected<KernelComparison> tegula::compareKernels(const Kernel &before,
                                                  const Kernel &after,
                                                  const Workload &workload,
                                                  double budget) {
  KernelComparison found;
  std::vector<double> times[2], ratios;
  const Kernel *kernels[] = {&before, &after};
  while (found.rounds < mostRounds &&
         found.rounds - found.wins <= mostRounds - enoughWins) {
    // Who is first may find the caches as the other has left them.
    unsigned first = found.rounds % 2;
    for (unsigned which : {first, 1 - first}) {
      Expected<double> seconds =
          measureWarm(*kernels[which], workload, budget / (2 * mostRounds));
      if (!seconds)
        return seconds.takeError();
      times[which].push_back(*seconds);
    }
    ratios.push_back(times[1].back() / times[0].back());
    found.wins += ratios.back() < 1;
    ++found.rounds;
  }
  found.before = getMedian(times[0]);
  found.after = getMedian(times[1]);
  found.ratio = getMedian(std::move(ratios));
  return found;
}
