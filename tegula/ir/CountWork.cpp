// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/CountWork.h"

#include "tegula/ir/OpCosts.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

namespace {

class Counter {
public:
  explicit Counter(const std::map<SizeInput, int64_t> &given) : sizes(given) {}

  double count(Block &block) {
    double operations = 0;
    for (Operation &op : block)
      operations += count(&op);
    return operations;
  }

  bool isExact() const { return exact; }

private:
  /// Iterations of loops that are looked at one by one, all together. Of more
  /// only some are taken, which stand for the others.
  static constexpr int64_t mostIterations = 1 << 14;
  static constexpr int64_t fewIterations = 16;

  double count(Operation *op) {
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op);
        loop && loop.getSingleInductionVar())
      return countLoop(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return countBranch(branch);
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      exact = false;
      return count(*loop.getBeforeBody()) + count(*loop.getAfterBody());
    }
    if (op->getNumRegions() != 0) {
      double operations = 0;
      for (Region &region : op->getRegions())
        for (Block &block : region)
          operations += count(block);
      return operations;
    }
    return countOp(op);
  }

  double countBranch(scf::IfOp branch) {
    auto countRegion = [&](Region &region) {
      return region.empty() ? 0 : count(region.front());
    };
    if (std::optional<int64_t> holds = evaluate(branch.getCondition()))
      return countRegion(*holds ? branch.getThenRegion()
                                : branch.getElseRegion());
    exact = false;
    return std::max(countRegion(branch.getThenRegion()),
                    countRegion(branch.getElseRegion()));
  }

  double countLoop(LoopLikeOpInterface loop) {
    std::optional<int64_t> lower = evaluate(*loop.getSingleLowerBound());
    std::optional<int64_t> upper = evaluate(*loop.getSingleUpperBound());
    std::optional<int64_t> step = evaluate(*loop.getSingleStep());
    Block &body = loop.getLoopRegions().front()->front();
    if (!lower || !upper || !step || *step <= 0) {
      exact = false;
      return count(body);
    }
    if (*lower >= *upper)
      return 0;
    Value variable = *loop.getSingleInductionVar();
    int64_t iterations = (*upper - *lower - 1) / *step + 1;
    auto countIteration = [&](int64_t iteration) {
      sizes.set({variable, std::nullopt}, *lower + iteration * *step);
      extents.clear();
      ++iterationsTaken;
      return count(body);
    };
    double first = countIteration(0);
    bool isVarying = llvm::is_contained(looked, SizeInput{variable, {}});
    if (iterations == 1 || !isVarying)
      return first * static_cast<double>(iterations);
    // The last iteration has what is left, and is like no other.
    int64_t others = iterations - 1, taken = others;
    if (iterationsTaken + iterations > mostIterations) {
      taken = std::min(others, fewIterations);
      exact = false;
    }
    double sum = 0;
    for (int64_t number = 0; number < taken; ++number)
      sum += countIteration(others * number / taken);
    return sum * static_cast<double>(others) / static_cast<double>(taken) +
           countIteration(others);
  }

  double countOp(Operation *op) {
    if (auto matmul = dyn_cast<MatmulOp>(op))
      return countMatmul(matmul);
    if (auto reduce = dyn_cast<ReduceOp>(op))
      return elementsOf(reduce.getSource());
    if (!isa<ElementwiseOpInterface>(op))
      return 0;
    Value result = op->getResult(0);
    return isa<TileType, TensorType>(result.getType())
               ? static_cast<double>(getCost(op)) * elementsOf(result)
               : 0;
  }

  /// From the factors: a sum that a loop carries is not known as well.
  double countMatmul(MatmulOp matmul) {
    auto rankOf = [](Value value) { return getDims(value.getType()).size(); };
    Value lhs = matmul.getLhs(), rhs = matmul.getRhs();
    unsigned left = rankOf(lhs) - 2, right = rankOf(rhs) - 2;
    bool transposesLhs = matmul.getTransposeLhs();
    double operations =
        2 * extentOf(lhs, left + (transposesLhs ? 1 : 0)) *
        extentOf(lhs, left + (transposesLhs ? 0 : 1)) *
        extentOf(rhs, right + (matmul.getTransposeRhs() ? 0 : 1));
    for (unsigned axis = 0; axis + 2 < rankOf(matmul.getResult()); ++axis)
      operations *= extentOf(matmul.getResult(), axis);
    return operations;
  }

  double elementsOf(Value shaped) {
    double elements = 1;
    for (unsigned axis = 0; axis < getDims(shaped.getType()).size(); ++axis)
      elements *= extentOf(shaped, axis);
    return elements;
  }

  double extentOf(Value shaped, unsigned axis) {
    if (std::optional<int64_t> extent = findExtent(shaped, axis))
      return static_cast<double>(std::max<int64_t>(0, *extent));
    exact = false;
    Dim dim = getDims(shaped.getType())[axis];
    return dim.hasBound() ? static_cast<double>(dim.getBound()) : 1;
  }

  std::optional<int64_t> findExtent(Value shaped, unsigned axis) {
    auto found = extents.find({shaped, axis});
    if (found != extents.end())
      return found->second;
    std::optional<int64_t> extent = searchExtent(shaped, axis);
    extents[{shaped, axis}] = extent;
    return extent;
  }

  std::optional<int64_t> searchExtent(Value shaped, unsigned axis) {
    std::optional<int64_t> extent = sizes.evaluateExtent(shaped, axis);
    remember();
    if (extent)
      return extent;
    // What a loop carries is as large as what it starts from, mostly; one of
    // several operands that fit is enough.
    if (OpOperand *init = initOf(shaped)) {
      exact = false;
      return findExtent(init->get(), axis);
    }
    Operation *op = shaped.getDefiningOp();
    if (!isa_and_nonnull<ElementwiseOpInterface>(op))
      return std::nullopt;
    for (Value operand : op->getOperands()) {
      bool fits =
          isa<TileType, TensorType>(operand.getType()) &&
          getDims(operand.getType()).size() == getDims(shaped.getType()).size();
      if (fits && (extent = findExtent(operand, axis)))
        return extent;
    }
    return std::nullopt;
  }

  static OpOperand *initOf(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto loop =
        argument
            ? dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp())
            : LoopLikeOpInterface();
    return loop ? loop.getTiedLoopInit(argument) : nullptr;
  }

  std::optional<int64_t> evaluate(OpFoldResult value) {
    if (auto known = getConstantIntValue(value))
      return known;
    std::optional<int64_t> result = sizes.evaluate(cast<Value>(value));
    remember();
    return result;
  }

  void remember() {
    for (const SizeInput &input : sizes.takeInputs())
      if (!llvm::is_contained(looked, input))
        looked.push_back(input);
  }

  SizeEvaluation sizes;
  /// What has been looked at so far.
  std::vector<SizeInput> looked;
  /// Extents in the iterations that are being counted.
  llvm::DenseMap<std::pair<Value, unsigned>, std::optional<int64_t>> extents;
  int64_t iterationsTaken = 0;
  bool exact = true;
};

} // namespace

Work tegula::pl::countWork(func::FuncOp function,
                           const std::map<SizeInput, int64_t> &given) {
  Counter counter(given);
  Work work;
  for (Block &block : function.getBody())
    work.operations += counter.count(block);
  work.isExact = counter.isExact();
  return work;
}
