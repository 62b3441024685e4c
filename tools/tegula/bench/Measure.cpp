// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/bench/Measure.h"

#include "tegula/runtime/profile/CallSite.h"

#include <algorithm>

using namespace tegula;

double tegula::getMedian(std::vector<double> times) {
  auto middle = times.begin() + times.size() / 2;
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

static Expected<double> timeCall(const Kernel &kernel,
                                 llvm::ArrayRef<Argument> arguments) {
  Stopwatch watch;
  if (Error error = kernel(arguments))
    return error;
  return watch.getSeconds();
}

Expected<double> tegula::measureCalls(const Kernel &kernel,
                                      const Workload &workload,
                                      uint64_t repeat) {
  std::vector<Array> copies;
  std::vector<Argument> arguments = workload.arguments;
  for (size_t index = 0; repeat > 1 && index < arguments.size(); ++index) {
    if (!arguments[index].isTensor())
      continue;
    Expected<Array> copy = workload.arrays[index].clone();
    if (!copy)
      return copy.takeError();
    arguments[index] = copy->getView();
    copies.push_back(std::move(*copy));
  }
  std::vector<double> times;
  for (uint64_t round = 0; round < repeat; ++round) {
    Expected<double> seconds =
        timeCall(kernel, round == 0 ? workload.arguments : arguments);
    if (!seconds)
      return seconds.takeError();
    times.push_back(*seconds);
  }
  return getMedian(std::move(times));
}

Expected<double> tegula::measureWarm(const Kernel &kernel,
                                     const Workload &workload, double budget,
                                     llvm::StringRef target) {
  Expected<CallSite> site = CallSite::make(target, workload.arguments);
  if (!site)
    return site.takeError();
  // The first call touches the memory for the first time.
  if (Error error = site->callOnce(kernel))
    return error;
  std::vector<double> times;
  constexpr uint64_t most = 100000;
  if (Error error = site->callFor(budget, most, kernel, times))
    return error;
  return getMedian(std::move(times));
}
