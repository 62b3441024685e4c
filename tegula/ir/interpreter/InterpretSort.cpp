// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that order elements, on data.

#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/TouchRecord.h"
#include "tegula/ir/ops/PlSortOps.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

namespace {

/// The elements of one row of a view.
struct Row {
  char *start;
  int64_t step;
  int64_t length;
  DType dtype;

  char *at(int64_t position) const { return start + position * step; }
  Scalar read(int64_t position) const {
    return Scalar::read(dtype, at(position));
  }
  void write(int64_t position, int64_t number) const {
    Scalar::ofInteger(dtype, number).write(at(position));
  }
};

} // namespace

/// Calls `visit` with the rows of the views along `axis`, for every index of
/// the other axes that all of them have.
static void visitRows(ArrayRef<const TensorView *> views, unsigned axis,
                      llvm::function_ref<void(ArrayRef<Row>)> visit) {
  SmallVector<int64_t, 4> outer(views[0]->getSizes());
  for (const TensorView *view : views)
    for (unsigned other = 0; other < outer.size(); ++other)
      outer[other] = std::min(outer[other], view->sizes[other]);
  outer[axis] = 1;
  outer.push_back(1); // so that each index is visited on its own
  forEachRow(outer, [&](ArrayRef<int64_t> index, int64_t) {
    SmallVector<Row> rows;
    for (const TensorView *view : views) {
      auto size = static_cast<int64_t>(getSize(view->dtype));
      char *start = view->getFirstElement();
      for (unsigned other = 0; other < view->rank; ++other)
        start += index[other] * view->strides[other] * size;
      rows.push_back(
          {start, view->strides[axis] * size, view->sizes[axis], view->dtype});
    }
    visit(rows);
  });
}

static bool isNan(Scalar number) {
  return number.isReal() && std::isnan(number.getReal());
}

/// NaN is greater than every number.
static bool isLess(Scalar lhs, Scalar rhs) {
  if (isNan(lhs) || isNan(rhs))
    return !isNan(lhs) && isNan(rhs);
  if (lhs.isReal())
    return lhs.getReal() < rhs.getReal();
  return lhs.isUnsignedInteger() ? lhs.getUnsigned() < rhs.getUnsigned()
                                 : lhs.getSigned() < rhs.getSigned();
}

LogicalResult ArgReduceOp::interpret(Frame &frame) {
  if (failed(frame.touch(*this, Touch::Read, frame.getTensor(getSource()))) ||
      failed(frame.touch(*this, Touch::Write, frame.getTensor(getTarget()))))
    return failure();
  bool isMax = getReduction() == Reduction::Max;
  visitRows(
      {&frame.getTensor(getSource()), &frame.getTensor(getTarget())}, getAxis(),
      [&](ArrayRef<Row> rows) {
        int64_t best = rows[0].length == 0 ? -1 : 0;
        for (int64_t position = 1; position < rows[0].length; ++position) {
          Scalar next = rows[0].read(position), found = rows[0].read(best);
          bool isBetter = isMax ? isLess(found, next) : isLess(next, found);
          if (!isNan(found) && (isNan(next) || isBetter))
            best = position;
        }
        if (rows[1].length > 0)
          rows[1].write(0, best);
      });
  return success();
}

/// The positions from `first` to `last` in the order of their elements.
static std::vector<int64_t> sorted(const Row &row, int64_t first, int64_t last,
                                   bool isDescending) {
  std::vector<int64_t> positions;
  for (int64_t position = first; position < last; ++position)
    positions.push_back(position);
  // The position decides between equal elements, so that any sort is stable.
  llvm::sort(positions, [&](int64_t lhs, int64_t rhs) {
    Scalar left = row.read(lhs), right = row.read(rhs);
    bool isBefore = isDescending ? isLess(right, left) : isLess(left, right);
    bool isAfter = isDescending ? isLess(left, right) : isLess(right, left);
    return isBefore || (!isAfter && lhs < rhs);
  });
  return positions;
}

LogicalResult SortRowsOp::interpret(Frame &frame) {
  if (failed(frame.touch(*this, Touch::Read, frame.getTensor(getSource()))) ||
      failed(frame.touch(*this, Touch::Write, frame.getTensor(getValues()))) ||
      failed(frame.touch(*this, Touch::Write, frame.getTensor(getIndices()))))
    return failure();
  visitRows({&frame.getTensor(getSource()), &frame.getTensor(getValues()),
             &frame.getTensor(getIndices())},
            getAxis(), [&](ArrayRef<Row> rows) {
              auto positions =
                  sorted(rows[0], 0, rows[0].length, getDescending());
              for (auto [position, from] : llvm::enumerate(positions)) {
                auto to = static_cast<int64_t>(position);
                if (to < rows[1].length)
                  rows[0].read(from).write(rows[1].at(to));
                if (to < rows[2].length)
                  rows[2].write(to, from);
              }
            });
  return success();
}

/// Pair `to` of the target becomes a value and an index, bit by bit.
static void putPair(const Row &target, int64_t to, const char *value,
                    const char *index) {
  if (2 * to + 1 >= target.length)
    return;
  std::memcpy(target.at(2 * to), value, 4);
  std::memcpy(target.at(2 * to + 1), index, 4);
}

LogicalResult SortRunsOp::interpret(Frame &frame) {
  if (failed(frame.touch(*this, Touch::Read, frame.getTensor(getSource()))) ||
      failed(frame.touch(*this, Touch::Read, frame.getTensor(getIndices()))) ||
      failed(frame.touch(*this, Touch::Write, frame.getTensor(getTarget()))))
    return failure();
  int64_t run = getRun();
  unsigned axis = getSource().getType().getRank() - 1;
  visitRows({&frame.getTensor(getSource()), &frame.getTensor(getIndices()),
             &frame.getTensor(getTarget())},
            axis, [&](ArrayRef<Row> rows) {
              int64_t width = std::min(rows[0].length, rows[1].length);
              for (int64_t first = 0; first < width; first += run) {
                int64_t to = first;
                for (int64_t from :
                     sorted(rows[0], first, std::min(first + run, width),
                            /*isDescending=*/true))
                  putPair(rows[2], to++, rows[0].at(from), rows[1].at(from));
              }
            });
  return success();
}

namespace {

/// What is left of a sorted run of pairs.
struct Run {
  const Row *row;
  int64_t next, end;
};

} // namespace

static void mergeRuns(SmallVector<Run> runs, const Row &target, int64_t to) {
  while (true) {
    Run *best = nullptr;
    for (Run &run : runs)
      if (run.next < run.end &&
          (!best || isLess(best->row->read(2 * best->next),
                           run.row->read(2 * run.next))))
        best = &run;
    if (!best)
      return;
    putPair(target, to++, best->row->at(2 * best->next),
            best->row->at(2 * best->next + 1));
    ++best->next;
  }
}

LogicalResult MergeRunsOp::interpret(Frame &frame) {
  SmallVector<const TensorView *> views;
  for (Value source : getSources()) {
    views.push_back(&frame.getTensor(source));
    if (failed(frame.touch(*this, Touch::Read, *views.back())))
      return failure();
  }
  views.push_back(&frame.getTensor(getTarget()));
  if (failed(frame.touch(*this, Touch::Write, *views.back())))
    return failure();
  unsigned axis = getTarget().getType().getRank() - 1;
  int64_t run =
      getLength() ? std::max<int64_t>(frame.getIndex(getLength()) / 2, 1) : 0;
  visitRows(views, axis, [&](ArrayRef<Row> rows) {
    SmallVector<Run> runs;
    if (rows.size() > 2) {
      for (const Row &row : rows.drop_back())
        runs.push_back({&row, 0, row.length / 2});
      return mergeRuns(runs, rows.back(), 0);
    }
    int64_t pairs = rows[0].length / 2;
    for (int64_t first = 0; first < pairs; first += run) {
      runs.push_back({&rows[0], first, std::min(first + run, pairs)});
      if (runs.size() < 4 && first + run < pairs)
        continue;
      mergeRuns(runs, rows.back(), runs.front().next);
      runs.clear();
    }
  });
  return success();
}
