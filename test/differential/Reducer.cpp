// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Reducer.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::differential;

namespace {

class Reducer {
public:
  Reducer(Program program, llvm::function_ref<bool(const Program &)> stillFails,
          unsigned maxTries)
      : program(std::move(program)), stillFails(stillFails),
        triesLeft(maxTries) {}

  Program run() {
    while (reduceBlock(program.body) || reduceExpressions(program.body) ||
           reduceParameters())
      if (triesLeft == 0)
        break;
    return std::move(program);
  }

private:
  /// True if the program as it is now still fails.
  bool keeps() {
    if (triesLeft == 0)
      return false;
    --triesLeft;
    return stillFails(program);
  }
  /// Puts `after` in the place of `before`, unless the failure disappears.
  template <typename T> bool replace(T &part, T after) {
    std::swap(part, after);
    if (keeps())
      return true;
    std::swap(part, after);
    return false;
  }

  bool reduceBlock(std::vector<Statement> &block);
  bool reduceExpressions(std::vector<Statement> &block);
  bool reduceExpression(Expr &expr);
  bool reduceParameters();

  Program program;
  llvm::function_ref<bool(const Program &)> stillFails;
  unsigned triesLeft;
};

} // namespace

/// True for a statement that needs the one before it.
static bool isElse(const Statement &statement) {
  return statement.line.text.compare(0, 2, "el") == 0;
}

bool Reducer::reduceBlock(std::vector<Statement> &block) {
  for (size_t index = block.size(); index-- > 0;) {
    std::vector<Statement> without = block;
    size_t end = index + 1;
    while (end < block.size() && isElse(block[end]) && !isElse(block[index]))
      ++end;
    without.erase(without.begin() + index, without.begin() + end);
    if (replace(block, without))
      return true;
    if (block[index].body.empty())
      continue;
    without.insert(without.begin() + index, block[index].body.begin(),
                   block[index].body.end());
    if (replace(block, without))
      return true;
  }
  return llvm::any_of(
      block, [&](Statement &statement) { return reduceBlock(statement.body); });
}

bool Reducer::reduceExpressions(std::vector<Statement> &block) {
  return llvm::any_of(block, [&](Statement &statement) {
    return llvm::any_of(statement.line.operands,
                        [&](Expr &expr) { return reduceExpression(expr); }) ||
           reduceExpressions(statement.body);
  });
}

/// An operand of the same kind in the place of the expression.
bool Reducer::reduceExpression(Expr &expr) {
  for (const Expr &operand : expr.operands)
    if (operand.kind == expr.kind && replace(expr, Expr(operand)))
      return true;
  return llvm::any_of(expr.operands,
                      [&](Expr &operand) { return reduceExpression(operand); });
}

bool Reducer::reduceParameters() {
  if (!program.helpers.empty() && replace(program.helpers, std::string()))
    return true;
  for (size_t index = program.parameters.size(); index-- > 0;) {
    std::vector<Parameter> without = program.parameters;
    without.erase(without.begin() + index);
    if (replace(program.parameters, without))
      return true;
  }
  return false;
}

Program
differential::reduce(Program program,
                     llvm::function_ref<bool(const Program &)> stillFails,
                     unsigned maxTries) {
  return Reducer(std::move(program), stillFails, maxTries).run();
}
