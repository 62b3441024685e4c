// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/RecordedKernel.h"

#include "tegula/sim/producer/DecodeOps.h"
#include "tegula/sim/producer/LastReads.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

RecordedKernel::RecordedKernel(std::string name, TegulaKernel code,
                               std::vector<int64_t> slots,
                               std::vector<TracedTensor> given,
                               std::vector<TegulaTraceFormula> formulas,
                               size_t mostOps)
    : name(std::move(name)), tensors(std::move(given)),
      formulas(std::move(formulas)), mostOps(mostOps) {
  for (const std::string &tensor : tensors.getNames())
    tensorNames.push_back(tensor.c_str());
  kernel.version = TegulaTraceVersion;
  kernel.name = this->name.c_str();
  kernel.context = this;
  kernel.startPhase = [](void *context, int64_t phase) {
    return static_cast<RecordedKernel *>(context)->countItems(phase);
  };
  kernel.next = [](void *context, int64_t phase, int64_t item,
                   TegulaTraceCursor *cursor, TegulaTraceOp *ops,
                   int32_t capacity) {
    return static_cast<RecordedKernel *>(context)->next(phase, item, *cursor,
                                                        ops, capacity);
  };
  kernel.formulas = this->formulas.data();
  kernel.numFormulas = int32_t(this->formulas.size());
  kernel.tensors = tensorNames.data();
  kernel.numTensors = int32_t(tensorNames.size());

  call.kernel = this;
  call.hooks.counters = counters;
  call.hooks.emit = [](TegulaTraceCall *call, int32_t kind,
                       const int64_t *numbers) {
    get(call).take(kind, numbers);
  };
  call.hooks.launch = [](TegulaTraceCall *call, TegulaTraceItem,
                         const int64_t *, int64_t, int64_t) {
    get(call).isLaunched = true;
    get(call).beginPhase();
  };
  code(slots.data(), &call.hooks.state);
  findLastReads();
}

void RecordedKernel::findLastReads() {
  for (size_t item = 0; item < items.size(); ++item) {
    size_t end = item + 1 < items.size() ? items[item + 1].firstOp : ops.size();
    auto find = [&](int64_t number) { return &ops[size_t(number)]; };
    LastReads lastReads;
    for (size_t op = items[item].firstOp; op < end; ++op)
      lastReads.add(int64_t(op), ops[op], find);
    lastReads.end(find);
  }
}

void RecordedKernel::beginPhase() {
  if (!hasOverflown)
    phases.push_back({items.size()});
}

void RecordedKernel::take(int32_t kind, const int64_t *numbers) {
  if (ops.size() > mostOps || items.size() > mostOps) {
    hasOverflown = true;
    ops = {};
    items = {};
    phases = {};
  }
  if (hasOverflown)
    return;
  switch (kind) {
  case TegulaTraceItemBegins:
    items.push_back({ops.size()});
    return;
  case TegulaTraceItemsEnd:
    isLaunched = false;
    // What follows begins a phase when there is something.
    beginPhase();
    return;
  case TegulaTraceTensorMade:
    tensors.add(numbers[0], numbers[1]);
    return;
  default:
    break;
  }
  if (!isLaunched) {
    if (phases.empty())
      beginPhase();
    if (items.size() == phases.back().firstItem)
      items.push_back({ops.size()});
  }
  decodeOps(kind, numbers, tensors, ops);
}

int64_t RecordedKernel::countItems(int64_t phase) const {
  if (phase >= int64_t(phases.size()))
    return -1;
  size_t end = phase + 1 < int64_t(phases.size())
                   ? phases[size_t(phase) + 1].firstItem
                   : items.size();
  return int64_t(end - phases[size_t(phase)].firstItem);
}

int32_t RecordedKernel::next(int64_t phase, int64_t item,
                             TegulaTraceCursor &cursor, TegulaTraceOp *out,
                             int32_t capacity) const {
  size_t index = phases[size_t(phase)].firstItem + size_t(item);
  size_t end = index + 1 < items.size() ? items[index + 1].firstOp : ops.size();
  size_t begin = items[index].firstOp + size_t(cursor.position[0]);
  size_t count = std::min(end - begin, size_t(capacity));
  std::copy_n(ops.begin() + long(begin), count, out);
  cursor.position[0] += int64_t(count);
  return int32_t(count);
}
