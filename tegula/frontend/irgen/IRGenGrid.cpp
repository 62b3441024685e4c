// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids: one body for many blocks, and where in a grid it runs. Helpers get
// that place with their call.
#include "tegula/frontend/irgen/IRGenFunction.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

/// `pl.spmd(n)`, `pl.spmd(core_num=n)`: how many blocks there are.
std::optional<Object>
FunctionGenerator::readBlocks(const CallArguments &arguments,
                              TaskOptions &options) {
  CallArguments rest = arguments;
  std::optional<CallArgument> blocks;
  if (rest.positional.size() == 1) {
    blocks = rest.positional.front();
    rest.positional.clear();
  }
  if (!readTaskOptions("spmd", rest, options))
    return std::nullopt;
  if (!blocks)
    blocks = options.bound.front();
  if (!blocks) {
    fail(arguments.loc, "spmd() missing required argument 'core_num'");
    return std::nullopt;
  }
  std::optional<int64_t> constant = blocks->object.asInteger();
  if (blocks->object.is<IntObject>() && *constant < 0) {
    fail(blocks->loc, "the number of blocks must not be negative, got " +
                          llvm::Twine(*constant));
    return std::nullopt;
  }
  if (constant && blocks->object.is<IntObject>())
    return blocks->object;
  Value count =
      emitter.toIndex(blocks->loc, blocks->object, "the number of blocks");
  return count ? std::optional(Object(count)) : std::nullopt;
}

void FunctionGenerator::emitGrid(const LoopBody &body, const Object &count,
                                 const ast::Stmt &stmt) {
  Range range;
  range.start = Object::integer(0);
  range.stop = count;
  range.step = Object::integer(1);
  emitParallel(body, range, stmt);
}

void FunctionGenerator::emitGridFor(const ast::For &node,
                                    const CallArguments &arguments,
                                    const ast::Stmt &stmt) {
  const auto *variable = std::get_if<ast::Name>(&node.target->node);
  if (!variable) {
    fail(locate(*node.target), "the target of 'for ... in pl.spmd(n)' is one "
                               "name, the index of the block");
    return;
  }
  TaskOptions options{{}, Object::boolean(true), locate(stmt.loc)};
  std::optional<Object> blocks = readBlocks(arguments, options);
  if (!blocks)
    return;
  options.task = describeTask(std::get<ast::Call>(node.iter->node), arguments,
                              /*target=*/nullptr);
  auto emit = [&] {
    emitGrid(LoopBody{node.body,
                      variable->id,
                      {},
                      "pl.spmd",
                      pl::LoopKind::Grid,
                      options.task},
             *blocks, stmt);
    return Flow::Reaches;
  };
  emitGuarded(options, emit, stmt, nullptr);
}

/// `for lane in pl.split_aiv(2, mode=...)`: both lanes run the body, one after
/// the other where something goes from one to the next.
void FunctionGenerator::emitLanes(LoopBody body, const CallArguments &arguments,
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
  Range range;
  range.start = Object::integer(0);
  range.stop = Object::integer(2);
  range.step = Object::integer(1);
  unsigned outer = std::exchange(splitAxis, axis.value_or(0));
  body.kind = pl::LoopKind::Lanes;
  if (mode)
    body.task = emitter.builder.getDictionaryAttr(emitter.builder.getNamedAttr(
        "mode", emitter.builder.getStringAttr(
                    StringRef(*mode).drop_front(strlen("SplitMode.")))));
  if (body.carries.yield)
    emitRange(body, range, loc);
  else
    emitParallel(body, range, stmt);
  splitAxis = outer;
}

/// `pl.aiv_shard(t)`: the half of a tile that belongs to the lane.
Object FunctionGenerator::shard(const CallArguments &arguments) {
  std::vector<std::optional<CallArgument>> bound;
  if (!bindArguments("aiv_shard", {"x"}, {true}, arguments, emitter.reporter,
                     bound))
    return Object::poison();
  Location loc = arguments.loc;
  if (!splitAxis)
    return fail(loc, "aiv_shard() belongs in a pl.split_aiv with mode UP_DOWN "
                     "or LEFT_RIGHT");
  Value tile = emitter.toTile(loc, bound[0]->object);
  if (!tile)
    return fail(bound[0]->loc, "aiv_shard() takes a tensor or a tile, got " +
                                   describe(bound[0]->object));
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(tile.getType());
  if (dims.size() < splitAxis)
    return fail(bound[0]->loc, "aiv_shard() needs rows and columns, got " +
                                   describe(tile.getType()));
  unsigned axis = dims.size() - splitAxis;
  if (!dims[axis].hasBound() || dims[axis].getBound() % 2 != 0)
    return fail(bound[0]->loc, "aiv_shard() needs an even bound on axis " +
                                   llvm::Twine(axis) + ", got " +
                                   describe(tile.getType()));
  int64_t half = dims[axis].getBound() / 2;
  llvm::SmallVector<Value> sizes = emitter.extents(loc, tile);
  llvm::SmallVector<Value> offsets(sizes.size(), emitter.index(0));
  sizes[axis] = emitter.index(half);
  Object start =
      emitter.binary(loc, ast::BinaryOp::Mul, grid.lane, Object::integer(half));
  offsets[axis] = emitter.toIndex(loc, start, "the start of a lane");
  return Object(emitter.window(loc, tile, offsets, sizes, {}));
}

/// `pl.system.syncall()` and the like.
Object FunctionGenerator::waitForOthers(pl::LoopKind kind, Location loc) {
  pl::BarrierOp::create(emitter.builder, loc, kind);
  lastCallHadEffect = true;
  return Object::none();
}

/// Where in the grid the function runs, and calls of kernels as tasks.
Object FunctionGenerator::callGrid(StringRef name,
                                   const CallArguments &arguments) {
  if (name == "submit" || name == "spmd_submit")
    return submit(name, arguments);
  if (name == "aiv_shard")
    return shard(arguments);
  if (name == "system.syncall")
    return waitForOthers(pl::LoopKind::Grid, arguments.loc);
  if (name == "system.sync_wait")
    return waitForOthers(pl::LoopKind::Lanes, arguments.loc);
  if (name == "aic_gather")
    return fail(arguments.loc, "aic_gather() is not supported: the lanes run "
                               "one after the other; write each half to a "
                               "tensor and read it after the loop");
  if (!arguments.positional.empty() || !arguments.keywords.empty())
    return fail(arguments.loc, name + "() takes no arguments");
  return llvm::StringSwitch<Object>(name)
      .Case("get_block_idx", grid.block)
      .Case("get_block_num", grid.numBlocks)
      .Default(grid.lane);
}

/// `result, task = pl.submit(kernel, ...)`
Object FunctionGenerator::submit(StringRef name,
                                 const CallArguments &arguments) {
  CallArguments call{arguments.loc, arguments.positional, {}};
  CallArguments options{arguments.loc, {}, {}};
  const KernelFunction *callee = nullptr;
  if (!call.positional.empty())
    if (const auto *kernel = call.positional[0].object.as<FunctionObject>())
      callee = kernel->function;
  if (!callee)
    return fail(arguments.loc, name + "() takes a kernel and its arguments");
  call.positional.erase(call.positional.begin());
  static constexpr StringRef taskOptions[] = {
      "core_num",  "sync_start",          "optimizations", "deps",     "dumps",
      "predicate", "allow_early_resolve", "no_dep_args",   "name_hint"};
  for (const auto &keyword : arguments.keywords)
    (llvm::is_contained(taskOptions, keyword.first) ? options : call)
        .keywords.push_back(keyword);
  TaskOptions task{{}, Object::boolean(true), arguments.loc};
  if (name == "submit" && !readTaskOptions("submit", options, task))
    return Object::poison();
  std::optional<Object> blocks;
  if (name == "spmd_submit" && !(blocks = readBlocks(options, task)))
    return Object::poison();
  if (!isSame(task.predicate, Object::boolean(true)))
    return fail(task.predicateLoc, name + "() takes no predicate; write "
                                          "'with pl.at(predicate=...)'");
  if (!blocks) {
    Object result = callFunction(*callee, call);
    lastCallHadEffect = true;
    return result.isPoison() ? result
                             : Object::tuple({result, Object(TaskObject{})});
  }
  return callInGrid(*callee, call, *blocks);
}

/// Calls a kernel once for every block.
Object FunctionGenerator::callInGrid(const KernelFunction &callee,
                                     const CallArguments &call,
                                     const Object &blocks) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  Value count = emitter.toIndex(call.loc, blocks, "the number of blocks");
  auto op = pl::ParallelOp::create(builder, call.loc, emitter.index(0), count,
                                   emitter.index(1), pl::LoopKind::Grid);
  mlir::Block &block = op.getBody().front();
  block.back().erase();
  builder.setInsertionPointToEnd(&block);
  GridPlace outer = std::exchange(
      grid, {Object(Value(op.getInductionVar())), blocks, Object::integer(0)});
  size_t firstRead = emitter.uses.beginLoop();
  Object result = callFunction(callee, call);
  emitter.uses.endLoop(firstRead);
  grid = outer;
  pl::YieldOp::create(builder, call.loc, mlir::ValueRange());
  lastCallHadEffect = true;
  if (result.isPoison())
    return result;
  for (const Object &part :
       result.asTuple() ? *result.asTuple() : std::vector<Object>{result})
    if (Value value = part.asValue())
      if (op.getBody().isAncestor(value.getParentRegion()))
        return fail(call.loc, "'" + callee.getName() +
                                  "' returns a value of one block; with "
                                  "several of them it must write to a tensor");
  return Object::tuple({result, Object(TaskObject{})});
}
