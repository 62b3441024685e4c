// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The processes of ranks that a controlling process keeps: mpirun as its
/// child, and below it the ranks.

#ifndef TEGULA_DIST_CONTROL_RANKPROCESSES_H
#define TEGULA_DIST_CONTROL_RANKPROCESSES_H

#include "tegula/dist/control/RankLiveness.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tegula {

/// Runs a command on several ranks. They end with this process, however it
/// ends.
class RankProcesses {
public:
  ~RankProcesses() { end(); }

  /// Starts `worker path` on so many ranks.
  Problem start(int64_t count, const std::string &worker,
                const std::string &path);

  /// True if mpirun has ended.
  bool isOver() const { return launcher.findEnded() >= 0; }

  /// Ranks are these processes; watches them from now on.
  void watch(const std::vector<pid_t> &processes);
  /// A rank that has ended, or -1.
  int64_t findEnded() const { return ranks.findEnded(); }

  /// Waits until all have ended by themselves, not long; true if they did.
  bool awaitEnd(int64_t milliseconds);
  /// Kills the ranks that still run.
  void kill();
  /// Ends all that still run, and leaves nothing behind.
  void end();

private:
  /// Makes those whose parent ends children of this process, or no more.
  static void adoptOrphans(bool isWanted);
  void keep(const std::vector<const char *> &command,
            const std::vector<const char *> &environment);

  std::mutex lock;
  std::condition_variable changed;
  /// The system ends mpirun with the thread that started it, so there is one
  /// that does nothing else.
  std::thread keeper;
  bool isEnding = false, isStarted = false, adopts = false;
  pid_t process = -1;
  RankLiveness launcher, ranks;
  std::vector<pid_t> rankProcesses;
};

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_RANKPROCESSES_H
