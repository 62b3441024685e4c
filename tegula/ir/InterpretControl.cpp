// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.at and pl.parallel on data. Both run in program order.

#include "tegula/ir/Frame.h"
#include "tegula/ir/PlOps.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

LogicalResult AtOp::interpret(Frame &frame) {
  FailureOr<RuntimeValues> yielded = frame.run(getBody(), {});
  if (failed(yielded))
    return failure();
  for (auto [result, held] : llvm::zip_equal(getResults(), *yielded))
    if (failed(frame.set(result, std::move(held))))
      return failure();
  return success();
}

LogicalResult ParallelOp::interpret(Frame &frame) {
  int64_t upper = frame.getIndex(getUpper());
  int64_t step = frame.getIndex(getStep());
  if (step <= 0)
    return emitError("step must be positive, got ") << step;
  for (int64_t i = frame.getIndex(getLower()); i < upper;) {
    if (failed(frame.run(getBody(), {Number::ofIndex(i)})))
      return failure();
    if (llvm::AddOverflow(i, step, i))
      break;
  }
  return success();
}
