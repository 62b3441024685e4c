// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/plan/MakePlan.h"

#include "mlir/IR/AsmState.h"

namespace tegula {
#define GEN_PASS_DEF_PRINTPLAN
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// What lies in a memory of that space by default.
static std::vector<TileRole> rolesOf(pl::MemorySpace space) {
  switch (space) {
  case pl::MemorySpace::Scratchpad:
    return {TileRole::Value};
  case pl::MemorySpace::Left:
    return {TileRole::Lhs};
  case pl::MemorySpace::Right:
    return {TileRole::Rhs};
  case pl::MemorySpace::Accumulator:
    return {TileRole::Accumulator};
  default:
    return {};
  }
}

/// `left:1024:64` is 1,024 bytes for lhs operands at multiples of 64.
static std::optional<MachineMemory> parseMemory(StringRef text) {
  SmallVector<StringRef, 3> words;
  text.split(words, ':');
  if (words.size() != 3)
    return std::nullopt;
  std::optional<pl::MemorySpace> space = pl::symbolizeMemorySpace(words[0]);
  int64_t bytes, alignment;
  if (!space || words[1].getAsInteger(10, bytes) ||
      words[2].getAsInteger(10, alignment) || bytes < 0 || alignment < 1)
    return std::nullopt;
  return MachineMemory{*space, words[0].str(), bytes, alignment,
                       rolesOf(*space)};
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
    for (const auto &[first, group] : plan.tensors.getGroups())
      printGroup(group);
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
    for (const MachineMemory &memory : plan.machine.memories)
      if (int64_t bytes = plan.memory.getFrameBytes(frame, memory.space))
        os << ", " << bytes << " bytes of " << memory.name;
    os << "\n";
    for (auto [id, buffer] : llvm::enumerate(plan.placement.getBuffers()))
      if (plan.placement.getFrame(buffer.home) == frame)
        os << "    " << plan.machine.findMemory(buffer.space)->name << " at "
           << plan.memory.offsets[id] << ": " << buffer.bytes << " bytes of "
           << buffer.element << ", live " << plan.lifetimes[id].first << " to "
           << plan.lifetimes[id].last << ": " << llvm::join(users[id], ", ")
           << "\n";
  }

  /// Tensors that share nothing with others are not worth a line.
  void printGroup(const TensorGroup &group) {
    if (group.slots.size() == 1 && group.slots[0].size() == 1)
      return;
    os << "  tensors in one piece of memory\n";
    for (const TensorSlot &slot : group.slots) {
      SmallVector<std::string> tensors;
      for (pl::CreateTensorOp tensor : slot)
        tensors.push_back(nameOf(tensor));
      os << "    slot of " << llvm::join(tensors, ", then ") << "\n";
    }
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
    FailureOr<MachineModel> machine = makeMachine();
    if (failed(machine))
      return signalPassFailure();
    OwningOpRef<func::FuncOp> function = getOperation().clone();
    FailureOr<std::unique_ptr<TilePlan>> plan = makePlan(*function, *machine);
    if (failed(plan))
      return signalPassFailure();
    PlanPrinter(*function, **plan, llvm::outs()).print();
  }

private:
  FailureOr<MachineModel> makeMachine() {
    MachineModel machine;
    machine.name = "this machine";
    machine.runsIterationsAtOnce = iterationFrames;
    machine.widensOperands = widenOperands;
    machine.computesOnTensors = computeOnTensors;
    machine.hasSeparateCores = coreTransfers;
    machine.memories.push_back(*parseMemory("scratchpad:0:64"));
    for (const std::string &text : memories) {
      std::optional<MachineMemory> memory = parseMemory(text);
      if (!memory)
        return getOperation().emitError("a memory is written "
                                        "space:bytes:alignment, got '")
               << text << "'";
      if (memory->space == machine.memories.front().space)
        machine.memories.front() = *memory;
      else
        machine.memories.push_back(*memory);
    }
    return machine;
  }
};

} // namespace
