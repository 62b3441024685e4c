// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/TouchRecord.h"

using namespace mlir;
using namespace tegula::pl;

static bool areCompatible(Touch lhs, Touch rhs) {
  return lhs == rhs && lhs != Touch::Write;
}

static StringRef verbOf(Touch touch) {
  switch (touch) {
  case Touch::Read:
    return "reads";
  case Touch::Write:
    return "writes";
  case Touch::Add:
    return "adds to";
  }
  llvm_unreachable("every kind is handled");
}

LogicalResult TouchRecord::report(Operation *op, Touch touch, Touch before,
                                  const Site &other) const {
  InFlightDiagnostic error = op->emitError("iteration ")
                             << current << " " << verbOf(touch)
                             << " an element that iteration " << other.iteration
                             << " " << verbOf(before)
                             << ", but the loop is said to be independent";
  error.attachNote(other.op->getLoc())
      << "iteration " << other.iteration << " " << verbOf(before) << " it here";
  error.attachNote(ParallelOp(loop).getLoc()) << "the loop";
  return error;
}

LogicalResult TouchRecord::add(Operation *op, Touch touch,
                               const char *element) {
  std::array<Sites, 3> &kinds = touched[element];
  for (Touch before : {Touch::Write, Touch::Read, Touch::Add}) {
    if (areCompatible(touch, before))
      continue;
    for (const Site &site : kinds[static_cast<unsigned>(before)])
      if (site.op && site.iteration != current)
        return report(op, touch, before, site);
  }
  for (Site &site : kinds[static_cast<unsigned>(touch)]) {
    if (site.op && site.iteration != current)
      continue;
    if (!site.op)
      site = {current, op};
    break;
  }
  return success();
}

void TouchRecord::forget(const char *begin, const char *end) {
  if (touched.empty())
    return;
  for (const char *byte = begin; byte != end; ++byte)
    touched.erase(byte);
}
