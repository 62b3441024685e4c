// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/CallInterpreter.h"

#include "tegula/ir/EntryAttributes.h"
#include "tegula/ir/Interpreter.h"
#include "tegula/ir/PlDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;

mlir::func::FuncOp tegula::findEntry(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    auto kind = function->getAttrOfType<pl::FunctionKindAttr>(pl::kindAttrName);
    if (kind && (kind.getValue() == pl::FunctionKind::Entry ||
                 kind.getValue() == pl::FunctionKind::Host))
      return function;
  }
  return {};
}

llvm::LogicalResult
tegula::callInterpreter(mlir::func::FuncOp entry, const Signature &signature,
                        llvm::ArrayRef<Argument> arguments,
                        const int64_t *slots,
                        const pl::InterpreterOptions &options) {
  std::vector<pl::Argument> values;
  for (auto [argument, parameter] :
       llvm::zip(arguments, signature.parameters)) {
    if (argument.isTensor()) {
      // The guard may have seen the memory in another way than the caller.
      size_t rank = argument.getTensor().rank;
      values.push_back(TensorView(reinterpret_cast<void *>(slots[0]),
                                  *parameter.dtype, {slots + 1, rank},
                                  {slots + 1 + rank, rank}));
      slots += 1 + 2 * rank;
      continue;
    }
    values.push_back(pl::Number::ofBits(*parameter.dtype, *slots++));
  }
  return pl::interpret(entry, values, options);
}
