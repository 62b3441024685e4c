// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/Interpreter.h"

#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/InterpretedRanks.h"
#include "tegula/ir/interpreter/TouchRecord.h"
#include "tegula/ir/ops/PlDialect.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

RuntimeValues Frame::get(ValueRange range) const {
  RuntimeValues concrete;
  for (Value value : range)
    concrete.push_back(get(value));
  return concrete;
}

SmallVector<int64_t, 4> Frame::getIndices(ValueRange range) const {
  SmallVector<int64_t, 4> indices;
  for (Value value : range)
    indices.push_back(getIndex(value));
  return indices;
}

/// The extents of a tile or a tensor; none for a scalar.
static ArrayRef<int64_t> extentsOf(const RuntimeValue &concrete) {
  if (auto *tile = std::get_if<std::shared_ptr<const Tile>>(&concrete))
    return (*tile)->extents;
  if (auto *memory = std::get_if<Memory>(&concrete))
    return memory->view.getSizes();
  return {};
}

LogicalResult Frame::set(Value value, RuntimeValue concrete) {
  Type type = value.getType();
  if (isa<TensorViewType, TileType>(type)) {
    ArrayRef<int64_t> extents = extentsOf(concrete);
    for (auto [axis, dim] : llvm::enumerate(getDims(type)))
      if (dim.hasBound() &&
          (extents[axis] > dim.getBound() ||
           (dim.isExact() && extents[axis] != dim.getBound())))
        return emitError(value.getLoc())
               << "extent " << extents[axis] << " of axis " << axis
               << " does not fit the type " << type;
  }
  values[value] = std::move(concrete);
  return success();
}

LogicalResult Frame::set(Value value, Tile tile) {
  return set(value, std::make_shared<const Tile>(std::move(tile)));
}

LogicalResult Frame::checkSize(Operation *op, ArrayRef<int64_t> extents) const {
  int64_t count = 1;
  for (int64_t extent : extents)
    if (extent == 0)
      return success();
  for (int64_t extent : extents)
    if (llvm::MulOverflow(count, extent, count) ||
        count > state.options.maxElements) {
      InFlightDiagnostic diagnostic = op->emitError("cannot make ");
      llvm::interleave(
          extents, [&](int64_t size) { diagnostic << size; },
          [&] { diagnostic << " x "; });
      return diagnostic << " elements: the limit is "
                        << state.options.maxElements;
    }
  return success();
}

FailureOr<Tile> Frame::makeTile(Operation *op, DType dtype,
                                ArrayRef<int64_t> extents) const {
  if (failed(checkSize(op, extents)))
    return failure();
  Tile tile;
  tile.dtype = dtype;
  tile.extents.assign(extents.begin(), extents.end());
  size_t count = 1;
  for (int64_t extent : extents)
    count *= static_cast<size_t>(extent);
  tile.elements.resize(count);
  return tile;
}

LogicalResult Frame::record(Operation *op, Touch touch, const TensorView &view,
                            ArrayRef<int64_t> extents) const {
  if (op->hasAttr(atomicAttrName))
    touch = Touch::Add;
  if (state.ranks &&
      failed(state.ranks->touch(op, touch, state.rank, view, extents)))
    return failure();
  auto size = static_cast<int64_t>(getSize(view.dtype));
  LogicalResult result = success();
  if (state.watched.empty())
    return result;
  forEachRow(extents, [&](ArrayRef<int64_t> index, int64_t length) {
    int64_t offset = 0;
    for (auto [axis, position] : llvm::enumerate(index))
      offset += position * view.strides[axis];
    int64_t stride = index.empty() ? 0 : view.strides[index.size() - 1];
    for (int64_t column = 0; column < length; ++column)
      for (TouchRecord *loop : state.watched)
        if (succeeded(result))
          result = loop->add(op, touch,
                             view.getFirstElement() +
                                 (offset + column * stride) * size);
  });
  return result;
}

LogicalResult Frame::step(Operation *op) {
  const InterpreterOptions &options = state.options;
  if (++state.steps > options.maxSteps && options.maxSteps != 0)
    return op->emitError("gave up after ") << options.maxSteps << " steps";
  auto rule = dyn_cast<InterpretOpInterface>(op);
  if (failed(rule ? rule.interpret(*this) : interpretForeign(op, *this)))
    return failure();
  if (options.observer && op->getNumResults() != 0)
    options.observer(op, get(op->getResults()));
  return success();
}

FailureOr<RuntimeValues> Frame::run(Region &region,
                                    ArrayRef<RuntimeValue> arguments) {
  if (state.depth == state.options.maxDepth)
    return emitError(region.getLoc())
           << "regions and calls are nested more than "
           << state.options.maxDepth << " deep";
  ++state.depth;
  llvm::scope_exit leave([&] { --state.depth; });
  if (!region.hasOneBlock())
    return emitError(region.getLoc())
           << "cannot interpret a region of "
           << std::distance(region.begin(), region.end()) << " blocks";
  Block &block = region.front();
  for (auto [argument, concrete] :
       llvm::zip_equal(block.getArguments(), arguments))
    if (failed(set(argument, concrete)))
      return failure();
  for (Operation &op : block.without_terminator())
    if (failed(step(&op)))
      return failure();
  // Also counts iterations of empty loops.
  ++state.steps;
  return get(block.getTerminator()->getOperands());
}

FailureOr<RuntimeValues> tegula::pl::call(func::FuncOp function,
                                          ArrayRef<RuntimeValue> arguments,
                                          Operation *caller,
                                          InterpreterState &state,
                                          const Frame *from) {
  if (function.isExternal())
    return caller->emitError("function '")
           << function.getName() << "' has no body to run";
  return Frame(state, from, caller).run(function.getBody(), arguments);
}

/// Checks what the call of a compiled kernel checks, but for bound extents.
static LogicalResult checkArgument(func::FuncOp function, unsigned index,
                                   const Argument &argument) {
  Type type = function.getArgumentTypes()[index];
  auto fail = [&]() -> InFlightDiagnostic {
    return function.emitError("argument ") << index << ": ";
  };
  auto tensor = dyn_cast<TensorViewType>(type);
  auto *view = std::get_if<TensorView>(&argument);
  if (!tensor != !view)
    return fail() << "expected " << type << ", got a "
                  << (view ? "tensor" : "scalar");
  DType found = view ? view->dtype : std::get<Scalar>(argument).getDType();
  std::optional<DType> wanted = getDType(getElementOrSelf(type));
  if (!wanted)
    return fail() << "cannot pass a value of type " << type;
  if (found != *wanted)
    return fail() << "expected elements of type " << getName(*wanted)
                  << ", got " << getName(found);
  if (!tensor)
    return success();
  if (view->rank != tensor.getRank())
    return fail() << "expected rank " << tensor.getRank() << ", got "
                  << unsigned(view->rank);
  for (auto [axis, dim] : llvm::enumerate(tensor.getDims())) {
    int64_t extent = view->sizes[axis];
    if (extent < 0)
      return fail() << "extent " << extent << " of axis " << axis
                    << " is negative";
    if (dim.isExact() && extent != dim.getBound())
      return fail() << "expected extent " << dim.getBound() << " on axis "
                    << axis << ", got " << extent;
  }
  return success();
}

/// Runs the function once for each rank.
static LogicalResult callOnRanks(func::FuncOp function,
                                 ArrayRef<RuntimeValue> arguments,
                                 const InterpreterOptions &options) {
  InterpretedRanks ranks(options.ranks);
  for (const RuntimeValue &argument : arguments)
    if (auto *tensor = std::get_if<Memory>(&argument))
      ranks.addArgument(tensor->view);
  return ranks.run(function, [&](int64_t rank) -> LogicalResult {
    InterpreterState state{options};
    state.ranks = &ranks;
    state.rank = rank;
    return call(function, arguments, function, state);
  });
}

LogicalResult tegula::pl::interpret(func::FuncOp function,
                                    ArrayRef<Argument> arguments,
                                    const InterpreterOptions &options) {
  if (arguments.size() != function.getNumArguments())
    return function.emitError("expected ")
           << function.getNumArguments() << " arguments, got "
           << arguments.size();
  RuntimeValues concrete;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (failed(checkArgument(function, index, argument)))
      return failure();
    if (auto *view = std::get_if<TensorView>(&argument))
      concrete.push_back(Memory{*view, nullptr});
    else
      concrete.push_back(std::get<Scalar>(argument));
  }
  if (options.ranks.count > 1)
    return callOnRanks(function, concrete, options);
  InterpreterState state{options};
  return call(function, concrete, function, state);
}
