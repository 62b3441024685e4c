// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/programs/Program.h"

#include <cassert>

using namespace tegula;
using namespace tegula::sim;

static int64_t startPhase(void *context, int64_t phase) {
  return phase == 0 ? static_cast<const Program *>(context)->countItems() : -1;
}

static int32_t next(void *context, int64_t, int64_t item,
                    TegulaTraceCursor *cursor, TegulaTraceOp *ops,
                    int32_t capacity) {
  const auto *program = static_cast<const Program *>(context);
  int32_t count = 0;
  for (; count < capacity; ++count) {
    ops[count] = {};
    if (!program->next(item, *cursor, ops[count]))
      break;
  }
  return count;
}

Program::Program(std::string programName) : name(std::move(programName)) {
  kernel.version = TegulaTraceVersion;
  kernel.name = name.c_str();
  kernel.context = this;
  kernel.startPhase = ::startPhase;
  kernel.next = ::next;
}

int32_t Program::addTensor(const char *tensor) {
  tensors.push_back(tensor);
  kernel.tensors = tensors.data();
  kernel.numTensors = int32_t(tensors.size());
  return kernel.numTensors - 1;
}

int32_t Program::addFormula(const TegulaTraceFormula &formula) {
  formulas.push_back(formula);
  kernel.formulas = formulas.data();
  kernel.numFormulas = int32_t(formulas.size());
  return kernel.numFormulas - 1;
}

TegulaTraceRange ScratchpadLayout::take(int64_t size, TegulaTraceSpace space) {
  TegulaTraceRange range{};
  range.begin = uint32_t(used[space]);
  range.size = uint32_t(size);
  range.space = space;
  used[space] += size;
  return range;
}

void sim::addRead(TegulaTraceOp &op, TegulaTraceRange range, int64_t bytes,
                  bool isLast) {
  assert(bytes <= range.size && "a tile fits its buffer");
  range.size = uint32_t(bytes);
  range.isLast = isLast;
  op.reads[op.numReads++] = range;
}

void sim::addWrite(TegulaTraceOp &op, TegulaTraceRange range, int64_t bytes) {
  assert(bytes <= range.size && "a tile fits its buffer");
  range.size = uint32_t(bytes);
  op.writes[op.numWrites++] = range;
}
