// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/AccessHistory.h"

using namespace tegula::pl;

llvm::StringRef tegula::pl::verbOf(RankUse use) {
  switch (use) {
  case RankUse::Read:
    return "reads";
  case RankUse::Write:
    return "writes";
  case RankUse::Update:
    return "updates";
  case RankUse::NotifyAdd:
    return "adds to";
  case RankUse::NotifySet:
    return "sets";
  case RankUse::Wait:
    return "waits for";
  }
  llvm_unreachable("every use is handled");
}

static bool onlyReads(RankUse use) {
  return use == RankUse::Read || use == RankUse::Wait;
}

static bool isSignal(RankUse use) {
  return use == RankUse::NotifyAdd || use == RankUse::NotifySet ||
         use == RankUse::Wait;
}

/// True if the outcome does not depend on which is first, or if to depend on it
/// is what signals are for.
static bool areCompatible(RankUse lhs, RankUse rhs) {
  if (onlyReads(lhs) && onlyReads(rhs))
    return true;
  if (isSignal(lhs) && isSignal(rhs))
    return lhs == rhs || onlyReads(lhs) || onlyReads(rhs);
  return lhs == RankUse::Update && rhs == RankUse::Update;
}

void AccessHistory::cut(char *address) {
  auto next = intervals.lower_bound(address);
  if (next == intervals.begin())
    return;
  auto before = std::prev(next);
  if (before->second.end <= address)
    return;
  intervals.emplace_hint(next, address, before->second);
  before->second.end = address;
}

std::optional<RankAccess> AccessHistory::findConflict(const Interval &interval,
                                                      const RankAccess &access,
                                                      const RankClock &clock) {
  auto conflicts = [&](const RankAccess &before) {
    return before.rank != access.rank &&
           !areCompatible(before.use, access.use) &&
           !clock.knows(before.rank, before.time);
  };
  if (interval.write && conflicts(*interval.write))
    return interval.write;
  for (const RankAccess &before : interval.since)
    if (conflicts(before))
      return before;
  return std::nullopt;
}

void AccessHistory::remember(Interval &interval, const RankAccess &access) {
  if (access.use == RankUse::Write) {
    // It follows all that was there.
    interval.write = access;
    interval.since.clear();
    return;
  }
  for (RankAccess &before : interval.since)
    if (before.rank == access.rank && before.use == access.use) {
      before = access;
      return;
    }
  interval.since.push_back(access);
}

std::optional<RankAccess> AccessHistory::add(ByteRange range,
                                             const RankAccess &access,
                                             const RankClock &clock) {
  cut(range.begin);
  cut(range.end);
  char *address = range.begin;
  while (address < range.end) {
    auto next = intervals.lower_bound(address);
    if (next == intervals.end() || next->first != address) {
      // Nobody has touched what lies before the next interval.
      char *end = next == intervals.end() ? range.end
                                          : std::min(range.end, next->first);
      next = intervals.emplace_hint(next, address,
                                    Interval{end, std::nullopt, {}});
    }
    if (std::optional<RankAccess> found =
            findConflict(next->second, access, clock))
      return found;
    remember(next->second, access);
    address = next->second.end;
  }
  if (access.use == RankUse::Write && range.begin < range.end) {
    // What is written at once is one interval again.
    auto first = intervals.find(range.begin);
    intervals.erase(std::next(first), intervals.lower_bound(range.end));
    first->second.end = range.end;
  }
  return std::nullopt;
}
