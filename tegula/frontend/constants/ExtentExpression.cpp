// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/ExtentExpression.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using Op = ExtentExpression::Op;
using Operand = ExtentExpression::Operand;

/// Nobody writes longer ones, and doubling again and again would never end.
static constexpr size_t maxText = 500;

static bool isExtent(const Object &object) {
  return object.is<SymbolObject>() || object.is<IntObject>();
}

bool tegula::isExtentArithmetic(const Object &lhs, const Object &rhs) {
  return isExtent(lhs) && isExtent(rhs) &&
         (lhs.is<SymbolObject>() || rhs.is<SymbolObject>());
}

static Operand toOperand(const Object &object) {
  if (const auto *symbol = object.as<SymbolObject>())
    return {symbol->symbol, 0};
  return {nullptr, *object.asInteger()};
}

/// Whether it binds more tightly than addition; calls bind most tightly.
static unsigned precedenceOf(const Operand &operand) {
  if (!operand.symbol || !operand.symbol->expression)
    return operand.number < 0 ? 0 : 3;
  switch (operand.symbol->expression->op) {
  case Op::Add:
  case Op::Sub:
    return 1;
  case Op::Mul:
  case Op::FloorDiv:
  case Op::Mod:
    return 2;
  default:
    return 3;
  }
}

static std::string textOf(const Operand &operand, unsigned precedence) {
  std::string text =
      operand.symbol ? operand.symbol->name : std::to_string(operand.number);
  return precedenceOf(operand) < precedence ? "(" + text + ")" : text;
}

static std::string textOf(Op op, const Operand &lhs, const Operand &rhs) {
  auto infix = [&](const char *sign, unsigned precedence) {
    return textOf(lhs, precedence) + sign + textOf(rhs, precedence + 1);
  };
  switch (op) {
  case Op::Add:
    return infix(" + ", 1);
  case Op::Sub:
    return infix(" - ", 1);
  case Op::Mul:
    return infix(" * ", 2);
  case Op::FloorDiv:
    return infix(" // ", 2);
  case Op::Mod:
    return infix(" % ", 2);
  case Op::Min:
    return "min(" + textOf(lhs, 0) + ", " + textOf(rhs, 0) + ")";
  case Op::Max:
    return "max(" + textOf(lhs, 0) + ", " + textOf(rhs, 0) + ")";
  }
  llvm_unreachable("every operation is handled");
}

void tegula::nameExpression(Symbol &symbol) {
  if (!symbol.expression)
    return;
  const ExtentExpression &expression = *symbol.expression;
  for (const Operand *operand : {&expression.lhs, &expression.rhs})
    if (operand->symbol)
      nameExpression(*operand->symbol);
  symbol.name = textOf(expression.op, expression.lhs, expression.rhs);
}

static Object fail(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

Object tegula::combineExtents(Op op, const Object &lhs, const Object &rhs) {
  Operand left = toOperand(lhs), right = toOperand(rhs);
  bool divides = op == Op::FloorDiv || op == Op::Mod;
  if (divides && !right.symbol && right.number <= 0)
    return fail("an extent can only be divided by a positive number, got " +
                llvm::Twine(right.number));
  std::string text = textOf(op, left, right);
  if (text.size() > maxText)
    return fail("an extent is written with at most " + llvm::Twine(maxText) +
                " characters, got " + llvm::Twine(text.size()));
  mlir::Location loc =
      left.symbol ? left.symbol->declared : right.symbol->declared;
  return Object(SymbolObject{std::make_shared<Symbol>(Symbol{
      text, loc,
      std::make_shared<ExtentExpression>(ExtentExpression{op, left, right})})});
}

Object tegula::combineExtents(ast::BinaryOp op, const Object &lhs,
                              const Object &rhs) {
  using ast::BinaryOp;
  switch (op) {
  case BinaryOp::Add:
    return combineExtents(Op::Add, lhs, rhs);
  case BinaryOp::Sub:
    return combineExtents(Op::Sub, lhs, rhs);
  case BinaryOp::Mul:
    return combineExtents(Op::Mul, lhs, rhs);
  case BinaryOp::FloorDiv:
    return combineExtents(Op::FloorDiv, lhs, rhs);
  case BinaryOp::Mod:
    return combineExtents(Op::Mod, lhs, rhs);
  case BinaryOp::Div:
    return fail("an extent is an integer; write // for '/'");
  default:
    return fail("cannot apply '" + ast::spelling(op) + "' to " + describe(lhs) +
                " and " + describe(rhs) +
                "; extents have + - * // % min and max");
  }
}

std::optional<Object> tegula::callOnExtents(llvm::StringRef name,
                                            llvm::ArrayRef<Object> arguments) {
  if (!llvm::all_of(arguments, isExtent) || arguments.size() < 2 ||
      llvm::none_of(arguments, [](const Object &object) {
        return object.is<SymbolObject>();
      }))
    return std::nullopt;
  if (name == "cdiv" && arguments.size() == 2) {
    std::optional<int64_t> number = arguments[1].asInteger();
    Object less =
        number ? Object::integer(*number - 1)
               : combineExtents(Op::Sub, arguments[1], Object::integer(1));
    return combineExtents(Op::FloorDiv,
                          combineExtents(Op::Add, arguments[0], less),
                          arguments[1]);
  }
  if (name != "min" && name != "max")
    return std::nullopt;
  Object result = arguments.front();
  for (const Object &argument : arguments.drop_front())
    result = result.is<IntObject>() && argument.is<IntObject>()
                 ? *foldCall(name, {result, argument})
                 : combineExtents(name == "min" ? Op::Min : Op::Max, result,
                                  argument);
  return result;
}

void tegula::collectBases(const std::shared_ptr<Symbol> &symbol,
                          llvm::SetVector<Symbol *> &bases) {
  if (!symbol)
    return;
  if (!symbol->expression) {
    bases.insert(symbol.get());
    return;
  }
  collectBases(symbol->expression->lhs.symbol, bases);
  collectBases(symbol->expression->rhs.symbol, bases);
}

static unsigned countUses(const std::shared_ptr<Symbol> &symbol,
                          const Symbol *unknown) {
  if (!symbol)
    return 0;
  if (!symbol->expression)
    return symbol.get() == unknown;
  return countUses(symbol->expression->lhs.symbol, unknown) +
         countUses(symbol->expression->rhs.symbol, unknown);
}

std::optional<std::vector<InverseStep>>
tegula::invertExpression(const std::shared_ptr<Symbol> &symbol,
                         const Symbol *unknown) {
  if (countUses(symbol, unknown) != 1)
    return std::nullopt;
  std::vector<InverseStep> steps;
  std::shared_ptr<Symbol> current = symbol;
  while (current->expression) {
    const ExtentExpression &expression = *current->expression;
    if (expression.op != Op::Add && expression.op != Op::Sub &&
        expression.op != Op::Mul)
      return std::nullopt;
    bool isLeft = countUses(expression.lhs.symbol, unknown) != 0;
    const Operand &other = isLeft ? expression.rhs : expression.lhs;
    if (expression.op == Op::Mul && !other.symbol && other.number <= 0)
      return std::nullopt;
    steps.push_back({expression.op, other, !isLeft});
    current = isLeft ? expression.lhs.symbol : expression.rhs.symbol;
  }
  return steps;
}

static void addSteps(ExtentProgram &program, const Operand &operand) {
  using Code = ExtentProgram::Op;
  auto binary = [&](Code code, const Operand &lhs, const Operand &rhs) {
    addSteps(program, lhs);
    addSteps(program, rhs);
    program.steps.push_back({code});
  };
  if (!operand.symbol) {
    program.steps.push_back({Code::Constant, operand.number});
    return;
  }
  if (!operand.symbol->expression) {
    program.steps.push_back(
        {Code::Size, program.indexOf(operand.symbol->name)});
    return;
  }
  const auto &[op, lhs, rhs] = *operand.symbol->expression;
  switch (op) {
  case Op::Add:
    return binary(Code::Add, lhs, rhs);
  case Op::Sub:
    return binary(Code::Sub, lhs, rhs);
  case Op::Mul:
    return binary(Code::Mul, lhs, rhs);
  case Op::FloorDiv:
    return binary(Code::FloorDiv, lhs, rhs);
  case Op::Min:
    return binary(Code::Min, lhs, rhs);
  case Op::Max:
    return binary(Code::Max, lhs, rhs);
  case Op::Mod:
    // lhs - lhs // rhs * rhs
    addSteps(program, lhs);
    binary(Code::FloorDiv, lhs, rhs);
    addSteps(program, rhs);
    program.steps.push_back({Code::Mul});
    program.steps.push_back({Code::Sub});
  }
}

ExtentProgram tegula::programOf(const std::shared_ptr<Symbol> &symbol) {
  ExtentProgram program;
  addSteps(program, {symbol, 0});
  return program;
}
