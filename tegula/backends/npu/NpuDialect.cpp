// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/NpuDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;

#include "tegula/backends/npu/Npu_dialect.cpp.inc"

#define GET_OP_CLASSES
#include "tegula/backends/npu/Npu_op.cpp.inc"

void npu::NpuDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tegula/backends/npu/Npu_op.cpp.inc"
      >();
}

template <typename Step> static LogicalResult verifyRanges(Step step) {
  size_t count = step.getSpaces().size();
  if (step.getRanges().size() != 2 * count)
    return step.emitOpError("has ")
           << step.getRanges().size() << " numbers for " << count
           << " ranges, which need two each";
  int64_t numReads = step.getNumReads();
  if (numReads < 0 || numReads > static_cast<int64_t>(count))
    return step.emitOpError("reads ")
           << numReads << " of " << count << " ranges";
  return success();
}

template <typename Transfer>
static LogicalResult verifyTransfer(Transfer transfer) {
  if (transfer.getSizes().size() != transfer.getStrides().size())
    return transfer.emitOpError("has ")
           << transfer.getSizes().size() << " sizes and "
           << transfer.getStrides().size() << " strides";
  if (transfer.getElementBytes() < 0)
    return transfer.emitOpError("moves elements of less than no bytes");
  return verifyRanges(transfer);
}

LogicalResult npu::LoadOp::verify() { return verifyTransfer(*this); }
LogicalResult npu::StoreOp::verify() { return verifyTransfer(*this); }
LogicalResult npu::MultiplyOp::verify() { return verifyRanges(*this); }
LogicalResult npu::WeightsOp::verify() { return verifyRanges(*this); }
LogicalResult npu::ReadOutOp::verify() { return verifyRanges(*this); }
LogicalResult npu::VectorOp::verify() { return verifyRanges(*this); }

LogicalResult npu::HandoverOp::verify() {
  if (getSpaces().size() != 2 || getNumReads() != 1)
    return emitOpError("goes from one range to another, but has ")
           << getSpaces().size() << " and reads " << getNumReads();
  return verifyRanges(*this);
}

bool npu::isStep(Operation *op) {
  return isa<LoadOp, StoreOp, WeightsOp, MultiplyOp, ReadOutOp, HandoverOp,
             VectorOp>(op);
}

int64_t npu::getNumReads(Operation *step) {
  return llvm::TypeSwitch<Operation *, int64_t>(step)
      .Case<LoadOp, StoreOp, WeightsOp, MultiplyOp, ReadOutOp, HandoverOp,
            VectorOp>([](auto op) { return op.getNumReads(); });
}

SmallVector<npu::Range> npu::getRanges(Operation *step) {
  SmallVector<Range> ranges;
  llvm::TypeSwitch<Operation *>(step)
      .Case<LoadOp, StoreOp, WeightsOp, MultiplyOp, ReadOutOp, HandoverOp,
            VectorOp>([&](auto op) {
        for (auto [index, space] : llvm::enumerate(op.getSpaces()))
          ranges.push_back({space, op.getRanges()[2 * index],
                            op.getRanges()[2 * index + 1]});
      });
  return ranges;
}
