// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernel computes from sizes must fit 64 bits. Sizes are compared with
// a limit below which everything does; only beyond it each expression is
// computed.

#include "tegula/launch/call/Guard.h"

#include "tegula/support/Int64Range.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using Op = ExtentProgram::Op;

/// The most bits that sizes may have so that no program leaves 64 bits.
static unsigned findSafeBits(llvm::ArrayRef<SizeRequirement> expressions) {
  unsigned safe = 0, above = maxSizeBits + 1;
  while (above - safe > 1) {
    unsigned bits = (safe + above) / 2;
    bool fits = llvm::all_of(expressions, [&](const SizeRequirement &each) {
      return rangeOfBits(each.condition, bits).has_value();
    });
    (fits ? safe : above) = bits;
  }
  return safe;
}

void Guard::addExact(llvm::ArrayRef<std::string> symbols) {
  exact.clear();
  for (SizeRequirement expression : signature.exact) {
    expression.condition = resolve(expression.condition, symbols);
    for (auto &[name, size] : expression.sizes)
      size = resolve(size, symbols);
    for (const ExtentProgram::Step &step : expression.condition.steps) {
      std::vector<uint32_t> *used = step.op == Op::Size     ? &exactSizes
                                    : step.op == Op::Scalar ? &exactSlots
                                                            : nullptr;
      auto number = static_cast<uint32_t>(step.number);
      if (used && !llvm::is_contained(*used, number))
        used->push_back(number);
    }
    exact.push_back(std::move(expression));
  }
  safeBits = findSafeBits(exact);
}

Problem Guard::checkExact(const int64_t *sizes, const int64_t *slots) const {
  for (const SizeRequirement &expression : exact) {
    if (rangeOf(expression.condition, sizes, slots))
      continue;
    // A requirement says more than a number that is too large.
    for (const SizeRequirement &requirement : requirements)
      if (rangeOf(requirement.condition, sizes, slots) &&
          !requirement.condition.run(sizes, slots))
        return wrongSizes(requirement, sizes, slots);
    std::vector<std::string> found;
    for (const auto &[name, size] : expression.sizes)
      found.push_back(name + " is " + std::to_string(size.run(sizes, slots)));
    return makeCallProblem(
        "{0}{1}{2} does not fit 64 bits{3}{4}", expression.location,
        expression.location.empty() ? "" : ": ", expression.text,
        found.empty() ? "" : ", ", llvm::join(found, " and "));
  }
  return Problem();
}
