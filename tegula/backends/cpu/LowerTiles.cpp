// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass: one function after another, op by op.

#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/backends/cpu/CpuMachine.h"
#include "tegula/backends/cpu/LowerChecks.h"
#include "tegula/backends/cpu/LowerPrints.h"
#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/backends/cpu/ZeroAccumulator.h"
#include "tegula/ir/ops/PlMatmulOps.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/transforms/plan/MakePlan.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tegula {
#define GEN_PASS_DEF_CPULOWERTILES
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

Type tegula::signlessType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth())
                 : type;
}

Indices TileLowering::indices(ValueRange values) const {
  return llvm::map_to_vector<4>(
      values, [&](Value value) { return IndexMath::fold(scalar(value)); });
}

const Tile &TileLowering::tile(Value value) const {
  auto found = tiles.find(value);
  assert(found != tiles.end() && "tiles are lowered before they are used");
  return found->second;
}

const View &TileLowering::view(Value tensor) const {
  auto found = views.find(tensor);
  assert(found != views.end() && "tensors are lowered before they are used");
  return found->second;
}

LogicalResult TileLowering::run() {
  Location loc = source.getLoc();
  builder.setInsertionPoint(source);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  lowered =
      func::FuncOp::create(builder, loc, source.getName(),
                           builder.getFunctionType({pointer, pointer}, {}));
  builder.setInsertionPointToStart(lowered.addEntryBlock());
  state = lowered.getArgument(1);
  lowerArguments();
  ScratchFrame frame = openFrame(source, loc);
  frames.push_back(&frame);
  if (failed(lowerBlock(source.getBody().front())))
    return failure();
  closeFrame(frame, loc);
  frames.pop_back();
  waitForStores(loc);
  func::ReturnOp::create(builder, loc);
  source.erase();
  return success();
}

void TileLowering::noteRead(const View &view) {
  if (hooks)
    hooks->read(view);
}

void TileLowering::noteWrite(const View &view) {
  if (hooks)
    hooks->write(view);
}

void TileLowering::noteLoop(ArrayRef<OpFoldResult> extents) {
  if (hooks)
    hooks->loop(extents);
}

void TileLowering::takeRingSlot(Block &block) {
  int64_t copies = 1;
  for (const TileBuffer &buffer : plan.placement.getBuffers())
    if (buffer.home == &block)
      copies = std::max(copies, buffer.copies);
  if (copies > 1)
    ringSlots[&block] = hooks->takeRingSlot(
        builder, block.getParentOp()->getLoc(), ringSlots.size(), copies);
}

LogicalResult TileLowering::lowerBlock(Block &block) {
  llvm::SaveAndRestore scope(isMemoryThere);
  takeRingSlot(block);
  for (Operation &op : block.without_terminator()) {
    if (failed(lowerOp(op)))
      return failure();
    poisonAfter(op);
  }
  return success();
}

static bool isTileOrTensor(Type type) {
  return isa<pl::TileType, pl::TensorViewType>(type);
}

/// What is not known here would otherwise be left out, or computed as something
/// else.
static LogicalResult refuse(Operation &op) {
  return op.emitError("the target 'cpu' has no rule for '")
         << op.getName() << "'";
}

LogicalResult TileLowering::lowerOp(Operation &op) {
  if (isa<pl::PlDialect>(op.getDialect()))
    return lowerPlOp(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](scf::ForOp loop) { return lowerFor(loop); })
      .Case([&](scf::WhileOp loop) { return lowerWhile(loop); })
      .Case([&](scf::IfOp branch) { return lowerIf(branch); })
      .Case([&](arith::SelectOp select) { return lowerSelect(select); })
      .Default([&](Operation *other) -> LogicalResult {
        if (other->getNumRegions() || isa<func::CallOp>(other) ||
            llvm::any_of(other->getOperandTypes(), isTileOrTensor) ||
            llvm::any_of(other->getResultTypes(), isTileOrTensor))
          return refuse(*other);
        builder.clone(*other, scalars);
        return success();
      });
}

LogicalResult TileLowering::lowerPlOp(Operation &op) {
  if (op.getNumResults() == 1 && isa<pl::TileType>(op.getResult(0).getType()))
    return lowerTileOp(op);
  if (lowerSortOp(op) || lowerRankOp(op))
    return success();
  bool isKnown = true;
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](pl::BindOp bind) { lowerBind(bind); })
      .Case([&](pl::DimOp dim) {
        Value from = dim.getSource();
        OpFoldResult extent = isa<pl::TileType>(from.getType())
                                  ? tile(from).extents[dim.getAxis()]
                                  : view(from).sizes[dim.getAxis()];
        scalars.map(dim.getExtent(), math(dim.getLoc()).value(extent));
      })
      .Case([&](pl::CreateTensorOp create) { lowerCreateTensor(create); })
      .Case([&](pl::SliceOp slice) { lowerSlice(slice); })
      .Case([&](pl::ViewOp view) { lowerView(view); })
      .Case([&](pl::StoreOp store) { lowerStore(store); })
      .Case([&](pl::MatmulIntoOp matmul) { lowerMatmulInto(matmul); })
      .Case([&](pl::ReadOp read) { lowerRead(read); })
      .Case([&](pl::WriteOp write) { lowerWrite(write); })
      .Case([&](pl::RequireOp require) { lowerRequire(require); })
      .Case<pl::PrintOp, pl::AssertOp>([&](auto message) {
        // No unit of another machine does it.
        UnitScope unit(*this, message.getLoc());
        if (hooks)
          hooks->hide();
        if constexpr (std::is_same_v<decltype(message), pl::PrintOp>)
          lowerPrint(*this, message, state);
        else
          lowerAssert(*this, message, state);
      })
      .Case<pl::CheckIndexOp, pl::CheckStepOp>([&](auto check) {
        scalars.map(check.getResult(), lowerCheck(*this, check));
      })
      .Default([&](Operation *) { isKnown = false; });
  if (isKnown)
    return success();
  if (auto parallel = dyn_cast<pl::ParallelOp>(op))
    return lowerParallel(parallel);
  if (isa<pl::ElementwiseOpInterface>(op))
    return lowerScalarOp(op);
  return refuse(op);
}

LogicalResult TileLowering::lowerScalarOp(Operation &op) {
  SmallVector<Value> operands = llvm::map_to_vector(
      op.getOperands(), [&](Value value) { return scalar(value); });
  scalars.map(op.getResult(0), cast<pl::ElementwiseOpInterface>(op).buildScalar(
                                   builder, operands));
  return success();
}

LogicalResult TileLowering::lowerTileOp(Operation &op) {
  if (auto window = dyn_cast<pl::WindowOp>(op)) {
    lowerWindow(window);
    return success();
  }
  bool isWhole =
      isa<pl::LoadOp, pl::ReduceOp, pl::MatmulOp, pl::ConcatOp, pl::InsertOp,
          pl::FillPadOp, pl::ReshapeOp, pl::ReshapeElementsOp>(op);
  bool isByElement = isa<pl::FullOp, pl::ArangeOp, pl::BroadcastOp, pl::RelaxOp,
                         pl::TransposeOp, pl::ElementwiseOpInterface>(op);
  if (!isWhole && !isByElement)
    return refuse(op);
  tiles[op.getResult(0)] = {extentsOf(op), std::nullopt};
  if (accumulated.contains(&op)) {
    Tile &result = tiles[op.getResult(0)];
    result.view = tile(op.getOperand(0)).view->shrink(result.extents);
    return success();
  }
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](pl::LoadOp load) { lowerLoad(load); })
      .Case([&](pl::ReduceOp reduce) { lowerReduce(reduce); })
      .Case([&](pl::MatmulOp matmul) { lowerMatmul(matmul); })
      .Case([&](pl::ConcatOp concat) { lowerConcat(concat); })
      .Case([&](pl::InsertOp insert) { lowerInsert(insert); })
      .Case([&](pl::FillPadOp fillPad) { lowerFillPad(fillPad); })
      .Case([&](pl::ReshapeOp reshape) { lowerReshape(reshape); })
      .Case([&](pl::ReshapeElementsOp reshapeElements) {
        lowerReshapeElements(reshapeElements);
      })
      .Default([&](Operation *other) { materialize(*other); });
  return success();
}

void TileLowering::materialize(Operation &op) {
  Value result = op.getResult(0);
  if (std::optional<View> alias = aliasOf(op)) {
    tiles[result].view = alias;
    return;
  }
  if (!plan.placement.hasMemory(result))
    return;
  View memory = destinationOf(result, op.getLoc());
  {
    UnitScope unit(*this, op.getLoc());
    if (hooks && startsZeroAccumulators(result))
      hooks->hide();
    evaluateInto(result, memory, tile(result).extents, op.getLoc());
  }
  tiles[result].view = memory.shrink(tile(result).extents);
}

bool tegula::isKernel(func::FuncOp function) {
  auto kind = function->getAttrOfType<pl::FunctionKindAttr>(pl::kindAttrName);
  return !kind || kind.getValue() == pl::FunctionKind::Entry ||
         kind.getValue() == pl::FunctionKind::Host;
}

LogicalResult tegula::lowerTiles(ModuleOp module, const CpuOptions &options,
                                 const MachineModel &machine,
                                 LoweringHooks *hooks) {
  SmallVector<Attribute> sites;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (function.isExternal())
      continue;
    if (!isKernel(function)) {
      function.erase();
      continue;
    }
    if (function.getNumResults() != 0)
      return function.emitError("a kernel returns nothing, but this one has ")
             << function.getNumResults() << " results";
    FailureOr<std::unique_ptr<TilePlan>> plan = makePlan(function, machine);
    if (failed(plan) ||
        failed(TileLowering(function, options, **plan, sites, hooks).run()))
      return failure();
  }
  module->setAttr(sitesAttrName, ArrayAttr::get(module.getContext(), sites));
  return success();
}

namespace {

struct CpuLowerTilesPass : tegula::impl::CpuLowerTilesBase<CpuLowerTilesPass> {
  using Parent = tegula::impl::CpuLowerTilesBase<CpuLowerTilesPass>;
  using Parent::Parent;
  CpuLowerTilesPass(MachineModel machine, const CpuOptions &options)
      : machine(std::move(machine)), options(options) {}

  void runOnOperation() override {
    CpuOptions chosen = options.value_or(CpuOptions());
    if (!options) {
      chosen.vectorBits = vectorBits;
      chosen.matmul = {matmulRows, matmulVectors};
    }
    if (failed(lowerTiles(getOperation(), chosen, machine)))
      signalPassFailure();
  }

private:
  MachineModel machine = getCpuMachine(/*useThreads=*/true);
  std::optional<CpuOptions> options;
};

} // namespace

std::unique_ptr<Pass>
tegula::createCpuLowerTilesFor(const MachineModel &machine,
                               const CpuOptions &options) {
  return std::make_unique<CpuLowerTilesPass>(machine, options);
}
