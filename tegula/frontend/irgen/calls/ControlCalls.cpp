// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/calls/ControlCalls.h"
#include "tegula/frontend/irgen/calls/GridCalls.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/loops/HeadValues.h"
#include "tegula/frontend/irgen/statements/Assertions.h"
#include "tegula/frontend/irgen/statements/Prints.h"

using namespace tegula;
using llvm::StringRef;

Object ControlCalls::callYield(const ast::Expr &expr, const ast::Call &node) {
  std::optional<CallArguments> arguments =
      expressions.evaluateArguments(expr, node);
  state.lastCallHadEffect = true;
  return arguments ? headValues.callYield(expr, node, *arguments)
                   : Object::poison();
}

Object ControlCalls::callGrid(Construct construct, StringRef name,
                              const ast::Expr &expr, const ast::Call &node) {
  std::optional<CallArguments> arguments =
      expressions.evaluateArguments(expr, node);
  state.lastCallHadEffect = false;
  return arguments ? gridCalls.call(construct, name, *arguments)
                   : Object::poison();
}

std::optional<Object> ControlCalls::call(StringRef path, const ast::Expr &expr,
                                         const ast::Call &node) {
  StringRef name = path;
  if (!name.consume_front("tensor."))
    name.consume_front("tile.");
  Construct construct = constructOf(name);
  switch (construct) {
  case Construct::Yield:
    return callYield(expr, node);
  case Construct::Print:
    return prints.call(expr, node);
  case Construct::StaticPrint:
    return assertions.callStaticPrint(expr, node);
  case Construct::StaticAssert:
    return assertions.callStaticAssert(node);
  case Construct::BlockIndex:
  case Construct::NumBlocks:
  case Construct::LaneIndex:
  case Construct::Shard:
  case Construct::Gather:
  case Construct::Submit:
  case Construct::SubmitGrid:
  case Construct::WaitForBlocks:
  case Construct::WaitForLanes:
    return callGrid(construct, name, expr, node);
  default:
    return std::nullopt;
  }
}
