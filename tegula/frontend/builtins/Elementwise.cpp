// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/Elementwise.h"
#include "tegula/frontend/syntax/Operators.h"

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
  bool hasFloat = llvm::any_of(operands, Emitter::holdsFloats);
  if (auto op = ast::binaryOperatorOf(mnemonic, hasFloat))
    return emitter.binary(call.loc, *op, operands[0], operands[1]);
  return emitter.elementwise(call.loc, mnemonic, operands);
}
