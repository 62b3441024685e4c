// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/CooperativeBlocks.h"
#include "tegula/ir/ops/PlOps.h"

#include <pthread.h>

using namespace mlir;
using namespace tegula::pl;

/// Interpreting is deeply recursive; what is not touched costs nothing.
static constexpr size_t stackBytes = size_t(8) << 20;
/// More threads than this are too many for one process.
static constexpr int64_t maxBlocks = 4096;

void *CooperativeBlocks::start(void *argument) {
  auto *block = static_cast<Block *>(argument);
  block->all->runBlock(*block);
  return nullptr;
}

void CooperativeBlocks::runBlock(Block &block) {
  std::unique_lock<std::mutex> lock(mutex);
  activeChanged.wait(lock, [&] { return active == block.number; });
  if (!hasFailed) {
    lock.unlock();
    bool isRight = succeeded(body(block.number));
    lock.lock();
    hasFailed |= !isRight;
  }
  block.isDone = true;
  active = -1;
  activeChanged.notify_all();
}

void CooperativeBlocks::resume(int64_t number) {
  std::unique_lock<std::mutex> lock(mutex);
  active = number;
  activeChanged.notify_all();
  activeChanged.wait(lock, [&] { return active == -1; });
}

LogicalResult CooperativeBlocks::wait(Operation *barrier) {
  std::unique_lock<std::mutex> lock(mutex);
  Block &block = blocks[active];
  block.waitsAt = barrier;
  active = -1;
  activeChanged.notify_all();
  activeChanged.wait(lock, [&] { return active == block.number; });
  block.waitsAt = nullptr;
  return failure(hasFailed);
}

/// What those are called that wait for each other in a loop.
static StringRef nameOfBlock(Operation *op) {
  auto loop = dyn_cast<ParallelOp>(op);
  return loop && loop.getKind() == LoopKind::Lanes ? "lane" : "block";
}

/// All blocks are at one barrier, or all are done.
LogicalResult CooperativeBlocks::checkBarrier(Operation *op) {
  for (const Block &block : blocks) {
    const Block &first = blocks.front();
    if (block.isDone == first.isDone && block.waitsAt == first.waitsAt)
      continue;
    Operation *barrier = first.waitsAt ? first.waitsAt : block.waitsAt;
    const Block &other = first.waitsAt ? block : first;
    StringRef name = nameOfBlock(op);
    barrier->emitError("not all ")
        << name << "s come to this barrier: " << name << " " << other.number
        << (other.isDone ? " ends without it" : " waits at another one");
    hasFailed = true;
    return failure();
  }
  return success();
}

LogicalResult CooperativeBlocks::run(Operation *op, int64_t count, Body run) {
  if (count > maxBlocks)
    return op->emitError("the interpreter runs up to ")
           << maxBlocks << " " << nameOfBlock(op)
           << "s that wait for each other, not " << count;
  body = run;
  blocks.resize(std::max<int64_t>(0, count));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  int64_t numStarted = 0;
  for (Block &block : blocks) {
    block.all = this;
    block.number = numStarted;
    if (pthread_create(&block.thread, &attributes, start, &block) != 0) {
      op->emitError("cannot start a thread for ")
          << nameOfBlock(op) << " " << numStarted;
      hasFailed = true;
      break;
    }
    ++numStarted;
  }
  pthread_attr_destroy(&attributes);
  blocks.resize(numStarted);
  // After a failure all are resumed once more, to their ends.
  while (!llvm::all_of(blocks, [](const Block &b) { return b.isDone; })) {
    for (Block &block : blocks)
      while (!block.isDone) {
        resume(block.number);
        if (!hasFailed)
          break;
      }
    if (!hasFailed)
      (void)checkBarrier(op);
  }
  for (Block &block : blocks)
    pthread_join(block.thread, nullptr);
  return failure(hasFailed);
}
