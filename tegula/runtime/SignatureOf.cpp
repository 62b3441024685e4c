// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/ir/extents/ExactArithmetic.h"
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"
#include "tegula/runtime/Compilation.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tegula;

static Direction toDirection(pl::Direction direction) {
  switch (direction) {
  case pl::Direction::In:
    return Direction::In;
  case pl::Direction::Out:
    return Direction::Out;
  case pl::Direction::InOut:
    return Direction::InOut;
  }
  llvm_unreachable("every direction is handled");
}

static Axis toAxis(pl::Dim dim, std::string symbol) {
  if (dim.isExact())
    return {dim.getBound(), "", std::nullopt};
  Axis axis = {std::nullopt, std::move(symbol), std::nullopt};
  if (dim.hasBound())
    axis.bound = dim.getBound();
  return axis;
}

static Parameter toParameter(mlir::func::FuncOp entry, unsigned index) {
  Parameter parameter;
  if (auto name =
          entry.getArgAttrOfType<mlir::StringAttr>(index, pl::nameAttrName))
    parameter.name = name.str();
  else
    parameter.name = "arg" + std::to_string(index);
  if (auto direction = entry.getArgAttrOfType<pl::DirectionAttr>(
          index, pl::directionAttrName))
    parameter.direction = toDirection(direction.getValue());
  if (auto reason =
          entry.getArgAttrOfType<mlir::StringAttr>(index, pl::reasonAttrName))
    parameter.reason = reason.str();
  if (auto bits = entry.getArgAttrOfType<mlir::IntegerAttr>(
          index, pl::constantAttrName))
    parameter.constant = static_cast<uint64_t>(bits.getInt());
  mlir::Type type = entry.getArgumentTypes()[index];
  parameter.dtype = pl::getDType(pl::getElementOrSelf(type));
  parameter.kind = mlir::isa<pl::TensorViewType>(type)
                       ? Parameter::Kind::Tensor
                       : Parameter::Kind::Scalar;
  if (parameter.isScalar())
    return parameter;
  parameter.axes.emplace();
  for (auto [number, dim] : llvm::enumerate(pl::getDims(type)))
    parameter.axes->push_back(
        toAxis(dim, parameter.name + "." + std::to_string(number)));
  if (auto axes = entry.getArgAttrOfType<mlir::DenseI64ArrayAttr>(
          index, pl::notOneAttrName))
    for (int64_t axis : axes.asArrayRef())
      parameter.axes->at(axis).excludesOne = true;
  return parameter;
}

static std::string formatLocation(mlir::Location loc) {
  auto fileLoc = loc->findInstanceOf<mlir::FileLineColLoc>();
  if (!fileLoc)
    return "";
  return llvm::formatv("{0}:{1}:{2}", fileLoc.getFilename().getValue(),
                       fileLoc.getLine(), fileLoc.getColumn());
}

/// Nothing if it cannot be computed from what the call brings.
static std::optional<SizeRequirement> toRequirement(pl::RequireOp op) {
  std::optional<ExtentProgram> condition = pl::programOf(op.getCondition());
  if (!condition)
    return std::nullopt;
  SizeRequirement requirement;
  requirement.condition = std::move(*condition);
  requirement.text = op.getText().str();
  if (op.getOrigin() == pl::derivedOrigin)
    requirement.location = formatLocation(op.getLoc());
  for (auto [name, size] : llvm::zip(
           op.getNames().getAsValueRange<mlir::StringAttr>(), op.getSizes()))
    if (std::optional<ExtentProgram> program = pl::programOf(size))
      requirement.sizes.push_back({name.str(), std::move(*program)});
  requirement.parameter = op.getArgument();
  requirement.axis = op.getAxis();
  return requirement;
}

/// The symbols and numbers that a program is computed from.
static std::vector<std::pair<std::string, ExtentProgram>>
inputsOf(mlir::func::FuncOp entry, const ExtentProgram &program) {
  std::vector<std::pair<std::string, ExtentProgram>> inputs;
  for (const ExtentProgram::Step &step : program.steps) {
    std::string name;
    ExtentProgram input;
    if (step.op == ExtentProgram::Op::Size) {
      name = program.names[step.number];
      input = {{{step.op, 0}}, {name}};
    } else if (step.op == ExtentProgram::Op::Scalar) {
      name = toParameter(entry, step.number).name;
      input = {{step}, {}};
    }
    bool isNew = llvm::none_of(
        inputs, [&](const auto &other) { return other.first == name; });
    if (!name.empty() && isNew)
      inputs.push_back({name, input});
  }
  return inputs;
}

static SizeRequirement toExact(mlir::func::FuncOp entry,
                               pl::CheckedArithmetic arithmetic) {
  SizeRequirement expression;
  expression.text = arithmetic.isLoop
                        ? "the variable of the loop"
                        : pl::formatIndex(arithmetic.op->getResult(0));
  if (expression.text.empty())
    expression.text = "what is computed";
  expression.location = formatLocation(arithmetic.op->getLoc());
  expression.sizes = inputsOf(entry, arithmetic.program);
  expression.condition = std::move(arithmetic.program);
  return expression;
}

/// A call looks at a number of expressions. Where there are more, no size may
/// have more bits than are safe for all of them.
static std::vector<SizeRequirement>
limitInputs(llvm::ArrayRef<SizeRequirement> expressions) {
  unsigned bits = maxSizeBits;
  for (const SizeRequirement &expression : expressions)
    while (!rangeOfBits(expression.condition, bits))
      --bits;
  std::vector<SizeRequirement> limits;
  for (const SizeRequirement &expression : expressions)
    for (const auto &[name, input] : expression.sizes) {
      if (llvm::any_of(limits, [&, &name = name](const auto &limit) {
            return limit.sizes.front().first == name;
          }))
        continue;
      SizeRequirement limit{input,
                            "what is computed from " + name,
                            expression.location,
                            {{name, input}}};
      limit.condition.steps.push_back(
          {ExtentProgram::Op::Constant, int64_t(1) << (maxSizeBits - bits)});
      limit.condition.steps.push_back({ExtentProgram::Op::Mul});
      limits.push_back(std::move(limit));
    }
  return limits;
}

static std::vector<SizeRequirement> listExact(mlir::func::FuncOp entry) {
  constexpr size_t mostExpressions = 200;
  std::vector<SizeRequirement> expressions;
  for (pl::CheckedArithmetic &arithmetic : pl::findCheckedArithmetic(entry))
    expressions.push_back(toExact(entry, std::move(arithmetic)));
  return expressions.size() > mostExpressions ? limitInputs(expressions)
                                              : expressions;
}

Signature tegula::getSignature(mlir::func::FuncOp entry) {
  Signature signature;
  signature.kernel = entry.getSymName().str();
  for (unsigned index = 0; index < entry.getNumArguments(); ++index)
    signature.parameters.push_back(toParameter(entry, index));
  if (auto results =
          entry->getAttrOfType<mlir::DenseI64ArrayAttr>(pl::resultsAttrName))
    signature.results.assign(results.asArrayRef().begin(),
                             results.asArrayRef().end());
  for (auto bind : entry.getBody().front().getOps<pl::BindOp>())
    for (auto [tensor, axis] : llvm::zip(bind.getTensors(), bind.getAxes())) {
      auto argument = mlir::cast<mlir::BlockArgument>(tensor);
      signature.parameters[argument.getArgNumber()].axes->at(axis).symbol =
          bind.getSymbol().str();
    }
  for (auto require : entry.getBody().front().getOps<pl::RequireOp>())
    if (require.getAtCall())
      if (auto requirement = toRequirement(require))
        signature.requirements.push_back(std::move(*requirement));
  signature.exact = listExact(entry);
  return signature;
}
