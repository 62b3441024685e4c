// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What layouts must be like.

#include "tegula/backends/cuda/CudaDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::cuda;

static constexpr int64_t warpLanes = 32;

static LogicalResult checkSizes(function_ref<InFlightDiagnostic()> emitError,
                                StringRef name, ArrayRef<int64_t> sizes) {
  for (int64_t size : sizes)
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return emitError() << name << " must be powers of two, got " << size;
  return success();
}

LogicalResult
BlockedLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          ArrayRef<int64_t> elements, ArrayRef<int64_t> lanes,
                          ArrayRef<int64_t> warps) {
  if (elements.size() != lanes.size() || elements.size() != warps.size())
    return emitError() << "elements, lanes and warps must have one size for "
                          "each axis, got "
                       << elements.size() << ", " << lanes.size() << " and "
                       << warps.size();
  if (failed(checkSizes(emitError, "elements", elements)) ||
      failed(checkSizes(emitError, "lanes", lanes)) ||
      failed(checkSizes(emitError, "warps", warps)))
    return failure();
  int64_t count = 1;
  for (int64_t size : lanes)
    count *= size;
  if (count != warpLanes)
    return emitError() << "a warp has 32 lanes, got " << count;
  return success();
}

LogicalResult
MmaLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<int64_t> warps) {
  if (warps.size() != 2)
    return emitError() << "an accumulator has two axes of warps, got "
                       << warps.size();
  return checkSizes(emitError, "warps", warps);
}

LogicalResult
DotOperandLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                             MatmulOperand, MmaLayoutAttr parent,
                             int64_t bits) {
  if (!parent)
    return emitError() << "an operand needs the layout of its accumulator";
  if (bits != 8 && bits != 16 && bits != 32)
    return emitError() << "elements have 8, 16 or 32 bits, got " << bits;
  return success();
}

LogicalResult
SharedOperandLayoutAttr::verify(function_ref<InFlightDiagnostic()>,
                                MatmulOperand) {
  return success();
}

LogicalResult FmaOperandLayoutAttr::verify(function_ref<InFlightDiagnostic()>,
                                           MatmulOperand) {
  return success();
}

LogicalResult
SliceLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        int64_t axis, Attribute parent) {
  if (!isLayout(parent))
    return emitError() << "a slice must be of a layout, got " << parent;
  if (axis < 0)
    return emitError() << "there is no axis " << axis;
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  if (!isLayout(getLayout()))
    return emitOpError("must be to a layout, got ") << getLayout();
  return success();
}
