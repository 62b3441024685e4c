// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/Variant.h"

#include "tegula/launch/device/DeviceFailure.h"
#include "tegula/launch/ranks/RankGroup.h"

using namespace tegula;

template <typename... Values>
static Problem report(const char *format, const Values &...values) {
  return makeProblem(Problem::Kind::Run, format, values...);
}

/// The words of a requirement with its sizes put in. An assertion may have the
/// variables of three loops.
static std::string describeUnmet(std::string words,
                                 const TegulaCallState &state) {
  const std::pair<const char *, int64_t> sizes[] = {{" is %0", state.index},
                                                    {" is %1", state.extent},
                                                    {" is %2", state.axis}};
  for (auto [mark, size] : sizes)
    if (size_t at = words.rfind(mark); at != std::string::npos)
      words.replace(at + 4, 2, std::to_string(size));
  return words;
}

Problem tegula::describeRunProblem(const TegulaCallState &state,
                                   llvm::ArrayRef<std::string> sites) {
  std::string location;
  if (state.site >= 0 && static_cast<size_t>(state.site) < sites.size())
    location = sites[state.site];
  switch (state.error) {
  case TegulaIndexOutOfRange:
    return report("{0}: index {1} of axis {2} is out of range, the extent "
                  "is {3}",
                  location, state.index, state.axis, state.extent);
  case TegulaNegativeOffset:
    return report("{0}: a window starts at {1} along axis {2}, it cannot "
                  "start below 0",
                  location, state.index, state.axis);
  case TegulaStepNotPositive:
    return report("{0}: the step of a loop is {1}, it must be positive",
                  location, state.index);
  case TegulaWrongCount:
    return report("{0}: cannot reshape {1} elements into a shape of {2}",
                  location, state.index, state.extent);
  case TegulaMemoryHasGaps:
    return report("{0}: cannot view memory with gaps in another shape, "
                  "because it may be written; pass it contiguous, or load "
                  "it before the reshape",
                  location);
  case TegulaUnmetRequirement:
    return Problem(Problem::Kind::Run, describeUnmet(location, state));
  case TegulaRankLost:
  case TegulaRankFailed:
  case TegulaRanksDisagree:
  case TegulaWaitedTooLong:
  case TegulaNotAWindow:
  case TegulaNoSuchRank:
  case TegulaTransportFailed:
    return describeRankProblem(state, sites, getRanks().report());
  case TegulaDeviceFailed:
    return takeDeviceFailure();
  default:
    if (state.index < 0)
      return report("{0}: a buffer exceeds the address space", location);
    return report("{0}: no memory for a buffer of {1} bytes", location,
                  state.index);
  }
}

Problem Variant::call(llvm::ArrayRef<Argument> arguments) const {
  int64_t slots[Guard::maxSlots];
  if (Problem problem = guard.check(arguments, slots))
    return problem;
  if (LLVM_UNLIKELY(image))
    return image->run(arguments, slots);
  return run(slots);
}

Problem Variant::describe(const TegulaCallState &state) const {
  return describeRunProblem(state, sites);
}

Problem Variant::trace(llvm::ArrayRef<Argument> arguments,
                       const std::string &machine,
                       std::unique_ptr<TracedCall> &traced) const {
  if (!image)
    return Problem(Problem::Kind::Call,
                   "the kernel is compiled for a machine that is not "
                   "simulated");
  std::vector<int64_t> slots(Guard::maxSlots);
  if (Problem problem = guard.check(arguments, slots.data()))
    return problem;
  slots.resize(guard.getNumSlots());
  return image->trace(arguments, slots, machine, traced);
}
