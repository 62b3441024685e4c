// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/calls/GridCalls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/irgen/calls/FunctionCalls.h"
#include "tegula/frontend/irgen/calls/TaskOptions.h"
#include "tegula/frontend/irgen/statements/Branches.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

Object GridCalls::call(Construct construct, StringRef name,
                       const CallArguments &arguments) {
  switch (construct) {
  case Construct::Submit:
  case Construct::SubmitGrid:
    return submit(construct, name, arguments);
  case Construct::Shard:
    return shard(arguments);
  case Construct::WaitForBlocks:
  case Construct::WaitForLanes:
    return waitForOthers(construct, name, arguments);
  case Construct::Gather:
    return gather(arguments);
  default:
    break;
  }
  if (!arguments.positional.empty() || !arguments.keywords.empty())
    return fail(arguments.loc, name + "() takes no arguments");
  return construct == Construct::BlockIndex  ? state.grid.block
         : construct == Construct::NumBlocks ? state.grid.numBlocks
                                             : state.grid.lane;
}

/// True if what a barrier is told is one of these strings, or left out.
static bool checkChoice(Emitter &emitter, StringRef name, StringRef argument,
                        const std::optional<CallArgument> &given,
                        llvm::ArrayRef<StringRef> choices) {
  const auto *text = given ? given->object.as<StringObject>() : nullptr;
  if (!given || (text && llvm::is_contained(choices, text->value)))
    return true;
  emitter.fail(given->loc, "'" + argument + "' of " + name +
                               "() must be one of \"" +
                               llvm::join(choices, "\", \"") + "\", got " +
                               describe(given->object));
  return false;
}

/// `pl.system.syncall()` and the like. What other machines need to be told
/// besides is checked for its names, and not needed.
Object GridCalls::waitForOthers(Construct construct, StringRef name,
                                const CallArguments &arguments) {
  bool isGrid = construct == Construct::WaitForBlocks;
  std::vector<StringRef> names =
      isGrid ? std::vector<StringRef>{"core_type", "mode", "gm_workspace",
                                      "used_cores"}
             : std::vector<StringRef>{"event_id", "pipe", "core_type"};
  llvm::SmallVector<bool> isRequired(names.size(), false);
  std::vector<std::optional<CallArgument>> bound;
  state.lastCallHadEffect = true;
  if (!bindArguments(name, names, isRequired, arguments, emitter.reporter,
                     bound) ||
      !checkChoice(emitter, name, "core_type", bound[isGrid ? 0 : 2],
                   {"mix", "aiv_only", "aic_only", "aiv", "aic"}) ||
      (isGrid &&
       !checkChoice(emitter, name, "mode", bound[1], {"hard", "soft"})))
    return Object::poison();
  pl::BarrierOp::create(emitter.builder, arguments.loc,
                        isGrid ? pl::LoopKind::Grid : pl::LoopKind::Lanes);
  return Object::none();
}

/// The tile that a call about lanes is given, null after a mistake.
Value GridCalls::readHalf(StringRef name, const CallArguments &arguments) {
  std::vector<std::optional<CallArgument>> bound;
  if (!bindArguments(name, {"x"}, {true}, arguments, emitter.reporter, bound))
    return {};
  Value tile = emitter.memory.toTile(arguments.loc, bound[0]->object);
  if (!tile)
    fail(bound[0]->loc, name + "() takes a tensor or a tile, got " +
                            describe(bound[0]->object));
  else if (pl::getDims(tile.getType()).size() < state.splitAxis)
    fail(bound[0]->loc,
         name + "() needs rows and columns, got " + describe(tile.getType()));
  else
    return tile;
  return {};
}

/// `pl.aiv_shard(t)`: the half of a tile that belongs to the lane.
Object GridCalls::shard(const CallArguments &arguments) {
  Location loc = arguments.loc;
  if (!state.splitAxis)
    return fail(loc, "aiv_shard() belongs in a pl.split_aiv with mode UP_DOWN "
                     "or LEFT_RIGHT");
  Value tile = readHalf("aiv_shard", arguments);
  if (!tile)
    return Object::poison();
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(tile.getType());
  unsigned axis = dims.size() - state.splitAxis;
  if (!dims[axis].hasBound() || dims[axis].getBound() % 2 != 0)
    return fail(loc, "aiv_shard() needs an even bound on axis " +
                         llvm::Twine(axis) + ", got " +
                         describe(tile.getType()));
  int64_t half = dims[axis].getBound() / 2;
  llvm::SmallVector<Value> sizes = emitter.extents.allOf(loc, tile);
  llvm::SmallVector<Value> offsets(sizes.size(), emitter.scalars.index(0));
  sizes[axis] = emitter.scalars.index(half);
  Object start = emitter.operators.binary(
      loc, ast::BinaryOp::Mul, state.grid.lane, Object::integer(half));
  offsets[axis] = emitter.scalars.toIndex(loc, start, "the start of a lane");
  return Object(emitter.memory.window(loc, tile, offsets, sizes, {}));
}

/// `g = pl.aic_gather(t)`: after the lanes, what they gave in one tile, the
/// first lane's first; without a direction it is the first lane's. The lanes
/// write to a tensor that is made before them.
Object GridCalls::gather(const CallArguments &arguments) {
  Location loc = arguments.loc;
  if (!state.lanes)
    return fail(loc, "aic_gather() belongs in a pl.split_aiv");
  Value tile = readHalf("aic_gather", arguments);
  if (!tile)
    return Object::poison();
  auto type = llvm::cast<pl::TileType>(tile.getType());
  for (auto [axis, dim] : llvm::enumerate(pl::getDims(type)))
    if (!dim.isExact())
      return fail(loc, "aic_gather() needs extents known at compile time, got "
                       "axis " +
                           llvm::Twine(axis) + " of " + describe(type) +
                           "; pl.fillpad fills it up");
  unsigned axis = pl::getDims(type).size() - state.splitAxis;
  Value whole = makeWhole(type, axis, loc);
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  Value lane = emitter.scalars.toIndex(loc, state.grid.lane, "the lane");
  llvm::SmallVector<Value> sizes = emitter.extents.allOf(loc, tile);
  llvm::SmallVector<Value> offsets(sizes.size(), emitter.scalars.index(0));
  if (state.splitAxis) {
    offsets[axis] =
        emitter.scalars.indexBinary(loc, ast::BinaryOp::Mul, lane, sizes[axis]);
  } else {
    Value isFirst = mlir::arith::CmpIOp::create(builder, loc,
                                                mlir::arith::CmpIPredicate::eq,
                                                lane, emitter.scalars.index(0));
    auto first = mlir::scf::IfOp::create(builder, loc, isFirst,
                                         /*withElseRegion=*/false);
    builder.setInsertionPointToStart(first.thenBlock());
  }
  emitter.memory.store(loc, Object(tile),
                       emitter.memory.window(loc, whole, offsets, sizes, {}));
  return Object(UnusableObject{
      "what pl.aic_gather gives is whole after the lanes; read it after the "
      "loop over pl.split_aiv",
      {{loc, "gathered here"}},
      whole});
}

/// A tensor for what the lanes give, made before them: twice as long on the
/// axis they share, if they share one.
Value GridCalls::makeWhole(pl::TileType half, unsigned axis, Location loc) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(state.lanes);
  pl::Dims dims(pl::getDims(half));
  if (axis < dims.size())
    dims[axis] = pl::Dim::exactly(2 * dims[axis].getBound());
  llvm::SmallVector<Value> sizes;
  for (pl::Dim dim : dims)
    sizes.push_back(emitter.scalars.index(dim.getBound()));
  auto type = pl::TensorViewType::get(builder.getContext(), dims,
                                      half.getElementType());
  return pl::CreateTensorOp::create(builder, loc, type, sizes);
}

/// `result, task = pl.submit(kernel, ...)`
Object GridCalls::submit(Construct construct, StringRef name,
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
  if (construct == Construct::SubmitGrid)
    blocks = readBlocks(emitter, options, task);
  bool isRight = construct == Construct::SubmitGrid
                     ? blocks.has_value()
                     : readTaskOptions(emitter, construct, name, options, task);
  if (!isRight)
    return Object::poison();
  auto callIt = [&] {
    return blocks ? callInGrid(*callee, call, *blocks)
                  : functionCalls.call(*callee, call);
  };
  Object result = isConstant(task.predicate) && isTrue(task.predicate)
                      ? callIt()
                      : callGuarded(task, callIt, *callee);
  state.lastCallHadEffect = true;
  return result.isPoison() ? result
                           : Object::tuple({result, Object(TaskObject{})});
}

/// Calls a kernel only if the predicate of its task holds. Otherwise the
/// tensors it gives back are what they were.
Object GridCalls::callGuarded(const TaskOptions &task,
                              llvm::function_ref<Object()> call,
                              const KernelFunction &callee) {
  Value condition =
      emitter.scalars.toCondition(task.predicateLoc, task.predicate);
  if (!condition)
    return Object::poison();
  Object result;
  auto callIt = [&] {
    result = call();
    return Flow::Reaches;
  };
  branches.emitIf(condition, callIt, [] { return Flow::Reaches; },
                  task.predicateLoc, {});
  for (const Object &part :
       result.asTuple() ? *result.asTuple() : std::vector<Object>{result})
    if (Value value = part.asValue())
      if (!emitter.extents.isVisible(value))
        return fail(task.predicateLoc,
                    "'" + callee.getName() +
                        "' returns a value that it does not make where the "
                        "predicate is false; it must write to a tensor");
  return result;
}

/// Calls a kernel once for every block.
Object GridCalls::callInGrid(const KernelFunction &callee,
                             const CallArguments &call, const Object &blocks) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  Value count =
      emitter.scalars.toIndex(call.loc, blocks, "the number of blocks");
  auto op =
      pl::ParallelOp::create(builder, call.loc, emitter.scalars.index(0), count,
                             emitter.scalars.index(1), pl::LoopKind::Grid);
  mlir::Block &block = op.getBody().front();
  block.back().erase();
  builder.setInsertionPointToEnd(&block);
  GridPosition outer =
      std::exchange(state.grid, {Object(Value(op.getInductionVar())), blocks,
                                 Object::integer(0)});
  size_t firstRead = emitter.uses.beginLoop();
  Object result = functionCalls.call(callee, call);
  emitter.uses.endLoop(firstRead);
  state.grid = outer;
  pl::YieldOp::create(builder, call.loc, mlir::ValueRange());
  if (result.isPoison())
    return result;
  for (const Object &part :
       result.asTuple() ? *result.asTuple() : std::vector<Object>{result})
    if (Value value = part.asValue())
      if (op.getBody().isAncestor(value.getParentRegion()))
        return fail(call.loc, "'" + callee.getName() +
                                  "' returns a value of one block; with "
                                  "several of them it must write to a tensor");
  return result;
}
