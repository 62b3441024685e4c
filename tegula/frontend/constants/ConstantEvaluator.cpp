// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

static Object fail(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

/// The path of a name below a path. What was called `pl.op` and `pl.block` is
/// `pl` and `pl.tile`.
static std::string memberOf(StringRef path, StringRef name) {
  if (path == "op")
    return name.str();
  return ((path == "block" ? "tile" : path) + "." + name).str();
}

std::optional<Object> tegula::constantAttribute(mlir::MLIRContext *context,
                                                const Object &object,
                                                StringRef name) {
  if (const auto *space = object.as<NamespaceObject>()) {
    if (std::optional<Object> member = space->names->lookup(name))
      return member;
    return fail(space->what + " has no '" + name + "'");
  }
  const std::string *path = object.asLanguage();
  if (!path)
    return std::nullopt;
  if (!path->empty())
    return Object(LanguageObject{memberOf(*path, name)});
  std::optional<DType> dtype = parseDType(name);
  if (dtype && getName(*dtype) == name)
    return Object(DtypeObject{toType(context, *dtype)});
  if (StringRef why = whyDtypeIsRefused(name); !why.empty())
    return fail(why);
  return Object(LanguageObject{name.str()});
}

std::optional<Object> tegula::pythonBuiltin(mlir::MLIRContext *context,
                                            StringRef name) {
  bool isKnown = llvm::StringSwitch<bool>(name)
                     .Cases({"min", "max", "abs", "range", "len"}, true)
                     .Cases({"int", "float", "bool", "print"}, true)
                     .Cases({"tuple", "list", "sum", "zip"}, true)
                     .Cases({"enumerate", "reversed"}, true)
                     .Default(false);
  if (!isKnown)
    return std::nullopt;
  return Object(PythonObject{name.str()});
}

Object tegula::makeSymbol(const Object &name, mlir::Location loc) {
  const auto *text = name.as<StringObject>();
  if (!text)
    return fail("pl.dynamic takes the name of the symbol as a string, got " +
                describe(name));
  StringRef identifier = text->value;
  bool isIdentifier =
      !identifier.empty() && !llvm::isDigit(identifier.front()) &&
      llvm::all_of(identifier,
                   [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isIdentifier)
    return fail("the name of a symbol must be an identifier, got '" +
                identifier + "'");
  return Object(
      SymbolObject{std::make_shared<Symbol>(Symbol{text->value, loc})});
}

namespace {

/// Names that somebody else answers for.
class AskedScope : public Scope {
public:
  explicit AskedScope(NameLookup lookup)
      : Scope(Kind::Module, nullptr), lookup(lookup) {}

  std::optional<Object> find(StringRef name) override {
    auto found = names.find(name);
    return found != names.end() ? found->second : lookup(name);
  }

private:
  NameLookup lookup;
};

} // namespace

Object tegula::evaluateConstant(const ast::Expr &expr, const SourceText &source,
                                NameLookup lookup) {
  Evaluator evaluator(*source.locate(expr.loc).getContext());
  AskedScope scope(lookup);
  Frame frame{scope, source};
  return forKernel(evaluator.evaluate(expr, frame), "it");
}
