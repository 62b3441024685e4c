// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowTensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cuda/rows/NarrowWords.h"
#include "tegula/backends/cuda/rows/RowValues.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

Type tegula::getElementType(const RowAccess &access) {
  return signlessType(pl::getElementOrSelf(access.tensor.getType()));
}

unsigned tegula::alignmentOf(Type element, int64_t count) {
  constexpr int64_t most = 16;
  return static_cast<unsigned>(
      std::min(most, count * element.getIntOrFloatBitWidth() / 8));
}

void RowTensors::readSlots(function_ref<Value(unsigned, Type)> slotAt) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type wide = builder.getI64Type();
  unsigned slot = 0;
  SmallVector<SmallVector<Value>> sizes;
  for (BlockArgument argument : state.kernel.getArguments()) {
    auto tensor = dyn_cast<pl::TensorViewType>(argument.getType());
    sizes.emplace_back();
    if (!tensor) {
      Type type = signlessType(argument.getType());
      Value word = slotAt(slot++, words.wordOf(type));
      values.numbers.map(argument, words.fromWord(word, type));
      continue;
    }
    unsigned rank = tensor.getRank();
    for (unsigned axis = 0; axis < rank; ++axis)
      sizes.back().push_back(math.toIndex(slotAt(slot + 1 + axis, wide)));
    Memory &memory = memories[argument];
    memory.data = slotAt(slot, pointer);
    if (rank == 2)
      memory.rowStride = math.toIndex(slotAt(slot + 1 + rank, wide));
    slot += 1 + 2 * rank;
  }
  readExtents(sizes);
}

void RowTensors::readSlots(Value memory) {
  readSlots([&](unsigned slot, Type type) -> Value {
    Value address = LLVM::GEPOp::create(
        builder, loc, memory.getType(), builder.getI64Type(), memory,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(slot)});
    return LLVM::LoadOp::create(builder, loc, type, address);
  });
}

void RowTensors::readExtents(ArrayRef<SmallVector<Value>> sizes) {
  state.rows = state.columns = code.number(1);
  for (Operation *op : program.steps) {
    if (auto bind = dyn_cast<pl::BindOp>(op)) {
      auto tensor = cast<BlockArgument>(bind.getTensors().front());
      values.numbers.map(bind.getExtent(),
                         sizes[tensor.getArgNumber()][bind.getAxes().front()]);
    }
    auto found = program.accesses.find(op);
    if (found == program.accesses.end())
      continue;
    const RowAccess &access = found->second;
    ArrayRef<Value> known = sizes[access.tensor.getArgNumber()];
    if (access.shape.hasRows)
      state.rows = known.front();
    if (access.shape.hasColumns)
      state.columns = known.back();
  }
}

Value RowTensors::rowOf(const RowAccess &access, Value row) {
  const Memory &memory = memories[access.tensor];
  if (!access.shape.hasRows)
    return memory.data;
  Value wide = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                          math.mul(row, memory.rowStride));
  return LLVM::GEPOp::create(builder, loc, memory.data.getType(),
                             getElementType(access), memory.data,
                             ArrayRef<LLVM::GEPArg>{wide});
}

Value RowTensors::startOf(const RowAccess &access) {
  if (Value known = starts.lookup(access.tensor))
    return known;
  Value start = rowOf(access);
  if (access.shape.hasColumns) {
    Value wide = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                            state.firstColumn);
    start = LLVM::GEPOp::create(builder, loc, start.getType(),
                                getElementType(access), start,
                                ArrayRef<LLVM::GEPArg>{wide});
  }
  starts[access.tensor] = start;
  return start;
}

Value RowTensors::addressOf(const RowAccess &access, Value column) {
  Value start = startOf(access);
  return LLVM::GEPOp::create(builder, loc, start.getType(),
                             getElementType(access), start,
                             ArrayRef<LLVM::GEPArg>{column});
}

Value RowTensors::after(Value address, Type element, int64_t count) {
  return LLVM::GEPOp::create(
      builder, loc, address.getType(), element, address,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(count)});
}
