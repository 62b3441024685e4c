// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/TensorPlan.h"

#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/transforms/plan/ShrinkingSizes.h"
#include "tegula/transforms/plan/TensorLifetimes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <map>

using namespace mlir;
using namespace tegula;

/// What a size that only a call brings is taken for where tensors are compared.
static constexpr double usualSize = 128;
/// How deep a size is looked into.
static constexpr unsigned mostDepth = 16;
/// How many slots are tried for a tensor.
static constexpr size_t mostTried = 256;

static double guess(Value size, unsigned depth = mostDepth) {
  IntegerAttr constant;
  if (matchPattern(size, m_Constant(&constant)))
    return constant.getInt();
  Operation *op = size.getDefiningOp();
  if (!op || depth == 0 || op->getNumOperands() != 2)
    return usualSize;
  double lhs = guess(op->getOperand(0), depth - 1);
  double rhs = guess(op->getOperand(1), depth - 1);
  if (isa<arith::AddIOp>(op))
    return lhs + rhs;
  if (isa<arith::SubIOp>(op))
    return std::max(0.0, lhs - rhs);
  if (isa<arith::MulIOp>(op))
    return lhs * rhs;
  if (isa<arith::MinSIOp>(op))
    return std::min(lhs, rhs);
  if (isa<arith::MaxSIOp>(op))
    return std::max(lhs, rhs);
  if (isa<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
          arith::DivUIOp, arith::CeilDivUIOp>(op))
    return rhs > 0 ? lhs / rhs : lhs;
  return usualSize;
}

/// About how many bits a tensor has, to tell large ones from small ones.
static double guessBits(pl::CreateTensorOp tensor) {
  pl::TensorViewType type = tensor.getResult().getType();
  double bits = type.getElementType().getIntOrFloatBitWidth();
  for (auto [dim, size] : llvm::zip(type.getDims(), tensor.getSizes()))
    bits *= dim.isExact() ? double(dim.getBound()) : guess(size);
  return bits;
}

namespace {

struct LivingTensor {
  pl::CreateTensorOp tensor;
  Lifetime lifetime;
  double bits;

  unsigned getWidth() const {
    Type type = tensor->getResult(0).getType();
    return pl::getElementOrSelf(type).getIntOrFloatBitWidth();
  }

  /// True if they have the same size in every call.
  bool isAsLargeAs(const LivingTensor &other) const {
    return bits == other.bits && getWidth() == other.getWidth() &&
           tensor->getOperands() == other.tensor->getOperands();
  }
};

/// Memory, and when it is taken.
class Slot {
public:
  bool isFree(const Lifetime &lifetime) const {
    auto after = taken.upper_bound(lifetime.last);
    return after == taken.begin() || std::prev(after)->second < lifetime.first;
  }
  void add(const LivingTensor &living) {
    taken[living.lifetime.first] = living.lifetime.last;
    tensors.push_back(living);
  }
  const LivingTensor &getFirst() const { return tensors.front(); }
  TensorSlot list() const {
    TensorSlot listed;
    for (const LivingTensor &living : tensors)
      listed.push_back(living.tensor);
    return listed;
  }

private:
  /// Last places by first ones.
  std::map<unsigned, unsigned> taken;
  std::vector<LivingTensor> tensors;
};

} // namespace

/// The free slot that fits best: one of a tensor of the same size, or else the
/// smallest. Tensors come in order of size, so slots do as well.
static Slot *findSlot(std::vector<Slot> &slots, const LivingTensor &living) {
  Slot *found = nullptr;
  size_t tried = 0;
  for (Slot &slot : llvm::reverse(slots)) {
    if (++tried > mostTried)
      break;
    if (!slot.isFree(living.lifetime))
      continue;
    if (slot.getFirst().isAsLargeAs(living))
      return &slot;
    if (!found)
      found = &slot;
  }
  return found;
}

static TensorGroup share(std::vector<LivingTensor> tensors) {
  // Those of one size in the order of the program.
  llvm::sort(tensors, [](const LivingTensor &lhs, const LivingTensor &rhs) {
    return lhs.bits != rhs.bits ? lhs.bits > rhs.bits
                                : lhs.tensor->isBeforeInBlock(rhs.tensor);
  });
  std::vector<Slot> slots;
  for (const LivingTensor &living : tensors) {
    Slot *slot = findSlot(slots, living);
    if (!slot)
      slot = &slots.emplace_back();
    slot->add(living);
  }
  TensorGroup group;
  for (const Slot &slot : slots)
    group.slots.push_back(slot.list());
  return group;
}

static bool isOwn(Operation *op) {
  return isa_and_nonnull<pl::CreateTensorOp>(op) &&
         !op->hasAttr(pl::sharedAttrName);
}

TensorPlan::TensorPlan(func::FuncOp function) {
  // What is dispatched runs when it likes.
  bool mayShare =
      !function.walk([](pl::DispatchOp) { return WalkResult::interrupt(); })
           .wasInterrupted();
  function.walk([&](Block *block) { planBlock(*block, mayShare); });
}

void TensorPlan::planBlock(Block &block, bool mayShare) {
  std::optional<TensorLifetimes> lifetimes;
  for (Operation &op : block) {
    if (!isOwn(&op) || isOwn(op.getPrevNode()))
      continue;
    if (!lifetimes)
      lifetimes.emplace(block);
    std::vector<LivingTensor> shrinking, others;
    for (Operation *next = &op; isOwn(next); next = next->getNextNode()) {
      auto tensor = cast<pl::CreateTensorOp>(next);
      Lifetime lifetime =
          mayShare ? lifetimes->find(tensor) : Lifetime{0, lifetimes->getEnd()};
      (shrinksOverIterations(tensor) ? shrinking : others)
          .push_back({tensor, lifetime, guessBits(tensor)});
      if (lifetime.last < lifetimes->getEnd())
        endings[lifetimes->getOp(lifetime.last)].push_back(tensor);
    }
    for (bool shrinks : {true, false}) {
      const std::vector<LivingTensor> &tensors = shrinks ? shrinking : others;
      if (tensors.empty())
        continue;
      groupOf[tensors.front().tensor] = groups.size();
      groups.push_back({tensors.front().tensor, share(tensors)});
      groups.back().second.shrinksOverIterations = shrinks;
    }
  }
}

const TensorGroup *TensorPlan::findGroup(pl::CreateTensorOp first) const {
  auto found = groupOf.find(first);
  return found == groupOf.end() ? nullptr : &groups[found->second].second;
}

ArrayRef<pl::CreateTensorOp> TensorPlan::getEndingWith(Operation *op) const {
  auto found = endings.find(op);
  return found == endings.end() ? ArrayRef<pl::CreateTensorOp>()
                                : ArrayRef(found->second);
}
