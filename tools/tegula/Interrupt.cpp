// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/Interrupt.h"

#include "tegula/support/File.h"

#include "llvm/Support/Signals.h"
#include <atomic>
#include <csignal>
#include <iterator>
#include <unistd.h>

using namespace tegula;

static constexpr int endingSignals[] = {SIGINT, SIGTERM, SIGHUP};
/// What LLVM does: it removes its own files, and raises the signal again.
static struct sigaction next[std::size(endingSignals)];
static std::atomic<void (*)()> deferred = nullptr;
static std::atomic<int> noted = 0;

/// Lets the system do what it does by itself, or what `action` says.
static void raiseAgain(int signal, const struct sigaction &action) {
  sigaction(signal, &action, nullptr);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  raise(signal);
}

static void handle(int signal) {
  if (void (*function)() = deferred.exchange(nullptr)) {
    noted = signal;
    return function();
  }
  discardUnfinishedFiles();
  // The line that showed progress.
  if (isatty(STDERR_FILENO))
    (void)!write(STDERR_FILENO, "\r\x1b[K", 4);
  for (size_t index = 0; index < std::size(endingSignals); ++index)
    if (endingSignals[index] == signal)
      raiseAgain(signal, next[index]);
}

void tegula::endBySignals() {
  // A file that may grow no more is an error of who writes it.
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction before[std::size(endingSignals)];
  for (size_t index = 0; index < std::size(endingSignals); ++index)
    sigaction(endingSignals[index], nullptr, &before[index]);
  // Installs LLVM's handlers, for files of its own.
  llvm::sys::SetInterruptFunction(nullptr);
  for (size_t index = 0; index < std::size(endingSignals); ++index) {
    // As under nohup.
    if (before[index].sa_handler == SIG_IGN) {
      sigaction(endingSignals[index], &before[index], nullptr);
      continue;
    }
    struct sigaction mine = {};
    mine.sa_handler = handle;
    sigemptyset(&mine.sa_mask);
    sigaction(endingSignals[index], &mine, &next[index]);
  }
}

void tegula::deferNextSignal(void (*function)()) { deferred = function; }

void tegula::noteSignal(int signal) { noted = signal; }

int tegula::getInterruptedCode() { return 128 + noted; }

void tegula::endIfInterrupted(int exitCode) {
  if (noted == 0 || exitCode != getInterruptedCode())
    return;
  struct sigaction byDefault = {};
  byDefault.sa_handler = SIG_DFL;
  raiseAgain(noted, byDefault);
}
