// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/variants/TileStore.h"

#include "tegula/backends/cuda/rows/RowAccumulators.h"
#include "tegula/backends/cuda/rows/RowCode.h"
#include "tegula/backends/cuda/variants/MatmulElement.h"

using namespace mlir;
using namespace tegula;

namespace {

/// The columns that a call has accumulators for: some side by side, and again
/// so many columns further on.
struct AccumulatorColumns {
  StringRef name;
  int64_t number, together, apart;
};

constexpr AccumulatorColumns quad = {"Quad", 4, 4, 4},
                             pairs = {"Pair", 8, 2, 8};

/// Emits the function for columns that are read and written together, or for
/// one after the other. It gets the slots of the call, the row, the first
/// column, how many are left, and the accumulators.
class TileStoreEmitter : RowCode {
public:
  TileStoreEmitter(ModuleOp module, func::FuncOp kernel,
                   const RowwiseKernel &program, const AccumulatorColumns &sums,
                   bool areGroups)
      : RowCode(module, kernel, program, sums.number,
                areGroups ? sums.together : 1),
        sums(sums) {}

  void emit() {
    builder.setInsertionPointToEnd(state.thread.module.getBody());
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type i32 = builder.getI32Type();
    SmallVector<Type> types = {pointer, i32, i32, i32};
    types.append(state.numElements, builder.getF32Type());
    std::string name = ("tegulaTileStore" + sums.name +
                        (state.side == 1 ? "Singles" : "Groups"))
                           .str();
    function = func::FuncOp::create(builder, loc, name,
                                    builder.getFunctionType(types, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    tensors.readSlots(function.getArgument(0));
    state.row = math.toIndex(function.getArgument(1));
    state.firstColumn = math.toIndex(function.getArgument(2));
    Value left = function.getArgument(3);
    for (int64_t i = 0; i < state.numElements; i += state.side) {
      Value column =
          math.constant(i / sums.together * sums.apart + i % sums.together);
      state.addRun(column, state.side, math.below(column, left),
                   math.sub(left, math.constant(state.side)));
    }
    steps.emit([&](Operation *) {
      constexpr unsigned first = 4;
      return emitAccumulators(state, function.getArguments().slice(first));
    });
    func::ReturnOp::create(builder, loc);
  }

private:
  AccumulatorColumns sums;
  func::FuncOp function;
};

} // namespace

void tegula::emitTileStore(ModuleOp module, func::FuncOp kernel,
                           const RowwiseKernel &program) {
  GpuOperandType type =
      getOperandType(getElement(*program.matmul), MatmulCode::Tiles);
  const AccumulatorColumns &columns =
      getKind(type) == GpuOperandKind::Ordinary ? quad : pairs;
  for (bool areGroups : {false, true})
    TileStoreEmitter(module, kernel, program, columns, areGroups).emit();
}
