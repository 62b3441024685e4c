// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/MemoryContents.h"

using namespace tegula;

llvm::SmallVector<MemoryContents::Name, 2>
MemoryContents::clear(const ByteRange &range) {
  llvm::SmallVector<Name, 2> lost;
  auto at = [&](int64_t offset) {
    return Key(range.frame, range.space, offset);
  };
  auto next = intervals.lower_bound(at(range.offset));
  // Intervals never overlap, so only one before this can reach into it.
  if (next != intervals.begin()) {
    auto before = std::prev(next);
    auto [frame, space, offset] = before->first;
    if (frame == range.frame && space == range.space &&
        offset + before->second.bytes > range.offset)
      next = before;
  }
  while (next != intervals.end() &&
         next->first < at(range.offset + range.bytes)) {
    lost.push_back(next->second.name);
    next = intervals.erase(next);
  }
  return lost;
}

llvm::SmallVector<MemoryContents::Name, 2>
MemoryContents::put(Name name, const ByteRange &range) {
  llvm::SmallVector<Name, 2> lost = clear(range);
  intervals[Key(range.frame, range.space, range.offset)] = {range.bytes, name};
  return lost;
}

bool MemoryContents::holds(Name name, const ByteRange &range) const {
  auto found = intervals.find(Key(range.frame, range.space, range.offset));
  return found != intervals.end() && found->second.name == name;
}

bool MemoryContents::meet(const MemoryContents &other) {
  size_t before = intervals.size();
  for (auto interval = intervals.begin(); interval != intervals.end();) {
    auto found = other.intervals.find(interval->first);
    bool isThere = found != other.intervals.end() &&
                   found->second.name == interval->second.name;
    interval = isThere ? std::next(interval) : intervals.erase(interval);
  }
  return intervals.size() != before;
}
