// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/Progress.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <sys/stat.h>
#include <unistd.h>

using namespace tegula;
using namespace std::chrono_literals;

static constexpr llvm::StringLiteral clearLine("\r\x1b[K");

/// Whether another program reads the output, and may show it on this terminal.
static bool isOutputPiped() {
  struct stat status;
  return fstat(STDOUT_FILENO, &status) == 0 && S_ISFIFO(status.st_mode);
}

Progress::Progress(std::string label) : label(std::move(label)) {
  if (llvm::sys::Process::StandardErrIsDisplayed() && !isOutputPiped())
    thread = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isDone = true;
  }
  changed.notify_one();
  thread.join();
  if (isShown)
    llvm::errs() << clearLine;
}

void Progress::update(std::string newLabel) {
  std::lock_guard<std::mutex> lock(mutex);
  label = std::move(newLabel);
}

void Progress::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  if (isShown)
    llvm::errs() << clearLine;
  isShown = false;
}

void Progress::show() {
  auto start = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  auto wait = 1000ms;
  while (!changed.wait_for(lock, wait, [this] { return isDone; })) {
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - start);
    llvm::errs() << clearLine << label << " ... " << seconds.count() << " s";
    isShown = true;
    wait = 200ms;
  }
}
