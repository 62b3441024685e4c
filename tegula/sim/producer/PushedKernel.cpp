// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/PushedKernel.h"

using namespace tegula;
using namespace tegula::sim;

PushedKernel::PushedKernel(std::string name, TegulaKernel code,
                           std::vector<int64_t> slots,
                           std::vector<TracedTensor> given,
                           std::vector<TegulaTraceFormula> formulas)
    : name(std::move(name)), code(code), slots(std::move(slots)),
      tensors(std::move(given)), ranks(tensors), formulas(std::move(formulas)) {
  for (const std::string &tensor : tensors.getNames())
    tensorNames.push_back(tensor.c_str());
  kernel.version = TegulaTraceVersion;
  kernel.name = this->name.c_str();
  kernel.context = this;
  kernel.startPhase = startPhase;
  kernel.next = next;
  kernel.setRank = setRank;
  kernel.formulas = this->formulas.data();
  kernel.numFormulas = int32_t(this->formulas.size());
  kernel.tensors = tensorNames.data();
  kernel.numTensors = int32_t(tensorNames.size());
}

int64_t PushedKernel::startPhase(void *context, int64_t phase) {
  return static_cast<PushedKernel *>(context)->startPhase(phase);
}

void PushedKernel::setRank(void *context, int64_t rank, int64_t count) {
  static_cast<PushedKernel *>(context)->ranks.setRank(rank, count);
}

int64_t PushedKernel::startPhase(int64_t phase) {
  if (phase == 0) {
    tensors.reset();
    ranks.reset();
    state = {};
    main =
        std::make_unique<OpStream>(tensors, ranks, [&](TegulaTraceCall &call) {
          code(slots.data(), &call.state);
        });
  } else if (current.item) {
    main->resumeAfterLaunch();
  }
  items.clear();
  main->peek();
  LaunchRequest *launch = main->getLaunch();
  if (launch && !main->hasOps()) {
    current = *launch;
    return launch->count;
  }
  current = {};
  noteState(main->getState());
  return main->isDone() ? -1 : 1;
}

void PushedKernel::noteState(const TegulaCallState &reported) {
  if (!state.error)
    state = reported;
}

OpStream &PushedKernel::getStream(int64_t item, TegulaTraceCursor &cursor) {
  if (!current.item)
    return *main;
  if (cursor.position[0])
    return *reinterpret_cast<OpStream *>(cursor.position[0]);
  std::unique_ptr<OpStream> &stream = items[item];
  stream = std::make_unique<OpStream>(
      tensors, ranks, [this, item](TegulaTraceCall &call) {
        current.item(current.captured.data(), item, &call);
      });
  cursor.position[0] = reinterpret_cast<int64_t>(stream.get());
  return *stream;
}

int32_t PushedKernel::next(void *context, int64_t, int64_t item,
                           TegulaTraceCursor *cursor, TegulaTraceOp *ops,
                           int32_t capacity) {
  auto *self = static_cast<PushedKernel *>(context);
  if (cursor->position[1])
    return 0;
  OpStream &stream = self->getStream(item, *cursor);
  int32_t count = stream.pull(ops, capacity, cursor->kept);
  if (count > 0 || !self->current.item)
    return count;
  self->noteState(stream.getState());
  self->items.erase(item);
  cursor->position[1] = 1;
  return 0;
}
