// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Imports: of the language, of `math`, and of other kernel files.
#include "tegula/frontend/ConstantEvaluator.h"
#include "tegula/frontend/KernelFiles.h"
#include "tegula/frontend/MathModule.h"
#include "tegula/frontend/ModuleConstants.h"
#include "llvm/Support/Path.h"

using namespace tegula;
using llvm::StringRef;

void ModuleConstants::defineImport(const ast::Import &node) {
  for (const ast::ImportAlias &name : node.names) {
    if (name.name == "tegula.language") {
      define(name.alias, Object(LanguageObject{""}));
      continue;
    }
    // `import tegula` binds no name kernels can use by itself, but must not
    // hide `tegula.language` bound by another import.
    if (name.name == "tegula")
      continue;
    define(name.alias, [this, &name] {
      return importModule(name.name, name.alias, name.loc);
    });
    // `import a.b` binds `a`, too.
    if (StringRef first = StringRef(name.name).split('.').first;
        name.alias == name.name && first != name.name)
      define(first, [this, first, &name] {
        return importModule(first, first, name.loc);
      });
  }
}

void ModuleConstants::defineImport(const ast::ImportFrom &node) {
  Object language(LanguageObject{""});
  for (const ast::ImportAlias &name : node.names) {
    if (node.module == "tegula" && name.name == "language")
      define(name.alias, language);
    else if (node.module == "tegula.language" && name.name != "*")
      define(name.alias,
             *constantAttribute(&files.getContext(), language, name.name));
    else if (name.name == "*")
      stars.push_back({order, node.module, name.loc});
    else if (node.module != "__future__")
      define(name.alias, [this, &node, &name] {
        return importName(node.module, name.name, name.loc);
      });
  }
}

/// A module that is not there, for whoever uses `name` of it.
static Object missing(StringRef name, const KernelFiles::Found &found,
                      mlir::Location loc) {
  return Object(UnusableObject{
      ("'" + name + "' is not something a kernel can use: " + found.problem)
          .str(),
      {{loc, "imported here"}}});
}

Object ModuleConstants::importModule(StringRef module, StringRef name,
                                     llvm::SMLoc loc) {
  if (module == "math")
    return mathModule();
  KernelFiles::Found found = files.find(module, source);
  if (!found.file)
    return missing(name, found, source.locate(loc));
  if (!found.file->names)
    return Object::poison();
  // The files live as long as the program.
  std::shared_ptr<Environment> names(std::shared_ptr<void>(),
                                     found.file->names.get());
  return Object(NamespaceObject{names, "the module '" + module.str() + "'"});
}

Object ModuleConstants::importName(StringRef module, StringRef name,
                                   llvm::SMLoc loc) {
  if (module == "math")
    return *constantAttribute(&files.getContext(), mathModule(), name);
  KernelFiles::Found found = files.find(module, source);
  if (found.file && !found.file->names)
    return Object::poison();
  if (found.file)
    if (std::optional<Object> object = found.file->names->lookup(name))
      return *object;
  // `from package import module`.
  std::string separator = module.ends_with(".") ? "" : ".";
  KernelFiles::Found inner =
      files.find((module + separator + name).str(), source);
  if (inner.file)
    return importModule((module + separator + name).str(), name, loc);
  if (!found.file)
    return missing(name, module.ltrim('.').empty() ? inner : found,
                   source.locate(loc));
  std::string message = "'" + found.file->source.getPath().str() +
                        "' has no '" + name.str() + "'";
  for (StringRef other : found.file->names->getNames())
    if (other.edit_distance(name, true, 2) <= 1 + (name.size() > 5))
      message += "; did you mean '" + other.str() + "'?";
  return Object(
      UnusableObject{message, {{source.locate(loc), "imported here"}}});
}

std::optional<Object> ModuleConstants::importStar(const Star &star,
                                                  StringRef name) {
  // As in Python, names that begin with an underscore stay at home.
  if (name.starts_with("_"))
    return std::nullopt;
  if (star.module == "tegula.language")
    return constantAttribute(&files.getContext(), Object(LanguageObject{""}),
                             name);
  KernelFiles::Found found = files.find(star.module, source);
  if (!found.file || !found.file->names)
    return std::nullopt;
  return found.file->names->lookup(name);
}
