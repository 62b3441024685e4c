// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/PrintSink.h"

#include <atomic>
#include <cstdio>

using namespace tegula;

static std::atomic<LineKeeper> lineKeeper = nullptr;

// The stream has a lock of its own, which a forked child finds free.
void tegula::printLine(std::string text) {
  text += '\n';
  if (LineKeeper keep = lineKeeper.load(std::memory_order_acquire))
    return keep(text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void tegula::setLineKeeper(LineKeeper keeper) {
  lineKeeper.store(keeper, std::memory_order_release);
}
