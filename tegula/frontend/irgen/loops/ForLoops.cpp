// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/ForLoops.h"
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/loops/GridLoops.h"
#include "tegula/frontend/irgen/loops/HeadValues.h"
#include "tegula/frontend/irgen/loops/LoopRange.h"
#include "tegula/frontend/irgen/loops/ParallelLoops.h"
#include "tegula/frontend/irgen/loops/RangeLoops.h"
#include "tegula/frontend/irgen/loops/UnrolledLoops.h"
#include "tegula/frontend/irgen/loops/WhileLoops.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;

/// The iterator that a `for` names: one of the language, or Python's range.
static Construct iteratorOf(const Object &callee, StringRef name) {
  Construct construct = constructOf(name);
  bool isKnown = callee.asLanguage() ? isIterator(construct)
                                     : construct == Construct::Range;
  return isKnown ? construct : Construct::None;
}

/// The name of something that is called; empty if it has none.
static StringRef nameOf(const Object &callee) {
  if (const auto *python = callee.as<PythonObject>())
    return python->name;
  const std::string *path = callee.asLanguage();
  return path ? StringRef(*path) : StringRef();
}

/// Takes a keyword argument out of a call.
static std::optional<CallArgument> takeKeyword(CallArguments &arguments,
                                               StringRef name) {
  for (auto it = arguments.keywords.begin(); it != arguments.keywords.end();
       ++it)
    if (it->first == name) {
      CallArgument argument = it->second;
      arguments.keywords.erase(it);
      return argument;
    }
  return std::nullopt;
}

void ForLoops::emit(const ast::For &node, const ast::Stmt &stmt) {
  Location loc = locate(stmt.loc);
  if (!node.orelse.empty())
    fail(loc, "'else' of a loop is not supported; use a flag set by the loop");
  const auto *call = std::get_if<ast::Call>(&node.iter->node);
  Object callee = call ? expressions.evaluate(*call->callee)
                       : expressions.evaluate(*node.iter);
  if (callee.isPoison())
    return;
  StringRef name = nameOf(callee);
  Construct construct = iteratorOf(callee, name);
  if (!call || construct == Construct::None) {
    std::string why = callee.asLanguage() && call ? unknownName(name) : "";
    fail(locate(*node.iter),
         !why.empty() ? why
                      : "a 'for' runs over range, pl.range, pl.parallel "
                        "or pl.unroll, got " +
                            describe(callee));
    return;
  }
  std::optional<CallArguments> arguments =
      expressions.evaluateArguments(*node.iter, *call);
  if (!arguments)
    return;
  if (construct == Construct::Grid)
    return gridLoops.emitFor(node, *arguments, stmt);
  std::optional<CallArgument> initial = takeKeyword(*arguments, "init_values");
  if (initial && construct == Construct::Unroll) {
    fail(initial->loc, "unroll() takes no init_values: its copies know the "
                       "variables before them; rebind variables in the body");
    return;
  }
  if (initial && takeKeyword(*arguments, "unroll")) {
    fail(initial->loc, name + "() takes no init_values with 'unroll'");
    return;
  }
  if (callee.is<PythonObject>() && !arguments->keywords.empty()) {
    const auto &[keyword, argument] = arguments->keywords.front();
    fail(argument.loc, "range() got an unexpected keyword argument '" +
                           keyword + "'; pl.range takes hints");
    return;
  }
  LoopBody body{node.body, ""};
  body.loop = &stmt;
  if (!headValues.read(node, construct, initial, body))
    return;
  if (jumpsOf(node.body).hasReturn)
    scope.insert_or_assign(Slot::Kind::Returned,
                           Variable{Object::boolean(false), loc});
  if (construct == Construct::While)
    whileLoops.emitWhileIterator(body, loc);
  else if (construct == Construct::Lanes)
    gridLoops.emitLanes(body, *arguments, stmt);
  else
    emitRanged(construct, name, body, *arguments, stmt);
  if (body.carries.yield)
    headValues.bindResults(body, loc);
}

void ForLoops::emitRanged(Construct construct, StringRef name,
                          const LoopBody &body, const CallArguments &arguments,
                          const ast::Stmt &stmt) {
  std::optional<LoopRange> range =
      readRange(emitter, arguments, construct, name);
  if (!range)
    return;
  Location loc = locate(stmt.loc);
  Jumps jumps = jumpsOf(body.stmts);
  if (range->isIndependent && body.carries.yield)
    fail(loc, "init_values go from one iteration to the next, so they are not "
              "independent; write to a tensor instead");
  else if (construct == Construct::Unroll)
    unrolledLoops.emit(body, *range, loc);
  else if (construct == Construct::Parallel)
    parallelLoops.emit(body, *range, stmt);
  else if (jumps.hasBreak || jumps.hasReturn)
    rangeLoops.emitBreakable(body, *range, loc);
  else
    rangeLoops.emit(body, *range, loc);
}
