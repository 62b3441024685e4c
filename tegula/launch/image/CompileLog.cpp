// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/image/CompileLog.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace tegula;

/// Anything else than a known word is told.
static bool readEnvironment() {
  const char *text = std::getenv("TEGULA_LOG");
  std::string_view wanted = text ? text : "";
  if (!wanted.empty() && wanted != "compiles")
    std::fprintf(stderr,
                 "tegula: warning: TEGULA_LOG can be compiles, not '%s'\n",
                 text);
  return wanted == "compiles";
}

/// What the environment asks for, read once.
static bool isAskedFor() {
  static const bool isAsked = readEnvironment();
  return isAsked;
}

static std::atomic<bool> &getSwitch() {
  static std::atomic<bool> isOn = isAskedFor();
  return isOn;
}

bool tegula::logsCompiles() { return getSwitch(); }

void tegula::logCompiles(std::optional<bool> isWanted) {
  getSwitch() = isWanted.value_or(isAskedFor());
}

CompileTimes *&tegula::currentCompileTimes() {
  static thread_local CompileTimes *times = nullptr;
  return times;
}

void CompileTimes::end() {
  std::chrono::duration<double, std::milli> passed = Clock::now() - start;
  if (current)
    stages.emplace_back(current, passed.count());
}

void CompileTimes::begin(const char *stage) {
  end();
  current = stage;
  start = Clock::now();
}

static std::string formatTime(double milliseconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f ms", milliseconds);
  return text;
}

std::string CompileTimes::finish() {
  end();
  current = nullptr;
  std::string text;
  for (auto [stage, milliseconds] : stages)
    text += (text.empty() ? "" : ", ") + std::string(stage) + " " +
            formatTime(milliseconds);
  return text;
}

double CompileTimes::getTotal() const {
  double total = 0;
  for (auto [stage, milliseconds] : stages)
    total += milliseconds;
  return total;
}

void tegula::logCompile(const std::string &kernel, CompileTimes &times,
                        const std::string &reason) {
  std::string stages = times.finish();
  std::string line = "tegula: compiled " + kernel + " in " +
                     formatTime(times.getTotal()) + " (" + stages +
                     "): " + reason + "\n";
  // At once, whatever other threads write.
  std::fwrite(line.data(), 1, line.size(), stderr);
}
