// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/engine/ScratchpadMap.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

/// Memories of a core are consecutive.
static int64_t getBegin(const TegulaTraceRange &range) {
  return (int64_t(range.space) << 40) + range.begin;
}

size_t ScratchpadMap::findFirstEndingAfter(int64_t at) const {
  return std::partition_point(
             intervals.begin(), intervals.end(),
             [&](const Interval &interval) { return interval.end <= at; }) -
         intervals.begin();
}

void ScratchpadMap::cutAt(int64_t at) {
  size_t index = findFirstEndingAfter(at);
  if (index == intervals.size() || intervals[index].begin >= at)
    return;
  Interval second = intervals[index];
  second.begin = at;
  intervals[index].end = at;
  intervals.insert(intervals.begin() + index + 1, std::move(second));
}

size_t ScratchpadMap::isolate(int64_t begin, int64_t end) {
  size_t first = findFirstEndingAfter(begin);
  if (first < intervals.size() && intervals[first].begin == begin &&
      intervals[first].end == end)
    return first;
  cutAt(begin);
  cutAt(end);
  first = findFirstEndingAfter(begin);
  int64_t at = begin;
  for (size_t index = first; at < end; ++index) {
    int64_t next =
        index < intervals.size() ? std::min(intervals[index].begin, end) : end;
    if (next > at) {
      Interval gap;
      gap.begin = at;
      gap.end = next;
      intervals.insert(intervals.begin() + index, std::move(gap));
    }
    at = intervals[index].end;
  }
  return first;
}

void ScratchpadMap::read(const TegulaTraceRange &range, int64_t reader,
                         llvm::function_ref<void(int64_t)> waitFor) {
  int64_t begin = getBegin(range), end = begin + range.size;
  for (size_t index = isolate(begin, end);
       index < intervals.size() && intervals[index].begin < end; ++index) {
    Interval &interval = intervals[index];
    if (interval.writer >= oldestAlive)
      waitFor(interval.writer);
    llvm::erase_if(interval.readers,
                   [&](int64_t other) { return other < oldestAlive; });
    interval.readers.push_back(reader);
  }
}

void ScratchpadMap::write(const TegulaTraceRange &range, int64_t writer,
                          llvm::function_ref<void(int64_t)> waitForWriter,
                          llvm::function_ref<void(int64_t)> waitForReader) {
  int64_t begin = getBegin(range), end = begin + range.size;
  size_t first = isolate(begin, end), last = first;
  int64_t liveBefore = 0;
  for (; last < intervals.size() && intervals[last].begin < end; ++last) {
    Interval &interval = intervals[last];
    if (interval.writer >= oldestAlive && interval.writer != writer)
      waitForWriter(interval.writer);
    for (int64_t reader : interval.readers)
      if (reader >= oldestAlive && reader != writer)
        waitForReader(reader);
    interval.readers.clear();
    interval.writer = writer;
    liveBefore += interval.isLive;
  }
  // Intervals that are alike from now on become one.
  bool isAlike = liveBefore == 0 || liveBefore == int64_t(last - first);
  if (last - first > 1 && isAlike) {
    intervals[first].end = end;
    intervals.erase(intervals.begin() + first + 1, intervals.begin() + last);
  }
}

void ScratchpadMap::setLive(const TegulaTraceRange &range, bool isLive) {
  int64_t begin = getBegin(range), end = begin + range.size;
  for (size_t index = isolate(begin, end);
       index < intervals.size() && intervals[index].begin < end; ++index) {
    Interval &interval = intervals[index];
    if (interval.isLive == isLive)
      continue;
    interval.isLive = isLive;
    liveBytes += (isLive ? 1 : -1) * (interval.end - interval.begin);
  }
  highWater = std::max(highWater, liveBytes);
}
