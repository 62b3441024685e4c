// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/Vigil.h"

#include <sched.h>

using namespace tegula;

Vigil::~Vigil() {
  if (!thread.joinable())
    return;
  end.store(-1);
  if (isAsleep.exchange(0))
    wakeAll(isAsleep);
  thread.join();
}

void Vigil::extend(int64_t nanoseconds) {
  int64_t now = readClock();
  if (now < rest.load())
    return;
  core.store(::sched_getcpu());
  end.store(now + nanoseconds);
  if (!thread.joinable())
    thread = std::thread([this] { keep(); });
  if (isAsleep.exchange(0))
    wakeAll(isAsleep);
}

void Vigil::stayOn(int core) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  ::sched_setaffinity(0, sizeof(only), &only);
}

void Vigil::spin() {
  constexpr int64_t timeSlice = 500000, restTime = 250000000;
  for (int64_t before = readClock(); before < end.load();) {
    for (int iteration = 0; iteration < 50; ++iteration) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    int64_t now = readClock();
    if (now - before > timeSlice) {
      rest.store(now + restTime);
      return;
    }
    before = now;
  }
}

void Vigil::keep() {
  const sched_param none = {};
  // Without it this thread would be in the way of those that work.
  if (::sched_setscheduler(0, SCHED_IDLE, &none) != 0)
    return;
  int last = -1;
  while (end.load() >= 0) {
    if (int wanted = core.load(); wanted != last && wanted >= 0)
      stayOn(last = wanted);
    spin();
    isAsleep.store(1);
    auto isOver = [&] {
      int64_t now = readClock();
      return end.load() >= 0 && (now >= end.load() || now < rest.load());
    };
    // The time may have been set since.
    while (isAsleep.load() && isOver())
      sleepOn(isAsleep, 1, 1000);
    isAsleep.store(0);
  }
}
