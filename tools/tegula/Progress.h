// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tells a person at a terminal what is going on when it takes a while. Where
/// output goes to a pipe, or messages go elsewhere, it does nothing.

#ifndef TEGULA_TOOLS_PROGRESS_H
#define TEGULA_TOOLS_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tegula {

/// Shows one line on stderr while it lives, from one second on.
class Progress {
public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Says what is being done now.
  void update(std::string newLabel);

  /// Makes room for a line of output.
  void clear();

private:
  void show();

  std::string label;
  bool isDone = false;
  bool isShown = false;
  std::mutex mutex;
  std::condition_variable changed;
  std::thread thread;
};

} // namespace tegula

#endif // TEGULA_TOOLS_PROGRESS_H
