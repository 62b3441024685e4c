// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RunByRun.h"

#include "tegula/backends/cuda/rows/RowReader.h"
#include "tegula/backends/cuda/rows/RowValues.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

ArrayRef<Operation *> RunByRun::findTail() const {
  ArrayRef<Operation *> steps = program.steps;
  size_t first = steps.size();
  while (first > 0 && !isa<pl::ReduceOp>(steps[first - 1]))
    --first;
  return steps.drop_front(first);
}

bool RunByRun::isChosen() const {
  if (!state.isShifted || state.isNarrow || !program.hasReductions)
    return false;
  ArrayRef<Operation *> tail = findTail();
  // What rows have one number of comes before all groups.
  auto isLoad = [&](Operation *op) {
    return isa<pl::LoadOp>(op) && hasColumns(op);
  };
  const auto *written = llvm::find_if(tail, [&](Operation *op) {
    return isa<pl::StoreOp>(op) && hasColumns(op);
  });
  return std::none_of(written, tail.end(), isLoad) &&
         llvm::any_of(tail, [&](Operation *op) {
           return isLoad(op) &&
                  state.isApart(program.accesses.find(op)->second);
         });
}

bool RunByRun::hasColumns(Operation *op) const {
  auto access = program.accesses.find(op);
  if (access != program.accesses.end())
    return access->second.shape.hasColumns;
  return program.shapes.lookup(op->getResult(0)).hasColumns;
}

struct RunByRun::AllRuns {
  llvm::DenseMap<Value, SmallVector<Value>> elements;
  RowReader::Loaded loaded;
  SmallVector<RowRun> runs;

  /// Where the group ends that begins here: single elements go with the last.
  size_t findEnd(size_t begin) const {
    size_t end = begin + 1;
    while (end < runs.size() && runs[end].count == 1)
      ++end;
    return end;
  }
};

void RunByRun::emit(function_ref<void(Operation *)> emitStep) {
  SmallVector<pl::LoadOp> loads;
  SmallVector<Operation *> others;
  for (Operation *op : findTail())
    if (!hasColumns(op))
      emitStep(op);
    else if (auto load = dyn_cast<pl::LoadOp>(op))
      loads.push_back(load);
    else
      others.push_back(op);
  state.isWhole = Value();
  emitGroups(loads, [&] { llvm::for_each(others, emitStep); });
}

/// Each group is computed with and written before the next one: what others
/// need takes no registers yet. What the next one needs is read before a group
/// is written, or it would be waited for.
void RunByRun::emitGroups(ArrayRef<pl::LoadOp> loads,
                          function_ref<void()> emitOthers) {
  AllRuns all{values.elements, reader.getLoaded(), std::move(state.runs)};
  size_t first = 0, next = 0;
  enter(all, 0, first);
  Found found = readGroup(loads);
  for (size_t begin = 0; begin < all.runs.size(); begin = next) {
    next = all.findEnd(begin);
    size_t count = enter(all, begin, first);
    Found prefetched = found;
    if (next < all.runs.size()) {
      enter(all, next, first + count);
      prefetched = readGroup(loads);
    }
    enter(all, begin, first);
    for (auto [load, read] : llvm::zip(loads, found))
      values.elements[load->getResult(0)] = read;
    emitOthers();
    found = std::move(prefetched);
    first += count;
  }
}

/// From here on the thread has the elements of one group, of which the first
/// one is at `first`; returns how many these are.
size_t RunByRun::enter(const AllRuns &all, size_t begin, size_t first) {
  state.runs.assign(all.runs.begin() + begin,
                    all.runs.begin() + all.findEnd(begin));
  size_t count = 0;
  for (const RowRun &run : state.runs)
    count += run.count;
  reader.setLoaded(all.loaded);
  for (const auto &[value, known] : all.elements)
    if (known.size() > 1)
      values.elements[value] =
          llvm::to_vector(ArrayRef(known).slice(first, count));
  return count;
}

RunByRun::Found RunByRun::readGroup(ArrayRef<pl::LoadOp> loads) {
  Found found;
  for (pl::LoadOp load : loads) {
    reader.emit(load);
    found.push_back(values.elements[load.getResult()]);
  }
  return found;
}
