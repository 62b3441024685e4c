// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names a kernel file, or a class in it, defines: kernel functions,
/// imports, classes, and constants. Each is looked at when a kernel asks for it
/// and never executed.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULECONSTANTS_H
#define TEGULA_FRONTEND_CONSTANTS_MODULECONSTANTS_H

#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/KernelFunction.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <functional>
#include <memory>
#include <vector>

namespace tegula {

class KernelFiles;
class ModuleConstants;

/// A class under `@pl.program`.
struct KernelProgram {
  llvm::StringRef name;
  mlir::Location loc;
  ModuleConstants *names;
  /// Where it starts: the function that orchestrates the others, or the only
  /// one no other calls; null if there is no such function.
  const KernelFunction *entry;
};

/// The environment of all functions of one file, or of one class.
class ModuleConstants : public Environment {
public:
  /// Takes the names of `body`. Later definitions of a name replace earlier
  /// ones, as in Python: a constant sees what stands before it, a function sees
  /// what stands at the end. `outer` holds the names around a class.
  ModuleConstants(const ast::Block &body, const SourceText &source,
                  KernelFiles &files, ModuleConstants *outer = nullptr);
  /// No names of its own: all are those of `captured`, which outlives it.
  ModuleConstants(const SourceText &source, KernelFiles &files,
                  Environment &captured)
      : source(source), files(files), outer(nullptr), captured(&captured) {}
  /// The same for the class of a program.
  ModuleConstants(const ast::ClassDef &program, const SourceText &source,
                  KernelFiles &files, ModuleConstants *outer);

  std::optional<Object> lookup(llvm::StringRef name) override;

  /// All functions with a kernel decorator, in source order.
  const std::vector<std::unique_ptr<KernelFunction>> &getFunctions() const {
    return functions;
  }
  /// The programs, in source order.
  const std::vector<KernelProgram> &getPrograms() const { return programs; }
  /// Where a program starts; null if that is not clear.
  const KernelFunction *getEntry() const { return entry; }
  /// A method of a program as an entry of its own; null if there is none.
  const KernelFunction *makeEntry(llvm::StringRef method);
  /// The names it defines that can be shown in messages.
  std::vector<llvm::StringRef> getNames() const;

private:
  /// A name whose value is computed when it is first asked for.
  struct Definition {
    /// The position of its statement in the body.
    unsigned order;
    Object object = {};
    /// Gives the value; empty if `object` is the value.
    std::function<Object()> compute = {};
    bool isBeingComputed = false;
  };
  /// `from module import *`.
  struct Star {
    unsigned order;
    std::string module;
    llvm::SMLoc loc;
    /// True while a name is looked for in the module.
    bool isBeingSearched = false;
  };

  // Definitions: ModuleConstants.cpp.
  void define(const ast::Stmt &stmt);
  void define(llvm::StringRef name, Object object);
  void define(llvm::StringRef name, std::function<Object()> compute);
  void defineTarget(const ast::Expr &target, const ast::Expr &value,
                    std::vector<unsigned> path);
  void defineAugmented(const ast::AugAssign &node);
  void defineFunction(const ast::FunctionDef &node);
  void defineClass(const ast::ClassDef &node);
  void defineProgram(const ast::ClassDef &node);
  void chooseEntry(const llvm::StringSet<> &called);
  void defineUnusable(llvm::StringRef name, const llvm::Twine &why,
                      llvm::SMLoc loc);
  std::string describePlace(llvm::SMLoc loc) const;
  Object withoutValue(llvm::StringRef name, const Object &failure,
                      llvm::SMLoc loc) const;
  Object evaluate(const ast::Expr &expr, unsigned before);
  std::optional<Object> lookupBefore(llvm::StringRef name, unsigned before);
  Object valueOf(llvm::StringRef name, Definition &definition);

  // Imports: ModuleImports.cpp.
  void defineImport(const ast::Import &node);
  void defineImport(const ast::ImportFrom &node);
  Object importModule(llvm::StringRef module, llvm::StringRef name,
                      llvm::SMLoc loc);
  Object importName(llvm::StringRef module, llvm::StringRef name,
                    llvm::SMLoc loc);
  std::optional<Object> importStar(Star &star, llvm::StringRef name);
  ModuleConstants *moduleOf(const Star &star);
  std::optional<unsigned> orderOfStarTo(const ModuleConstants &other);

  const SourceText &source;
  KernelFiles &files;
  ModuleConstants *outer;
  /// Where names come from that are defined nowhere; may be null.
  Environment *captured = nullptr;
  /// How much of `outer` stands before this.
  unsigned outerOrder = 0;
  /// The number of the statement being defined.
  unsigned order = 0;
  llvm::StringMap<std::vector<Definition>> definitions;
  std::vector<Star> stars;
  std::vector<std::unique_ptr<KernelFunction>> functions;
  std::vector<KernelProgram> programs;
  /// What the methods of a program see.
  std::vector<std::unique_ptr<Environment>> methodNames;
  /// Methods that are called from outside although they are not made for it.
  std::vector<std::unique_ptr<KernelFunction>> entries;
  const KernelFunction *entry = nullptr;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULECONSTANTS_H
