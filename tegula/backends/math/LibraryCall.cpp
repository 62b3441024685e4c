// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/math/LibraryCall.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tegula;

static LLVM::LLVMFuncOp declare(Operation *user, StringRef name, Type type) {
  auto module = user->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto function =
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                               LLVM::LLVMFunctionType::get(type, {type}));
  // Nothing is read or written, so equal calls are made once.
  function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
      builder.getContext(), LLVM::ModRefInfo::NoModRef,
      LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
      LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
      LLVM::ModRefInfo::NoModRef));
  return function;
}

/// One lane after the other, those that are not `where` as they are.
static Value callByLane(OpBuilder &builder, Location loc,
                        LLVM::LLVMFuncOp routine, Value x, Value where,
                        Value otherwise) {
  auto type = cast<VectorType>(x.getType());
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value zero = index(0), lanes = index(type.getNumElements()), one = index(1);
  auto loop = scf::ForOp::create(builder, loc, zero, lanes, one, otherwise);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value lane = loop.getInductionVar();
  Value element = vector::ExtractOp::create(builder, loc, x, lane);
  Value called =
      LLVM::CallOp::create(builder, loc, routine, element).getResult();
  Value next = vector::InsertOp::create(builder, loc, called,
                                        loop.getRegionIterArg(0), lane);
  scf::YieldOp::create(builder, loc, next);
  builder.setInsertionPointAfter(loop);
  return arith::SelectOp::create(builder, loc, where, loop.getResult(0),
                                 otherwise);
}

Value tegula::callWhere(FloatBuilder &on, StringRef function, Value x,
                        Value where, Value otherwise) {
  OpBuilder &builder = on.getBuilder();
  Location loc = on.getLoc();
  auto type = dyn_cast<VectorType>(on.getType());
  Operation *user = builder.getInsertionBlock()->getParentOp();
  LLVM::LLVMFuncOp routine =
      declare(user, on.isDouble() ? function.str() : (function + "f").str(),
              getElementTypeOrSelf(on.getType()));
  Value any = where;
  if (type)
    any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                      where);
  auto branch = scf::IfOp::create(builder, loc, on.getType(), any,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value called =
      type ? callByLane(builder, loc, routine, x, where, otherwise)
           : LLVM::CallOp::create(builder, loc, routine, x).getResult();
  scf::YieldOp::create(builder, loc, called);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  return branch.getResult(0);
}
