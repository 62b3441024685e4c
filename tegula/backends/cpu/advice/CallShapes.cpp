// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/advice/CallShapes.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/support/ReshapeStrides.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tegula;

CallShapes::CallShapes(func::FuncOp function, const CallSizes &call)
    : sizes(call.given), strides(call.strides) {
  function->walk<WalkOrder::PreOrder>([&](LoopLikeOpInterface loop) {
    std::optional<Value> variable = loop.getSingleInductionVar();
    if (!variable)
      return;
    if (std::optional<int64_t> first = evaluate(*loop.getSingleLowerBound()))
      sizes.set({*variable, std::nullopt}, *first);
  });
}

std::optional<int64_t> CallShapes::evaluate(OpFoldResult value) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return known;
  return sizes.evaluate(cast<Value>(value));
}

/// What a loop carries is as large as what it starts from, as far as its type
/// does not say.
static Value initOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(parent);
  OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
  return init ? init->get() : Value();
}

std::optional<int64_t> CallShapes::findExtent(Value shaped, unsigned axis) {
  if (std::optional<int64_t> extent = sizes.evaluateExtent(shaped, axis))
    return std::max<int64_t>(0, *extent);
  Value init = initOf(shaped);
  return init ? findExtent(init, axis) : std::nullopt;
}

std::optional<Extents> CallShapes::findExtents(Value shaped) {
  Extents extents;
  for (unsigned axis = 0; axis < pl::getDims(shaped.getType()).size(); ++axis) {
    std::optional<int64_t> extent = findExtent(shaped, axis);
    if (!extent)
      return std::nullopt;
    extents.push_back(*extent);
  }
  return extents;
}

/// Those of rows that follow each other.
static Extents packedStrides(ArrayRef<int64_t> extents) {
  Extents strides(extents.size());
  computePackedStrides(static_cast<int64_t>(extents.size()), extents.data(),
                       strides.data());
  return strides;
}

/// Where no strides give the view its shape, it is a packed copy.
std::optional<Extents> CallShapes::findViewStrides(Value source,
                                                   ArrayRef<int64_t> extents) {
  std::optional<Extents> from = findExtents(source);
  std::optional<Extents> steps = findStrides(source);
  if (!from || !steps || elementsOf(*from) != elementsOf(extents))
    return std::nullopt;
  Extents made(extents.size());
  StridedShape shape{static_cast<int64_t>(from->size()), from->data(),
                     steps->data()};
  return computeReshapedStrides(shape, static_cast<int64_t>(extents.size()),
                                extents.data(), made.data())
             ? made
             : packedStrides(extents);
}

std::optional<Extents> CallShapes::findStrides(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (auto slice = dyn_cast_or_null<pl::SliceOp>(op)) {
    std::optional<Extents> whole = findStrides(slice.getSource());
    if (!whole)
      return std::nullopt;
    Extents kept;
    for (unsigned axis = 0; axis < pl::getDims(tensor.getType()).size(); ++axis)
      kept.push_back((*whole)[slice.getSourceAxis(axis)]);
    return kept;
  }
  std::optional<Extents> extents = findExtents(tensor);
  if (!extents)
    return std::nullopt;
  if (auto view = dyn_cast_or_null<pl::ViewOp>(op))
    return findViewStrides(view.getSource(), *extents);
  if (isa_and_nonnull<pl::CreateTensorOp>(op))
    return packedStrides(*extents);
  Extents found(extents->size(), 1);
  for (unsigned axis = 0; axis < found.size(); ++axis) {
    auto known = strides.find({tensor, axis});
    if (known == strides.end())
      return std::nullopt;
    found[axis] = known->second;
  }
  return found;
}

std::optional<int64_t> CallShapes::findIterations(LoopLikeOpInterface loop) {
  if (!loop.getSingleInductionVar())
    return std::nullopt;
  std::optional<int64_t> lower = evaluate(*loop.getSingleLowerBound());
  std::optional<int64_t> upper = evaluate(*loop.getSingleUpperBound());
  std::optional<int64_t> step = evaluate(*loop.getSingleStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  return *lower >= *upper ? 0 : (*upper - *lower - 1) / *step + 1;
}

double CallShapes::countRuns(Operation *op) {
  double runs = 1;
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    runs *= static_cast<double>(findIterations(loop).value_or(1));
  return runs;
}

double tegula::elementsOf(ArrayRef<int64_t> extents) {
  double elements = 1;
  for (int64_t extent : extents)
    elements *= static_cast<double>(extent);
  return elements;
}

std::string tegula::formatExtents(ArrayRef<int64_t> extents) {
  if (extents.empty())
    return "1";
  return llvm::join(
      llvm::map_range(extents, [](int64_t n) { return std::to_string(n); }),
      " x ");
}

std::string tegula::nameTensor(Value view) {
  auto argument = dyn_cast_or_null<BlockArgument>(rootOfView(view));
  auto function =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  if (!function)
    return "a tensor that the kernel makes";
  auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    pl::nameAttrName);
  return name ? "'" + name.str() + "'" : "a parameter";
}
