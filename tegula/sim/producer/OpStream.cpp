// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/OpStream.h"

#include "tegula/sim/producer/DecodeOps.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

/// Code is resumed for so many operations at a time.
static constexpr size_t batch = 32;
/// So many are looked at before one is given out: as many as most loops have in
/// two iterations.
static constexpr size_t lookahead = 32;

OpStream::OpStream(TensorMap &tensors, RankProgram &ranks,
                   std::function<void(TegulaTraceCall &)> body)
    : tensors(tensors), ranks(ranks),
      fiber([this, body = std::move(body)] { body(call.hooks); }) {
  call.stream = this;
  call.hooks.counters = ownCounters;
  call.hooks.emit = [](TegulaTraceCall *call, int32_t kind,
                       const int64_t *numbers) {
    get(call).take(kind, numbers);
  };
  call.hooks.launch = [](TegulaTraceCall *call, TegulaTraceItem item,
                         const int64_t *captured, int64_t numCaptured,
                         int64_t count) {
    OpStream &self = get(call);
    self.request = {item, {captured, captured + numCaptured}, count};
    self.isLaunching = true;
    while (self.isLaunching)
      self.fiber.stop();
  };
  call.hooks.allocate = [](TegulaTraceCall *call, int64_t bytes) {
    return reinterpret_cast<void *>(get(call).tensors.allocate(bytes));
  };
  call.hooks.ask = [](TegulaTraceCall *call, int32_t question,
                      const int64_t *numbers) {
    OpStream &self = get(call);
    size_t first = self.pending.size();
    int64_t answer =
        self.ranks.answer(question, numbers, call->state, self.pending);
    self.keep(first);
    return answer;
  };
}

TegulaTraceOp *OpStream::find(int64_t number) {
  int64_t index = number - firstNumber;
  return index >= int64_t(nextPending) ? &pending[size_t(index)] : nullptr;
}

void OpStream::peek() {
  while (countPending() <= lookahead && canRun()) {
    pending.erase(pending.begin(), pending.begin() + long(nextPending));
    firstNumber += int64_t(nextPending);
    nextPending = 0;
    fiber.resume();
    if (!canRun())
      lastReads.end([&](int64_t number) { return find(number); });
  }
}

int32_t OpStream::pull(TegulaTraceOp *ops, int32_t capacity,
                       int64_t *counters) {
  call.hooks.counters = counters;
  peek();
  size_t withheld = canRun() ? lookahead : 0;
  size_t count = std::min(size_t(capacity), countPending() - withheld);
  std::copy_n(pending.begin() + long(nextPending), count, ops);
  nextPending += count;
  return int32_t(count);
}

void OpStream::take(int32_t kind, const int64_t *numbers) {
  size_t first = pending.size();
  decodeOps(kind, numbers, tensors, pending);
  keep(first);
}

void OpStream::keep(size_t first) {
  for (size_t index = first; index < pending.size(); ++index)
    lastReads.add(firstNumber + int64_t(index), pending[index],
                  [&](int64_t number) { return find(number); });
  if (pending.size() >= lookahead + batch)
    fiber.stop();
}
