// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/plan/CheckPlan.h"
#include "tegula/transforms/plan/PrepareForPlan.h"

#include "mlir/IR/AsmState.h"

namespace tegula {
#define GEN_PASS_DEF_PRINTPLAN
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

static StringRef nameOf(MemorySpace space) {
  switch (space) {
  case MemorySpace::Scratch:
    return "scratch";
  case MemorySpace::LeftFactor:
    return "left factors";
  case MemorySpace::RightFactor:
    return "right factors";
  case MemorySpace::Accumulator:
    return "accumulators";
  }
  llvm_unreachable("every space has a name");
}

namespace {

/// Prints frames with their buffers, then tiles without memory of their own.
class PlanPrinter {
public:
  PlanPrinter(func::FuncOp function, TilePlan &plan, raw_ostream &os)
      : function(function), plan(plan), os(os), names(function),
        users(plan.placement.getBuffers().size()) {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value result : op->getResults())
        add(result);
      for (OpOperand &operand : op->getOpOperands())
        if (std::optional<BufferId> buffer = plan.placement.getBuffer(operand))
          llvm::raw_string_ostream(users[*buffer].emplace_back())
              << nameOf(operand.get()) << " for " << op->getName();
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          add(argument);
    });
  }

  void print() {
    os << "plan of @" << function.getName() << "\n";
    printFrame(function);
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (plan.placement.isFrame(op))
        printFrame(op);
    });
    if (!withoutMemory.empty())
      os << "  computed where read: " << llvm::join(withoutMemory, ", ")
         << "\n";
    for (const std::string &line : elsewhere)
      os << "  " << line << "\n";
  }

private:
  std::string nameOf(Value value) {
    std::string name;
    llvm::raw_string_ostream stream(name);
    value.printAsOperand(stream, names);
    return name;
  }

  void add(Value value) {
    const Placement &placement = plan.placement;
    if (!isa<pl::TileType>(value.getType()))
      return;
    if (std::optional<BufferId> buffer = placement.getBuffer(value))
      users[*buffer].push_back(nameOf(value));
    else if (!placement.hasMemory(value))
      withoutMemory.push_back(nameOf(value));
    else if (Value owner = placement.getOwner(value); owner != value)
      elsewhere.push_back(nameOf(value) + " lies in " + nameOf(owner));
    else
      elsewhere.push_back(nameOf(value) + " is read in place");
  }

  void printFrame(Operation *frame) {
    os << "  frame of " << frame->getName();
    for (unsigned space = 0; space < numMemorySpaces; ++space)
      if (int64_t bytes = plan.memory.frameBytes.lookup({frame, space}))
        os << ", " << bytes << " bytes of "
           << ::nameOf(static_cast<MemorySpace>(space));
    os << "\n";
    for (auto [id, buffer] : llvm::enumerate(plan.placement.getBuffers()))
      if (plan.placement.getFrame(buffer.home) == frame)
        os << "    " << ::nameOf(buffer.space) << " at "
           << plan.memory.offsets[id] << ": " << buffer.bytes << " bytes of "
           << buffer.element << ", live " << plan.lifetimes[id].first << " to "
           << plan.lifetimes[id].last << ": " << llvm::join(users[id], ", ")
           << "\n";
  }

  func::FuncOp function;
  TilePlan &plan;
  raw_ostream &os;
  AsmState names;
  /// The tiles in each buffer.
  SmallVector<SmallVector<std::string>> users;
  SmallVector<std::string> withoutMemory, elsewhere;
};

struct PrintPlanPass : tegula::impl::PrintPlanBase<PrintPlanPass> {
  using Parent = tegula::impl::PrintPlanBase<PrintPlanPass>;
  using Parent::Parent;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (getOperation().isExternal())
      return;
    OwningOpRef<func::FuncOp> function = getOperation().clone();
    prepareForPlan(*function);
    PlanOptions options;
    options.hasTurnFrames = turnFrames;
    options.hasMatrixBuffers = matrixBuffers;
    options.widensFactors = widenFactors;
    if (failed(requireBoundedTiles(*function)))
      return signalPassFailure();
    TilePlan plan(*function, options);
    if (failed(checkPlan(*function, plan)))
      return signalPassFailure();
    PlanPrinter(*function, plan, llvm::outs()).print();
  }
};

} // namespace
