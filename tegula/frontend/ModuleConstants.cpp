// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/ModuleConstants.h"
#include "tegula/frontend/ConstantEvaluator.h"
#include "tegula/frontend/ConstantFolding.h"
#include "tegula/frontend/Reporter.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using llvm::StringRef;

static Object unusable(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

ModuleConstants::ModuleConstants(const ast::Module &module,
                                 const SourceText &source, Reporter &reporter)
    : source(source), reporter(reporter) {
  const char *start = source.getText().data();
  context = source.locate(llvm::SMLoc::getFromPointer(start)).getContext();
  for (const ast::StmtPtr &stmt : module.body)
    define(*stmt);
}

void ModuleConstants::defineUnusable(StringRef name, const llvm::Twine &why,
                                     llvm::SMLoc loc) {
  definitions[name] = Definition{
      unusable("'" + name + "' is not something a kernel can use (" + why +
               " at line " + llvm::Twine(source.lineOf(loc)) + ")")};
}

void ModuleConstants::define(const ast::Stmt &stmt) {
  if (const auto *assign = std::get_if<ast::Assign>(&stmt.node)) {
    for (const ast::ExprPtr &target : assign->targets)
      defineTarget(*target, *assign->value, {});
  } else if (const auto *annotated = std::get_if<ast::AnnAssign>(&stmt.node)) {
    if (annotated->value)
      defineTarget(*annotated->target, *annotated->value, {});
  } else if (const auto *augmented = std::get_if<ast::AugAssign>(&stmt.node)) {
    if (const auto *name = std::get_if<ast::Name>(&augmented->target->node))
      defineUnusable(name->id, "changed by an augmented assignment", stmt.loc);
  } else if (const auto *import = std::get_if<ast::Import>(&stmt.node)) {
    defineImport(*import);
  } else if (const auto *from = std::get_if<ast::ImportFrom>(&stmt.node)) {
    defineImport(*from);
  } else if (const auto *function = std::get_if<ast::FunctionDef>(&stmt.node)) {
    defineFunction(*function);
  } else if (const auto *classDef = std::get_if<ast::ClassDef>(&stmt.node)) {
    defineUnusable(classDef->name, "a class", classDef->nameLoc);
  } else if (const auto *skipped = std::get_if<ast::Skipped>(&stmt.node)) {
    for (StringRef name : skipped->names)
      defineUnusable(name, skipped->what, stmt.loc);
  }
}

void ModuleConstants::defineTarget(const ast::Expr &target,
                                   const ast::Expr &value,
                                   std::vector<unsigned> path) {
  if (const auto *name = std::get_if<ast::Name>(&target.node)) {
    definitions[name->id] = Definition{Object(), &value, std::move(path)};
    return;
  }
  const std::vector<ast::ExprPtr> *elements = nullptr;
  if (const auto *tuple = std::get_if<ast::Tuple>(&target.node))
    elements = &tuple->elements;
  if (const auto *list = std::get_if<ast::List>(&target.node))
    elements = &list->elements;
  if (!elements)
    return;
  for (auto [position, element] : llvm::enumerate(*elements)) {
    std::vector<unsigned> inner = path;
    inner.push_back(position);
    defineTarget(*element, value, std::move(inner));
  }
}

void ModuleConstants::defineImport(const ast::Import &node) {
  for (const ast::ImportAlias &name : node.names) {
    if (name.name == "tegula.language")
      definitions[name.alias] = Definition{Object(LanguageObject{""})};
    // `import tegula` binds no name kernels can use by itself, but must not
    // hide `tegula.language` bound by another import.
    else if (name.name != "tegula")
      defineUnusable(StringRef(name.alias).split('.').first, "imported",
                     name.loc);
  }
}

void ModuleConstants::defineImport(const ast::ImportFrom &node) {
  for (const ast::ImportAlias &name : node.names) {
    Object language(LanguageObject{""});
    if (node.module == "tegula" && name.name == "language")
      definitions[name.alias] = Definition{language};
    else if (node.module == "tegula.language" && name.name != "*")
      definitions[name.alias] =
          Definition{*languageAttribute(context, language, name.name)};
    else if (node.module != "__future__")
      defineUnusable(name.alias, "imported", name.loc);
  }
}

std::optional<pl::FunctionKind>
ModuleConstants::kindOf(const ast::FunctionDef &node) {
  std::optional<pl::FunctionKind> kind;
  for (const ast::ExprPtr &decorator : node.decorators) {
    const ast::Expr *expr = decorator.get();
    if (const auto *call = std::get_if<ast::Call>(&expr->node))
      expr = call->callee.get();
    Object object = evaluateConstant(
        *expr, source, [&](StringRef name) { return lookup(name); });
    const std::string *path = object.asLanguage();
    std::optional<pl::FunctionKind> found;
    if (path)
      found = llvm::StringSwitch<std::optional<pl::FunctionKind>>(*path)
                  .Case("jit", pl::FunctionKind::Entry)
                  .Case("jit.incore", pl::FunctionKind::InCore)
                  .Case("jit.inline", pl::FunctionKind::Inline)
                  .Case("jit.opaque", pl::FunctionKind::Opaque)
                  .Case("jit.host", pl::FunctionKind::Host)
                  .Default(std::nullopt);
    if (found)
      kind = found;
    else if (path && StringRef(*path).starts_with("jit."))
      reporter.error(source.locate(expr->loc),
                     "'pl." + *path +
                         "' is not a kind of kernel; the kinds are pl.jit, "
                         "pl.jit.incore, pl.jit.inline, pl.jit.opaque and "
                         "pl.jit.host");
    else if (path)
      reporter.error(source.locate(expr->loc),
                     "the decorator 'pl." + *path +
                         "' is not supported; use @pl.jit and its kinds");
  }
  return kind;
}

void ModuleConstants::defineFunction(const ast::FunctionDef &node) {
  std::optional<pl::FunctionKind> kind = kindOf(node);
  if (!kind)
    return defineUnusable(node.name, "a function without a kernel decorator",
                          node.nameLoc);
  functions.push_back(
      std::make_unique<KernelFunction>(node, *kind, source, *this));
  definitions[node.name] =
      Definition{Object(FunctionObject{functions.back().get()})};
}

/// A constant may be made from another, and so on, this often: each takes some
/// of the stack.
static constexpr unsigned maxConstantDepth = 50;

Object ModuleConstants::evaluate(StringRef name, Definition &definition) {
  if (depth == maxConstantDepth)
    return unusable("more than " + llvm::Twine(maxConstantDepth) +
                    " constants are made from one another");
  llvm::SaveAndRestore deeper(depth, depth + 1);
  llvm::SaveAndRestore guard(definition.isBeingEvaluated, true);
  Object object = evaluateConstant(
      *definition.expr, source, [&](StringRef used) { return lookup(used); });
  for (unsigned position : definition.path) {
    if (object.is<UnusableObject>())
      break;
    const auto *tuple = object.asTuple();
    object = tuple ? foldElement(*tuple, Object::integer(position))
                   : unusable("cannot unpack " + describe(object));
  }
  constexpr llvm::StringLiteral noValue("has no value a kernel can use");
  if (const auto *failure = object.as<UnusableObject>())
    // The constant that is to blame is named, not all those made from it.
    return StringRef(failure->message).contains(noValue)
               ? object
               : unusable("'" + name + "' " + noValue + ": " +
                          failure->message + " (line " +
                          llvm::Twine(source.lineOf(definition.expr->loc)) +
                          ")");
  return object;
}

std::optional<Object> ModuleConstants::lookup(StringRef name) {
  auto found = definitions.find(name);
  if (found == definitions.end())
    return std::nullopt;
  Definition &definition = found->second;
  if (definition.expr && !definition.isBeingEvaluated) {
    definition.object = evaluate(name, definition);
    definition.expr = nullptr;
  } else if (definition.expr) {
    return unusable("the value of '" + name + "' depends on itself");
  }
  return definition.object;
}
