// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The threads and blocks of a launch that is emulated, and whose turn it is.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_EMULATION_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_EMULATION_H

#include "tegula/backends/cuda/emulator/Emulator.h"
#include "tegula/backends/cuda/emulator/HopperCluster.h"
#include "tegula/support/Fiber.h"

#include <memory>
#include <vector>

namespace tegula::emulator {

/// What a thread does, or waits for. Who exchanges numbers with other threads
/// does not know what they stored.
enum class Doing {
  Running,
  AtBarrier,
  AtExchange,
  AtGridBarrier,
  AtWait,
  Nothing
};

/// Something that a thread waits for, on its stack.
struct Wait {
  virtual ~Wait() = default;
  virtual bool isOver() const = 0;
  /// As in "5 wait ...".
  virtual std::string describe() const = 0;
};

/// A thread of a block.
struct EmulatedThread {
  int32_t number = 0;
  int32_t block = 0;
  Doing doing = Doing::Nothing;
  const Wait *wait = nullptr;
  std::unique_ptr<Fiber> fiber;
};

/// What the threads of a block share.
struct EmulatedBlock {
  SharedMemory shared;
  std::vector<int64_t> partials;
  std::vector<int64_t> exchanged;
  std::vector<char> isSecondExchange;
};

/// All threads of a launch. Fibers are kept from one launch to the next.
class Emulation {
public:
  std::string run(const EmulatedLaunch &wanted);

  EmulatedThread &getThread() { return *current; }
  EmulatedBlock &getBlock() { return blocks[current->block]; }
  /// What instructions of Hopper chips know of the block.
  HopperBlock &getHopper();
  /// The number of the thread among those of its cluster.
  int32_t getThreadOfCluster() const;
  const EmulatedLaunch &getLaunch() const { return *launch; }
  /// The number of the first block that runs now.
  int32_t getFirstBlock() const { return firstBlock; }

  /// Called by a thread: others run until it may go on.
  void stop(Doing doing) {
    current->doing = doing;
    current->fiber->stop();
  }
  void waitFor(const Wait &wait) {
    if (wait.isOver())
      return;
    current->wait = &wait;
    stop(Doing::AtWait);
  }
  /// The launch ends soon, for that reason.
  void note(const std::string &words) {
    if (problem.empty())
      problem = words;
  }
  /// Called by a thread, which ends here: the launch does, too.
  [[noreturn]] void fail(const std::string &words);

private:
  std::string runBlocks(int32_t count);
  void prepare(int32_t count);
  void prepareBlocks(int32_t count);
  void endThread();
  HopperBlock *findHopper(int32_t block) const;
  void makeCluster(int32_t number);
  bool runBlock(size_t first, bool isUpwards);
  void leaveBarrier(size_t first);
  bool release(Doing from, size_t first, size_t last);
  bool moveCopies(bool mustMove);
  std::string describeHang(size_t all) const;

  const EmulatedLaunch *launch = nullptr;
  int32_t firstBlock = 0;
  std::vector<std::unique_ptr<EmulatedThread>> threads;
  std::vector<EmulatedBlock> blocks;
  /// Of those that run now; null until the first instruction of a block that
  /// needs it.
  std::vector<std::unique_ptr<HopperCluster>> clusters;
  MemoryWindows memory;
  EmulatedThread *current = nullptr;
  std::string problem;
  uint64_t chance = 1;
};

/// The emulation of this thread of the processor.
Emulation &getEmulation();

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_EMULATION_H
