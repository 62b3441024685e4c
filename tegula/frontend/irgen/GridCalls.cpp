// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/GridCalls.h"
#include "tegula/frontend/irgen/FunctionCalls.h"
#include "tegula/frontend/irgen/TaskOptions.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

Object GridCalls::call(Form form, StringRef name,
                       const CallArguments &arguments) {
  switch (form) {
  case Form::Submit:
  case Form::SubmitGrid:
    return submit(form, name, arguments);
  case Form::Shard:
    return shard(arguments);
  case Form::WaitForBlocks:
    return waitForOthers(pl::LoopKind::Grid, arguments.loc);
  case Form::WaitForLanes:
    return waitForOthers(pl::LoopKind::Lanes, arguments.loc);
  case Form::Gather:
    return fail(arguments.loc, "aic_gather() is not supported: the lanes run "
                               "one after the other; write each half to a "
                               "tensor and read it after the loop");
  default:
    break;
  }
  if (!arguments.positional.empty() || !arguments.keywords.empty())
    return fail(arguments.loc, name + "() takes no arguments");
  return form == Form::BlockIndex  ? state.grid.block
         : form == Form::NumBlocks ? state.grid.numBlocks
                                   : state.grid.lane;
}

/// `pl.system.syncall()` and the like.
Object GridCalls::waitForOthers(pl::LoopKind kind, Location loc) {
  pl::BarrierOp::create(emitter.builder, loc, kind);
  state.lastCallHadEffect = true;
  return Object::none();
}

/// `pl.aiv_shard(t)`: the half of a tile that belongs to the lane.
Object GridCalls::shard(const CallArguments &arguments) {
  std::vector<std::optional<CallArgument>> bound;
  if (!bindArguments("aiv_shard", {"x"}, {true}, arguments, emitter.reporter,
                     bound))
    return Object::poison();
  Location loc = arguments.loc;
  if (!state.splitAxis)
    return fail(loc, "aiv_shard() belongs in a pl.split_aiv with mode UP_DOWN "
                     "or LEFT_RIGHT");
  Value tile = emitter.toTile(loc, bound[0]->object);
  if (!tile)
    return fail(bound[0]->loc, "aiv_shard() takes a tensor or a tile, got " +
                                   describe(bound[0]->object));
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(tile.getType());
  if (dims.size() < state.splitAxis)
    return fail(bound[0]->loc, "aiv_shard() needs rows and columns, got " +
                                   describe(tile.getType()));
  unsigned axis = dims.size() - state.splitAxis;
  if (!dims[axis].hasBound() || dims[axis].getBound() % 2 != 0)
    return fail(bound[0]->loc, "aiv_shard() needs an even bound on axis " +
                                   llvm::Twine(axis) + ", got " +
                                   describe(tile.getType()));
  int64_t half = dims[axis].getBound() / 2;
  llvm::SmallVector<Value> sizes = emitter.extents(loc, tile);
  llvm::SmallVector<Value> offsets(sizes.size(), emitter.index(0));
  sizes[axis] = emitter.index(half);
  Object start = emitter.binary(loc, ast::BinaryOp::Mul, state.grid.lane,
                                Object::integer(half));
  offsets[axis] = emitter.toIndex(loc, start, "the start of a lane");
  return Object(emitter.window(loc, tile, offsets, sizes, {}));
}

/// `result, task = pl.submit(kernel, ...)`
Object GridCalls::submit(Form form, StringRef name,
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
  for (const auto &keyword : arguments.keywords)
    (isSubmitOption(keyword.first) ? options : call)
        .keywords.push_back(keyword);
  TaskOptions task(arguments.loc);
  std::optional<Object> blocks;
  if (form == Form::SubmitGrid)
    blocks = readBlocks(emitter, options, task);
  bool isRight = form == Form::SubmitGrid
                     ? blocks.has_value()
                     : readTaskOptions(emitter, form, name, options, task);
  if (!isRight)
    return Object::poison();
  if (!isSame(task.predicate, Object::boolean(true)))
    return fail(task.predicateLoc, name + "() takes no predicate; write "
                                          "'with pl.at(predicate=...)'");
  if (!blocks) {
    Object result = functionCalls.call(*callee, call);
    state.lastCallHadEffect = true;
    return result.isPoison() ? result
                             : Object::tuple({result, Object(TaskObject{})});
  }
  return callInGrid(*callee, call, *blocks);
}

/// Calls a kernel once for every block.
Object GridCalls::callInGrid(const KernelFunction &callee,
                             const CallArguments &call, const Object &blocks) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  Value count = emitter.toIndex(call.loc, blocks, "the number of blocks");
  auto op = pl::ParallelOp::create(builder, call.loc, emitter.index(0), count,
                                   emitter.index(1), pl::LoopKind::Grid);
  mlir::Block &block = op.getBody().front();
  block.back().erase();
  builder.setInsertionPointToEnd(&block);
  GridPlace outer =
      std::exchange(state.grid, {Object(Value(op.getInductionVar())), blocks,
                                 Object::integer(0)});
  size_t firstRead = emitter.uses.beginLoop();
  Object result = functionCalls.call(callee, call);
  emitter.uses.endLoop(firstRead);
  state.grid = outer;
  pl::YieldOp::create(builder, call.loc, mlir::ValueRange());
  state.lastCallHadEffect = true;
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
