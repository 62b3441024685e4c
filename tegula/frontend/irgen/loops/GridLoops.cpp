// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/GridLoops.h"
#include "tegula/frontend/irgen/calls/TaskOptions.h"
#include "tegula/frontend/irgen/loops/LoopRange.h"
#include "tegula/frontend/irgen/loops/ParallelLoops.h"
#include "tegula/frontend/irgen/statements/Branches.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;

Flow GridLoops::emitBlocks(Stmts stmts, StringRef variable, const Object &count,
                           const TaskOptions &options, const ast::Stmt &stmt) {
  LoopRange range;
  range.stop = count;
  LoopBody body{stmts,     variable,           {},
                "pl.spmd", pl::LoopKind::Grid, options.task};
  auto emit = [&] {
    parallelLoops.emit(body, range, stmt);
    return Flow::Reaches;
  };
  return branches.emitGuarded(
      options, emit, [] { return Flow::Reaches; }, stmt);
}

void GridLoops::emitFor(const ast::For &node, const CallArguments &arguments,
                        const ast::Stmt &stmt) {
  const auto *variable = std::get_if<ast::Name>(&node.target->node);
  if (!variable) {
    fail(locate(*node.target), "the target of 'for ... in pl.spmd(n)' is one "
                               "name, the index of the block");
    return;
  }
  TaskOptions options(locate(stmt.loc));
  std::optional<Object> blocks = readBlocks(emitter, arguments, options);
  if (!blocks)
    return;
  options.task =
      describeTask(emitter, std::get<ast::Call>(node.iter->node), arguments,
                   /*target=*/nullptr);
  emitBlocks(node.body, variable->id, *blocks, options, stmt);
}

/// What lanes gather under a name has nothing to do with what the name stood
/// for before.
void GridLoops::forgetGathered(Stmts stmts) {
  for (const ast::StmtPtr &stmt : stmts) {
    const auto *node = std::get_if<ast::Assign>(&stmt->node);
    const auto *call =
        node ? std::get_if<ast::Call>(&node->value->node) : nullptr;
    if (call && state.calleeConstruct(*call->callee) == Construct::Gather)
      for (const ast::ExprPtr &target : node->targets)
        if (const auto *name = std::get_if<ast::Name>(&target->node))
          scope.erase(StringRef(name->id));
    forEachBlock(*stmt, [&](Stmts block) { forgetGathered(block); });
  }
}

void GridLoops::emitLanes(LoopBody body, const CallArguments &arguments,
                          const ast::Stmt &stmt) {
  Location loc = locate(stmt.loc);
  std::vector<std::optional<CallArgument>> bound;
  if (!bindArguments("split_aiv", {"lanes", "mode"}, {true, false}, arguments,
                     emitter.reporter, bound))
    return;
  if (bound[0]->object.asInteger() != 2) {
    fail(bound[0]->loc,
         "split_aiv() takes 2 lanes, got " + describe(bound[0]->object));
    return;
  }
  const std::string *mode = bound[1] ? bound[1]->object.asLanguage() : nullptr;
  std::optional<unsigned> axis =
      llvm::StringSwitch<std::optional<unsigned>>(mode ? *mode : "")
          .Case("SplitMode.NONE", 0)
          .Case("SplitMode.UP_DOWN", 2)
          .Case("SplitMode.LEFT_RIGHT", 1)
          .Default(std::nullopt);
  if (bound[1] && !axis) {
    fail(bound[1]->loc, "the mode of split_aiv() must be one of pl.SplitMode, "
                        "got " +
                            describe(bound[1]->object));
    return;
  }
  if (jumpsOf(body.stmts).hasBreak || jumpsOf(body.stmts).hasReturn) {
    fail(loc, "control cannot leave a lane of pl.split_aiv before its end");
    return;
  }
  LoopRange range;
  range.stop = Object::integer(2);
  unsigned outer = std::exchange(state.splitAxis, axis.value_or(0));
  body.kind = pl::LoopKind::Lanes;
  if (mode)
    body.task = emitter.builder.getDictionaryAttr(emitter.builder.getNamedAttr(
        "mode", emitter.builder.getStringAttr(
                    StringRef(*mode).drop_front(strlen("SplitMode.")))));
  forgetGathered(body.stmts);
  parallelLoops.emit(body, range, stmt);
  state.splitAxis = outer;
  for (auto &[slot, variable] : scope)
    if (const auto *unusable = variable.object.as<UnusableObject>();
        unusable && unusable->gathered)
      variable.object =
          Object(emitter.memory.toTile(loc, Object(unusable->gathered)));
}
