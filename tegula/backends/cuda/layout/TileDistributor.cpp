// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/TileDistributor.h"

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/ir/extents/ExtentTerms.h"
#include "tegula/transforms/parallel/CoreRegions.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tegula;

static bool isTile(Value value) { return isa<pl::TileType>(value.getType()); }

static ArrayRef<pl::Dim> dimsOf(Value tile) {
  return pl::getDims(tile.getType());
}

/// True if a number, or where a view begins, is computed from another one.
static bool dependsOn(Value value, Value number,
                      llvm::DenseSet<Operation *> &seen) {
  Operation *op = value.getDefiningOp();
  return value == number ||
         (op && seen.insert(op).second &&
          llvm::any_of(op->getOperands(), [&](Value operand) {
            return dependsOn(operand, number, seen);
          }));
}

/// True if some loads follow from the row of an iteration alone, and others
/// from its column.
static bool loadsRowsAndColumns(pl::ParallelOp loop) {
  auto outer = dyn_cast<pl::ParallelOp>(loop->getParentOp());
  if (!outer)
    return false;
  bool hasRows = false, hasColumns = false;
  loop.getBody().walk([&](pl::LoadOp load) {
    auto follows = [&](pl::ParallelOp from) {
      llvm::DenseSet<Operation *> seen;
      return dependsOn(load.getSource(), from.getInductionVar(), seen);
    };
    bool isOfRow = follows(outer), isOfColumn = follows(loop);
    hasRows |= isOfRow && !isOfColumn;
    hasColumns |= isOfColumn && !isOfRow;
  });
  return hasRows && hasColumns;
}

pl::ParallelOp TileDistributor::run() {
  loc = loop.getLoc();
  auto madeLoop =
      cast<pl::ParallelOp>(builder.cloneWithoutRegions(*loop.getOperation()));
  Block *body = builder.createBlock(&madeLoop.getBody());
  scalars.map(loop.getInductionVar(),
              body->addArgument(builder.getIndexType(), loc));
  thread = cuda::ThreadOp::create(builder, loc, builder.getI32Type(),
                                  builder.getI64IntegerAttr(getNumThreads()));
  if (loadsRowsAndColumns(loop))
    thread.getDefiningOp()->setAttr(cuda::groupedAttrName,
                                    builder.getUnitAttr());
  sharedOp = cuda::SharedMemoryOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      builder.getI64IntegerAttr(0));
  emitBlock(loop.getBody().front());
  pl::YieldOp::create(builder, loc);
  sharedBytes = int64_t(sharedOp.getBytes());
  if (sharedOp->use_empty())
    sharedOp.erase();
  return madeLoop;
}

/// True for what goes on while wgmma makes these tiles.
static bool mayOverlap(Operation &op, ArrayRef<Value> unfinished) {
  bool isMatmul = isa<pl::MatmulOp, cuda::ConvertLayoutOp, pl::LoadOp>(op);
  bool isScalar = op.getNumRegions() == 0 && isPure(&op) && !touchesTiles(&op);
  return (isMatmul || isScalar) &&
         llvm::none_of(op.getOperands(), [&](Value operand) {
           return llvm::is_contained(unfinished, operand);
         });
}

void TileDistributor::beginPrefetch() {
  if (prefetch.emit && builder.getInsertionBlock() == prefetch.body)
    std::exchange(prefetch, Prefetch()).emit();
}

void TileDistributor::awaitWarpgroups() {
  if (!unfinished.empty())
    beginPrefetch();
  for (Value tile : unfinished)
    awaitTile(tile);
  unfinished.clear();
}

void TileDistributor::awaitTile(Value tile) {
  awaitAccumulator(*this, tiles.find(tile)->second);
}

void TileDistributor::emitBlock(Block &block) {
  int64_t kept = sharedKept;
  for (Operation &op : block.without_terminator()) {
    loc = op.getLoc();
    if (!mayOverlap(op, unfinished))
      awaitWarpgroups();
    emitOp(op);
  }
  loc = block.getParentOp()->getLoc();
  awaitWarpgroups();
  giveShared(kept);
}

/// The bound is said again: a number has no type that says it, and views of so
/// many elements have one.
void TileDistributor::emitDim(pl::DimOp op) {
  OpFoldResult extent = getExtents(op.getSource())[op.getAxis()];
  pl::Dim dim = pl::getDims(op.getSource().getType())[op.getAxis()];
  if (dim.isBounded())
    extent = math().min(extent, builder.getIndexAttr(dim.getBound()));
  scalars.map(op.getResult(), math().value(extent));
}

void TileDistributor::emitOp(Operation &op) {
  if (auto inner = dyn_cast<scf::ForOp>(op))
    return emitFor(inner);
  if (auto inner = dyn_cast<pl::ParallelOp>(op))
    return emitInOrder(inner);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  if (auto region = dyn_cast<cuda::BlockRegionOp>(op))
    return emitRegion(region);
  if (auto store = dyn_cast<pl::StoreOp>(op))
    return emitStore(store);
  if (auto dim = dyn_cast<pl::DimOp>(op); dim && isTile(dim.getSource()))
    return emitDim(dim);
  if (op.getNumResults() == 1 && isTile(op.getResult(0)))
    return emitTile(op);
  if (op.hasAttr(orderedAttrName) && isWrittenBefore(&op))
    waitForMemory();
  builder.clone(op, scalars);
}

/// True for rows that become columns of what gets another layout anyway:
/// threads keep what they hold.
static bool isSwapForConversion(Operation &op, Value result) {
  return isa<pl::TransposeOp>(op) && dimsOf(result).size() == 2 &&
         cast<pl::TransposeOp>(op).getPermutation()[0] == 1 &&
         llvm::all_of(result.getUsers(), llvm::IsaPred<cuda::ConvertLayoutOp>);
}

void TileDistributor::emitTile(Operation &op) {
  if (auto load = dyn_cast<pl::LoadOp>(op))
    return emitLoad(load);
  if (auto convert = dyn_cast<cuda::ConvertLayoutOp>(op))
    return emitConvert(convert);
  setExtents(op);
  Value result = op.getResult(0);
  if (isLazy(result))
    return;
  if (auto matmul = dyn_cast<pl::MatmulOp>(op))
    return emitMatmul(matmul);
  if (auto reduce = dyn_cast<pl::ReduceOp>(op))
    return emitReduce(reduce);
  if (auto pad = dyn_cast<pl::FillPadOp>(op))
    return emitFillPad(pad);
  if (isSwapForConversion(op, result)) {
    const RegisterTile &source = tiles.find(op.getOperand(0))->second;
    RegisterTile swapped{swapAxes(source.map), source.registers};
    return set(result, std::move(swapped));
  }
  if (movesElements(&op)) {
    ElementMap map = getMap(&op, result);
    return set(result, move(op, map));
  }
  emitElementwise(op);
}

Value TileDistributor::element(Value scalar) {
  Value mapped = scalars.lookupOrDefault(scalar);
  Type type = signlessType(mapped.getType());
  if (type == mapped.getType())
    return mapped;
  return UnrealizedConversionCastOp::create(builder, loc, type, mapped)
      .getResult(0);
}

void TileDistributor::emitElementwise(Operation &op) {
  Value result = op.getResult(0);
  ElementMap map = getMap(&op, result);
  std::vector<RegisterTile> operands;
  for (Value operand : op.getOperands())
    operands.push_back(isTile(operand) ? get(operand, map) : RegisterTile());
  RegisterTile computed{map, {}};
  for (int64_t i = 0; i < map.getNumRegisters(); ++i) {
    SmallVector<Value> elements;
    for (auto [operand, tile] : llvm::zip(op.getOperands(), operands))
      elements.push_back(isTile(operand) ? tile.registers[i]
                                         : element(operand));
    if (map.isUnused(i))
      computed.registers.push_back({});
    else if (isa<arith::SelectOp>(op))
      computed.registers.push_back(arith::SelectOp::create(
          builder, loc, elements[0], elements[1], elements[2]));
    else
      computed.registers.push_back(
          cast<pl::ElementwiseOpInterface>(op).buildScalar(builder, elements));
  }
  set(result, std::move(computed));
}

void TileDistributor::emitFillPad(pl::FillPadOp op) {
  ElementMap map = getMap(op, op.getResult());
  set(op.getResult(), mask(get(op.getSource(), map), getExtents(op.getSource()),
                           element(op.getValue())));
}

void TileDistributor::emitReduce(pl::ReduceOp op) {
  ElementMap result = getMap(op, op.getResult());
  auto layout = op->getAttr(layoutAttrName);
  ElementMap map = makeElementMap(layout, boundsOf(op.getSource().getType()));
  set(op.getResult(),
      reduceRegisters(*this, op, get(op.getSource(), map), result));
}

Value tegula::sourceOf(Value tile) {
  auto convert = tile.getDefiningOp<cuda::ConvertLayoutOp>();
  return convert ? convert.getSource() : tile;
}

/// True for tiles that are loaded, in whatever type: what is not there is zero.
/// Who brings it through shared memory leaves what is beyond its bounds as it
/// was there.
bool TileDistributor::isZeroBeyond(Value tile, const ElementMap &map,
                                   unsigned axis) const {
  Value root = sourceOf(tile);
  bool isComputed = false;
  while (isa_and_nonnull<pl::TransposeOp, pl::RelaxOp, pl::CastOp,
                         cuda::ConvertLayoutOp>(root.getDefiningOp())) {
    isComputed |= isa<pl::CastOp>(root.getDefiningOp());
    root = root.getDefiningOp()->getOperand(0);
  }
  return root.getDefiningOp<pl::LoadOp>() &&
         ((!isComputed && !tiles.contains(root)) || map.isInside(axis));
}

bool TileDistributor::areInnerEqual(pl::MatmulOp op) {
  pl::ExtentTerms terms;
  return terms.ofExtent(sourceOf(op.getLhs()), 1) ==
         terms.ofExtent(sourceOf(op.getRhs()), 0);
}

/// Zero where one of the operands ends. What is rounded is so afterwards, so
/// that one instruction rounds two elements.
RegisterTile TileDistributor::maskInner(pl::MatmulOp op, unsigned number,
                                        RegisterTile tile) {
  Indices valid(2, builder.getIndexAttr(int64_t(1) << 30));
  OpFoldResult &inner = valid[1 - number];
  inner = getExtents(sourceOf(op->getOperand(number)))[1 - number];
  // An operand that a loop does not change is made before the other one.
  if (!areInnerEqual(op))
    inner = math().min(
        inner, getExtents(sourceOf(op->getOperand(1 - number)))[number]);
  auto isRounded = [](Value value) {
    auto rounded = value ? value.getDefiningOp<arith::TruncFOp>() : nullptr;
    return !value || (rounded && rounded.getIn().getType().isF32());
  };
  Type element =
      signlessType(pl::getElementOrSelf(op->getOperand(number).getType()));
  bool areRounded = llvm::all_of(tile.registers, isRounded);
  if (areRounded)
    for (Value &value : tile.registers)
      if (value)
        value = value.getDefiningOp<arith::TruncFOp>().getIn();
  Type masked = areRounded ? Type(builder.getF32Type()) : element;
  tile = mask(
      std::move(tile), valid,
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(masked)));
  if (areRounded)
    for (Value &value : tile.registers)
      if (value)
        value = arith::TruncFOp::create(builder, loc, element, value);
  return tile;
}

/// One in registers.
RegisterTile TileDistributor::getOperand(pl::MatmulOp op, unsigned number) {
  Value tile = op->getOperand(number);
  RegisterTile registers = get(tile, getMap(tile.getDefiningOp(), tile));
  bool isRight =
      masked.contains(tile) || ((areInnerEqual(op) || cleared.contains(tile)) &&
                                isZeroBeyond(tile, registers.map, 1 - number));
  return isRight ? registers : maskInner(op, number, std::move(registers));
}

/// Rows of a rhs that are loaded for it alone are made zero where they are
/// loaded: few calls have any that the lhs has no columns for.
bool TileDistributor::clearInner(cuda::ConvertLayoutOp op, Value root,
                                 const StagedTile &tile) {
  auto matmul = dyn_cast<pl::MatmulOp>(*op->user_begin());
  if (!matmul || matmul.getRhs() != op.getResult() || areInnerEqual(matmul) ||
      op.getSource() != root || !root.hasOneUse() ||
      boundsOf(cast<pl::TileType>(root.getType())).size() != 2)
    return false;
  Value lhs = sourceOf(matmul.getLhs());
  if (!extents.contains(lhs))
    return false;
  clearRows(*this, tile.shared, tile.start, math().value(getExtents(lhs)[1]),
            math().value(getExtents(root)[0]));
  cleared.insert(op.getResult());
  return true;
}

void TileDistributor::emitMatmul(pl::MatmulOp op) {
  ElementMap map = getMap(op, op.getResult());
  Type element = pl::getElementOrSelf(op.getLhs().getType());
  RegisterTile acc{map, {}};
  if (op.getAcc()) {
    acc = get(op.getAcc(), map);
  } else {
    Type sum = signlessType(pl::getElementOrSelf(op.getType()));
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sum));
    acc.registers.assign(map.getNumRegisters(), zero);
  }
  if (fmaOperands.contains(op.getRhs()))
    return set(op.getResult(), multiplyAdd(op, std::move(acc)));
  auto shared = operands.find(op.getRhs());
  if (shared == operands.end())
    return set(op.getResult(),
               multiplyRegisters(*this, getOperand(op, 0), getOperand(op, 1),
                                 acc, element));
  std::optional<SharedOperand> sharedLhs;
  RegisterTile lhs;
  if (auto found = operands.find(op.getLhs()); found != operands.end())
    sharedLhs = found->second;
  else
    lhs = getOperand(op, 0);
  set(op.getResult(),
      multiplyByWarpgroups(*this, lhs, sharedLhs, shared->second, acc,
                           boundsOf(op.getRhs().getType())[0], element));
  if (!inFlight.contains(op.getResult()))
    unfinished.push_back(op.getResult());
}

void TileDistributor::emitConvert(cuda::ConvertLayoutOp op) {
  extents[op.getResult()] = getExtents(op.getSource());
  if (isa<cuda::SharedOperandLayoutAttr>(op.getLayout()))
    return emitSharedOperand(op);
  if (isa<cuda::FmaOperandLayoutAttr>(op.getLayout()))
    return emitFmaOperand(op);
  ElementMap map = getMap(op, op.getResult());
  Value source = op.getSource();
  ElementMap wanted = map;
  while (source.getDefiningOp() && isLazy(source) &&
         movesElements(source.getDefiningOp())) {
    wanted = *mapOfSource(source.getDefiningOp(), wanted);
    source = source.getDefiningOp()->getOperand(0);
  }
  if (auto prefetched = staged.find(source.getDefiningOp());
      prefetched != staged.end()) {
    clearInner(op, source, prefetched->second);
    return set(
        op.getResult(),
        {map, readShared(*this, prefetched->second.shared,
                         signlessType(pl::getElementOrSelf(source.getType())),
                         prefetched->second.start, wanted)
                  .registers});
  }
  // What is loaded for it lies in registers already.
  RegisterTile converted =
      tiles.contains(source)
          ? convert(maskSource(op, tiles.find(source)->second, map), wanted)
          : get(source, wanted);
  set(op.getResult(), {map, converted.registers});
}

void TileDistributor::emitInOrder(pl::ParallelOp op) {
  auto made = scf::ForOp::create(builder, loc, scalar(op.getLower()),
                                 scalar(op.getUpper()), scalar(op.getStep()));
  scalars.map(op.getInductionVar(), made.getInductionVar());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  emitBlock(op.getBody().front());
}

void TileDistributor::emitIf(scf::IfOp op) {
  auto layouts = op->getAttrOfType<ArrayAttr>(layoutsAttrName);
  auto mapOf = [&](size_t position) {
    return makeElementMap(
        layouts[position],
        boundsOf(cast<pl::TileType>(op.getResult(position).getType())));
  };
  auto emitBranch = [&](Block &block) {
    emitBlock(block);
    SmallVector<Value> flat;
    for (auto [position, value] :
         llvm::enumerate(block.getTerminator()->getOperands())) {
      if (!isTile(value)) {
        flat.push_back(scalar(value));
        continue;
      }
      flatten(value, op.getResult(position), mapOf(position), flat);
    }
    return flat;
  };
  SmallVector<Value> flat = choose(
      scalar(op.getCondition()), [&] { return emitBranch(*op.thenBlock()); },
      [&] {
        return op.elseBlock() ? emitBranch(*op.elseBlock())
                              : SmallVector<Value>();
      });
  ValueRange rest(flat);
  for (auto [position, result] : llvm::enumerate(op.getResults()))
    if (isTile(result)) {
      unflatten(result, mapOf(position), rest);
    } else {
      scalars.map(result, rest.front());
      rest = rest.drop_front();
    }
}

/// Registers first, then the extents that the type of `target` does not say.
void TileDistributor::flatten(Value tile, Value target, const ElementMap &map,
                              SmallVectorImpl<Value> &values) {
  RegisterTile own = get(tile, map);
  for (int64_t i = 0; i < map.getNumRegisters(); ++i)
    if (!map.isUnused(i))
      values.push_back(own.registers[i]);
  for (auto [dim, extent] : llvm::zip(dimsOf(target), getExtents(tile)))
    if (!dim.isExact())
      values.push_back(math().value(extent));
}

void TileDistributor::unflatten(Value tile, const ElementMap &map,
                                ValueRange &values) {
  RegisterTile own{map, {}};
  auto take = [&] {
    Value first = values.front();
    values = values.drop_front();
    return first;
  };
  for (int64_t i = 0; i < map.getNumRegisters(); ++i)
    own.registers.push_back(map.isUnused(i) ? Value() : take());
  Indices lengths;
  for (pl::Dim dim : dimsOf(tile))
    lengths.push_back(dim.isExact()
                          ? OpFoldResult(builder.getIndexAttr(dim.getBound()))
                          : OpFoldResult(take()));
  extents[tile] = lengths;
  set(tile, std::move(own));
}

ElementMap TileDistributor::getMap(Operation *op, Value tile) {
  Attribute layout = op->getAttr(layoutAttrName);
  if (auto convert = dyn_cast<cuda::ConvertLayoutOp>(op))
    layout = convert.getLayout();
  return makeElementMap(layout, boundsOf(cast<pl::TileType>(tile.getType())));
}

void TileDistributor::set(Value tile, RegisterTile registers) {
  for (int64_t i = 0; i < registers.map.getNumRegisters(); ++i)
    if (registers.map.isUnused(i))
      registers.registers[i] = {};
  tiles[tile] = std::move(registers);
}

const RegisterTile *TileDistributor::findMade(Value tile,
                                              const ElementMap &map) const {
  for (const Made &other : made) {
    if (other.tile != tile || !(other.registers.map == map))
      continue;
    for (Block *block = builder.getInsertionBlock(); block;
         block = block->getParentOp() ? block->getParentOp()->getBlock()
                                      : nullptr)
      if (block == other.block)
        return &other.registers;
  }
  return nullptr;
}

RegisterTile TileDistributor::get(Value tile, const ElementMap &map) {
  auto own = tiles.find(tile);
  if (own != tiles.end() && own->second.map == map)
    return own->second;
  if (const RegisterTile *found = findMade(tile, map))
    return *found;
  if (own != tiles.end() && !isLazy(tile))
    return convert(own->second, map);
  RegisterTile found = make(tile, map);
  made.push_back({tile, builder.getInsertionBlock(), found});
  return found;
}

/// Elements get other coordinates. A tile may have more room than its source,
/// where anything may be.
RegisterTile TileDistributor::move(Operation &op, const ElementMap &map) {
  RegisterTile moved{map,
                     get(op.getOperand(0), *mapOfSource(&op, map)).registers};
  Type type = signlessType(pl::getElementOrSelf(op.getResult(0).getType()));
  for (int64_t i = 0; i < map.getNumRegisters(); ++i)
    if (!moved.registers[i] && !map.isUnused(i))
      moved.registers[i] =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return moved;
}

RegisterTile TileDistributor::make(Value tile, const ElementMap &map) {
  Operation *op = tile.getDefiningOp();
  if (movesElements(op))
    return move(*op, map);
  if (auto load = dyn_cast<pl::LoadOp>(op))
    return loadRegisters(*this, views.find(load)->second,
                         pl::getElementOrSelf(tile.getType()), map);
  if (auto arange = dyn_cast<pl::ArangeOp>(op))
    return makeArange(arange, map);
  RegisterTile same{map, {}};
  same.registers.assign(map.getNumRegisters(),
                        element(cast<pl::FullOp>(op).getValue()));
  return same;
}

RegisterTile TileDistributor::makeArange(pl::ArangeOp op,
                                         const ElementMap &map) {
  RegisterTile ramp{map, {}};
  Type type = signlessType(pl::getElementOrSelf(op.getType()));
  Value start = element(op.getStart());
  for (int64_t i = 0; i < map.getNumRegisters(); ++i) {
    Value coordinate = getCoordinate(map, i, map.getRank() - 1);
    if (isa<FloatType>(type)) {
      coordinate = arith::SIToFPOp::create(builder, loc, type, coordinate);
      ramp.registers.push_back(
          arith::AddFOp::create(builder, loc, start, coordinate));
      continue;
    }
    unsigned bits = type.getIntOrFloatBitWidth();
    if (bits < 32)
      coordinate = arith::TruncIOp::create(builder, loc, type, coordinate);
    else if (bits > 32)
      coordinate = arith::ExtUIOp::create(builder, loc, type, coordinate);
    ramp.registers.push_back(
        arith::AddIOp::create(builder, loc, start, coordinate));
  }
  return ramp;
}
