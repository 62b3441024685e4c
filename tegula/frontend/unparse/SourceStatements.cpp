// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/unparse/SourceStatements.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"

#include "mlir/IR/Matchers.h"
#include <map>
#include <set>

using namespace tegula;
using namespace mlir;

void StatementWriter::line(unsigned depth, const llvm::Twine &text) {
  os.indent(4 * depth) << text << "\n";
  ++numLines;
}

std::string StatementWriter::write(Value value, Wanted wanted,
                                   Strength strength) {
  value = shownValue(value);
  auto fixed = fixedNames.find(value);
  if (fixed != fixedNames.end())
    return fixed->second;
  std::optional<WrittenSource> number = writeNumber(value, wanted);
  Operation *op = value.getDefiningOp();
  WrittenSource text;
  if (number) {
    text = *number;
  } else if (op && plan.isFolded(op)) {
    auto load = dyn_cast<pl::LoadOp>(op);
    // What takes tiles loads tensors by itself.
    if (load && wanted == Wanted::Tile)
      return write(load.getSource(), Wanted::Value, strength);
    FailureOr<WrittenSource> expression = expressions().expression(op);
    hasFailed |= failed(expression);
    if (failed(expression))
      return "";
    text = *expression;
  } else {
    assert(!plan.nameOf(value).empty() && "every value is planned");
    text = {plan.nameOf(value).str()};
  }
  return text.strength < strength ? "(" + text.text + ")" : text.text;
}

LogicalResult StatementWriter::block(Block &block, unsigned depth) {
  for (Operation &op : block)
    if (failed(operation(&op, depth)) || hasFailed)
      return failure();
  return success();
}

/// Sets variables, in the order of their names: that of the IR is not the
/// author's. At once, if what one is set to is what another one was.
void StatementWriter::setVariables(
    ArrayRef<Phi> phis, unsigned depth,
    llvm::function_ref<Value(const Phi &)> valueOf) {
  std::map<std::string, std::string> settings;
  std::set<std::string> values;
  for (const Phi &phi : phis) {
    Value value = shownValue(valueOf(phi));
    std::string name = plan.nameOf(phi.variables.front()).str();
    std::string text = write(value, Wanted::Value, Strength::Conditional);
    if (name == text)
      continue;
    settings[name] = text;
    values.insert(text);
  }
  bool depend = llvm::any_of(settings, [&](const auto &setting) {
    return values.count(setting.first) != 0;
  });
  std::string left, right;
  for (const auto &[name, text] : settings) {
    if (!depend)
      line(depth, name + " = " + text);
    left += (left.empty() ? "" : ", ") + name;
    right += (right.empty() ? "" : ", ") + text;
  }
  if (depend)
    line(depth, left + " = " + right);
}

std::array<Value, 3> tegula::shownBounds(Operation *loop) {
  std::array<Value, 3> bounds = {loop->getOperand(0), loop->getOperand(1),
                                 loop->getOperand(2)};
  if (auto check = bounds[1].getDefiningOp<pl::CheckStepOp>())
    return {check.getLower(), check.getUpper(), check.getStep()};
  return bounds;
}

/// What is said of a region as a task, as far as no other task is named in it.
static std::string writeTask(DictionaryAttr task) {
  std::string text;
  for (NamedAttribute entry :
       task ? task.getValue() : ArrayRef<NamedAttribute>()) {
    StringRef name = entry.getName();
    auto word = dyn_cast<StringAttr>(entry.getValue());
    if (name == "name_hint" && word)
      text += ", name_hint=\"" + word.str() + "\"";
    if (name == "role" && word)
      text += ", role=pl.Role." + word.str();
    if (auto flag = dyn_cast<BoolAttr>(entry.getValue()))
      text += ", " + name.str() + (flag.getValue() ? "=True" : "=False");
  }
  return text;
}

/// The loop's head without `pl.`: `range(0, n)`, `spmd(n)`.
std::string StatementWriter::iterator(Operation *op) {
  std::array<Value, 3> bounds = shownBounds(op);
  auto parallel = dyn_cast<pl::ParallelOp>(op);
  pl::LoopKind kind = parallel ? parallel.getKind() : pl::LoopKind::AnyOrder;
  switch (kind) {
  case pl::LoopKind::Grid:
    return "spmd(" + write(bounds[1], Wanted::Scalar, Strength::Any) +
           writeTask(parallel.getTaskAttr()) + ")";
  case pl::LoopKind::Lanes: {
    auto mode = parallel.getTaskAttr()
                    ? parallel.getTaskAttr().getAs<StringAttr>("mode")
                    : StringAttr();
    return "split_aiv(2" +
           (mode ? ", mode=pl.SplitMode." + mode.str() : std::string()) + ")";
  }
  case pl::LoopKind::AnyOrder:
    break;
  }
  auto stages = op->getAttrOfType<IntegerAttr>(pl::stagesAttrName);
  if (stages)
    return "pipeline(" + range(bounds) +
           ", stage=" + std::to_string(stages.getInt()) + ")";
  // Sums in place are written as a read and a write, which may not overlap.
  bool isIndependent = parallel && parallel.getIndependent() &&
                       !parallel
                            ->walk([](Operation *inner) {
                              return inner->hasAttr(pl::atomicAttrName)
                                         ? WalkResult::interrupt()
                                         : WalkResult::advance();
                            })
                            .wasInterrupted();
  return (parallel ? "parallel(" : "range(") + range(bounds) +
         (isIndependent ? ", independent=True)" : ")");
}

std::string StatementWriter::range(ArrayRef<Value> bounds) {
  auto text = [&](Value value) {
    return write(value, Wanted::Scalar, Strength::Any);
  };
  bool startsAtZero = matchPattern(bounds[0], m_Zero());
  if (!matchPattern(bounds[2], m_One()))
    return text(bounds[0]) + ", " + text(bounds[1]) + ", " + text(bounds[2]);
  return startsAtZero ? text(bounds[1])
                      : text(bounds[0]) + ", " + text(bounds[1]);
}

LogicalResult StatementWriter::branch(scf::IfOp op, unsigned depth) {
  SmallVector<Phi> phis = plan.livePhis(op);
  if (matchPattern(op.getCondition(), m_Constant())) {
    Block *taken = takenBranch(op);
    if (taken && failed(block(*taken, depth)))
      return failure();
    setVariables(phis, depth, [](const Phi &phi) { return phi.yielded[0]; });
    return success();
  }
  line(depth,
       "if " + write(op.getCondition(), Wanted::Value, Strength::Any) + ":");
  auto body = [&](Block *inner, unsigned position) -> LogicalResult {
    if (failed(block(*inner, depth + 1)))
      return failure();
    setVariables(phis, depth + 1,
                 [&](const Phi &phi) { return phi.yielded[position]; });
    return success();
  };
  unsigned before = numLines;
  if (failed(body(op.thenBlock(), 0)))
    return failure();
  if (numLines == before)
    line(depth + 1, "pass");
  if (!op.elseBlock())
    return success();
  // An `else` in which nothing happens is left out.
  std::string text;
  llvm::raw_string_ostream stream(text);
  StatementWriter inner(style, plan, fixedNames, stream);
  if (failed(inner.block(*op.elseBlock(), depth + 1)))
    return failure();
  inner.setVariables(phis, depth + 1,
                     [](const Phi &phi) { return phi.yielded[1]; });
  if (!text.empty()) {
    line(depth, "else:");
    os << text;
  }
  return success(!inner.hasFailed);
}

LogicalResult StatementWriter::loop(scf::WhileOp op, unsigned depth) {
  scf::ConditionOp condition = op.getConditionOp();
  bool handsOn = llvm::all_of(condition.getArgs(), [&](Value value) {
    return llvm::is_contained(op.getBeforeArguments(), value);
  });
  if (!handsOn)
    return op.emitError("a 'while' that changes its values before it tests "
                        "them cannot be written as kernel source");
  std::optional<EarlyExit> exit = earlyExitOf(op);
  for (Operation &inner : *op.getBeforeBody())
    if (!isExpression(&inner) && &inner != condition &&
        !isShortCircuit(&inner) && !(exit && &inner == exit->test))
      return inner.emitError("'")
             << inner.getName()
             << "' in the condition of a 'while' cannot be written as kernel "
                "source";
  SmallVector<Phi> phis = plan.livePhis(op);
  setVariables(phis, depth, [](const Phi &phi) { return phi.initial; });
  Value test = exit ? exit->condition : condition.getCondition();
  line(depth, "while " + write(test, Wanted::Value, Strength::Any) + ":");
  unsigned before = numLines;
  if (failed(block(*op.getAfterBody(), depth + 1)))
    return failure();
  setVariables(phis, depth + 1, [](const Phi &phi) { return phi.yielded[0]; });
  if (exit) {
    line(depth + 1,
         "if " + write(exit->stop, Wanted::Value, Strength::Any) + ":");
    line(depth + 2, "break");
  }
  if (numLines == before)
    line(depth + 1, "pass");
  return success();
}

/// Ops with one region that is written below a header.
LogicalResult StatementWriter::region(Operation *op, unsigned depth) {
  SmallVector<Phi> phis = plan.livePhis(op);
  if (isa<scf::ForOp>(op))
    setVariables(phis, depth, [](const Phi &phi) { return phi.initial; });
  Block &body = op->getRegion(0).front();
  if (auto at = dyn_cast<pl::AtOp>(op)) {
    line(depth, "with pl.at(level=pl.Level." +
                    pl::stringifyLevel(at.getLevel()).upper() +
                    writeTask(at.getTaskAttr()) + "):");
  } else {
    std::array<Value, 3> bounds = shownBounds(op);
    if (!matchPattern(bounds[2], m_Constant()) &&
        bounds[2] == op->getOperand(2))
      return op->emitError("a loop whose step may not be positive cannot be "
                           "written as kernel source");
    line(depth, "for " + plan.nameOf(body.getArgument(0)) + " in pl." +
                    iterator(op) + ":");
  }
  unsigned before = numLines;
  if (failed(block(body, depth + 1)))
    return failure();
  setVariables(phis, depth + 1, [](const Phi &phi) { return phi.yielded[0]; });
  if (numLines == before)
    line(depth + 1, "pass");
  return success();
}

void StatementWriter::call(func::CallOp op, unsigned depth, Value device) {
  std::string text;
  for (Value result : op.getResults())
    text += (text.empty() ? "" : ", ") + plan.nameOf(result).str();
  text += text.empty() ? "" : " = ";
  text += op.getCallee().str() + "(";
  for (auto [position, operand] : llvm::enumerate(op.getOperands()))
    text +=
        (position ? ", " : "") + write(operand, Wanted::Typed, Strength::Any);
  if (device)
    text += std::string(op.getNumOperands() ? ", " : "") +
            "device=" + write(device, Wanted::Scalar, Strength::Any);
  line(depth, text + ")");
}

LogicalResult StatementWriter::operation(Operation *op, unsigned depth) {
  if (!plan.isNeeded(op))
    return success();
  if (func::CallOp called = dispatchedCall(op)) {
    Value isMine = cast<scf::IfOp>(op).getCondition();
    call(called, depth, isMine.getDefiningOp<pl::DispatchOp>().getDevice());
    return success();
  }
  if (auto condition = dyn_cast<scf::IfOp>(op))
    return branch(condition, depth);
  if (auto condition = dyn_cast<scf::WhileOp>(op))
    return loop(condition, depth);
  if (op->getNumRegions() != 0)
    return region(op, depth);
  if (auto called = dyn_cast<func::CallOp>(op)) {
    call(called, depth);
    return success();
  }
  if (isa<func::ReturnOp>(op) && op->getNumOperands() != 0) {
    std::string text;
    for (Value value : op->getOperands())
      text += (text.empty() ? "" : ", ") +
              write(value, Wanted::Typed, Strength::Conditional);
    line(depth, "return " + text);
    return success();
  }
  // What a call gives is named where the call is.
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<pl::BindOp>(op) ||
      orderingOf(op))
    return success();
  if (op->getNumResults() == 1) {
    Value result = op->getResult(0);
    bool isLine = !isExpression(op) ||
                  (!plan.isFolded(op) && !plan.nameOf(result).empty());
    if (!isLine)
      return success();
    FailureOr<WrittenSource> text = expressions().expression(op);
    if (succeeded(text))
      line(depth, plan.nameOf(result) + " = " + text->text);
    return text;
  }
  std::string names;
  for (Value result : orderedResults(op)) {
    StringRef name = plan.nameOf(result);
    // What nobody reads is called after its memory.
    if (name.empty())
      name = plan.nameOf(result.getDefiningOp()->getOperand(0));
    names += (names.empty() ? "" : ", ") + name.str();
  }
  FailureOr<std::string> text = expressions().statement(op);
  if (succeeded(text))
    line(depth, names.empty() ? *text : names + " = " + *text);
  return text;
}
