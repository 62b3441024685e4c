// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ConstraintSystem.h"

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

#include <set>

using namespace mlir;
using namespace tegula::pl;
using presburger::IntegerPolyhedron;

/// Each choice doubles the work.
static constexpr size_t maxChoices = 6;
/// A system with more columns is not worth its time.
static constexpr size_t maxColumns = 48;

bool ConstraintSystem::isGiven(unsigned number) const {
  return terms[number].kind == Term::Kind::Value ||
         terms[number].kind == Term::Kind::Extent;
}

void ConstraintSystem::add(const Constraint &constraint) {
  if (!constraint.value.isKnown())
    return;
  constraints.push_back(constraint);
  for (const auto &[monomial, coefficient] : constraint.value.getTerms())
    for (unsigned number : monomial)
      define(number);
}

void ConstraintSystem::add(const Alternatives &alternatives) {
  if (alternatives.size() == 1) {
    for (const Constraint &constraint : alternatives.front())
      add(constraint);
    return;
  }
  if (choices.size() == maxChoices)
    return;
  choices.push_back(alternatives);
  for (const Constraints &entry : alternatives)
    for (const Constraint &constraint : entry)
      for (const auto &[monomial, coefficient] : constraint.value.getTerms())
        for (unsigned number : monomial)
          define(number);
}

bool ConstraintSystem::mentions(const Constraints &others) const {
  for (const Constraint &constraint : others)
    for (const auto &[monomial, coefficient] : constraint.value.getTerms())
      for (unsigned number : monomial)
        if (number < isDefined.size() && isDefined[number])
          return true;
  return false;
}

void ConstraintSystem::defineQuotient(unsigned number) {
  const Term &term = terms[number];
  const Polynomial &dividend = term.operands[0], &divisor = term.operands[1];
  Polynomial product = divisor * Polynomial::unknown(number);
  Polynomial rest = dividend - product;
  // 0 <= rest < divisor, if the divisor is positive.
  if (std::optional<int64_t> constant = divisor.asConstant()) {
    if (*constant <= 0)
      return;
    add(Constraint{rest, false});
    add(Constraint::less(rest, divisor));
    return;
  }
  if (terms.isNeverNegative(dividend) && terms.isNeverNegative(divisor))
    add(Constraint{Polynomial::unknown(number), false});
  Constraints positive = {Constraint::less(Polynomial(), divisor),
                          {rest, false},
                          Constraint::less(rest, divisor)};
  // An exact division has no remainder.
  if (std::optional<Polynomial> exact = dividend.dividedBy(divisor))
    positive.push_back(Constraint::equal(Polynomial::unknown(number), *exact));
  // Nothing is said of other divisors, but that dividing by 0 gives 0.
  add(Alternatives{
      positive,
      {Constraint::equal(divisor, Polynomial()),
       Constraint::equal(Polynomial::unknown(number), Polynomial())},
      {Constraint::less(divisor, Polynomial())}});
}

void ConstraintSystem::define(unsigned number) {
  if (isDefined.size() <= number)
    isDefined.resize(number + 1);
  if (isDefined[number])
    return;
  isDefined[number] = true;
  const Term &term = terms[number];
  Polynomial self = Polynomial::unknown(number);
  switch (term.kind) {
  case Term::Kind::Value:
    if (terms.isNeverNegative(number))
      add(Constraint{self, false});
    return;
  case Term::Kind::Extent: {
    add(Constraint{self, false});
    Dim dim = getDims(term.value.getType())[term.axis];
    if (dim.hasBound())
      add(Constraint::atMost(self, Polynomial::constant(dim.getBound())));
    return;
  }
  case Term::Kind::Quotient:
    return defineQuotient(number);
  case Term::Kind::Least:
  case Term::Kind::Greatest: {
    bool isLeast = term.kind == Term::Kind::Least;
    const Polynomial &lhs = term.operands[0], &rhs = term.operands[1];
    for (const Polynomial &operand : term.operands)
      add(isLeast ? Constraint::atMost(self, operand)
                  : Constraint::atMost(operand, self));
    add(Alternatives{{Constraint::equal(self, lhs)},
                     {Constraint::equal(self, rhs)}});
    return;
  }
  }
}

std::optional<Sample> ConstraintSystem::solve(std::optional<int64_t> largest) {
  Constraints all = constraints;
  return solveFrom(0, all, largest);
}

std::optional<Sample>
ConstraintSystem::solveFrom(size_t choice, Constraints &chosen,
                            std::optional<int64_t> largest) {
  if (choice == choices.size())
    return solveLinear(chosen, largest);
  for (const Constraints &entry : choices[choice]) {
    size_t before = chosen.size();
    llvm::append_range(chosen, entry);
    std::optional<Sample> found = solveFrom(choice + 1, chosen, largest);
    chosen.resize(before);
    if (found)
      return found;
  }
  return std::nullopt;
}

namespace {

/// A system in which every monomial is a column of its own.
struct LinearSystem {
  const ExtentTerms &terms;
  Constraints rows;
  std::map<Monomial, unsigned, MonomialOrder> columns;

  void add(const Constraint &constraint) {
    rows.push_back(constraint);
    for (const auto &[monomial, coefficient] : constraint.value.getTerms())
      if (!monomial.empty())
        columns.insert({monomial, columns.size()});
  }
  void relateProducts();
  IntegerPolyhedron build() const;
};

} // namespace

/// Products of unknowns have columns of their own: says that they are not
/// negative, and multiplies constraints by an unknown where that says something
/// about products that appear.
void LinearSystem::relateProducts() {
  std::set<unsigned> factors;
  std::vector<Monomial> products;
  for (const auto &[monomial, column] : columns)
    if (monomial.size() > 1) {
      products.push_back(monomial);
      factors.insert(monomial.begin(), monomial.end());
    }
  auto isNeverNegative = [&](unsigned number) {
    return terms.isNeverNegative(number);
  };
  for (const Monomial &product : products)
    if (llvm::all_of(product, isNeverNegative)) {
      Polynomial self;
      self.add(product, 1);
      rows.push_back({self, false});
    }
  Constraints more;
  for (unsigned factor : factors) {
    if (!isNeverNegative(factor))
      continue;
    for (const Constraint &row : rows) {
      Polynomial scaled = row.value * Polynomial::unknown(factor);
      bool isAboutColumns =
          scaled.isKnown() &&
          llvm::all_of(scaled.getTerms(), [&](const auto &entry) {
            return entry.first.empty() || columns.count(entry.first);
          });
      if (isAboutColumns)
        more.push_back({scaled, row.isEquality});
    }
  }
  llvm::append_range(rows, more);
}

IntegerPolyhedron LinearSystem::build() const {
  IntegerPolyhedron set(
      presburger::PresburgerSpace::getSetSpace(columns.size()));
  for (const Constraint &constraint : rows) {
    SmallVector<int64_t> row(columns.size() + 1, 0);
    for (const auto &[monomial, coefficient] : constraint.value.getTerms())
      row[monomial.empty() ? columns.size() : columns.at(monomial)] =
          coefficient;
    if (constraint.isEquality)
      set.addEquality(row);
    else
      set.addInequality(row);
  }
  return set;
}

std::optional<Sample>
ConstraintSystem::solveLinear(const Constraints &all,
                              std::optional<int64_t> largest) {
  LinearSystem system{terms, {}, {}};
  for (const Constraint &constraint : all) {
    std::optional<int64_t> constant = constraint.value.asConstant();
    if (constant && (constraint.isEquality ? *constant != 0 : *constant < 0))
      return std::nullopt;
    if (!constant && constraint.value.isKnown())
      system.add(constraint);
  }
  if (largest)
    for (const auto &[monomial, column] : system.columns)
      if (monomial.size() == 1 && isGiven(monomial.front()))
        system.rows.push_back(
            Constraint::atMost(Polynomial::unknown(monomial.front()),
                               Polynomial::constant(*largest)));
  Sample sample;
  if (system.columns.empty() || system.columns.size() > maxColumns)
    return sample;
  system.relateProducts();
  auto point = system.build().findIntegerSample();
  if (!point)
    return std::nullopt;
  for (const auto &[monomial, column] : system.columns)
    if (monomial.size() == 1)
      sample[monomial.front()] = llvm::int64fromDynamicAPInt((*point)[column]);
  return sample;
}
