// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/RankMeasures.h"

#include "tegula/launch/Problem.h"

#include <algorithm>
#include <cstdio>

using namespace tegula;

/// How much of an event lies in dispatches. They come one after the other.
static int64_t countInside(const RankEvent &event,
                           llvm::ArrayRef<RankEvent> events) {
  int64_t time = 0;
  for (const RankEvent &dispatch : events)
    if (dispatch.kind == RankEvent::Kind::Dispatch)
      time += std::max<int64_t>(0, std::min(event.end, dispatch.end) -
                                       std::max(event.begin, dispatch.begin));
  return time;
}

static RankMeasures measure(llvm::ArrayRef<RankEvent> events, size_t numRanks) {
  RankMeasures found;
  found.bytes.resize(numRanks);
  for (const RankEvent &event : events) {
    int64_t time = event.end - event.begin;
    if (event.kind == RankEvent::Kind::Dispatch) {
      found.computing += time;
      continue;
    }
    found.computing -= countInside(event, events);
    bool isWait = event.kind == RankEvent::Kind::Wait;
    (isWait ? found.waiting : found.communicating) += time;
    if (!isWait)
      found.bytes[event.peer] += event.bytes;
  }
  return found;
}

std::vector<RankMeasures> tegula::measureRanks(const RankEvents &events) {
  std::vector<RankMeasures> found;
  for (const std::vector<RankEvent> &rank : events)
    found.push_back(measure(rank, events.size()));
  return found;
}

/// "   1.234"
static std::string formatMilliseconds(int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%13.3f", nanoseconds * 1e-6);
  return text;
}

std::string tegula::formatMeasures(llvm::ArrayRef<RankMeasures> ranks) {
  std::string text = " rank   compute ms   communic. ms   waiting ms";
  for (size_t peer = 0; peer < ranks.size(); ++peer)
    text += "   bytes of " + std::to_string(peer);
  text += "\n";
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    char number[16];
    std::snprintf(number, sizeof(number), "%5d", int(rank));
    text += number + formatMilliseconds(ranks[rank].computing) + "  " +
            formatMilliseconds(ranks[rank].communicating) +
            formatMilliseconds(ranks[rank].waiting);
    for (int64_t bytes : ranks[rank].bytes) {
      char amount[32];
      std::snprintf(amount, sizeof(amount), "%13lld",
                    static_cast<long long>(bytes));
      text += amount;
    }
    text += "\n";
  }
  return text;
}

/// A text as JSON writes it.
static std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (char letter : text) {
    char code[8];
    std::snprintf(code, sizeof(code), "\\u%04x", letter & 0xff);
    if (static_cast<unsigned char>(letter) < 0x20)
      quoted += code;
    else if (letter == '"' || letter == '\\')
      quoted += std::string("\\") + letter;
    else
      quoted += letter;
  }
  return quoted + "\"";
}

static std::string nameOf(const RankEvent &event) {
  switch (event.kind) {
  case RankEvent::Kind::Dispatch:
    return "dispatch";
  case RankEvent::Kind::Wait:
    return event.peer < 0 ? "wait for a signal"
                          : "wait for rank " + std::to_string(event.peer);
  case RankEvent::Kind::Read:
    return "read rank " + std::to_string(event.peer);
  case RankEvent::Kind::Write:
    return "write rank " + std::to_string(event.peer);
  }
  return "";
}

/// One event; times in Perfetto are microseconds.
static std::string writeEvent(const RankEvent &event, size_t rank,
                              int64_t start,
                              llvm::ArrayRef<std::string> sites) {
  bool hasSite =
      event.site >= 0 && static_cast<size_t>(event.site) < sites.size();
  char times[96];
  std::snprintf(times, sizeof(times), "\"ts\":%.3f,\"dur\":%.3f",
                (event.begin - start) * 1e-3, (event.end - event.begin) * 1e-3);
  return formatText("{\"ph\":\"X\",\"name\":{0},\"pid\":{1},\"tid\":0,{2},"
                    "\"args\":{\"at\":{3},\"bytes\":{4}}}",
                    {quote(nameOf(event)), std::to_string(rank), times,
                     quote(hasSite ? sites[event.site] : ""),
                     std::to_string(event.bytes)});
}

std::string tegula::writeRankTrace(const RankEvents &events,
                                   llvm::ArrayRef<std::string> sites) {
  int64_t start = INT64_MAX;
  for (const std::vector<RankEvent> &rank : events)
    for (const RankEvent &event : rank)
      start = std::min(start, event.begin);
  std::string text = "{\"traceEvents\":[";
  for (size_t rank = 0; rank < events.size(); ++rank) {
    text += formatText("{0}\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":"
                       "{1},\"args\":{\"name\":\"rank {1}\"}}",
                       {rank == 0 ? "" : ",", std::to_string(rank)});
    for (const RankEvent &event : events[rank])
      text += ",\n" + writeEvent(event, rank, start, sites);
  }
  return text + "\n]}\n";
}
