// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/sweep/ExtentList.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::StringRef;

static Expected<int64_t> parseExtent(StringRef text) {
  int64_t extent;
  bool hasDigits =
      !text.empty() &&
      llvm::all_of(text.drop_front(text.starts_with("-")), llvm::isDigit) &&
      text != "-";
  if (!hasDigits)
    return makeError("'{0}' is neither a size nor a list of sizes; write 512, "
                     "64,100,128, 64..8192:x2 or 64..512:+64",
                     text);
  if (text.getAsInteger(10, extent) || extent > maxExtent || extent < 0)
    return makeError("a size to simulate is from 0 to {0}, not {1}", maxExtent,
                     text);
  return extent;
}

/// How a range goes on: by a sum or by a factor.
static Expected<int64_t> parseStep(StringRef range, StringRef step) {
  int64_t value;
  bool isFactor = step.starts_with("x");
  if (!isFactor && !step.starts_with("+"))
    return makeError("the range '{0}' needs a step: {0}:x2 or {0}:+64", range);
  if (step.drop_front().getAsInteger(10, value) || value > maxExtent ||
      value < (isFactor ? 2 : 1))
    return makeError("the step '{0}' is neither x and a factor from 2 on nor + "
                     "and a number from 1 on",
                     step);
  return value;
}

static Error addRange(StringRef text, std::vector<int64_t> &extents) {
  auto [range, step] = text.split(':');
  auto [firstText, lastText] = range.split("..");
  Expected<int64_t> first = parseExtent(firstText);
  if (!first)
    return first.takeError();
  Expected<int64_t> last = parseExtent(lastText);
  if (!last)
    return last.takeError();
  if (*first > *last)
    return makeError("the range '{0}' ends before it begins", range);
  Expected<int64_t> by = parseStep(range, step);
  if (!by)
    return by.takeError();
  bool isFactor = step.starts_with("x");
  if (isFactor && *first == 0)
    return makeError("the range '{0}' stays at 0 whatever it is multiplied "
                     "with",
                     range);
  for (int64_t extent = *first; extent <= *last;
       extent = isFactor ? extent * *by : extent + *by) {
    if (int64_t(extents.size()) == maxSizes)
      return makeError("'{0}' has more than {1} sizes", text, maxSizes);
    extents.push_back(extent);
  }
  return Error::success();
}

Expected<std::vector<int64_t>> sim::parseExtentList(StringRef text) {
  std::vector<int64_t> listed;
  for (StringRef part : llvm::split(text, ",")) {
    if (part.contains("..")) {
      if (Error error = addRange(part, listed))
        return error;
      continue;
    }
    Expected<int64_t> extent = parseExtent(part);
    if (!extent)
      return extent.takeError();
    listed.push_back(*extent);
  }
  std::vector<int64_t> extents;
  for (int64_t extent : listed)
    if (!llvm::is_contained(extents, extent))
      extents.push_back(extent);
  return extents;
}
