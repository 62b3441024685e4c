// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/LinearForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula::pl;

/// Deeper sums than this are left as one term: enough for any address an
/// author writes, and no danger to the stack.
static constexpr unsigned maxDepth = 32;

static std::optional<int64_t> constantOf(Value value) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

/// Adds `lhs * rhs` to `sum`.
static void addProduct(LinearForm &linear, int64_t &sum, int64_t lhs,
                       int64_t rhs) {
  int64_t product;
  linear.hasOverflowed |= llvm::MulOverflow(lhs, rhs, product) ||
                          llvm::AddOverflow(sum, product, sum);
}

static void collect(LinearForm &linear, Value value, int64_t factor,
                    unsigned depth) {
  if (std::optional<int64_t> number = constantOf(value)) {
    addProduct(linear, linear.constant, factor, *number);
    return;
  }
  auto collectProduct = [&](Value other, int64_t number) {
    int64_t product = 0;
    addProduct(linear, product, factor, number);
    collect(linear, other, product, depth + 1);
  };
  if (depth < maxDepth) {
    if (auto add = value.getDefiningOp<arith::AddIOp>()) {
      collect(linear, add.getLhs(), factor, depth + 1);
      return collect(linear, add.getRhs(), factor, depth + 1);
    }
    if (auto sub = value.getDefiningOp<arith::SubIOp>()) {
      collect(linear, sub.getLhs(), factor, depth + 1);
      linear.hasOverflowed |= factor == INT64_MIN;
      return collect(linear, sub.getRhs(), factor == INT64_MIN ? 0 : -factor,
                     depth + 1);
    }
    if (auto mul = value.getDefiningOp<arith::MulIOp>()) {
      if (std::optional<int64_t> number = constantOf(mul.getRhs()))
        return collectProduct(mul.getLhs(), *number);
      if (std::optional<int64_t> number = constantOf(mul.getLhs()))
        return collectProduct(mul.getRhs(), *number);
    }
  }
  LinearForm term;
  term.terms[value] = 1;
  linear.add(term, factor);
}

LinearForm LinearForm::of(Value value) {
  LinearForm linear;
  collect(linear, value, 1, 0);
  return linear;
}

void LinearForm::add(const LinearForm &other, int64_t factor) {
  hasOverflowed |= other.hasOverflowed;
  addProduct(*this, constant, factor, other.constant);
  for (auto [value, coefficient] : other.terms) {
    int64_t &sum = terms[value];
    addProduct(*this, sum, factor, coefficient);
    if (sum == 0)
      terms.erase(value);
  }
}

int64_t LinearForm::coefficientOf(Value value) const {
  auto it = terms.find(value);
  return it == terms.end() ? 0 : it->second;
}

bool LinearForm::operator==(const LinearForm &other) const {
  return isKnown() && other.isKnown() && constant == other.constant &&
         terms.size() == other.terms.size() &&
         llvm::all_of(terms, [&](const auto &term) {
           return other.coefficientOf(term.first) == term.second;
         });
}
