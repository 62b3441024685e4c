// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/FoldUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tegula {
#define GEN_PASS_DEF_SIMPLIFY
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace {

struct SimplifyPass : tegula::impl::SimplifyBase<SimplifyPass> {
  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  /// Ops with more than this in them are looked at last, each a few times.
  static constexpr unsigned largeBody = 200;
  /// Enough for what real programs have to settle.
  static constexpr unsigned maxRounds = 6;

  /// The ops inside one that is isolated from above, by what they hold.
  struct Groups {
    SmallVector<Operation *> leaves, small, large;
  };
  static Groups groupsOf(Operation *root);
  static unsigned sort(Operation *op, Groups &groups);
  bool simplify(MutableArrayRef<Operation *> ops, Region &scope);

  std::shared_ptr<const FrozenRewritePatternSet> patterns;
};

} // namespace

LogicalResult SimplifyPass::initialize(MLIRContext *context) {
  RewritePatternSet all(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(all);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    name.getCanonicalizationPatterns(all, context);
  patterns = std::make_shared<FrozenRewritePatternSet>(std::move(all));
  return success();
}

/// Puts `op` and all it holds into their groups; returns how many they are.
unsigned SimplifyPass::sort(Operation *op, Groups &groups) {
  if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return 1; // a root of its own
  if (op->getNumRegions() == 0) {
    groups.leaves.push_back(op);
    return 1;
  }
  unsigned count = 1;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      count += sort(&nested, groups);
  (count > largeBody ? groups.large : groups.small).push_back(op);
  return count;
}

SimplifyPass::Groups SimplifyPass::groupsOf(Operation *root) {
  Groups groups;
  for (Region &region : root->getRegions())
    for (Operation &nested : region.getOps())
      sort(&nested, groups);
  return groups;
}

/// Returns true if anything changed. Only these ops, and new ones, are looked
/// at: what holds them is not, however often they change.
bool SimplifyPass::simplify(MutableArrayRef<Operation *> ops, Region &scope) {
  if (ops.empty())
    return false;
  // The driver takes the last first, and does best from the top down.
  std::reverse(ops.begin(), ops.end());
  GreedyRewriteConfig config;
  config.setScope(&scope).setStrictness(
      GreedyRewriteStrictness::ExistingAndNewOps);
  bool hasChanged = false;
  (void)applyOpPatternsGreedily(ops, *patterns, config, &hasChanged);
  return hasChanged;
}

/// One of each constant, at the top of what is isolated from above.
static void shareConstants(Operation *root) {
  OperationFolder folder(root->getContext());
  SmallVector<std::pair<Operation *, Attribute>> constants;
  root->walk([&](Operation *op) {
    Attribute value;
    if (matchPattern(op, m_Constant(&value)))
      constants.push_back({op, value});
  });
  for (auto [op, value] : constants)
    folder.insertKnownConstant(op, value);
}

void SimplifyPass::runOnOperation() {
  SmallVector<Operation *> roots;
  getOperation()->walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>() &&
        op->getNumRegions() == 1)
      roots.push_back(op);
  });
  for (Operation *root : roots) {
    Region &scope = root->getRegion(0);
    shareConstants(root);
    bool hasChanged = true;
    for (unsigned round = 0; hasChanged && round < maxRounds; ++round) {
      hasChanged = simplify(groupsOf(root).leaves, scope);
      hasChanged |= simplify(groupsOf(root).small, scope);
      hasChanged |= simplify(groupsOf(root).large, scope);
    }
  }
}
