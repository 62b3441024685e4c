// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/LinearForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

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

static void collect(LinearForm &form, Value value, int64_t factor,
                    unsigned depth) {
  if (std::optional<int64_t> number = constantOf(value)) {
    form.constant += factor * *number;
    return;
  }
  if (depth < maxDepth) {
    if (auto add = value.getDefiningOp<arith::AddIOp>()) {
      collect(form, add.getLhs(), factor, depth + 1);
      return collect(form, add.getRhs(), factor, depth + 1);
    }
    if (auto sub = value.getDefiningOp<arith::SubIOp>()) {
      collect(form, sub.getLhs(), factor, depth + 1);
      return collect(form, sub.getRhs(), -factor, depth + 1);
    }
    if (auto mul = value.getDefiningOp<arith::MulIOp>()) {
      if (std::optional<int64_t> number = constantOf(mul.getRhs()))
        return collect(form, mul.getLhs(), factor * *number, depth + 1);
      if (std::optional<int64_t> number = constantOf(mul.getLhs()))
        return collect(form, mul.getRhs(), factor * *number, depth + 1);
    }
  }
  LinearForm term;
  term.terms[value] = 1;
  form.add(term, factor);
}

LinearForm LinearForm::of(Value value) {
  LinearForm form;
  collect(form, value, 1, 0);
  return form;
}

void LinearForm::add(const LinearForm &other, int64_t factor) {
  constant += factor * other.constant;
  for (auto [value, coefficient] : other.terms) {
    int64_t &sum = terms[value];
    sum += factor * coefficient;
    if (sum == 0)
      terms.erase(value);
  }
}

int64_t LinearForm::coefficientOf(Value value) const {
  auto it = terms.find(value);
  return it == terms.end() ? 0 : it->second;
}

bool LinearForm::operator==(const LinearForm &other) const {
  return constant == other.constant && terms.size() == other.terms.size() &&
         llvm::all_of(terms, [&](const auto &term) {
           return other.coefficientOf(term.first) == term.second;
         });
}
