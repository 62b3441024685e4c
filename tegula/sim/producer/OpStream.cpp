// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/OpStream.h"

#include "tegula/sim/producer/DecodeOps.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

/// Code is resumed for so many operations at a time.
static constexpr size_t batch = 32;

OpStream::OpStream(TensorMap &tensors,
                   std::function<void(TegulaTraceCall &)> body)
    : tensors(tensors),
      fiber([this, body = std::move(body)] { body(call.hooks); }) {
  call.stream = this;
  call.hooks.turns = ownTurns;
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
}

void OpStream::peek() {
  while (!hasOps() && !isLaunching && !fiber.isDone()) {
    pending.clear();
    nextPending = 0;
    fiber.resume();
  }
}

int32_t OpStream::pull(TegulaTraceOp *ops, int32_t capacity, int64_t *turns) {
  call.hooks.turns = turns;
  peek();
  size_t count = std::min(size_t(capacity), pending.size() - nextPending);
  std::copy_n(pending.begin() + long(nextPending), count, ops);
  nextPending += count;
  if (!hasOps()) {
    pending.clear();
    nextPending = 0;
  }
  return int32_t(count);
}

void OpStream::take(int32_t kind, const int64_t *numbers) {
  decodeOps(kind, numbers, tensors, pending);
  if (pending.size() >= batch)
    fiber.stop();
}
