// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/Decorators.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;
using Kind = pl::FunctionKind;

Decoration tegula::readDecorators(const ast::FunctionDef &node,
                                  const SourceText &source, NameLookup lookup) {
  Decoration decoration;
  for (const ast::ExprPtr &decorator : node.decorators) {
    const ast::Expr *expr = decorator.get();
    if (const auto *call = std::get_if<ast::Call>(&expr->node))
      expr = call->callee.get();
    Object object = evaluateConstant(*expr, source, lookup);
    const std::string *path = object.asLanguage();
    std::optional<Kind> found;
    if (path)
      found = llvm::StringSwitch<std::optional<Kind>>(*path)
                  .Case("jit", Kind::Entry)
                  .Case("jit.incore", Kind::InCore)
                  .Case("jit.inline", Kind::Inline)
                  .Case("jit.opaque", Kind::Opaque)
                  .Case("jit.host", Kind::Host)
                  .Default(std::nullopt);
    mlir::Location loc = source.locate(expr->loc);
    if (found)
      decoration.kind = found;
    else if (path && StringRef(*path).starts_with("jit."))
      decoration.mistakes.push_back(
          {loc, "'pl." + *path +
                    "' is not a kind of kernel; the kinds are pl.jit, "
                    "pl.jit.incore, pl.jit.inline, pl.jit.opaque and "
                    "pl.jit.host"});
    else if (path)
      decoration.mistakes.push_back(
          {loc, "the decorator 'pl." + *path +
                    "' is not supported; use @pl.jit and its kinds"});
  }
  return decoration;
}
