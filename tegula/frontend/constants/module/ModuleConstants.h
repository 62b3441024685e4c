// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names a kernel file defines: kernel functions, imports, classes, and the
/// constants that ordinary Python in it computes.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULE_MODULECONSTANTS_H
#define TEGULA_FRONTEND_CONSTANTS_MODULE_MODULECONSTANTS_H

#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/module/ModuleDefinitions.h"
#include "tegula/frontend/constants/module/ModuleImports.h"
#include "tegula/frontend/constants/module/ModuleKernels.h"

namespace tegula {

/// The environment of all functions of one file, or of one class. The file is
/// run from top to bottom like Python runs it; a statement that is not
/// understood leaves the names it binds without a value, and nothing else.
class ModuleConstants : public Environment, public Scope {
public:
  /// A file, which is still to be run.
  ModuleConstants(const SourceText &source, KernelFiles &files)
      : Scope(Kind::Module, nullptr), source(source), files(files),
        outer(nullptr) {}
  /// No names of its own: all are those of `captured`, which outlives it.
  ModuleConstants(const SourceText &source, KernelFiles &files,
                  Environment &captured)
      : Scope(Kind::Module, nullptr), source(source), files(files),
        outer(nullptr), captured(&captured) {}
  /// The class of a program, whose statements are run now. `outer` holds the
  /// names around it; in a function `closure` does, which outlives it.
  ModuleConstants(const ast::ClassDef &program, const SourceText &source,
                  KernelFiles &files, ModuleConstants *outer,
                  Environment *closure = nullptr);

  /// Runs the file. Later definitions of a name replace earlier ones; a
  /// constant sees what stands before it, a function what stands at the end.
  void runFile(const ast::Block &body);
  void runStatement(const ast::Stmt &stmt);

  /// What kernels see of a name.
  std::optional<Object> lookup(llvm::StringRef name) override;
  /// `module.name = value` in another file.
  bool assign(llvm::StringRef name, const Object &value) override;
  /// Imports what has been left for later, as Python would have done by now.
  void settleImports() { definitions.settle(); }

  ModuleImports &getImports() { return imports; }
  ModuleKernels &getKernels() { return kernels; }
  const ModuleKernels &getKernels() const { return kernels; }
  /// The kernels and programs that functions of the file make.
  std::vector<std::pair<std::string, const KernelFunction *>>
  makeKernels(std::vector<UnreachedKernel> &unreached) {
    return kernels.makeAll(*body, unreached);
  }
  /// The names it defines that can be shown in messages.
  std::vector<llvm::StringRef> getNames() const {
    return definitions.listNames();
  }

  // The evaluator runs code with the names here.

  std::optional<Object> find(llvm::StringRef name) override;
  /// What the name stood for before a statement of this file.
  std::optional<Object> lookupBefore(llvm::StringRef name, unsigned before);
  void bind(llvm::StringRef name, Object object) override;
  bool unbind(llvm::StringRef name) override;
  /// Says of a name why it cannot be used.
  void defineUnusable(llvm::StringRef name, const llvm::Twine &why,
                      llvm::SMLoc loc);
  /// "line 6", and of which file if it is not the one that was asked for.
  std::string describeLocation(llvm::SMLoc loc) const;
  /// What a name stands for whose value is missing because of `failure`.
  Object withoutValue(llvm::StringRef name, const Object &failure,
                      llvm::SMLoc loc) const;

private:
  void withhold(const ast::Stmt &stmt, const Object &failure);
  void addAliases(const ast::Stmt &stmt, NameSet &names) const;

  const SourceText &source;
  KernelFiles &files;
  ModuleConstants *outer;
  const ast::Block *body = nullptr;
  /// Where names come from that are defined nowhere; may be null.
  Environment *captured = nullptr;
  /// How much of `outer` stands before this.
  unsigned outerOrder = 0;
  ModuleDefinitions definitions;
  ModuleImports imports{*this, definitions, source, files};
  ModuleKernels kernels{*this, definitions, source, files};
};

/// What kernels see of a name in `scope`, which may be dotted.
std::optional<Object> lookupForKernel(Scope &scope, Evaluator &evaluator,
                                      llvm::StringRef name);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULE_MODULECONSTANTS_H
