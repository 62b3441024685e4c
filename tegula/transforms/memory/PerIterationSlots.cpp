// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/memory/PerIterationSlots.h"

#include "tegula/ir/extents/ExtentProver.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace tegula;
using pl::Monomial;
using pl::Polynomial;

/// With more accesses the question is not worth its time.
static constexpr size_t maxAccesses = 32;
/// So many of them are tried as the one that says where slots begin.
static constexpr size_t maxTried = 4;
/// Longer computations are not followed.
static constexpr unsigned maxDepth = 16;
/// Unknowns from here on are remainders, which no value of the IR stands for.
static constexpr unsigned firstRemainder = 1u << 30;

namespace {

/// A part of the loop's variable.
struct Digit {
  /// Stands for it in polynomials that are taken apart.
  unsigned unknown;
  /// What it is.
  Polynomial value;
};

/// Where slots begin and how far apart they are.
struct Slots {
  Polynomial base, pitch;
};

/// What is known where one access is.
class AccessSite {
public:
  AccessSite(pl::ParallelOp loop, const Access &access)
      : loop(loop), access(access), prover(access.op),
        variable(prover.getTerms().of(loop.getInductionVar())) {
    digits.push_back({numberOf(variable), variable});
  }

  /// Takes a digit apart by a quotient, if that divides one.
  bool divide(arith::FloorDivSIOp op);
  unsigned getNumDigits() const { return digits.size(); }

  /// The slots that a window has for a digit; nothing if it has none.
  std::optional<Slots> findSlots(const AccessWindow &window, unsigned digit);
  /// The slots and digits in words that are the same at every place.
  std::string describe(const Slots &slots) const;
  /// True if one of the access's windows along an axis lies in its slot.
  bool isInSlot(unsigned axis, unsigned digit, const Slots &slots);

private:
  static unsigned numberOf(const Polynomial &unknown) {
    return unknown.getTerms().begin()->first.front();
  }
  Polynomial offsetOf(const AccessWindow &window);
  Polynomial inDigits(const Polynomial &polynomial) const;
  std::string describe(const Polynomial &polynomial) const;
  std::string describe(unsigned number) const;
  bool isInvariant(Value value, unsigned depth);
  bool isInvariant(const Polynomial &polynomial, unsigned numEarlier);
  bool isInvariant(unsigned number, unsigned numEarlier);
  bool isBetween(const AccessWindow &window, const Polynomial &rest,
                 const Polynomial &base, const Polynomial &length);

  pl::ParallelOp loop;
  const Access &access;
  pl::ExtentProver prover;
  Polynomial variable;
  SmallVector<Digit, 2> digits;
  /// What each digit that was taken apart is made of.
  SmallVector<std::pair<unsigned, Polynomial>, 2> substitutions;
};

} // namespace

static bool isUnknown(const Polynomial &polynomial) {
  return polynomial.isKnown() && polynomial.getTerms().size() == 1 &&
         polynomial.getTerms().begin()->first.size() == 1 &&
         polynomial.getTerms().begin()->second == 1;
}

/// Replaces an unknown wherever it is a factor.
static Polynomial replace(const Polynomial &polynomial, unsigned number,
                          const Polynomial &by) {
  Polynomial result;
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    Polynomial product = Polynomial::constant(coefficient);
    for (unsigned factor : monomial)
      product = product * (factor == number ? by : Polynomial::unknown(factor));
    result = result + product;
  }
  return result;
}

Polynomial AccessSite::inDigits(const Polynomial &polynomial) const {
  Polynomial result = polynomial;
  for (const auto &[number, by] : substitutions)
    result = replace(result, number, by);
  return result;
}

Polynomial AccessSite::offsetOf(const AccessWindow &window) {
  Polynomial sum;
  for (Value offset : window.offsets)
    sum = sum + prover.getTerms().of(offset);
  return sum;
}

/// True if the value is the same in every iteration: it comes from outside, or
/// is computed from what does, without looking at memory.
bool AccessSite::isInvariant(Value value, unsigned depth) {
  if (!loop.getBody().isAncestor(value.getParentRegion()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth < maxDepth && op->getNumRegions() == 0 &&
         isMemoryEffectFree(op) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) { return isInvariant(operand, depth + 1); });
}

bool AccessSite::isInvariant(unsigned number, unsigned numEarlier) {
  for (const Digit &digit : ArrayRef(digits).take_front(numEarlier))
    if (digit.unknown == number)
      return true;
  if (number >= firstRemainder)
    return false;
  const pl::Term &term = prover.getTerms()[number];
  if (term.value)
    return isInvariant(term.value, 0);
  return llvm::all_of(term.operands, [&](const Polynomial &operand) {
    return isInvariant(operand, 0);
  });
}

bool AccessSite::isInvariant(const Polynomial &polynomial,
                             unsigned numEarlier) {
  return polynomial.isKnown() &&
         llvm::all_of(polynomial.getTerms(), [&](const auto &entry) {
           return llvm::all_of(entry.first, [&](unsigned number) {
             return isInvariant(number, numEarlier);
           });
         });
}

/// d -> (d // n) * n + what is left
bool AccessSite::divide(arith::FloorDivSIOp op) {
  pl::ExtentTerms &terms = prover.getTerms();
  Polynomial dividend = inDigits(terms.of(op.getLhs()));
  Polynomial divisor = terms.of(op.getRhs()), whole = terms.of(op.getResult());
  if (!isUnknown(dividend) || !isUnknown(whole) || !isInvariant(divisor, 0))
    return false;
  auto *digit = llvm::find_if(digits, [&](const Digit &known) {
    return known.unknown == numberOf(dividend);
  });
  if (digit == digits.end() || digit->unknown == numberOf(whole))
    return false;
  Digit rest{firstRemainder + static_cast<unsigned>(substitutions.size()),
             digit->value - whole * divisor};
  substitutions.push_back(
      {digit->unknown, whole * divisor + Polynomial::unknown(rest.unknown)});
  *digit = {numberOf(whole), whole};
  digits.insert(std::next(digit), std::move(rest));
  return true;
}

std::optional<Slots> AccessSite::findSlots(const AccessWindow &window,
                                           unsigned digit) {
  Slots slots;
  Polynomial offset = inDigits(offsetOf(window));
  if (!offset.isKnown())
    return std::nullopt;
  for (const auto &[monomial, coefficient] : offset.getTerms()) {
    if (std::optional<Monomial> factor =
            pl::without(monomial, {digits[digit].unknown})) {
      slots.pitch.add(*factor, coefficient);
      continue;
    }
    Polynomial part;
    part.add(monomial, coefficient);
    if (isInvariant(part, digit))
      slots.base.add(monomial, coefficient);
  }
  // Remainders have no place in questions to the prover.
  auto isPlain = [](const Polynomial &polynomial) {
    return llvm::all_of(polynomial.getTerms(), [](const auto &entry) {
      return llvm::all_of(
          entry.first, [](unsigned number) { return number < firstRemainder; });
    });
  };
  if (slots.pitch == Polynomial() || !isInvariant(slots.pitch, digit) ||
      !isPlain(slots.pitch) || !isPlain(slots.base))
    return std::nullopt;
  return slots;
}

std::string AccessSite::describe(unsigned number) const {
  const pl::Term &term = prover.getTerms()[number];
  std::string text = std::to_string(static_cast<unsigned>(term.kind));
  if (term.value)
    return text + "@" +
           std::to_string(
               reinterpret_cast<uintptr_t>(term.value.getAsOpaquePointer())) +
           "." + std::to_string(term.axis);
  for (const Polynomial &operand : term.operands)
    text += "(" + describe(operand) + ")";
  return text;
}

std::string AccessSite::describe(const Polynomial &polynomial) const {
  // The order of unknowns is that of their numbers, which differ.
  std::multiset<std::string> sums;
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    std::multiset<std::string> factors;
    for (unsigned number : monomial)
      factors.insert(describe(number));
    sums.insert(std::to_string(coefficient) + "*" +
                llvm::join(factors.begin(), factors.end(), "*"));
  }
  return llvm::join(sums.begin(), sums.end(), "+");
}

std::string AccessSite::describe(const Slots &slots) const {
  std::string text =
      describe(slots.base) + " by " + describe(slots.pitch) + " of";
  for (const Digit &digit : digits)
    text += " " + describe(digit.value);
  return text;
}

/// True if the window lies between `base` and `length` further, `rest` being
/// where it begins.
bool AccessSite::isBetween(const AccessWindow &window, const Polynomial &rest,
                           const Polynomial &base, const Polynomial &length) {
  auto ends = [&](const Polynomial &size) {
    return prover.isAtMost(rest + size, base + length);
  };
  bool isBelowEnd =
      (window.bound && ends(Polynomial::constant(*window.bound))) ||
      (window.size && ends(prover.getTerms().of(window.size)));
  return isBelowEnd && prover.isAtMost(base, rest);
}

bool AccessSite::isInSlot(unsigned axis, unsigned digit, const Slots &slots) {
  // Parts of the variable come in any order, so they are one apart.
  Polynomial step = substitutions.empty() ? prover.getTerms().of(loop.getStep())
                                          : Polynomial::constant(1);
  Polynomial length = slots.pitch * step;
  Polynomial start = slots.pitch * digits[digit].value;
  // What touches nothing may begin anywhere; what does not lies in a slot of
  // positive length, and so the sign of the pitch need not be known.
  return llvm::any_of(access.axes[axis], [&](const AccessWindow &window) {
    Polynomial rest = offsetOf(window) - start;
    return isBetween(window, rest, slots.base, length) ||
           isBetween(window, rest, slots.base,
                     Polynomial::constant(-1) * length);
  });
}

namespace {

/// The accesses of a loop to one tensor.
class SlotSearch {
public:
  SlotSearch(pl::ParallelOp loop, ArrayRef<const Access *> accesses)
      : accesses(accesses) {
    for (const Access *access : accesses)
      sites.push_back(std::make_unique<AccessSite>(loop, *access));
  }

  /// Takes the loop's variable apart in the same way everywhere.
  bool divide(pl::ParallelOp loop);
  /// True if every digit has an axis with slots.
  bool succeeds();

private:
  bool hasSlots(unsigned axis, unsigned digit);
  bool areInSlots(const AccessWindow &window, unsigned axis, unsigned digit);

  ArrayRef<const Access *> accesses;
  SmallVector<std::unique_ptr<AccessSite>> sites;
};

} // namespace

bool SlotSearch::divide(pl::ParallelOp loop) {
  bool isDivided = false, agree = true;
  loop.getBody().walk([&](arith::FloorDivSIOp op) {
    if (!op.getType().isIndex())
      return;
    unsigned count =
        llvm::count_if(sites, [&](std::unique_ptr<AccessSite> &site) {
          return site->divide(op);
        });
    isDivided |= count != 0;
    agree &= count == 0 || count == sites.size();
  });
  return isDivided && agree;
}

/// True if the slots of one window hold all accesses.
bool SlotSearch::areInSlots(const AccessWindow &window, unsigned axis,
                            unsigned digit) {
  std::optional<Slots> first = sites.front()->findSlots(window, digit);
  if (!first)
    return false;
  std::string wanted = sites.front()->describe(*first);
  return llvm::all_of(sites, [&](std::unique_ptr<AccessSite> &site) {
    std::optional<Slots> slots = site->findSlots(window, digit);
    return slots && site->describe(*slots) == wanted &&
           site->isInSlot(axis, digit, *slots);
  });
}

bool SlotSearch::hasSlots(unsigned axis, unsigned digit) {
  return llvm::any_of(accesses.take_front(maxTried), [&](const Access *access) {
    return llvm::any_of(access->axes[axis], [&](const AccessWindow &window) {
      return areInSlots(window, axis, digit);
    });
  });
}

bool SlotSearch::succeeds() {
  return llvm::all_of(
      llvm::seq<unsigned>(0, sites.front()->getNumDigits()),
      [&](unsigned digit) {
        auto axes = llvm::seq<unsigned>(0, accesses.front()->axes.size());
        return llvm::any_of(
            axes, [&](unsigned axis) { return hasSlots(axis, digit); });
      });
}

bool tegula::havePerIterationSlots(pl::ParallelOp loop,
                                   ArrayRef<const Access *> accesses) {
  if (accesses.size() > maxAccesses)
    return false;
  SlotSearch search(loop, accesses);
  return search.succeeds() || (search.divide(loop) && search.succeeds());
}
