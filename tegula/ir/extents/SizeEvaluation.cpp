// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/SizeEvaluation.h"

#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

bool SizeInput::operator<(const SizeInput &other) const {
  auto key = [](const SizeInput &input) {
    return std::pair(input.value.getAsOpaquePointer(),
                     input.axis ? static_cast<int64_t>(*input.axis) : -1);
  };
  return key(*this) < key(other);
}

/// The parameter that a value is, or is converted from; null if it is none.
static BlockArgument parameterOf(Value value) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  bool isParameter = argument && isa_and_nonnull<FunctionOpInterface>(
                                     argument.getOwner()->getParentOp());
  return isParameter ? argument : BlockArgument();
}

static bool isLoopVariable(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
  auto loop = dyn_cast_or_null<scf::ForOp>(parent);
  return isa_and_nonnull<ParallelOp>(parent) ||
         (loop && argument == loop.getInductionVar());
}

SizeEvaluation::SizeEvaluation(const ExtentTerms &terms,
                               const std::map<unsigned, int64_t> &sample) {
  for (auto [number, size] : sample) {
    const Term &term = terms[number];
    if (term.kind == Term::Kind::Value)
      given[{term.value, std::nullopt}] = size;
    if (term.kind == Term::Kind::Extent)
      given[{term.value, term.axis}] = size;
  }
}

std::vector<SizeInput> SizeEvaluation::takeInputs() {
  return std::exchange(inputs, {});
}

void SizeEvaluation::set(const SizeInput &input, int64_t size) {
  given[input] = size;
  for (Value value : dependents[input])
    known.erase(value);
  dependents.erase(input);
}

void SizeEvaluation::look(const SizeInput &input) {
  if (!llvm::is_contained(inputs, input))
    inputs.push_back(input);
}

/// What a call brings; nothing if it brings no such thing, or it does not fit
/// the parameter.
std::optional<Scalar> SizeEvaluation::read(Value value) {
  BlockArgument parameter = parameterOf(value);
  bool isNumeric = parameter && parameter.getType().isIntOrIndex();
  if (!isNumeric && !value.getDefiningOp<BindOp>() && !isLoopVariable(value))
    return std::nullopt;
  SizeInput input{value, std::nullopt};
  look(input);
  auto found = given.find(input);
  int64_t size = found == given.end() ? 0 : found->second;
  Type type = isNumeric ? parameter.getType() : value.getType();
  if (Scalar::ofInteger(*getDType(type), size).getInteger() != size)
    return std::nullopt;
  return Scalar::ofInteger(*getDType(value.getType()), size);
}

/// Values are used many times: by each operation on a tile of that size, and in
/// each iteration of a loop that does not change them.
std::optional<Scalar> SizeEvaluation::find(Value value) {
  auto found = known.find(value);
  if (found != known.end()) {
    for (const SizeInput &input : found->second.inputs)
      look(input);
    return found->second.number;
  }
  std::vector<SizeInput> others = std::exchange(inputs, {});
  bool wasGivenUp = std::exchange(isGivenUp, false);
  std::optional<Scalar> number = compute(value);
  if (!isGivenUp) {
    for (const SizeInput &input : inputs)
      dependents[input].insert(value);
    known[value] = {number, inputs};
  }
  isGivenUp |= wasGivenUp;
  std::swap(inputs, others);
  for (const SizeInput &input : others)
    look(input);
  return number;
}

bool SizeEvaluation::isTooDeep() {
  isGivenUp |= depth >= maxDepth;
  return depth >= maxDepth;
}

std::optional<Scalar> SizeEvaluation::compute(Value value) {
  if (std::optional<Scalar> number = read(value))
    return number;
  Operation *op = value.getDefiningOp();
  if (!op || isTooDeep())
    return std::nullopt;
  if (auto dim = dyn_cast<DimOp>(op)) {
    std::optional<int64_t> extent =
        evaluateExtent(dim.getSource(), dim.getAxis());
    return extent ? std::optional(Scalar::ofIndex(*extent)) : std::nullopt;
  }
  ScalarRule rule = findScalarRule(op);
  if (!rule)
    return std::nullopt;
  SmallVector<Scalar> operands;
  ++depth;
  for (Value operand : op->getOperands())
    if (std::optional<Scalar> number = find(operand))
      operands.push_back(*number);
  --depth;
  if (operands.size() != op->getNumOperands())
    return std::nullopt;
  // A rule that has no answer says why; nobody asked.
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  FailureOr<Scalar> result = rule(op, operands);
  return succeeded(result) ? std::optional(*result) : std::nullopt;
}

std::optional<int64_t> SizeEvaluation::evaluate(Value value) {
  std::optional<Scalar> number = find(value);
  return number && !number->isReal() ? std::optional(number->getInteger())
                                     : std::nullopt;
}

Value SizeEvaluation::reify(Value shaped, unsigned axis) {
  Value &extent = reified[{shaped, axis}];
  if (extent)
    return extent;
  OpBuilder builder(shaped.getContext());
  builder.setInsertionPointToEnd(&scratch);
  if (auto shape = shaped.getDefiningOp<ExtentsOpInterface>())
    extent = shape.reifyExtent(builder, axis);
  else
    extent = buildExtent(builder, shaped.getLoc(), shaped, axis);
  return extent;
}

std::optional<int64_t> SizeEvaluation::evaluateExtent(Value shaped,
                                                      unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return dim.getBound();
  if (shaped.getDefiningOp<ExtentsOpInterface>()) {
    if (isTooDeep())
      return std::nullopt;
    ++depth;
    std::optional<int64_t> extent = evaluate(reify(shaped, axis));
    --depth;
    return extent;
  }
  if (!parameterOf(shaped))
    return std::nullopt;
  Value extent = reify(shaped, axis);
  if (extent.getDefiningOp<BindOp>())
    return evaluate(extent);
  SizeInput input{shaped, axis};
  look(input);
  auto found = given.find(input);
  return found == given.end() ? 0 : found->second;
}

/// The name of what is given to the kernel; empty for everything else.
static std::string nameOf(const SizeInput &input) {
  if (auto bind = input.value.getDefiningOp<BindOp>())
    return bind.getSymbol().str();
  BlockArgument parameter = parameterOf(input.value);
  if (!parameter)
    return "";
  auto function =
      cast<FunctionOpInterface>(parameter.getOwner()->getParentOp());
  auto name = function.getArgAttrOfType<StringAttr>(parameter.getArgNumber(),
                                                    nameAttrName);
  if (!name)
    return "";
  return input.axis
             ? llvm::formatv("axis {0} of {1}", *input.axis, name.getValue())
                   .str()
             : name.str();
}

/// Symbols come first, in the order in which they are bound.
static bool comesFirst(const SizeInput &lhs, const SizeInput &rhs) {
  auto left = lhs.value.getDefiningOp<BindOp>();
  auto right = rhs.value.getDefiningOp<BindOp>();
  if (left && right)
    return left->isBeforeInBlock(right);
  return left && !right;
}

std::string tegula::pl::describe(std::vector<SizeInput> inputs,
                                 SizeEvaluation &evaluation) {
  llvm::stable_sort(inputs, comesFirst);
  std::string text;
  for (const SizeInput &input : inputs) {
    std::string name = nameOf(input);
    std::optional<int64_t> size =
        input.axis ? evaluation.evaluateExtent(input.value, *input.axis)
                   : evaluation.evaluate(input.value);
    if (!name.empty() && size)
      text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(*size);
  }
  return text;
}
