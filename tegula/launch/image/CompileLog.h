// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A line on the standard error for each kernel that is compiled, for those who
/// ask: TEGULA_LOG=compiles, or tegula.config.log in Python.

#ifndef TEGULA_LAUNCH_IMAGE_COMPILELOG_H
#define TEGULA_LAUNCH_IMAGE_COMPILELOG_H

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tegula {

/// True if compiles are told.
bool logsCompiles();

/// Tells them, or not, whatever the environment says; nothing means what that
/// says.
void logCompiles(std::optional<bool> isWanted);

/// The times of the stages of what this thread compiles.
class CompileTimes {
public:
  /// Ends the stage before it.
  void begin(const char *stage);
  /// Ends the last stage: "front end 2.1 ms, passes 5.0 ms, code 12.3 ms".
  std::string finish();
  /// Of all stages, in milliseconds.
  double getTotal() const;

private:
  using Clock = std::chrono::steady_clock;

  void end();

  const char *current = nullptr;
  Clock::time_point start;
  std::vector<std::pair<const char *, double>> stages;
};

/// Those of what the thread compiles now; null if nobody wants to know.
CompileTimes *&currentCompileTimes();

/// Says that a stage begins, if somebody wants to know.
inline void beginCompileStage(const char *stage) {
  if (CompileTimes *times = currentCompileTimes())
    times->begin(stage);
}

/// Writes "tegula: compiled softmax in 20 ms (front end ...): why".
void logCompile(const std::string &kernel, CompileTimes &times,
                const std::string &reason);

} // namespace tegula

#endif // TEGULA_LAUNCH_IMAGE_COMPILELOG_H
