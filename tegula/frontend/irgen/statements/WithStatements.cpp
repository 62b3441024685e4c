// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/WithStatements.h"
#include "tegula/frontend/irgen/calls/TaskOptions.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/loops/GridLoops.h"
#include "tegula/frontend/irgen/statements/Assignments.h"
#include "tegula/frontend/irgen/statements/Branches.h"
#include "tegula/frontend/irgen/statements/Statements.h"

using namespace tegula;
using mlir::Location;

Flow WithStatements::emitRegion(Construct construct, const TaskOptions &options,
                                const ast::With &node, const ast::Stmt &stmt,
                                const Rest *rest) {
  auto emit = [&]() -> Flow {
    if (construct != Construct::At)
      return statements.emitBlock(node.body, rest);
    RegionPlacement placement{options.level.value_or(pl::Level::CoreGroup),
                              options.task};
    if (rest)
      return statements.emitLeft(placement, node.body, rest);
    NameCounts inside;
    countNames(stmt, inside);
    return statements.emitRegion(placement, node.body, inside,
                                 locate(stmt.loc));
  };
  auto skip = [&] { return rest ? statements.emitRest(*rest) : Flow::Reaches; };
  return branches.emitGuarded(options, emit, skip, stmt);
}

Flow WithStatements::emit(const ast::With &node, const ast::Stmt &stmt,
                          const Rest *rest) {
  const ast::WithItem &item = node.items.front();
  const auto *call = std::get_if<ast::Call>(&item.context->node);
  Location loc = locate(*item.context);
  Object callee = call ? expressions.evaluate(*call->callee) : Object::none();
  if (callee.isPoison())
    return Flow::Reaches;
  const std::string *path = callee.asLanguage();
  Construct construct = path ? constructOf(*path) : Construct::None;
  if (!isRegion(construct) || node.items.size() != 1) {
    fail(loc, "a 'with' in a kernel takes one of pl.at, pl.incore, "
              "pl.auto_incore, pl.spmd, pl.cluster, pl.scope and "
              "pl.manual_scope");
    return Flow::Reaches;
  }
  std::optional<CallArguments> arguments =
      expressions.evaluateArguments(*item.context, *call);
  if (!arguments)
    return Flow::Reaches;
  TaskOptions options(loc);
  std::optional<Object> blocks;
  if (construct == Construct::Grid)
    blocks = readBlocks(emitter, *arguments, options);
  bool isRight =
      construct == Construct::Grid
          ? blocks.has_value()
          : readTaskOptions(emitter, construct, *path, *arguments, options);
  if (!isRight)
    return Flow::Reaches;
  options.task = describeTask(emitter, *call, *arguments, item.target.get());
  if (item.target)
    assignments.assign(*item.target, Object(TaskObject{}));
  if (!blocks)
    return emitRegion(construct, options, node, stmt, rest);
  if (rest) {
    fail(loc, "control cannot leave the blocks of pl.spmd; end the loop or the "
              "function outside of it");
    return Flow::Reaches;
  }
  return gridLoops.emitBlocks(node.body, "", *blocks, options, stmt);
}
