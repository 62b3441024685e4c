// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/PrintSink.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>
#include <pthread.h>
#include <utility>

using namespace tegula;

namespace {

/// What threads share.
struct Sink {
  std::mutex mutex;
  bool isRecorded = false;
  std::string lines;
};

} // namespace

static std::atomic<bool> hasLines = false;

/// Never destroyed: threads may print until the process ends.
static Sink &getSink() {
  alignas(Sink) static char storage[sizeof(Sink)];
  static Sink *sink = new (storage) Sink;
  return *sink;
}

/// A child has only the thread that forked: the lock may be that of another
/// one, which was adding a line. Lines of before are the parent's.
static void startInChild() {
  bool isRecorded = getSink().isRecorded;
  Sink *sink = new (&getSink()) Sink;
  sink->isRecorded = isRecorded;
  hasLines.store(false, std::memory_order_relaxed);
}

[[maybe_unused]] static const int registered =
    ::pthread_atfork(nullptr, nullptr, startInChild);

void tegula::printLine(std::string text) {
  text += '\n';
  Sink &sink = getSink();
  std::lock_guard<std::mutex> lock(sink.mutex);
  if (sink.isRecorded) {
    sink.lines += text;
    hasLines.store(true, std::memory_order_relaxed);
    return;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void tegula::keepPrintedLines(bool keep) {
  Sink &sink = getSink();
  std::lock_guard<std::mutex> lock(sink.mutex);
  sink.isRecorded = keep;
}

bool tegula::hasPrintedLines() {
  return hasLines.load(std::memory_order_relaxed);
}

std::string tegula::takePrintedLines() {
  Sink &sink = getSink();
  std::lock_guard<std::mutex> lock(sink.mutex);
  hasLines.store(false, std::memory_order_relaxed);
  return std::exchange(sink.lines, {});
}
