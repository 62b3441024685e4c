// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of large functions that are equal but for their arguments -> calls.

#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/cpu/chunks/CodeWeight.h"
#include "tegula/backends/cpu/chunks/StatementShape.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace tegula {
#define GEN_PASS_DEF_CPUSHARESTATEMENTS
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// A loop nest that was written out already, such as that of a matmul.
static bool isPlainNest(scf::ForOp loop) {
  constexpr int64_t leastWeight = 60;
  if (loop.getNumResults() != 0 || weightOf(*loop.getOperation()) < leastWeight)
    return false;
  WalkResult result = loop.walk([](Operation *op) {
    bool isOther = isa<linalg::GenericOp, func::CallOp, LLVM::CallOp,
                       scf::ParallelOp, LLVM::AllocaOp>(op);
    return isOther ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// A branch in which nothing is computed, such as the copy of a strided tile.
static bool isPlainBranch(scf::IfOp branch) {
  constexpr int64_t leastWeight = 12;
  if (branch.getNumResults() != 0 ||
      weightOf(*branch.getOperation()) < leastWeight)
    return false;
  auto isPlain = [](Operation &op) {
    return op.getNumRegions() == 0 && !isa<func::CallOp, LLVM::AllocaOp>(op);
  };
  return llvm::all_of(branch->getRegions(), [&](Region &region) {
    return llvm::all_of(region.getOps(), isPlain);
  });
}

/// What may be shared: whole parallel loops, or the loops and
/// branches in them.
enum class Candidates { ParallelLoops, Statements };

static bool isCandidate(Operation *op, Candidates kind) {
  if (kind == Candidates::ParallelLoops)
    return isa<scf::ParallelOp>(op);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return isPlainBranch(branch);
  auto loop = dyn_cast<scf::ForOp>(op);
  return isa<linalg::GenericOp>(op) || (loop && isPlainNest(loop));
}

static SmallVector<Operation *> candidatesIn(func::FuncOp function,
                                             Candidates kind) {
  SmallVector<Operation *> found;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isCandidate(op, kind))
      return WalkResult::advance();
    found.push_back(op);
    return WalkResult::skip();
  });
  return found;
}

static func::FuncOp makeFunction(Operation *op, const StatementShape &shape,
                                 StringRef name) {
  OpBuilder builder(op->getContext());
  Location loc = op->getLoc();
  auto types = ValueRange(shape.getArguments()).getTypes();
  auto function =
      func::FuncOp::create(loc, name, builder.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(shape.getArguments(), body->getArguments());
  for (Operation *description : shape.getDescriptions())
    builder.clone(*description, mapping);
  builder.clone(*op, mapping);
  func::ReturnOp::create(builder, loc);
  return function;
}

/// Erases what only described memory to loops that are gone.
static void eraseUnused(ArrayRef<Operation *> descriptions) {
  for (Operation *op : llvm::reverse(descriptions))
    if (op->use_empty())
      op->erase();
}

namespace {

struct CpuShareStatementsPass
    : tegula::impl::CpuShareStatementsBase<CpuShareStatementsPass> {
  using Parent = tegula::impl::CpuShareStatementsBase<CpuShareStatementsPass>;
  using Parent::Parent;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    bool isLarge = false;
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() &&
          weightOf(function.getBody().front()) > least) {
        isLarge = true;
        for (Candidates kind :
             {Candidates::ParallelLoops, Candidates::Statements})
          share(function, kind, symbols);
      }
    if (!isLarge)
      markAllAnalysesPreserved();
  }

private:
  void share(func::FuncOp function, Candidates kind, SymbolTable &symbols);
};

} // namespace

void CpuShareStatementsPass::share(func::FuncOp function, Candidates kind,
                                   SymbolTable &symbols) {
  // Shapes are taken once: which constants are free depends on what is there.
  using Statement = std::pair<Operation *, StatementShape>;
  llvm::MapVector<std::vector<uintptr_t>, std::vector<Statement>,
                  std::map<std::vector<uintptr_t>, unsigned>>
      groups;
  StatementShape::FreeConstants freeConstants;
  for (Operation *op : candidatesIn(function, kind)) {
    StatementShape shape(op, freeConstants);
    if (shape.isShareable())
      groups[shape.getKey()].emplace_back(op, shape);
  }
  std::string name = (function.getName() + "_shared").str();
  for (auto &[key, statements] : groups) {
    if (statements.size() < 2)
      continue;
    func::FuncOp shared;
    for (auto &[op, shape] : statements) {
      if (!shared) {
        shared = makeFunction(op, shape, name);
        symbols.insert(shared);
      }
      OpBuilder builder(op);
      func::CallOp::create(builder, op->getLoc(), shared, shape.getArguments());
      op->erase();
      eraseUnused(shape.getDescriptions());
    }
  }
}
