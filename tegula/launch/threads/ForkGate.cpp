// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/threads/ForkGate.h"

#include <condition_variable>
#include <mutex>
#include <new>
#include <pthread.h>

using namespace tegula;

namespace {

/// Who is inside.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  /// Threads that compile.
  unsigned numCompiling = 0;
  bool isForking = false;
};

} // namespace

/// Never destroyed, since threads may go on to the end of the process.
static Gate &getGate() {
  alignas(Gate) static char storage[sizeof(Gate)];
  static Gate *gate = new (storage) Gate();
  return *gate;
}

/// How many scopes, and how many forks that were begun, this thread is in.
static thread_local unsigned numScopes = 0;
static thread_local unsigned numForks = 0;

void tegula::beginFork() {
  if (numForks++ > 0)
    return;
  Gate &gate = getGate();
  std::unique_lock<std::mutex> lock(gate.mutex);
  gate.changed.wait(lock, [&] { return !gate.isForking; });
  gate.isForking = true;
  unsigned own = numScopes > 0 ? 1 : 0;
  gate.changed.wait(lock, [&] { return gate.numCompiling == own; });
  // The fork itself must not see the lock in the hands of another thread.
  lock.release();
}

static void finish(Gate &gate) {
  gate.isForking = false;
  gate.changed.notify_all();
  gate.mutex.unlock();
}

void tegula::endFork() {
  if (--numForks == 0)
    finish(getGate());
}

/// In the child no other thread waits, whatever the gate says.
static void endForkInChild() {
  Gate *gate = new (&getGate()) Gate();
  gate->numCompiling = numScopes > 0 ? 1 : 0;
  if (--numForks == 0)
    return;
  gate->mutex.lock();
  gate->isForking = true;
}

/// From the beginning, so that no fork comes while it is being asked for.
[[maybe_unused]] static const int registered =
    ::pthread_atfork(beginFork, endFork, endForkInChild);

CompileScope::CompileScope() {
  isCounted = numForks == 0;
  if (!isCounted || numScopes++ > 0)
    return;
  Gate &gate = getGate();
  std::unique_lock<std::mutex> lock(gate.mutex);
  gate.changed.wait(lock, [&] { return !gate.isForking; });
  ++gate.numCompiling;
}

CompileScope::~CompileScope() {
  if (!isCounted || --numScopes > 0)
    return;
  Gate &gate = getGate();
  std::lock_guard<std::mutex> lock(gate.mutex);
  --gate.numCompiling;
  gate.changed.notify_all();
}
