// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/Elementwise.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

Object tegula::buildElementwise(BuiltinCall &&call, StringRef mnemonic) {
  Emitter &emitter = call.emitter;
  llvm::SmallVector<Object> operands;
  for (const std::optional<CallArgument> &argument : call.arguments)
    operands.push_back(argument->object);
  if (operands.size() == 2 && operands[0].isNumber() && operands[1].isNumber())
    operands[0] = emitter.materialize(call.loc, operands[0]);
  if (mnemonic == "maximum" || mnemonic == "minimum")
    return emitter.extreme(call.loc, mnemonic == "maximum", operands[0],
                           operands[1]);
  using ast::BinaryOp;
  auto op = llvm::StringSwitch<std::optional<BinaryOp>>(mnemonic)
                .Case("add", BinaryOp::Add)
                .Case("sub", BinaryOp::Sub)
                .Case("mul", BinaryOp::Mul)
                .Case("rem", BinaryOp::Mod)
                .Default(std::nullopt);
  if (op)
    return emitter.binary(call.loc, *op, operands[0], operands[1]);
  return emitter.elementwise(call.loc, mnemonic, operands);
}
