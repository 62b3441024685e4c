// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls by mma.sync: 16 rows and 8 columns, 32 bytes of each.

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/backends/cuda/layout/MatmulRegisters.h"
#include "tegula/launch/gpu/abi/GpuOperandType.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

namespace {

/// The instructions of one thread.
class MmaEmitter {
public:
  MmaEmitter(TileDistributor &distributor, const RegisterTile &lhs,
             const RegisterTile &rhs, Type element)
      : distributor(distributor), builder(distributor.builder),
        loc(distributor.loc), lhs(lhs), rhs(rhs),
        element(signlessType(element)), isSigned(pl::isSigned(element)),
        left(distributor, lhs, this->element),
        right(distributor, rhs, this->element) {}

  void multiply(RegisterTile &acc) {
    SmallVector<int64_t> rows = MatmulRegisters::listOffsets(acc.map, 0, 16),
                         columns = MatmulRegisters::listOffsets(acc.map, 1, 8);
    // Beyond the shorter operand there is nothing to add.
    int64_t inner = std::min(lhs.map.shape[1], rhs.map.shape[0]);
    for (int64_t summed = 0; summed < inner; summed += left.getDepth())
      for (int64_t row : rows)
        for (int64_t column : columns)
          emit(acc, row, column, summed);
  }

private:
  void emit(RegisterTile &acc, int64_t row, int64_t column, int64_t summed) {
    SmallVector<Value> operands = left.takeLhs(row, summed);
    llvm::append_range(operands, right.takeRhs(summed, column));
    bool isInteger = isa<IntegerType>(element);
    Type sum =
        isInteger ? Type(builder.getI32Type()) : Type(builder.getF32Type());
    MatmulRegisters before(distributor, acc, sum);
    SmallVector<int64_t> coordinates;
    for (int64_t below : {0, 8})
      for (int64_t step : {0, 1}) {
        coordinates.push_back(
            MatmulRegisters::find(acc.map, row + below, column + step));
        operands.push_back(before.take(row + below, column + step));
      }
    SmallVector<Type> sums(4, sum);
    Type result = LLVM::LLVMStructType::getLiteral(builder.getContext(), sums);
    std::string text = "mma.sync.aligned.m16n8" + nameTypes().str() +
                       " {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, "
                       "{$10, $11, $12, $13};";
    Value made =
        LLVM::InlineAsmOp::create(builder, loc, result, operands, text,
                                  isInteger ? "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r,r"
                                            : "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f",
                                  /*has_side_effects=*/true,
                                  /*is_align_stack=*/false,
                                  LLVM::tailcallkind::TailCallKind::None,
                                  LLVM::AsmDialectAttr(), ArrayAttr())
            .getResult(0);
    // Rows beyond a short tile are the same as others: all agree.
    for (auto [i, coordinate] : llvm::enumerate(coordinates))
      acc.registers[coordinate] = LLVM::ExtractValueOp::create(
          builder, loc, made, ArrayRef<int64_t>{int64_t(i)});
  }

  StringRef nameTypes() const {
    if (element.isBF16())
      return TEGULA_MMA_Half("bf16");
    if (element.isF16())
      return TEGULA_MMA_Half("f16");
    if (element.isF32())
      return TEGULA_MMA_Word("tf32");
    return isSigned ? TEGULA_MMA_Integer("s8") : TEGULA_MMA_Integer("u8");
  }

  TileDistributor &distributor;
  OpBuilder &builder;
  Location loc;
  const RegisterTile &lhs, &rhs;
  /// What registers have: integers are signless there.
  Type element;
  bool isSigned;
  MatmulRegisters left, right;
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

/// What is computed for a matmul alone is masked before several warps have the
/// same of it.
RegisterTile TileDistributor::maskSource(cuda::ConvertLayoutOp op,
                                         const RegisterTile &tile,
                                         const ElementMap &map) {
  auto layout = dyn_cast<cuda::DotOperandLayoutAttr>(op.getLayout());
  auto matmul = dyn_cast<pl::MatmulOp>(*op->user_begin());
  if (!layout || !matmul || !op->hasOneUse() || isLazy(op.getSource()) ||
      !extents.contains(sourceOf(matmul.getLhs())) ||
      !extents.contains(sourceOf(matmul.getRhs())))
    return tile;
  unsigned number = layout.getOperand() == cuda::MatmulOperand::Lhs ? 0 : 1;
  if (!map.isInside(1 - number) || !tile.map.isInside(1 - number) ||
      (areInnerEqual(matmul) && isZeroBeyond(op.getResult(), map, 1 - number)))
    return tile;
  masked.insert(op.getResult());
  return maskInner(matmul, number, tile);
}
