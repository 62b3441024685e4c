// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/UnrolledLoops.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/irgen/loops/LoopBodies.h"
#include "tegula/frontend/irgen/loops/LoopRange.h"
#include "tegula/frontend/irgen/statements/Statements.h"
#include "llvm/Support/MathExtras.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;

/// More copies than this of a loop's body are a mistake.
static constexpr int64_t maxUnrolled = 4096;

/// How many statements the statements become when their loops are unrolled, as
/// far as their bounds are plain to see. No more than needed is counted.
uint64_t UnrolledLoops::countStatements(Stmts stmts) {
  auto lookup = [&](StringRef name) -> std::optional<Object> {
    auto found = scope.find(name);
    return found != scope.end() ? found->second.object
                                : state.function.getEnvironment().lookup(name);
  };
  uint64_t count = 0;
  for (const ast::StmtPtr &stmt : stmts) {
    uint64_t inside = 0, copies = 1;
    forEachBlock(*stmt, [&](Stmts block) {
      inside = llvm::SaturatingAdd(inside, countStatements(block));
    });
    const auto *loop = std::get_if<ast::For>(&stmt->node);
    const auto *call =
        loop ? std::get_if<ast::Call>(&loop->iter->node) : nullptr;
    if (call && state.calleeConstruct(*call->callee) == Construct::Unroll &&
        call->args.size() == 1) {
      Object stop =
          evaluateConstant(*call->args[0], state.function.getSource(), lookup);
      copies = std::max<int64_t>(1, stop.asInteger().value_or(1));
    }
    count = llvm::SaturatingAdd<uint64_t>(
        count, 1, llvm::SaturatingMultiply(inside, copies));
  }
  return count;
}

bool UnrolledLoops::checkSize(int64_t copies, uint64_t numStatements,
                              Location loc) {
  if (copies > maxUnrolled)
    fail(loc, "unroll() makes more than " + llvm::Twine(maxUnrolled) +
                  " copies of the body; use pl.range");
  else if (numStatements > Statements::maxStatements)
    fail(loc, "unroll() makes more than " +
                  llvm::Twine(Statements::maxStatements) +
                  " statements; use pl.range");
  else
    return true;
  return false;
}

void UnrolledLoops::emit(const LoopBody &body, const LoopRange &range,
                         Location loc) {
  std::optional<int64_t> start = range.start.asInteger(),
                         stop = range.stop.asInteger();
  if (!start || !stop || !range.constantStep) {
    fail(loc, "the bounds of unroll() must be known at compile time; use "
              "pl.range");
    return;
  }
  int64_t step = *range.constantStep, copies = 0;
  uint64_t size = countStatements(body.stmts);
  Scope before = scope;
  bool ends = false;
  for (int64_t i = *start; !ends && (step > 0 ? i < *stop : i > *stop);
       i += step) {
    if (!checkSize(++copies, size, loc))
      break;
    scope.insert_or_assign(body.variable, Variable{Object::integer(i), loc});
    scope.insert_or_assign(Slot::Kind::Break,
                           Variable{Object::boolean(false), loc});
    unsigned numErrors = emitter.reporter.getNumErrors();
    bodies.emit(body, EnclosingLoop::Kind::Unrolled, loc);
    Object stops = scope.find(Slot::Kind::Break)->second.object;
    if (!stops.isNumeric())
      fail(loc, "a 'break' in unroll() must depend on values known at compile "
                "time only; use pl.range");
    ends = !stops.isNumeric() || isTrue(stops) ||
           emitter.reporter.getNumErrors() != numErrors;
  }
  scope.erase(Slot::Kind::Break);
  auto outerBreak = before.find(Slot::Kind::Break);
  if (outerBreak != before.end())
    scope.insert(*outerBreak);
  leaveLoop(scope, scope, body.variable, loc);
}
