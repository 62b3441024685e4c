// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/chunks/StatementShape.h"

#include "tegula/backends/cpu/chunks/CodeWeight.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tegula;

/// A number that stands in the place of another one in each statement. Of
/// integers only those that are just handed on, such as the source location
/// that an error names: dividing by one that is known is much faster.
static bool findFreeConstant(Operation *op) {
  if (!op->hasTrait<OpTrait::ConstantLike>())
    return false;
  Type type = op->getResult(0).getType();
  return isa<FloatType>(type) ||
         (isa<IntegerType>(type) &&
          llvm::all_of(op->getUsers(), [](Operation *user) {
            return isa<LLVM::CallOp>(user);
          }));
}

StatementShape::StatementShape(Operation *op, FreeConstants &freeConstants)
    : freeConstants(freeConstants) {
  add(op);
}

bool StatementShape::isFreeConstant(Operation *op) {
  auto known = freeConstants.find(op);
  if (known != freeConstants.end())
    return known->second;
  return freeConstants[op] = findFreeConstant(op);
}

uintptr_t StatementShape::numberOf(Value value) {
  auto known = numbers.find(value);
  if (known != numbers.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  if (isRepeatable(op) && !isFreeConstant(op)) {
    add(op);
    descriptions.push_back(op);
    return numbers.lookup(value);
  }
  shareable &= isPlainScalar(value.getType());
  arguments.push_back(value);
  number(value);
  // No op has this name: it is told from ops by it.
  key.push_back(0);
  key.push_back(
      reinterpret_cast<uintptr_t>(value.getType().getAsOpaquePointer()));
  return numbers.lookup(value);
}

void StatementShape::add(Operation *op) {
  SmallVector<uintptr_t> operands;
  for (Value operand : op->getOperands())
    operands.push_back(numberOf(operand));
  auto push = [&](const void *pointer) {
    key.push_back(reinterpret_cast<uintptr_t>(pointer));
  };
  push(op->getName().getAsOpaquePointer());
  push(op->getAttrDictionary().getAsOpaquePointer());
  llvm::append_range(key, operands);
  for (Value result : op->getResults()) {
    push(result.getType().getAsOpaquePointer());
    number(result);
  }
  for (Region &region : op->getRegions())
    add(region);
}

void StatementShape::add(Region &region) {
  for (Block &block : region) {
    key.push_back(block.getNumArguments());
    for (Value argument : block.getArguments()) {
      key.push_back(
          reinterpret_cast<uintptr_t>(argument.getType().getAsOpaquePointer()));
      number(argument);
    }
    for (Operation &op : block)
      add(&op);
    key.push_back(1); // the end of the block
  }
}
