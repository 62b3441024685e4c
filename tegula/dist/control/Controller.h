// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One ordinary process that keeps ranks and runs host programs on them. The
/// ranks are started once and stay; a call is a word in shared memory that they
/// all watch. If one of them ends, the others are ended too, and the next call
/// starts them anew.

#ifndef TEGULA_DIST_CONTROL_CONTROLLER_H
#define TEGULA_DIST_CONTROL_CONTROLLER_H

#include "tegula/dist/RankMeasures.h"
#include "tegula/dist/control/ControlFile.h"
#include "tegula/dist/control/RankProcesses.h"
#include "tegula/dist/memory/Arena.h"
#include "tegula/launch/image/KernelImage.h"
#include <future>
#include <memory>

namespace tegula {

/// The ranks of one process. One thread uses it at a time.
class Controller {
public:
  /// How ranks are started.
  struct Options {
    int64_t numRanks = 1;
    /// The command `tegula-rank`; where this library is installed if empty.
    std::string worker = {};
  };

  /// Starts ranks.
  static Problem start(Options options,
                       std::unique_ptr<Controller> &controller);
  ~Controller() { stop(); }

  int64_t getNumRanks() const { return options.numRanks; }

  /// Memory that all ranks see, aligned to 64 bytes, for tensors that are not
  /// to be copied at each call; null if there is not enough. It stays when
  /// ranks are started anew.
  void *allocate(int64_t bytes);
  /// Gives back what `allocate` gave.
  void free(void *memory);
  /// True if it is memory that `allocate` gave.
  bool isShared(const void *memory) const;

  /// Makes a window that stays until the ranks end for good: memory of every
  /// rank, zeroed, that its peers reach. The part of rank r begins `stride`
  /// times r after `first`, which stands for it in calls.
  struct Window {
    char *first = nullptr;
    int64_t stride = 0;
  };
  Problem keepWindow(int64_t bytes, Window &window);

  /// Gives all ranks a program; `number` stands for it from then on.
  Problem load(const KernelImage &image, int64_t &number);

  /// Runs a loaded program, of which `variant` is what this process knows, on
  /// all ranks. Tensors that ranks do not see are copied there, and back if
  /// they are written.
  Problem call(int64_t number, const Variant &variant,
               llvm::ArrayRef<Argument> arguments);

  /// Ends the ranks. What they saw stays, and a call would start them anew.
  void stop();

  /// Limits how long a call may take, in nanoseconds, even if ranks work; 0 for
  /// no limit. After it the ranks are ended.
  void setLimit(int64_t nanoseconds) { limit = nanoseconds; }

  /// Begins or ends to write down what ranks do.
  Problem record(bool isWanted);
  /// Takes what was written down.
  Problem takeEvents(RankEvents &events);

  /// Asks all ranks to do nothing, and waits until they did.
  Problem ping();

  /// The process of a rank, for those who watch it.
  int64_t getProcess(int64_t rank) const {
    return file.getHeader().workers[rank].pid;
  }

private:
  explicit Controller(Options options);

  Problem startRanks();
  Problem awaitRanks();
  /// Starts ranks and gives them their programs again, if there are none.
  Problem ensureRanks();
  Problem sendImage(const std::string &bytes);
  Problem sendWindow(const Window &window);
  Problem command(RankCommand command);
  Problem awaitDone(const Patience &patience);
  Problem sleepUntil(llvm::function_ref<bool()> isAwaited, int64_t start);
  bool isDone() const;
  /// Runs the function that a program calls back.
  void answer();
  Problem collect() const;
  /// Kills the ranks; whoever is told the problem need not wait until they have
  /// ended.
  Problem endRanks(Problem problem);
  /// When the command was given, and when a rank was first seen to have failed;
  /// 0 if none was.
  struct Times {
    int64_t start;
    int64_t failed = 0;
  };
  Problem findFault(Times &times) const;
  std::string listSilent() const;
  Problem copyEvents(RankEvents &events);
  int64_t takeMemory(int64_t bytes);

  Options options;
  ControlFile file;
  Arena arena;
  std::unique_ptr<RankProcesses> processes;
  /// Those that were killed, until they and mpirun have ended.
  std::future<void> ending;
  /// What ranks have loaded and been told of, to be told again.
  std::vector<std::string> images;
  std::vector<Window> windows;
  Patience patience = {};
  int64_t limit = 0;
  bool isRecording = false;
  /// The process that started the ranks; one that was forked from it has none.
  pid_t owner;
  /// True while a program calls back: what is called may ask for memory.
  bool isAnswering = false;
  std::recursive_mutex lock;
};

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_CONTROLLER_H
