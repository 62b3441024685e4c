// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/ControlCalls.h"
#include "tegula/frontend/irgen/Assertions.h"
#include "tegula/frontend/irgen/Expressions.h"
#include "tegula/frontend/irgen/GridCalls.h"
#include "tegula/frontend/irgen/HeadValues.h"
#include "tegula/frontend/irgen/Prints.h"

using namespace tegula;
using llvm::StringRef;

Object ControlCalls::callYield(const ast::Expr &expr, const ast::Call &node) {
  std::optional<CallArguments> arguments =
      expressions.evaluateArguments(expr, node);
  state.lastCallHadEffect = true;
  return arguments ? headValues.callYield(expr, node, *arguments)
                   : Object::poison();
}

Object ControlCalls::callGrid(Form form, StringRef name, const ast::Expr &expr,
                              const ast::Call &node) {
  std::optional<CallArguments> arguments =
      expressions.evaluateArguments(expr, node);
  state.lastCallHadEffect = false;
  return arguments ? gridCalls.call(form, name, *arguments) : Object::poison();
}

std::optional<Object> ControlCalls::call(StringRef path, const ast::Expr &expr,
                                         const ast::Call &node) {
  StringRef name = path;
  if (!name.consume_front("tensor."))
    name.consume_front("tile.");
  Form form = formOf(name);
  switch (form) {
  case Form::Yield:
    return callYield(expr, node);
  case Form::Print:
    return prints.call(expr, node);
  case Form::StaticPrint:
    return assertions.callStaticPrint(expr, node);
  case Form::StaticAssert:
    return assertions.callStaticAssert(node);
  case Form::BlockIndex:
  case Form::NumBlocks:
  case Form::LaneIndex:
  case Form::Shard:
  case Form::Gather:
  case Form::Submit:
  case Form::SubmitGrid:
  case Form::WaitForBlocks:
  case Form::WaitForLanes:
    return callGrid(form, name, expr, node);
  default:
    return std::nullopt;
  }
}
