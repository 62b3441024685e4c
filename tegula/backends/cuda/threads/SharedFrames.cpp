// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/threads/SharedFrames.h"

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/support/Routines.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

static constexpr StringLiteral iterationsAttrName = "tegula.iterations";

static int64_t align(int64_t bytes) {
  constexpr int64_t alignment = 128;
  return llvm::alignTo(bytes, alignment);
}

void SharedFrames::enter(scf::ForOp iterations) {
  iterations->setAttr(iterationsAttrName,
                      UnitAttr::get(iterations.getContext()));
  int64_t passed = 0;
  iterations->walk([&](cuda::SharedMemoryOp memory) {
    passed = std::max(passed, int64_t(memory.getBytes()));
  });
  taken = align(passed);
}

/// Null if so much is not left.
Value SharedFrames::take(ThreadCode &code, LLVM::CallOp call) {
  IntegerAttr bytes;
  if (!matchPattern(call.getArgOperands()[0], m_Constant(&bytes)) ||
      bytes.getInt() <= 0 || bytes.getInt() > most - taken)
    return {};
  Type pointer = call.getResult().getType();
  Value memory = code.call(routine::tegulaGpuShared, pointer, {});
  if (taken)
    memory = LLVM::GEPOp::create(
        code.builder, code.loc, pointer, code.builder.getI8Type(), memory,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(taken)});
  keep(taken + bytes.getInt());
  taken = align(taken + bytes.getInt());
  return memory;
}

bool SharedFrames::replacePush(ThreadCode code, LLVM::CallOp push) {
  Operation *around = push->getParentOp();
  if (!isa<scf::ForOp>(around) || !around->hasAttr(iterationsAttrName))
    return false;
  Value memory = take(code, push);
  if (!memory)
    return false;
  for (Operation *user : llvm::make_early_inc_range(push->getUsers())) {
    auto call = dyn_cast<LLVM::CallOp>(user);
    if (call && call.getCallee() == routine::tegulaScratchPop)
      user->erase();
  }
  push.getResult().replaceAllUsesWith(memory);
  push.erase();
  return true;
}

bool SharedFrames::replaceAllocation(ThreadCode code, LLVM::CallOp allocate) {
  Operation *around = allocate->getParentOp();
  while (isa<scf::IfOp>(around))
    around = around->getParentOp();
  Value memory =
      around->hasAttr(iterationsAttrName) ? take(code, allocate) : Value();
  if (!memory)
    return false;
  allocate.getResult().replaceAllUsesWith(memory);
  allocate.erase();
  return true;
}
