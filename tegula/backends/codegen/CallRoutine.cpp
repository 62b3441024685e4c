// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/CallRoutine.h"

using namespace mlir;

LLVM::CallOp tegula::callRoutine(ModuleOp module, StringRef name, Type result,
                                 ValueRange arguments, OpBuilder &builder,
                                 Location loc) {
  auto routine = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!routine) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    Type type =
        result ? result : Type(LLVM::LLVMVoidType::get(builder.getContext()));
    routine = LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(type,
                                    SmallVector<Type>(arguments.getTypes())));
  }
  return LLVM::CallOp::create(builder, loc, routine, arguments);
}
