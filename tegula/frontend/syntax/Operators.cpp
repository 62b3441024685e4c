// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/Operators.h"

using namespace tegula::ast;
using llvm::StringRef;

namespace {

/// One operator and its op.
template <typename Operator> struct OperatorRow {
  Operator symbol;
  llvm::StringLiteral op;
};

} // namespace

static constexpr OperatorRow<BinaryOp> binaryOperators[] = {
    {BinaryOp::Add, "add"},       {BinaryOp::Sub, "sub"},
    {BinaryOp::Mul, "mul"},       {BinaryOp::Div, "div"},
    {BinaryOp::FloorDiv, "div"},  {BinaryOp::Mod, "rem"},
    {BinaryOp::ShiftLeft, "shl"}, {BinaryOp::ShiftRight, "shr"},
    {BinaryOp::BitAnd, "and_"},   {BinaryOp::BitOr, "or_"},
    {BinaryOp::BitXor, "xor"},
};

static constexpr OperatorRow<UnaryOp> unaryOperators[] = {
    {UnaryOp::Minus, "neg"},
    {UnaryOp::Invert, "not_"},
};

static constexpr OperatorRow<CompareOp> compareOperators[] = {
    {CompareOp::Lt, "lt"}, {CompareOp::Le, "le"}, {CompareOp::Gt, "gt"},
    {CompareOp::Ge, "ge"}, {CompareOp::Eq, "eq"}, {CompareOp::Ne, "ne"},
};

template <typename Operator, size_t N>
static StringRef findOp(const OperatorRow<Operator> (&rows)[N],
                        Operator symbol) {
  for (const OperatorRow<Operator> &row : rows)
    if (row.symbol == symbol)
      return row.op;
  return "";
}

template <typename Operator, size_t N>
static std::optional<Operator>
findOperator(const OperatorRow<Operator> (&rows)[N], StringRef op) {
  for (const OperatorRow<Operator> &row : rows)
    if (row.op == op)
      return row.symbol;
  return std::nullopt;
}

StringRef tegula::ast::opOf(BinaryOp op) { return findOp(binaryOperators, op); }

StringRef tegula::ast::opOf(UnaryOp op) { return findOp(unaryOperators, op); }

StringRef tegula::ast::opOf(CompareOp op) {
  return findOp(compareOperators, op);
}

std::optional<BinaryOp> tegula::ast::binaryOperatorOf(StringRef name,
                                                      bool isFloat) {
  std::optional<BinaryOp> found = findOperator(binaryOperators, name);
  return found == BinaryOp::Div && !isFloat ? BinaryOp::FloorDiv : found;
}

std::optional<UnaryOp> tegula::ast::unaryOperatorOf(StringRef name) {
  return findOperator(unaryOperators, name);
}

CompareOp tegula::ast::compareOperatorOf(StringRef name) {
  std::optional<CompareOp> found = findOperator(compareOperators, name);
  assert(found && "every comparison has an operator");
  return *found;
}
