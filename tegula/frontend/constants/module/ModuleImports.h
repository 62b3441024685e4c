// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The imports of a kernel file: of the language, of `math`, and of other
/// kernel files.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULE_MODULEIMPORTS_H
#define TEGULA_FRONTEND_CONSTANTS_MODULE_MODULEIMPORTS_H

#include "tegula/frontend/constants/evaluator/Scope.h"
#include "tegula/frontend/constants/module/ModuleDefinitions.h"
#include "tegula/frontend/diagnostics/SourceText.h"
#include "tegula/frontend/syntax/AstWalk.h"

namespace tegula {

class KernelFiles;
class ModuleConstants;

/// Binds what imports bring. Modules are read when a name of them is used.
class ModuleImports {
public:
  ModuleImports(ModuleConstants &owner, ModuleDefinitions &definitions,
                const SourceText &source, KernelFiles &files)
      : owner(owner), definitions(definitions), source(source), files(files) {}

  void run(const ast::Import &node, Scope &scope);
  void run(const ast::ImportFrom &node, Scope &scope);
  /// The first import among the statements of something that is not known.
  const ast::Stmt *findMissing(Stmts stmts);
  /// True if all statements are imports of what is known.
  bool importsOnly(Stmts stmts);

  bool hasStars() const { return !stars.empty(); }
  /// What a name stands for by the last `import *` that has it, of those
  /// between two statements.
  std::optional<Object> findInStars(llvm::StringRef name,
                                    std::optional<unsigned> after,
                                    unsigned before);

private:
  /// `from module import *`.
  struct Star {
    unsigned order;
    std::string module;
    llvm::SMLoc loc;
    /// True while a name is looked for in the module.
    bool isBeingSearched = false;
  };

  Object importModule(llvm::StringRef module, llvm::StringRef name,
                      llvm::SMLoc loc);
  Object importName(llvm::StringRef module, llvm::StringRef name,
                    llvm::SMLoc loc);
  bool isKnownModule(llvm::StringRef module);
  std::optional<Object> importStar(Star &star, llvm::StringRef name);
  ModuleConstants *moduleOf(const Star &star);
  std::optional<unsigned> orderOfStarTo(const ModuleConstants &other);

  ModuleConstants &owner;
  ModuleDefinitions &definitions;
  const SourceText &source;
  KernelFiles &files;
  std::vector<Star> stars;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULE_MODULEIMPORTS_H
