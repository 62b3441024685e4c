// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/IndexExpression.h"

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;
using Code = ExtentProgram::Op;

/// The step of a comparison, and whether its operands change places.
static std::optional<std::pair<Code, bool>>
comparisonStep(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::eq:
    return std::pair(Code::Equal, false);
  case Predicate::ne:
    return std::pair(Code::NotEqual, false);
  case Predicate::slt:
    return std::pair(Code::Less, false);
  case Predicate::sle:
    return std::pair(Code::AtMost, false);
  case Predicate::sgt:
    return std::pair(Code::Less, true);
  case Predicate::sge:
    return std::pair(Code::AtMost, true);
  default:
    return std::nullopt;
  }
}

std::optional<Code> tegula::pl::stepOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Code>>(op)
      .Case([](arith::AddIOp) { return Code::Add; })
      .Case([](arith::SubIOp) { return Code::Sub; })
      .Case([](arith::MulIOp) { return Code::Mul; })
      .Case([](arith::FloorDivSIOp) { return Code::FloorDiv; })
      .Case([](arith::CeilDivSIOp) { return Code::CeilDiv; })
      .Case([](arith::MinSIOp) { return Code::Min; })
      .Case([](arith::MaxSIOp) { return Code::Max; })
      .Case([](arith::AndIOp) { return Code::And; })
      .Case([](arith::OrIOp) { return Code::Or; })
      .Case([](arith::XOrIOp) { return Code::Xor; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<unsigned> tegula::pl::parameterOf(Value value) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  bool isNumeric = argument && argument.getType().isIntOrIndex();
  if (!isNumeric || !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  return argument.getArgNumber();
}

static bool addSteps(ExtentProgram &program, Value value, unsigned depth = 0) {
  if (program.steps.size() > maxProgramSteps || depth > maxProgramSteps)
    return false;
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    bool isTruth = value.getType().isInteger(1);
    program.steps.push_back(
        {Code::Constant,
         isTruth ? int64_t(number.getZExtValue()) : number.getSExtValue()});
    return true;
  }
  if (auto bind = value.getDefiningOp<BindOp>()) {
    program.steps.push_back(
        {Code::Size, program.indexOf(bind.getSymbol().str())});
    return true;
  }
  if (std::optional<unsigned> parameter = parameterOf(value)) {
    program.steps.push_back({Code::Scalar, *parameter});
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return false;
  bool isTruth = value.getType().isInteger(1);
  auto compare = dyn_cast<arith::CmpIOp>(op);
  bool isIndex =
      (compare ? compare.getLhs().getType() : value.getType()).isIndex();
  if (!isIndex && (!isTruth || compare))
    return false;
  std::optional<Code> step = stepOf(op);
  bool isSwapped = false;
  if (compare)
    if (auto found = comparisonStep(compare.getPredicate()))
      std::tie(step, isSwapped) =
          std::pair(std::optional(found->first), found->second);
  if (!step ||
      !addSteps(program, op->getOperand(isSwapped ? 1 : 0), depth + 1) ||
      !addSteps(program, op->getOperand(isSwapped ? 0 : 1), depth + 1))
    return false;
  program.steps.push_back({*step});
  return true;
}

std::optional<ExtentProgram> tegula::pl::programOf(Value value) {
  ExtentProgram program;
  if (!addSteps(program, value) || !program.fits())
    return std::nullopt;
  return program;
}

static std::string nameOfParameter(Value value, unsigned parameter) {
  auto func = value.getParentRegion()->getParentOfType<func::FuncOp>();
  auto name = func.getArgAttrOfType<StringAttr>(parameter, nameAttrName);
  return name ? name.str() : "";
}

static StringRef signOf(Code step) {
  switch (step) {
  case Code::Add:
    return " + ";
  case Code::Sub:
    return " - ";
  case Code::Mul:
    return " * ";
  case Code::FloorDiv:
    return " // ";
  default:
    return "";
  }
}

/// `precedence` says how tightly what is around it binds: 1 for sums, 2 for
/// products.
static std::string format(Value value, unsigned precedence, unsigned depth) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return std::to_string(number.getSExtValue());
  if (auto bind = value.getDefiningOp<BindOp>())
    return bind.getSymbol().str();
  if (std::optional<unsigned> parameter = parameterOf(value))
    return nameOfParameter(value, *parameter);
  Operation *op = value.getDefiningOp();
  std::optional<Code> step = op ? stepOf(op) : std::nullopt;
  if (!step || depth == 0)
    return "";
  bool isCall = *step == Code::Min || *step == Code::Max;
  StringRef sign = isCall ? ", " : signOf(*step);
  if (sign.empty())
    return "";
  unsigned own = *step == Code::Add || *step == Code::Sub ? 1 : 2;
  std::string lhs = format(op->getOperand(0), isCall ? 0 : own, depth - 1);
  std::string rhs = format(op->getOperand(1), isCall ? 0 : own + 1, depth - 1);
  if (lhs.empty() || rhs.empty())
    return "";
  std::string text = lhs + sign.str() + rhs;
  if (isCall)
    return (*step == Code::Min ? "min(" : "max(") + text + ")";
  return own < precedence ? "(" + text + ")" : text;
}

std::string tegula::pl::formatIndex(Value value) {
  constexpr unsigned maxDepth = 8;
  return format(value, 0, maxDepth);
}
