// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/ModuleConstants.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Decorators.h"
#include "tegula/frontend/constants/KernelFiles.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using llvm::StringRef;

static Object unusable(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

ModuleConstants::ModuleConstants(const ast::Block &body,
                                 const SourceText &source, KernelFiles &files,
                                 ModuleConstants *outer)
    : source(source), files(files), outer(outer),
      outerOrder(outer ? outer->order : 0) {
  for (const ast::StmtPtr &stmt : body) {
    ++order;
    define(*stmt);
  }
}

void ModuleConstants::define(StringRef name, Object object) {
  definitions[name].push_back({order, std::move(object)});
}

void ModuleConstants::define(StringRef name, std::function<Object()> compute) {
  definitions[name].push_back({order, Object(), std::move(compute)});
}

/// "line 6", and of which file if it is not the one that was asked for.
std::string ModuleConstants::describePlace(llvm::SMLoc loc) const {
  std::string line = "line " + std::to_string(source.lineOf(loc));
  if (files.isEntry(source))
    return line;
  return line + " of " + llvm::sys::path::filename(source.getPath()).str();
}

void ModuleConstants::defineUnusable(StringRef name, const llvm::Twine &why,
                                     llvm::SMLoc loc) {
  define(name, unusable("'" + name + "' is not something a kernel can use (" +
                        why + " at " + describePlace(loc) + ")"));
}

void ModuleConstants::define(const ast::Stmt &stmt) {
  if (const auto *assign = std::get_if<ast::Assign>(&stmt.node)) {
    for (const ast::ExprPtr &target : assign->targets)
      defineTarget(*target, *assign->value, {});
  } else if (const auto *annotated = std::get_if<ast::AnnAssign>(&stmt.node)) {
    if (annotated->value)
      defineTarget(*annotated->target, *annotated->value, {});
  } else if (const auto *augmented = std::get_if<ast::AugAssign>(&stmt.node)) {
    defineAugmented(*augmented);
  } else if (const auto *import = std::get_if<ast::Import>(&stmt.node)) {
    defineImport(*import);
  } else if (const auto *from = std::get_if<ast::ImportFrom>(&stmt.node)) {
    defineImport(*from);
  } else if (const auto *function = std::get_if<ast::FunctionDef>(&stmt.node)) {
    defineFunction(*function);
  } else if (const auto *classDef = std::get_if<ast::ClassDef>(&stmt.node)) {
    defineClass(*classDef);
  } else if (const auto *skipped = std::get_if<ast::Skipped>(&stmt.node)) {
    for (StringRef name : skipped->names)
      defineUnusable(name, skipped->what, stmt.loc);
  }
}

Object ModuleConstants::evaluate(const ast::Expr &expr, unsigned before) {
  if (files.depth == KernelFiles::maxDepth)
    return unusable("more than " + llvm::Twine(KernelFiles::maxDepth) +
                    " constants are made from one another");
  llvm::SaveAndRestore deeper(files.depth, files.depth + 1);
  return evaluateConstant(
      expr, source, [&](StringRef name) { return lookupBefore(name, before); });
}

/// The constant that is to blame is named, not all those made from it.
Object ModuleConstants::withoutValue(StringRef name, const Object &failure,
                                     llvm::SMLoc loc) const {
  constexpr llvm::StringLiteral noValue("has no value a kernel can use");
  const auto &why = *failure.as<UnusableObject>();
  if (StringRef(why.message).contains(noValue))
    return failure;
  return Object(UnusableObject{("'" + name + "' " + noValue + ": " +
                                why.message + " (" + describePlace(loc) + ")")
                                   .str(),
                               why.notes});
}

void ModuleConstants::defineTarget(const ast::Expr &target,
                                   const ast::Expr &value,
                                   std::vector<unsigned> path) {
  if (const auto *name = std::get_if<ast::Name>(&target.node)) {
    define(name->id, [this, id = name->id, &value, path, before = order] {
      Object object = evaluate(value, before);
      for (unsigned position : path) {
        if (object.is<UnusableObject>() || object.isPoison())
          break;
        const auto *tuple = object.asTuple();
        object = tuple ? foldElement(*tuple, Object::integer(position))
                       : unusable("cannot unpack " + describe(object));
      }
      return object.is<UnusableObject>() ? withoutValue(id, object, value.loc)
                                         : object;
    });
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

void ModuleConstants::defineAugmented(const ast::AugAssign &node) {
  const auto *name = std::get_if<ast::Name>(&node.target->node);
  if (!name)
    return;
  define(name->id, [this, id = name->id, &node, before = order] {
    Object left = evaluate(*node.target, before);
    Object right = evaluate(*node.value, before);
    Object result = left.is<UnusableObject>() ? left
                    : right.is<UnusableObject>()
                        ? right
                        : foldBinary(node.op, left, right);
    return result.is<UnusableObject>()
               ? withoutValue(id, result, node.target->loc)
               : result;
  });
}

void ModuleConstants::defineFunction(const ast::FunctionDef &node) {
  Decoration decoration = readDecorators(
      node, source, [&](StringRef name) { return lookupBefore(name, order); });
  // What is not the file that was asked for is nobody's business until it is
  // used.
  if (files.isEntry(source) && !decoration.isForeign)
    for (const Note &mistake : decoration.mistakes)
      files.getReporter().error(mistake.first, mistake.second);
  else if (!decoration.mistakes.empty())
    return define(node.name,
                  Object(UnusableObject{"'" + node.name.str() + "' " +
                                            (decoration.isForeign
                                                 ? "is code for one machine"
                                                 : "has a wrong decorator"),
                                        decoration.mistakes}));
  if (!decoration.kind)
    return defineUnusable(node.name, "a function without a kernel decorator",
                          node.nameLoc);
  functions.push_back(
      std::make_unique<KernelFunction>(node, *decoration.kind, source, *this));
  define(node.name, Object(FunctionObject{functions.back().get()}));
}

void ModuleConstants::defineClass(const ast::ClassDef &node) {
  if (!node.decorators.empty())
    return defineProgram(node);
  auto names =
      std::make_shared<ModuleConstants>(node.body, source, files, this);
  define(node.name, Object(NamespaceObject{
                        names, "the class '" + node.name.str() + "'", true}));
}

Object ModuleConstants::valueOf(StringRef name, Definition &definition) {
  if (definition.isBeingComputed)
    return unusable("the value of '" + name + "' depends on itself");
  if (definition.compute) {
    llvm::SaveAndRestore guard(definition.isBeingComputed, true);
    definition.object = definition.compute();
  }
  definition.compute = {};
  return definition.object;
}

std::optional<Object> ModuleConstants::lookupBefore(StringRef name,
                                                    unsigned before) {
  Definition *last = nullptr;
  auto found = definitions.find(name);
  if (found != definitions.end())
    for (Definition &definition : found->second)
      if (definition.order < before)
        last = &definition;
  for (Star &star : llvm::reverse(stars))
    if (star.order < before && (!last || last->order < star.order))
      if (std::optional<Object> object = importStar(star, name))
        return object;
  if (last)
    return valueOf(name, *last);
  if (captured)
    return captured->lookup(name);
  return outer ? outer->lookupBefore(name, outerOrder) : std::nullopt;
}

std::optional<Object> ModuleConstants::lookup(StringRef name) {
  bool isOwn = definitions.count(name) != 0 || !stars.empty();
  return isOwn || !outer ? lookupBefore(name, ~0u) : std::nullopt;
}

std::vector<StringRef> ModuleConstants::getNames() const {
  std::vector<StringRef> names;
  for (const auto &entry : definitions)
    names.push_back(entry.getKey());
  llvm::sort(names);
  return names;
}
