// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/ExpressionEvaluator.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/evaluator/ComprehensionLoops.h"
#include "tegula/frontend/constants/evaluator/ElementAccess.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/evaluator/FunctionCaller.h"
#include "tegula/frontend/constants/evaluator/Operators.h"
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"
#include "tegula/frontend/constants/library/OrdinaryCompare.h"
#include "tegula/frontend/constants/library/PythonText.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

Object ExpressionEvaluator::evaluate(const ast::Expr &expr, Frame &frame) {
  Object problem;
  if (!evaluator.budget.spend(1, problem))
    return problem;
  if (evaluator.budget.nesting == EvaluationBudget::maxNesting)
    return stuck("expressions and calls are nested too deeply");
  llvm::SaveAndRestore deeper(evaluator.budget.nesting,
                              evaluator.budget.nesting + 1);
  return std::visit([&](const auto &node) { return visit(node, expr, frame); },
                    expr.node);
}

Object ExpressionEvaluator::visit(const ast::Integer &node, const ast::Expr &,
                                  Frame &) {
  if (node.overflows || node.value > static_cast<uint64_t>(INT64_MAX))
    return stuck("the integer " + node.spelling + " does not fit 64 bits");
  return Object::integer(node.value);
}

Object ExpressionEvaluator::visit(const ast::Float &node, const ast::Expr &,
                                  Frame &) {
  return Object::real(node.value);
}

Object ExpressionEvaluator::visit(const ast::Bool &node, const ast::Expr &,
                                  Frame &) {
  return Object::boolean(node.value);
}

Object ExpressionEvaluator::visit(const ast::None &, const ast::Expr &,
                                  Frame &) {
  return Object::none();
}

Object ExpressionEvaluator::visit(const ast::Ellipsis &, const ast::Expr &,
                                  Frame &) {
  return Object(EllipsisObject{});
}

Object ExpressionEvaluator::visit(const ast::Unsupported &node,
                                  const ast::Expr &, Frame &) {
  return stuck(node.what + " is not understood here");
}

Object ExpressionEvaluator::visit(const ast::Starred &, const ast::Expr &,
                                  Frame &) {
  return stuck("'*' unpacks in lists, tuples, sets and calls only");
}

Object ExpressionEvaluator::visit(const ast::DoubleStarred &, const ast::Expr &,
                                  Frame &) {
  return stuck("'**' unpacks in dicts and calls only");
}

Object ExpressionEvaluator::visit(const ast::Name &node, const ast::Expr &,
                                  Frame &frame) {
  if (std::optional<Object> object = frame.scope.find(node.id))
    return fromKernel(*object);
  if (isOrdinaryBuiltin(node.id))
    return Object(PythonObject{node.id.str()});
  return stuck("name '" + node.id + "' is not defined");
}

Object ExpressionEvaluator::visit(const ast::NamedExpr &node, const ast::Expr &,
                                  Frame &frame) {
  Object value = evaluate(*node.value, frame);
  if (value.isStuck())
    return value;
  Scope *scope = &frame.scope;
  while (scope->getKind() == Scope::Kind::Comprehension)
    scope = scope->getAround();
  scope->bind(node.name, value);
  return value;
}

std::optional<std::string>
ExpressionEvaluator::formatParts(const std::vector<ast::FStringPart> &parts,
                                 Frame &frame, Object &problem) {
  std::string text;
  for (const ast::FStringPart &part : parts) {
    if (!part.value) {
      if (part.conversion) {
        problem = stuck("this f-string is not understood");
        return std::nullopt;
      }
      text += part.text;
      continue;
    }
    Object value = evaluate(*part.value, frame);
    if (value.isStuck() || !evaluator.budget.isModest(value, problem)) {
      problem = value.isStuck() ? value : problem;
      return std::nullopt;
    }
    if (part.conversion) {
      std::optional<std::string> written =
          part.conversion == 's' ? textOf(value) : reprOf(value);
      if (!written) {
        problem = stuck(describe(value) + " has no text here");
        return std::nullopt;
      }
      value = Object::string(std::move(*written));
    }
    std::optional<std::string> format =
        formatParts(part.format, frame, problem);
    if (!format)
      return std::nullopt;
    Object formatted = formatObject(value, *format);
    if (formatted.isStuck()) {
      problem = formatted;
      return std::nullopt;
    }
    text += formatted.as<StringObject>()->value;
    if (text.size() > EvaluationBudget::maxCharacters) {
      problem = stuck("the string is too long");
      return std::nullopt;
    }
  }
  return text;
}

Object ExpressionEvaluator::visit(const ast::String &node, const ast::Expr &,
                                  Frame &frame) {
  if (!node.isFString)
    return Object::string(node.value);
  Object problem;
  std::optional<std::string> text = formatParts(node.parts, frame, problem);
  return text ? Object::string(std::move(*text)) : problem;
}

Object ExpressionEvaluator::visit(const ast::Attribute &node,
                                  const ast::Expr &expr, Frame &frame) {
  // Of a captured object only the dotted names are known that are used.
  std::string dotted = ast::dottedName(expr);
  if (!dotted.empty())
    if (std::optional<Object> object = frame.scope.find(dotted))
      return fromKernel(*object);
  Object value = evaluate(*node.value, frame);
  return value.isStuck() ? value : evaluator.attribute(value, node.name);
}

Object ExpressionEvaluator::visit(const ast::Unary &node, const ast::Expr &,
                                  Frame &frame) {
  Object operand = evaluate(*node.operand, frame);
  if (operand.isStuck())
    return operand;
  if (node.op != ast::UnaryOp::Not)
    return foldUnary(node.op, plainValue(operand));
  Object problem;
  bool value = isTrue(operand, problem);
  return problem.is<UnusableObject>() ? problem : Object::boolean(!value);
}

Object ExpressionEvaluator::visit(const ast::Binary &node, const ast::Expr &,
                                  Frame &frame) {
  Object lhs = evaluate(*node.lhs, frame);
  if (lhs.isStuck())
    return lhs;
  Object rhs = evaluate(*node.rhs, frame);
  return rhs.isStuck() ? rhs : applyBinary(evaluator, node.op, lhs, rhs);
}

Object ExpressionEvaluator::visit(const ast::Compare &node, const ast::Expr &,
                                  Frame &frame) {
  Object lhs = evaluate(*node.first, frame);
  Object result = lhs;
  for (const ast::CompareLink &link : node.links) {
    if (result.isStuck())
      return result;
    Object rhs = evaluate(*link.operand, frame);
    if (rhs.isStuck())
      return rhs;
    result = applyCompare(evaluator, link.op, lhs, rhs);
    if (result.isStuck() || !tegula::isTrue(result))
      return result;
    lhs = rhs;
  }
  return result;
}

Object ExpressionEvaluator::visit(const ast::BoolOp &node, const ast::Expr &,
                                  Frame &frame) {
  Object result;
  for (const ast::ExprPtr &operand : node.operands) {
    result = evaluate(*operand, frame);
    if (result.isStuck())
      return result;
    Object problem;
    bool value = isTrue(result, problem);
    if (problem.is<UnusableObject>())
      return problem;
    if (value == (node.op == ast::BoolOpKind::Or))
      return result;
  }
  return result;
}

Object ExpressionEvaluator::visit(const ast::Conditional &node,
                                  const ast::Expr &, Frame &frame) {
  Object condition = evaluate(*node.condition, frame);
  if (condition.isStuck())
    return condition;
  Object problem;
  bool value = isTrue(condition, problem);
  if (problem.is<UnusableObject>())
    return problem;
  return evaluate(value ? *node.thenValue : *node.elseValue, frame);
}

std::optional<std::vector<Object>>
ExpressionEvaluator::evaluateAll(const std::vector<ast::ExprPtr> &exprs,
                                 Frame &frame, Object &problem) {
  std::vector<Object> elements;
  for (const ast::ExprPtr &expr : exprs) {
    const auto *starred = std::get_if<ast::Starred>(&expr->node);
    Object value = evaluate(starred ? *starred->value : *expr, frame);
    if (value.isStuck()) {
      problem = value;
      return std::nullopt;
    }
    if (!starred) {
      elements.push_back(evaluator.lifetimes.retain(value));
      continue;
    }
    std::optional<std::vector<Object>> inner =
        evaluator.collect(value, problem);
    if (!inner)
      return std::nullopt;
    llvm::append_range(elements, *inner);
  }
  if (!evaluator.budget.checkSize(elements.size(), problem))
    return std::nullopt;
  return elements;
}

Object ExpressionEvaluator::visit(const ast::List &node, const ast::Expr &,
                                  Frame &frame) {
  Object problem;
  auto elements = evaluateAll(node.elements, frame, problem);
  return elements ? Object::list(std::move(*elements)) : problem;
}

Object ExpressionEvaluator::visit(const ast::Tuple &node, const ast::Expr &,
                                  Frame &frame) {
  Object problem;
  auto elements = evaluateAll(node.elements, frame, problem);
  return elements ? Object::tuple(std::move(*elements)) : problem;
}

Object ExpressionEvaluator::visit(const ast::Set &node, const ast::Expr &,
                                  Frame &frame) {
  Object problem;
  auto elements = evaluateAll(node.elements, frame, problem);
  return elements ? makeSet(evaluator, *elements) : problem;
}

Object ExpressionEvaluator::visit(const ast::Dict &node, const ast::Expr &,
                                  Frame &frame) {
  Object dict = Object::dict({});
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const auto *unpacked = std::get_if<ast::DoubleStarred>(&node.keys[i]->node);
    Object key = evaluate(unpacked ? *unpacked->value : *node.keys[i], frame);
    if (key.isStuck())
      return key;
    if (unpacked) {
      const auto *inner = key.as<DictObject>();
      if (!inner)
        return stuck("'**' unpacks dicts, got " + describe(key));
      for (const auto &[innerKey, value] : *inner->entries)
        if (!evaluator.assignItem(dict, innerKey, value))
          return evaluator.getFailure();
      continue;
    }
    Object value = evaluate(*node.values[i], frame);
    if (value.isStuck())
      return value;
    if (!evaluator.assignItem(dict, key, value))
      return evaluator.getFailure();
  }
  return dict;
}

Object ExpressionEvaluator::visit(const ast::Subscript &node, const ast::Expr &,
                                  Frame &frame) {
  Object value = evaluate(*node.value, frame);
  if (value.isStuck())
    return value;
  if (node.items.size() == 1) {
    if (const auto *part = std::get_if<ast::Slice>(&node.items.front()))
      return sliceOf(evaluator, value, *part, frame);
    Object index = evaluate(*std::get<ast::ExprPtr>(node.items.front()), frame);
    return index.isStuck() ? index : elementOf(evaluator, value, index);
  }
  std::vector<Object> elements;
  for (const ast::SubscriptItem &entry : node.items) {
    const auto *expr = std::get_if<ast::ExprPtr>(&entry);
    if (!expr)
      return stuck("a subscript of " + describe(value) + " is not a constant");
    elements.push_back(evaluate(**expr, frame));
    if (elements.back().isStuck())
      return elements.back();
  }
  return elementOf(evaluator, value, Object::tuple(std::move(elements)));
}

Object ExpressionEvaluator::visit(const ast::Call &node, const ast::Expr &expr,
                                  Frame &frame) {
  return functions.evaluate(node, expr, frame);
}

Object ExpressionEvaluator::visit(const ast::Lambda &node,
                                  const ast::Expr &expr, Frame &frame) {
  return functions.makeFunction(
      node.params, "<lambda>", expr.loc, frame,
      [&](FunctionThing &function) { function.result = node.body.get(); });
}

Object ExpressionEvaluator::visit(const ast::Comprehension &node,
                                  const ast::Expr &, Frame &frame) {
  return evaluateComprehension(evaluator, node, frame);
}
