// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls by mma.sync.m16n8k16.

#include "tegula/backends/cuda/layout/RegisterWords.h"
#include "tegula/backends/cuda/layout/TileDistributor.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

namespace {

/// The instructions of one thread.
class MmaEmitter {
public:
  MmaEmitter(TileDistributor &distributor, const RegisterTile &lhs,
             const RegisterTile &rhs, Type element)
      : builder(distributor.builder), loc(distributor.loc), lhs(lhs), rhs(rhs),
        element(element) {}

  void multiply(RegisterTile &acc) {
    SmallVector<int64_t> rows = listOffsets(acc.map, 0, 16),
                         columns = listOffsets(acc.map, 1, 8);
    // Beyond the shorter operand there is nothing to add.
    int64_t inner = std::min(lhs.map.shape[1], rhs.map.shape[0]);
    for (int64_t summed = 0; summed < inner; summed += 16)
      for (int64_t row : rows)
        for (int64_t column : columns)
          emit(acc, row, column, summed);
  }

private:
  /// Where the instructions of this thread begin along an axis: the offsets of
  /// its registers that are multiples of the instruction's size.
  static SmallVector<int64_t> listOffsets(const ElementMap &map, unsigned axis,
                                          int64_t size) {
    SmallVector<int64_t> found;
    for (int64_t i = 0; i < map.getNumRegisters(); ++i) {
      int64_t offset = map.getOffset(i)[axis];
      if (!map.isUnused(i) && offset % size == 0 &&
          !llvm::is_contained(found, offset))
        found.push_back(offset);
    }
    return found;
  }

  /// A register, where the tile wraps around at its bounds.
  static int64_t find(const ElementMap &map, int64_t row, int64_t column) {
    auto wrap = [&](int64_t coordinate, unsigned axis) {
      int64_t reach = 0;
      for (const auto *bits : {&map.registers, &map.lanes, &map.warps})
        for (const Coordinate &step : *bits)
          reach |= step[axis];
      return coordinate & reach;
    };
    return *map.findRegister({wrap(row, 0), wrap(column, 1)});
  }

  /// Beyond a tile there is nothing to add.
  Value orZero(Value found, Type type) {
    return found ? found
                 : arith::ConstantOp::create(builder, loc,
                                             builder.getZeroAttr(type));
  }

  /// Two elements next to each other along the axis that is summed up.
  Value pair(const RegisterTile &tile, int64_t row, int64_t column,
             bool isAlongRow) {
    auto take = [&](int64_t step) {
      return orZero(tile.registers[find(tile.map, isAlongRow ? row : row + step,
                                        isAlongRow ? column + step : column)],
                    element);
    };
    Value low = take(0);
    return packPair(builder, loc, low, take(1));
  }

  void emit(RegisterTile &acc, int64_t row, int64_t column, int64_t summed) {
    SmallVector<Value> operands;
    for (int64_t half : {0, 8})
      for (int64_t below : {0, 8})
        operands.push_back(pair(lhs, row + below, summed + half, true));
    for (int64_t half : {0, 8})
      operands.push_back(pair(rhs, summed + half, column, false));
    SmallVector<int64_t> coordinates;
    for (int64_t below : {0, 8})
      for (int64_t step : {0, 1})
        coordinates.push_back(find(acc.map, row + below, column + step));
    for (int64_t coordinate : coordinates)
      operands.push_back(
          orZero(acc.registers[coordinate], builder.getF32Type()));
    SmallVector<Type> sums(4, builder.getF32Type());
    Type result = LLVM::LLVMStructType::getLiteral(builder.getContext(), sums);
    std::string types =
        element.isBF16() ? "f32.bf16.bf16.f32" : "f32.f16.f16.f32";
    std::string text = "mma.sync.aligned.m16n8k16.row.col." + types +
                       " {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, "
                       "{$10, $11, $12, $13};";
    Value made =
        LLVM::InlineAsmOp::create(
            builder, loc, result, operands, text,
            "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f", /*has_side_effects=*/true,
            /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
            LLVM::AsmDialectAttr(), ArrayAttr())
            .getResult(0);
    // Rows beyond a short tile are the same as others: all agree.
    for (auto [i, coordinate] : llvm::enumerate(coordinates))
      acc.registers[coordinate] = LLVM::ExtractValueOp::create(
          builder, loc, made, ArrayRef<int64_t>{int64_t(i)});
  }

  OpBuilder &builder;
  Location loc;
  const RegisterTile &lhs, &rhs;
  Type element;
};

} // namespace

/// Lets reads of shared memory, and what takes words apart, stand where their
/// results are used, so that registers are not taken long before. From the last
/// barrier on nobody writes there.
static void sinkReads(OpBuilder &builder) {
  Block *block = builder.getInsertionBlock();
  SmallVector<Operation *> behind;
  for (Operation &op : llvm::reverse(
           llvm::make_range(block->begin(), builder.getInsertionPoint()))) {
    auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
    bool isRead = assembly && assembly.getAsmString().starts_with("ldmatrix");
    if (isa<cuda::BarrierOp>(op) || op.getNumRegions() ||
        (assembly && assembly->getNumResults() == 0))
      break;
    if (isRead || (isPure(&op) && op.getNumResults() == 1))
      behind.push_back(&op);
  }
  for (Operation *op : behind) {
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (here && (!first || here->isBeforeInBlock(first)))
        first = here;
    }
    if (first)
      op->moveBefore(first);
  }
}

RegisterTile tegula::multiplyRegisters(TileDistributor &distributor,
                                       const RegisterTile &lhs,
                                       const RegisterTile &rhs,
                                       RegisterTile acc, Type element) {
  MmaEmitter(distributor, lhs, rhs, element).multiply(acc);
  sinkReads(distributor.builder);
  return acc;
}
