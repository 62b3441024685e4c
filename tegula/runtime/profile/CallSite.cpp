// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/profile/CallSite.h"

#include "tegula/runtime/ProblemError.h"

#include <algorithm>
#include <chrono>

using namespace tegula;
using Clock = std::chrono::steady_clock;

static double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Expected<CallSite> CallSite::make(llvm::StringRef target,
                                  llvm::ArrayRef<Argument> arguments) {
  CallSite site;
  site.arguments = arguments;
  site.stream = getDeviceStream();
  site.runtime = findDeviceRuntime(target);
  if (!site.runtime || site.stream.isNamed())
    return site;
  if (Problem problem = site.runtime->copy(arguments, site.copies))
    return toError(problem);
  site.stream = site.copies->getStream();
  return site;
}

Expected<double> CallSite::time(uint64_t count, Call call) const {
  DeviceStreamScope scope(stream);
  Clock::time_point start = Clock::now();
  for (uint64_t i = 0; i < count; ++i)
    if (Error error = call(getArguments()))
      return error;
  if (runtime)
    if (Problem problem = runtime->synchronize(stream))
      return toError(problem);
  return since(start);
}

Error CallSite::callOnce(Call call) const { return time(1, call).takeError(); }

Error CallSite::callFor(double budget, uint64_t most, Call call,
                        std::vector<double> &times) const {
  Clock::time_point begin = Clock::now();
  uint64_t together = 1;
  if (runtime) {
    constexpr double enough = 2e-3;
    constexpr uint64_t mostTogether = 1000;
    Expected<double> one = time(1, call);
    if (!one)
      return one.takeError();
    together =
        std::clamp<uint64_t>(enough / std::max(*one, 1e-9), 1, mostTogether);
  }
  while (times.size() < 3 || (since(begin) < budget && times.size() < most)) {
    Expected<double> seconds = time(together, call);
    if (!seconds)
      return seconds.takeError();
    times.push_back(*seconds / static_cast<double>(together));
  }
  return Error::success();
}
