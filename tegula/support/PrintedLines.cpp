// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/PrintedLines.h"
#include "tegula/support/PrintSink.h"

#include <atomic>
#include <mutex>
#include <new>
#include <pthread.h>
#include <utility>

using namespace tegula;

namespace {

/// What threads share.
struct Lines {
  std::mutex mutex;
  std::string text;
};

} // namespace

static std::atomic<bool> hasLines = false;

/// Never destroyed: threads may print until the process ends.
static Lines &getLines() {
  alignas(Lines) static char storage[sizeof(Lines)];
  static Lines *lines = new (storage) Lines;
  return *lines;
}

/// A child has only the thread that forked: the lock may be that of another
/// one, which was adding a line. Lines of before are the parent's.
static void startInChild() {
  new (&getLines()) Lines;
  hasLines.store(false, std::memory_order_relaxed);
}

[[maybe_unused]] static const int registered =
    ::pthread_atfork(nullptr, nullptr, startInChild);

static void keepLine(const std::string &line) {
  Lines &lines = getLines();
  std::lock_guard<std::mutex> lock(lines.mutex);
  lines.text += line;
  hasLines.store(true, std::memory_order_relaxed);
}

void tegula::keepPrintedLines(bool keep) {
  setLineKeeper(keep ? keepLine : nullptr);
}

bool tegula::hasPrintedLines() {
  return hasLines.load(std::memory_order_relaxed);
}

std::string tegula::takePrintedLines() {
  Lines &lines = getLines();
  std::lock_guard<std::mutex> lock(lines.mutex);
  hasLines.store(false, std::memory_order_relaxed);
  return std::exchange(lines.text, {});
}
