// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/WgmmaQueue.h"

#include "tegula/backends/cuda/emulator/Emulation.h"
#include "tegula/backends/cuda/emulator/OperandElements.h"

using namespace tegula;
using namespace tegula::emulator;

bool WgmmaInstruction::operator==(const WgmmaInstruction &other) const {
  return columns == other.columns && type == other.type &&
         isLeftTransposed == other.isLeftTransposed &&
         isRightAcross == other.isRightAcross && adds == other.adds &&
         left == other.left && right == other.right &&
         isLeftInRegisters == other.isLeftInRegisters;
}

// Marks are NaNs that say of which chain they are, and which register.
static constexpr uint32_t markBits = 0x7fe00000, registerBits = 7,
                          chainMask = 0x3fff;

static uint32_t makeMark(uint32_t chain, int32_t number) {
  return markBits | (chain & chainMask) << registerBits |
         static_cast<uint32_t>(number);
}
static bool isMark(uint32_t bits) { return bits >> 21 == markBits >> 21; }

/// The row of a register of a thread, and its column.
static int32_t rowOf(int32_t thread, int32_t number) {
  return thread / 32 * 16 + thread % 32 / 4 + number / 2 % 2 * 8;
}
static int32_t columnOf(int32_t thread, int32_t number) {
  return number / 4 * 8 + thread % 4 * 2 + number % 2;
}

std::shared_ptr<WgmmaQueue::Chain> WgmmaQueue::findChain(uint64_t sum) const {
  auto bits = static_cast<uint32_t>(sum);
  if (!isMark(bits))
    return nullptr;
  for (const std::shared_ptr<Chain> &chain : chains)
    if ((chain->number & chainMask) == (bits >> registerBits & chainMask))
      return chain;
  return nullptr;
}

WgmmaQueue::Step WgmmaQueue::makeStep(const WgmmaInstruction &words,
                                      uint64_t firstSum) {
  constexpr size_t mostChains = 64;
  Step step;
  step.words = words;
  step.chain = words.adds ? findChain(firstSum) : nullptr;
  step.beginsChain = !step.chain;
  if (!step.chain) {
    step.chain = std::make_shared<Chain>();
    step.chain->number = nextChain++;
    step.chain->columns = words.columns;
    step.chain->sums.assign(size_t(rows) * words.columns, 0);
    chains.push_back(step.chain);
    if (chains.size() > mostChains)
      chains.pop_front();
  }
  step.end = std::make_shared<WgmmaEnd>(WgmmaEnd{firstThread, {}});
  if (words.isLeftInRegisters)
    step.left.resize(size_t(rows) * words.getDepth());
  return step;
}

/// The matmul that the thread begins; the first one to do so makes it.
WgmmaQueue::Step &WgmmaQueue::findStep(int32_t thread,
                                       const WgmmaInstruction &words,
                                       uint64_t firstSum) {
  uint64_t number = of(thread).begun;
  if (number == firstStep + steps.size())
    steps.push_back(makeStep(words, firstSum));
  Step &step = steps[number - firstStep];
  if (!(step.words == words))
    getEmulation().fail(
        block->knowledge.shape.nameThreads(firstThread, warpgroupThreads) +
        " do not all begin the same matmul");
  if (step.chain->columns != words.columns)
    getEmulation().fail("a matmul of " + std::to_string(words.columns) +
                        " columns adds to accumulators of another number");
  return step;
}

void WgmmaQueue::multiply(int32_t thread, const WgmmaInstruction &words,
                          uint64_t *sums, const uint32_t *left) {
  Progress &progress = of(thread);
  Step &step = findStep(thread, words, sums[0]);
  int32_t ownThread = thread - firstThread;
  bool readsRegisters =
      words.isLeftInRegisters || (words.adds && step.beginsChain);
  if (readsRegisters && !progress.isFenced)
    getEmulation().fail("a matmul reads registers of " +
                        block->nameThread(thread) + " without a fence");
  checkOperands(thread, step);
  // As the registers of accumulators, in pairs: two rows, and then eight
  // columns on.
  for (int32_t i = 0; i < 4 && words.isLeftInRegisters; ++i)
    for (int32_t odd = 0; odd < 2; ++odd)
      step.left[rowOf(ownThread, 2 * i) * words.getDepth() +
                columnOf(ownThread, 2 * i + odd)] =
          readElement<float>(words.type,
                             reinterpret_cast<const char *>(left + i) +
                                 sizeof(uint16_t) * odd);
  for (int32_t i = 0; i < words.columns / 2; ++i) {
    if (words.adds && step.beginsChain)
      step.chain
          ->sums[rowOf(ownThread, i) * words.columns + columnOf(ownThread, i)] =
          static_cast<uint32_t>(sums[i]);
    sums[i] = makeMark(step.chain->number, i);
  }
  step.chain->last[ownThread] = progress.begun++;
  if (++step.begun < warpgroupThreads)
    return;
  compute(step);
  ++done;
}

void WgmmaQueue::endGroup(int32_t thread) {
  of(thread).groups.push_back(of(thread).begun);
}

struct WgmmaQueue::StepWait : Wait {
  const WgmmaQueue &queue;
  uint64_t step;

  StepWait(const WgmmaQueue &queue, uint64_t step) : queue(queue), step(step) {}
  bool isOver() const override { return queue.done >= step; }
  std::string describe() const override {
    return "for matmuls that others of their group do not begin";
  }
};

void WgmmaQueue::finish(int32_t thread, uint32_t allBut, uint64_t *sums,
                        int32_t count) {
  Progress &progress = of(thread);
  size_t groups = progress.groups.size();
  uint64_t last = groups > allBut ? progress.groups[groups - 1 - allBut] : 0;
  getEmulation().waitFor(StepWait(*this, last));
  int32_t ownThread = thread - firstThread;
  for (; progress.ended < last; ++progress.ended)
    steps[progress.ended - firstStep].end->seen[ownThread] =
        block->knowledge.getTime(thread);
  progress.isFenced = false;
  for (int32_t i = 0; i < count; ++i) {
    std::shared_ptr<Chain> chain = findChain(sums[i]);
    if (!chain || chain->last[ownThread] >= last)
      continue;
    int32_t number = static_cast<int32_t>(sums[i] & ((1 << registerBits) - 1));
    sums[i] = chain->sums[rowOf(ownThread, number) * chain->columns +
                          columnOf(ownThread, number)];
  }
  auto isSeen = [&](const Progress &other) { return other.ended > firstStep; };
  while (std::all_of(own.begin(), own.end(), isSeen)) {
    steps.pop_front();
    ++firstStep;
  }
}

void WgmmaQueue::leave(int32_t thread) const {
  const Progress &progress = own[thread - firstThread];
  if (progress.ended < progress.begun)
    getEmulation().fail(block->nameThread(thread) +
                        " ends before its matmuls have");
}
