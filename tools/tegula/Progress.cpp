// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/Progress.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace tegula;
using namespace std::chrono_literals;

static constexpr llvm::StringLiteral clearLine("\r\x1b[K");

Progress::Progress(std::string label) : label(std::move(label)) {
  if (llvm::sys::Process::StandardOutIsDisplayed() &&
      llvm::sys::Process::StandardErrIsDisplayed())
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
