// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/ProductStore.h"

#include "tegula/backends/cuda/RowCode.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Two of every eight columns, eight times.
constexpr int64_t numSums = 16, apart = 8;

/// Emits the function for pairs that are read and written at once, or for their
/// elements one by one. It gets the slots of the call, the row, the first
/// column, how many are left, and the sums.
class StoreEmitter : RowCode {
public:
  StoreEmitter(ModuleOp module, func::FuncOp kernel, const RowKernel &program,
               StringRef name, int64_t side)
      : RowCode(module, kernel, program, numSums, side), name(name) {}

  void emit() {
    builder.setInsertionPointToEnd(values.module.getBody());
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type i32 = builder.getI32Type();
    SmallVector<Type> types = {pointer, i32, i32, i32};
    types.append(numElements, builder.getF32Type());
    function = func::FuncOp::create(builder, loc, name,
                                    builder.getFunctionType(types, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    readSlots();
    row = toIndex(function.getArgument(1));
    firstColumn = toIndex(function.getArgument(2));
    Value left = function.getArgument(3);
    for (int64_t i = 0; i < numElements; i += side) {
      Value place = constant(apart * (i / 2) + i % 2);
      places.append(side, place);
      masks.append(side, below(place, left));
    }
    lastPlace = sub(left, constant(side));
    emitSteps();
    func::ReturnOp::create(builder, loc);
  }

private:
  Value slotAt(unsigned slot, Type type) override {
    Value place =
        LLVM::GEPOp::create(builder, loc, function.getArgument(0).getType(),
                            builder.getI64Type(), function.getArgument(0),
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(slot)});
    return LLVM::LoadOp::create(builder, loc, type, place);
  }

  Value emitSum(pl::ReduceOp) override {
    llvm_unreachable("what is summed up needs whole rows");
  }

  SmallVector<Value> emitProduct() override {
    constexpr unsigned first = 4;
    SmallVector<Value> sums;
    for (int64_t i = 0; i < numElements; ++i) {
      Value sum = function.getArgument(first + i);
      if (Value addend = program.product->addend)
        sum = arith::AddFOp::create(builder, loc, elementOf(addend, i), sum);
      sums.push_back(sum);
    }
    return sums;
  }

  StringRef name;
  func::FuncOp function;
};

} // namespace

void tegula::emitProductStore(ModuleOp module, func::FuncOp kernel,
                              const RowKernel &program) {
  StoreEmitter(module, kernel, program, "tegulaProductStoreSingles", 1).emit();
  StoreEmitter(module, kernel, program, "tegulaProductStorePairs", 2).emit();
}
