// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/MessageTexts.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/syntax/Parser.h"
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/semantics/PrintFormat.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

/// A number that calls decide: the symbol or the author's name for it.
static std::string shownExtent(Value value) {
  auto bind = value.getDefiningOp<pl::BindOp>();
  std::string name = bind ? bind.getSymbol().str() : nameOfValue(value).str();
  if (name.empty())
    return "a number that is not known while compiling";
  return name + (bind ? " (dynamic)" : " (not known while compiling)");
}

/// An object in a message: numbers as they are written, values by their type.
static std::string shown(const Object &object) {
  if (const auto *string = object.as<StringObject>())
    return string->value;
  if (const auto *dtype = object.as<DtypeObject>())
    return dtypeName(dtype->type);
  if (const auto *tuple = object.asTuple())
    return "(" +
           llvm::join(llvm::map_range(
                          *tuple,
                          [](const Object &element) { return shown(element); }),
                      ", ") +
           ")";
  if (Value scalar = object.asScalar(); scalar && scalar.getType().isIndex())
    return shownExtent(scalar);
  std::string described = describe(object);
  StringRef text = described;
  if (!text.consume_front("the integer "))
    text.consume_front("the float ");
  return text.str();
}

namespace {

/// What is wrong with a text inside a string is said in one way.
struct NoDiagnostics : SourceDiagnostics {
  void error(llvm::SMLoc, const llvm::Twine &) override {}
};

} // namespace

/// The value of an expression that is given as text.
Object MessageTexts::evaluateText(StringRef text, Location loc) {
  texts.push_back(("value = (" + text + ")\n").str());
  NoDiagnostics diagnostics;
  std::unique_ptr<ast::Module> tree = parseModule(texts.back(), diagnostics);
  const auto *assign = tree && tree->body.size() == 1
                           ? std::get_if<ast::Assign>(&tree->body.front()->node)
                           : nullptr;
  if (!assign)
    return fail(loc, "'" + text + "' in an f-string is not an expression");
  trees.push_back(std::move(tree));
  std::optional<Location> outer = std::exchange(state.insideText, loc);
  Object value = expressions.evaluate(*assign->value);
  state.insideText = outer;
  return value;
}

/// Where the format of a field begins: '!' or ':', but not in brackets, and not
/// as a part of '!='.
static size_t findFormat(StringRef field) {
  int depth = 0;
  for (size_t i = 0; i < field.size(); ++i) {
    if (StringRef("([").contains(field[i]))
      ++depth;
    else if (StringRef(")]").contains(field[i]))
      --depth;
    else if (depth == 0 &&
             (field[i] == ':' ||
              (field[i] == '!' && !field.drop_front(i).starts_with("!="))))
      return i;
  }
  return field.size();
}

/// The text of an f-string, its fields replaced by what they stand for.
std::optional<std::string> MessageTexts::formatFields(StringRef text,
                                                      Location loc, Show show,
                                                      bool isFormat) {
  std::string result;
  while (!text.empty()) {
    size_t next = text.find_first_of("{}");
    result += text.take_front(next);
    text = text.drop_front(std::min(next, text.size()));
    if (text.consume_front("{{")) {
      result += isFormat ? "{{" : "{";
    } else if (text.consume_front("}}")) {
      result += isFormat ? "}}" : "}";
    } else if (text.starts_with("}")) {
      fail(loc, "a single '}' in an f-string");
      return std::nullopt;
    } else if (text.consume_front("{")) {
      size_t end = text.find('}');
      if (end == StringRef::npos) {
        fail(loc, "an f-string has a '{' without a '}'");
        return std::nullopt;
      }
      // A format after ':' or '!' is about width and digits; it is left out.
      StringRef field = text.take_front(end).rtrim();
      StringRef expression = field.take_front(findFormat(field));
      if (expression.consume_back("="))
        result += expression.str() + "=";
      Object value = evaluateText(expression, loc);
      if (value.isPoison())
        return std::nullopt;
      result += show(value);
      text = text.drop_front(end + 1);
    }
  }
  return result;
}

std::optional<std::string> MessageTexts::textOf(const ast::Expr &expr,
                                                Show show, bool isFormat) {
  if (const auto *string = std::get_if<ast::String>(&expr.node)) {
    if (string->isFString)
      return formatFields(string->value, locate(expr), show, isFormat);
    return isFormat ? pl::escapeBraces(string->value) : string->value;
  }
  Object value = expressions.evaluate(expr);
  if (value.isPoison())
    return std::nullopt;
  return show(value);
}

std::optional<std::string> MessageTexts::textOf(const ast::Expr &expr) {
  return textOf(expr, shown, /*isFormat=*/false);
}

/// A tuple with a value in it is shown element by element.
static std::string formatObject(const Object &object,
                                llvm::SmallVectorImpl<Object> &values) {
  if (const auto *tuple = object.asTuple(); tuple && containsValue(object)) {
    std::vector<std::string> parts;
    for (const Object &element : *tuple)
      parts.push_back(formatObject(element, values));
    return "(" + llvm::join(parts, ", ") + ")";
  }
  if (!object.asValue() && !object.is<SymbolObject>())
    return pl::escapeBraces(shown(object));
  values.push_back(object);
  return "{}";
}

std::optional<std::string>
MessageTexts::formatOf(const ast::Expr &expr,
                       llvm::SmallVectorImpl<Object> &values) {
  return textOf(
      expr, [&](const Object &object) { return formatObject(object, values); },
      /*isFormat=*/true);
}
