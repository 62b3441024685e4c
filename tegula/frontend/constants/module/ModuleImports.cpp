// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/module/ModuleImports.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "tegula/frontend/constants/library/ArrayModules.h"
#include "tegula/frontend/constants/library/MathModule.h"
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"
#include "tegula/frontend/constants/module/KernelFiles.h"
#include "tegula/frontend/constants/module/ModuleConstants.h"
#include "tegula/frontend/diagnostics/NearestNames.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using llvm::StringRef;

/// Binds in `scope` now, or in a file when it is asked for: what no kernel uses
/// is not even read.
static void
bindLater(Scope &scope, StringRef name, std::function<Object()> compute,
          llvm::function_ref<void(StringRef, std::function<Object()>)> define) {
  if (scope.getKind() == Scope::Kind::Module)
    define(name, std::move(compute));
  else
    scope.bind(name, compute());
}

/// The language itself, or the part of it for programs over ranks.
static std::optional<Object> languageModule(StringRef name) {
  if (name == "tegula.language")
    return Object(LanguageObject{""});
  if (name == "tegula.language.distributed")
    return Object(LanguageObject{"distributed"});
  return std::nullopt;
}

void ModuleImports::run(const ast::Import &node, Scope &scope) {
  auto later = [&](StringRef name, std::function<Object()> compute) {
    bindLater(scope, name, std::move(compute),
              [&](StringRef id, std::function<Object()> give) {
                definitions.define(id, std::move(give));
              });
  };
  for (const ast::ImportAlias &name : node.names) {
    if (std::optional<Object> language = languageModule(name.name)) {
      scope.bind(name.alias, *language);
      continue;
    }
    // `import tegula` binds no name kernels can use by itself, but must not
    // hide `tegula.language` bound by another import.
    if (name.name == "tegula")
      continue;
    later(name.alias, [this, &name] {
      return importModule(name.name, name.alias, name.loc);
    });
    // `import a.b` binds `a`, too.
    if (StringRef first = StringRef(name.name).split('.').first;
        name.alias == name.name && first != name.name)
      later(first, [this, first, &name] {
        return importModule(first, first, name.loc);
      });
  }
}

void ModuleImports::run(const ast::ImportFrom &node, Scope &scope) {
  std::optional<Object> language = languageModule(node.module);
  for (const ast::ImportAlias &name : node.names) {
    if (node.module == "tegula" && name.name == "language")
      scope.bind(name.alias, Object(LanguageObject{""}));
    else if (language && name.name != "*")
      scope.bind(name.alias,
                 *constantAttribute(&files.getContext(), *language, name.name));
    else if (name.name == "*")
      stars.push_back({definitions.getOrder(), node.module, name.loc});
    else if (node.module != "__future__")
      bindLater(
          scope, name.alias,
          [this, &node, &name] {
            return importName(node.module, name.name, name.loc);
          },
          [&](StringRef id, std::function<Object()> give) {
            definitions.define(id, std::move(give));
          });
  }
}

/// A module of Python's library, or of arrays, as far as it is known here.
static std::optional<Object> libraryModule(mlir::MLIRContext &context,
                                           StringRef name) {
  if (std::optional<Object> library = ordinaryModule(name))
    return library;
  return arrayModule(context, name);
}

bool ModuleImports::isKnownModule(StringRef module) {
  return module == "tegula" || languageModule(module) || module == "math" ||
         module == "__future__" || files.find(module, source).file ||
         libraryModule(files.getContext(), module);
}

const ast::Stmt *ModuleImports::findMissing(Stmts stmts) {
  for (const ast::StmtPtr &stmt : stmts) {
    if (const auto *import = std::get_if<ast::Import>(&stmt->node))
      for (const ast::ImportAlias &name : import->names)
        if (!isKnownModule(name.name))
          return stmt.get();
    if (const auto *from = std::get_if<ast::ImportFrom>(&stmt->node))
      if (!isKnownModule(from->module))
        return stmt.get();
  }
  return nullptr;
}

bool ModuleImports::importsOnly(Stmts stmts) {
  return llvm::all_of(
             stmts,
             [&](const ast::StmtPtr &stmt) {
               return std::holds_alternative<ast::Import>(stmt->node) ||
                      std::holds_alternative<ast::ImportFrom>(stmt->node);
             }) &&
         !findMissing(stmts);
}

/// A module that is not there, for whoever uses `name` of it.
static Object missing(StringRef module, StringRef name,
                      const KernelFiles::Found &found, mlir::Location loc) {
  bool isOfArrays =
      arrayModule(*loc.getContext(), module.split('.').first).has_value();
  return Object(UnusableObject{
      ("'" + name + "' is not something a kernel can use: " +
       (isOfArrays ? "it is of the module '" + module.str() + "'"
                   : found.problem) +
       suggestModule(isOfArrays ? module.split('.').first : name))
          .str(),
      {{loc, "imported here"}}});
}

Object ModuleImports::importModule(StringRef module, StringRef name,
                                   llvm::SMLoc loc) {
  if (module == "math")
    return mathModule();
  KernelFiles::Found found = files.find(module, source);
  if (!found.file)
    if (std::optional<Object> library =
            libraryModule(files.getContext(), module))
      return *library;
  if (!found.file)
    return missing(module, name, found, source.locate(loc));
  if (!found.file->names)
    return Object::poison();
  // The files live as long as the program.
  std::shared_ptr<Environment> names(std::shared_ptr<void>(),
                                     found.file->names.get());
  return Object(NamespaceObject{names, "the module '" + module.str() + "'"});
}

Object ModuleImports::importName(StringRef module, StringRef name,
                                 llvm::SMLoc loc) {
  if (module == "math")
    return *constantAttribute(&files.getContext(), mathModule(), name);
  KernelFiles::Found found = files.find(module, source);
  if (found.file && !found.file->names)
    return Object::poison();
  if (found.file)
    if (std::optional<Object> object = found.file->names->find(name))
      return *object;
  if (!found.file)
    if (std::optional<Object> library =
            libraryModule(files.getContext(), module))
      if (std::optional<Object> object =
              library->as<NamespaceObject>()->names->lookup(name))
        return *object;
  // `from package import module`.
  std::string separator = module.ends_with(".") ? "" : ".";
  KernelFiles::Found inner =
      files.find((module + separator + name).str(), source);
  if (inner.file)
    return importModule((module + separator + name).str(), name, loc);
  if (!found.file)
    return missing(module, name, module.ltrim('.').empty() ? inner : found,
                   source.locate(loc));
  std::string message = "'" + found.file->source.getPath().str() +
                        "' has no '" + name.str() + "'" +
                        didYouMean(name, found.file->names->getNames());
  return Object(
      UnusableObject{message, {{source.locate(loc), "imported here"}}});
}

/// The names of the file a star stands for; null if there is none.
ModuleConstants *ModuleImports::moduleOf(const Star &star) {
  if (star.module == "tegula.language")
    return nullptr;
  KernelFiles::Found found = files.find(star.module, source);
  return found.file ? found.file->names.get() : nullptr;
}

/// Where the names of `other` come in, through one file or several; nothing if
/// they do not.
std::optional<unsigned>
ModuleImports::orderOfStarTo(const ModuleConstants &other) {
  for (const Star &star : stars) {
    std::vector<ModuleConstants *> reached = {moduleOf(star)};
    for (size_t next = 0; next < reached.size(); ++next) {
      if (reached[next] == &other)
        return star.order;
      if (reached[next])
        for (const Star &further : reached[next]->getImports().stars)
          if (ModuleConstants *module =
                  reached[next]->getImports().moduleOf(further);
              !llvm::is_contained(reached, module))
            reached.push_back(module);
    }
  }
  return std::nullopt;
}

std::optional<Object> ModuleImports::importStar(Star &star, StringRef name) {
  // As in Python, names that begin with an underscore stay at home. Attributes
  // are looked up in what the first of their names is.
  if (name.starts_with("_") || name.contains('.'))
    return std::nullopt;
  if (star.module == "tegula.language")
    return constantAttribute(&files.getContext(), Object(LanguageObject{""}),
                             name);
  ModuleConstants *module = moduleOf(star);
  if (!module || star.isBeingSearched)
    return std::nullopt;
  if (files.depth == KernelFiles::maxDepth)
    return Object(UnusableObject{
        ("more than " + llvm::Twine(KernelFiles::maxDepth) +
         " files import '*' from one another, looking for '" + name + "'")
            .str(),
        {{source.locate(star.loc), "imported here"}}});
  llvm::SaveAndRestore guard(star.isBeingSearched, true);
  llvm::SaveAndRestore deeper(files.depth, files.depth + 1);
  // In a circle of files Python takes what the other one has defined so far:
  // what stands before the import that leads here.
  if (std::optional<unsigned> order = module->getImports().orderOfStarTo(owner))
    if (std::optional<Object> object = module->lookupBefore(name, *order))
      return object;
  return module->find(name);
}

std::optional<Object> ModuleImports::findInStars(StringRef name,
                                                 std::optional<unsigned> after,
                                                 unsigned before) {
  for (Star &star : llvm::reverse(stars))
    if (star.order < before && (!after || *after < star.order))
      if (std::optional<Object> object = importStar(star, name))
        return object;
  return std::nullopt;
}
