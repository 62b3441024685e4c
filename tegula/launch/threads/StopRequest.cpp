// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/threads/StopRequest.h"

#include <chrono>

using namespace tegula;
using Clock = std::chrono::steady_clock;

static std::atomic<StopQuestion> stopQuestion = nullptr;

/// Of a thread that helps another.
static thread_local const std::atomic<bool> *stopOfOther = nullptr;

void tegula::helpUntil(const std::atomic<bool> &isStopped) {
  stopOfOther = &isStopped;
}

void tegula::setStopQuestion(StopQuestion question) { stopQuestion = question; }

bool tegula::isStopWanted() {
  if (stopOfOther)
    return *stopOfOther;
  static thread_local Clock::time_point last;
  StopQuestion question = stopQuestion.load(std::memory_order_relaxed);
  if (!question)
    return false;
  constexpr auto pause = std::chrono::milliseconds(20);
  Clock::time_point now = Clock::now();
  if (now - last < pause)
    return false;
  last = now;
  return question();
}
