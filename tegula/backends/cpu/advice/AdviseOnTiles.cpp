// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/advice/Advice.h"

#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/ir/MemoryAccess.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tegula;
using llvm::formatv;

/// An iteration of fewer vectors takes less time than the steps around it do.
static constexpr double fewVectors = 32;
/// What there are fewer of in a call is not worth a remark.
static constexpr double manyIterations = 1024;

/// "1 iteration", "2 iterations"
static std::string count(int64_t number, const char *what) {
  return formatv("{0} {1}{2}", number, what, number == 1 ? "" : "s");
}

namespace {

class Tiles {
public:
  explicit Tiles(Advised &advised) : advised(advised), shapes(advised.shapes) {}

  void find() {
    advised.function.walk([&](Operation *op) {
      if (auto store = dyn_cast<pl::StoreOp>(op))
        lookAtRows(store, store.getTile());
      if (auto reduce = dyn_cast<pl::ReduceOp>(op))
        lookAtRows(reduce, reduce.getSource());
    });
    for (Operation &op : advised.function.getBody().front())
      (void)lookAtLoops(&op);
    advised.function.walk([&](pl::ParallelOp loop) { lookAtThreads(loop); });
  }

private:
  /// True if the rows of a tile follow each other in all memory that it is
  /// computed from, so that they are traversed as one.
  bool isFlat(Value tile, int64_t columns) {
    return !advised.plan.fusion.anyLeaf(tile, [&](Value leaf, bool isMoved) {
      if (isMoved)
        return true;
      auto load = leaf.getDefiningOp<pl::LoadOp>();
      if (load && !advised.plan.placement.getBuffer(leaf))
        return !hasFlatRows(load.getSource(), columns);
      ArrayRef<pl::Dim> dims = pl::getDims(leaf.getType());
      return !dims.back().hasBound() || dims.back().getBound() != columns;
    });
  }

  bool hasFlatRows(Value view, int64_t columns) {
    std::optional<Extents> strides = shapes.findStrides(view);
    return strides && strides->size() >= 2 && strides->back() == 1 &&
           strides->end()[-2] == columns;
  }

  /// The tensor that a tile is computed from, one with as many columns.
  pl::LoadOp findSource(Value tile, int64_t columns) {
    pl::LoadOp found;
    advised.plan.fusion.anyLeaf(tile, [&](Value leaf, bool) {
      auto load = leaf.getDefiningOp<pl::LoadOp>();
      std::optional<Extents> extents =
          load ? shapes.findExtents(leaf) : std::nullopt;
      if (extents && !extents->empty() && extents->back() == columns)
        found = load;
      return found != nullptr;
    });
    return found;
  }

  /// Rows that do not fill a vector, unless they are traversed as one.
  void lookAtRows(Operation *op, Value tile) {
    std::optional<Extents> extents = shapes.findExtents(tile);
    // Of a single row the loop around is told.
    if (!extents || extents->size() < 2)
      return;
    int64_t columns = extents->back();
    Type element = pl::getElementOrSelf(tile.getType());
    int64_t lanes = countLanes(element, advised.options);
    auto store = dyn_cast<pl::StoreOp>(op);
    bool isOneRow = store && isFlat(tile, columns) &&
                    hasFlatRows(store.getTarget(), columns);
    double elements = elementsOf(*extents) * shapes.countRuns(op);
    if (columns <= 1 || 2 * columns > lanes || isOneRow ||
        elements < leastAdvised)
      return;
    advised.remark(op->getLoc(),
                   formatv("rows of {0} elements fill {0} of {1} lanes of a "
                           "vector; {2}",
                           columns, lanes, adviseWidth(store, tile, columns)));
  }

  std::string adviseWidth(pl::StoreOp store, Value tile, int64_t columns) {
    pl::LoadOp load = findSource(tile, columns);
    Value view = store  ? Value(store.getTarget())
                 : load ? Value(load.getSource())
                        : Value();
    Value root = view ? rootOfView(view) : Value();
    std::optional<Extents> whole =
        root ? shapes.findExtents(root) : std::nullopt;
    if (whole && !whole->empty() && whole->back() > columns)
      return formatv("widen the tile along its last axis, of which {0} has {1} "
                     "elements",
                     nameTensor(root), whole->back());
    return "let a longer axis be the last one";
  }

  /// Vectors that an op computes in one run, about.
  double countVectors(Operation *op) {
    Value tile;
    double times = 1;
    if (auto store = dyn_cast<pl::StoreOp>(op))
      tile = store.getTile();
    else if (auto reduce = dyn_cast<pl::ReduceOp>(op))
      tile = reduce.getSource();
    else if (auto matmul = dyn_cast<pl::MatmulOp>(op)) {
      tile = matmul.getResult();
      std::optional<Extents> lhs = shapes.findExtents(matmul.getLhs());
      if (lhs)
        times = static_cast<double>(matmul.getTransposeLhs() ? lhs->end()[-2]
                                                             : lhs->back());
    } else
      return 0;
    std::optional<Extents> extents = shapes.findExtents(tile);
    if (!extents)
      return fewVectors;
    Type element = pl::getElementOrSelf(tile.getType());
    int64_t lanes = countLanes(element, advised.options);
    if (!extents->empty())
      extents->back() = (extents->back() + lanes - 1) / lanes;
    return times * elementsOf(*extents);
  }

  /// True for loops that a whole-array expression was cut into: they stand
  /// where the expression does.
  static bool isCut(Operation *loop) {
    return loop
        ->walk([&](Operation *op) {
          return op != loop && op->getLoc() == loop->getLoc() &&
                         !op->hasTrait<OpTrait::IsTerminator>()
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// What is done in one run of the op, and whether more than what is looked at
  /// here may be.
  struct Work {
    double vectors = 0, elements = 0;
    bool isWhole = true;

    void add(const Work &other, double times) {
      vectors += times * other.vectors;
      elements += times * other.elements;
      isWhole &= other.isWhole;
    }
  };

  Work lookAtLoops(Operation *op) {
    Work work;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          work.add(lookAtLoops(&inner), 1);
    if (op->getNumRegions() == 0) {
      work.vectors = countVectors(op);
      if (isa<pl::ReadOp, pl::WriteOp>(op) &&
          isa<pl::TensorViewType>(
              op->getOperand(isa<pl::WriteOp>(op) ? 1 : 0).getType()))
        work.elements = 1;
      // Calls of routines and of matmuls whose work is not counted here.
      bool isKnown = isMemoryEffectFree(op) ||
                     work.vectors + work.elements > 0 || isa<pl::LoadOp>(op);
      work.isWhole = isKnown;
      return work;
    }
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (!loop)
      return work;
    std::optional<int64_t> iterations = shapes.findIterations(loop);
    if (!iterations)
      return {0, 0, /*isWhole=*/false};
    if (*iterations >= 4 && work.isWhole)
      work.isWhole = !adviseLoop(loop, work, *iterations);
    Work all;
    all.add(work, static_cast<double>(*iterations));
    return all;
  }

  /// True if something was told.
  bool adviseLoop(LoopLikeOpInterface loop, const Work &iteration,
                  int64_t iterations) {
    double all = shapes.countRuns(loop) * static_cast<double>(iterations);
    if (all < manyIterations || isCut(loop))
      return false;
    auto many = static_cast<int64_t>(all);
    if (iteration.vectors == 0 && iteration.elements > 0 &&
        iteration.elements <= 8) {
      advised.remark(
          loop.getLoc(),
          formatv(
              "takes single elements, {0} per iteration, in {1} iterations a "
              "call, and no vectors; let an iteration take a row or a "
              "tile of them",
              static_cast<int64_t>(iteration.elements), many));
      return true;
    }
    if (iteration.vectors == 0 || iteration.vectors >= fewVectors)
      return false;
    std::optional<int64_t> step = getConstantIntValue(*loop.getSingleStep());
    advised.remark(
        loop.getLoc(),
        formatv(
            "an iteration computes {0}, and a call has {1} iterations: what is "
            "done "
            "around that takes longer; {2}, so that an iteration has {3} "
            "vectors or "
            "more",
            count(static_cast<int64_t>(iteration.vectors), "vector"), many,
            step && *step > 1
                ? formatv("raise the step of {0} and the tile with it", *step)
                      .str()
                : "let an iteration take several rows or elements, as one tile",
            static_cast<int64_t>(fewVectors)));
    return true;
  }

  /// Threads share the iterations of the outermost independent loop.
  void lookAtThreads(pl::ParallelOp loop) {
    int64_t threads = advised.options.useThreads ? advised.sizes.threads : 1;
    std::optional<int64_t> iterations = shapes.findIterations(loop);
    if (threads < 2 || !iterations || *iterations == 0 ||
        *iterations >= threads || !loop.getIndependent() || isCut(loop) ||
        !advised.plan.placement.isFrame(loop))
      return;
    double vectors = 0;
    loop.walk([&](Operation *op) {
      vectors += countVectors(op) * shapes.countRuns(op);
    });
    if (vectors < static_cast<double>(advised.options.leastParallelWork))
      return;
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    advised.remark(
        loop.getLoc(),
        formatv("has {0} for {1} threads; {2}", count(*iterations, "iteration"),
                threads,
                step && *step > 1
                    ? formatv("lower the step of {0} and the tile "
                              "with it",
                              *step)
                          .str()
                    : "divide what an iteration does into more iterations"));
  }

  Advised &advised;
  CallShapes &shapes;
};

} // namespace

void tegula::adviseOnTiles(Advised &advised) { Tiles(advised).find(); }
