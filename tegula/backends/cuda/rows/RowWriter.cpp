// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowWriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tegula/backends/cuda/rows/NarrowWords.h"
#include "tegula/backends/cuda/rows/RowReader.h"
#include "tegula/backends/cuda/rows/RowTensors.h"
#include "tegula/backends/cuda/rows/RowValues.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

void RowWriter::emit(pl::StoreOp store) {
  const RowAccess &access = program.accesses.find(store)->second;
  // Not only where something is written.
  tensors.startOf(access);
  reader.forgetLoaded();
  if (access.shape.hasColumns)
    return storeRuns(access, pack(access, store.getTile()));
  code.emitIf(where(state.isFirst), [&] {
    Value word = words.toWord(values.elementOf(store.getTile(), 0));
    LLVM::StoreOp::create(builder, loc, word, tensors.startOf(access));
  });
}

Value RowWriter::where(Value mask) {
  return mask && state.isThere ? math.both(mask, state.isThere)
         : mask                ? mask
                               : state.isThere;
}

RowWriter::Packed RowWriter::pack(const RowAccess &access, Value tile) {
  Packed packed;
  size_t next = 0;
  for (const RowRun &run : state.runs) {
    int64_t together = state.isApart(access) ? 1 : run.count;
    packed.emplace_back();
    for (int64_t i = 0; i < run.count; i += together, next += together)
      packed.back().push_back(packRun(tile, next, together));
  }
  return packed;
}

void RowWriter::storeRuns(const RowAccess &access, const Packed &packed) {
  auto storeThoseThere = [&](bool areGroups) {
    for (auto [run, parts] : llvm::zip(state.runs, packed))
      if ((run.count == state.side) == areGroups)
        storeRun(access, run, parts, where(run.mask));
  };
  auto storeAllGroups = [&] {
    for (auto [run, parts] : llvm::zip(state.runs, packed))
      if (run.count == state.side)
        storeRun(access, run, parts, Value());
  };
  if (state.isWhole)
    code.emitIf(where(state.isWhole), storeAllGroups,
                [&] { storeThoseThere(/*areGroups=*/true); });
  else
    storeThoseThere(/*areGroups=*/true);
  storeThoseThere(/*areGroups=*/false);
}

void RowWriter::storeRun(const RowAccess &access, const RowRun &run,
                         ArrayRef<Value> parts, Value mask) {
  Type element = getElementType(access);
  code.emitIf(mask, [&] {
    Value address = tensors.addressOf(access, run.column);
    unsigned alignment = alignmentOf(element, run.count / parts.size());
    for (auto [i, part] : llvm::enumerate(parts))
      LLVM::StoreOp::create(builder, loc, part,
                            tensors.after(address, element, i), alignment);
  });
}

/// Elements side by side as they are written at once.
Value RowWriter::packRun(Value tile, size_t first, int64_t count) {
  if (count == 1)
    return words.toWord(values.elementOf(tile, first));
  Type word = words.wordOf(values.elementOf(tile, first).getType());
  constexpr unsigned wordBits = 32;
  bool arePairs = 2 * word.getIntOrFloatBitWidth() == wordBits;
  SmallVector<Value> parts;
  for (int64_t i = 0; i < count; i += arePairs ? 2 : 1)
    parts.push_back(arePairs
                        ? words.packPair(values.elementOf(tile, first + i),
                                         values.elementOf(tile, first + i + 1))
                        : words.toWord(values.elementOf(tile, first + i)));
  if (parts.size() == 1)
    return parts.front();
  Value vector = LLVM::PoisonOp::create(
      builder, loc,
      VectorType::get({int64_t(parts.size())}, parts.front().getType()));
  for (auto [i, part] : llvm::enumerate(parts))
    vector = LLVM::InsertElementOp::create(builder, loc, vector, part,
                                           math.constant(int64_t(i)));
  int64_t bits = count * word.getIntOrFloatBitWidth();
  return LLVM::BitcastOp::create(
      builder, loc, VectorType::get({bits / wordBits}, builder.getI32Type()),
      vector);
}
