// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/engine/ScratchpadMap.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

/// Memories of a core lie one behind the other.
static int64_t getBegin(const TegulaTraceRange &range) {
  return (int64_t(range.space) << 40) + range.begin;
}

size_t ScratchpadMap::findFirstEndingAfter(int64_t at) const {
  return std::partition_point(
             pieces.begin(), pieces.end(),
             [&](const Piece &piece) { return piece.end <= at; }) -
         pieces.begin();
}

void ScratchpadMap::cutAt(int64_t at) {
  size_t index = findFirstEndingAfter(at);
  if (index == pieces.size() || pieces[index].begin >= at)
    return;
  Piece second = pieces[index];
  second.begin = at;
  pieces[index].end = at;
  pieces.insert(pieces.begin() + index + 1, std::move(second));
}

size_t ScratchpadMap::isolate(int64_t begin, int64_t end) {
  size_t first = findFirstEndingAfter(begin);
  if (first < pieces.size() && pieces[first].begin == begin &&
      pieces[first].end == end)
    return first;
  cutAt(begin);
  cutAt(end);
  first = findFirstEndingAfter(begin);
  int64_t at = begin;
  for (size_t index = first; at < end; ++index) {
    int64_t next =
        index < pieces.size() ? std::min(pieces[index].begin, end) : end;
    if (next > at) {
      Piece gap;
      gap.begin = at;
      gap.end = next;
      pieces.insert(pieces.begin() + index, std::move(gap));
    }
    at = pieces[index].end;
  }
  return first;
}

void ScratchpadMap::read(const TegulaTraceRange &range, int64_t reader,
                         llvm::function_ref<void(int64_t)> waitFor) {
  int64_t begin = getBegin(range), end = begin + range.size;
  for (size_t index = isolate(begin, end);
       index < pieces.size() && pieces[index].begin < end; ++index) {
    Piece &piece = pieces[index];
    if (piece.writer >= oldestAlive)
      waitFor(piece.writer);
    llvm::erase_if(piece.readers,
                   [&](int64_t other) { return other < oldestAlive; });
    piece.readers.push_back(reader);
  }
}

void ScratchpadMap::write(const TegulaTraceRange &range, int64_t writer,
                          llvm::function_ref<void(int64_t)> waitForWriter,
                          llvm::function_ref<void(int64_t)> waitForReader) {
  int64_t begin = getBegin(range), end = begin + range.size;
  size_t first = isolate(begin, end), last = first;
  int64_t liveBefore = 0;
  for (; last < pieces.size() && pieces[last].begin < end; ++last) {
    Piece &piece = pieces[last];
    if (piece.writer >= oldestAlive && piece.writer != writer)
      waitForWriter(piece.writer);
    for (int64_t reader : piece.readers)
      if (reader >= oldestAlive && reader != writer)
        waitForReader(reader);
    piece.readers.clear();
    piece.writer = writer;
    liveBefore += piece.isLive;
  }
  // Pieces that are alike from now on become one.
  bool isAlike = liveBefore == 0 || liveBefore == int64_t(last - first);
  if (last - first > 1 && isAlike) {
    pieces[first].end = end;
    pieces.erase(pieces.begin() + first + 1, pieces.begin() + last);
  }
}

void ScratchpadMap::setLive(const TegulaTraceRange &range, bool isLive) {
  int64_t begin = getBegin(range), end = begin + range.size;
  for (size_t index = isolate(begin, end);
       index < pieces.size() && pieces[index].begin < end; ++index) {
    Piece &piece = pieces[index];
    if (piece.isLive == isLive)
      continue;
    piece.isLive = isLive;
    liveBytes += (isLive ? 1 : -1) * (piece.end - piece.begin);
  }
  highWater = std::max(highWater, liveBytes);
}
