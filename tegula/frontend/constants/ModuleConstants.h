// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names a kernel file defines: kernel functions, imports, classes, and the
/// constants that ordinary Python in it computes.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULECONSTANTS_H
#define TEGULA_FRONTEND_CONSTANTS_MODULECONSTANTS_H

#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/Evaluator.h"
#include "tegula/frontend/constants/KernelFunction.h"
#include "tegula/frontend/syntax/BoundNames.h"
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
  /// The name of the class. One that a function makes is called by a name of
  /// the file, or else `factory.Program`, as soon as kernels have been made.
  std::string name;
  mlir::Location loc;
  ModuleConstants *names;
  /// Where it starts: the function that orchestrates the others, or the only
  /// one no other calls; null if there is no such function.
  const KernelFunction *entry;
  /// True if it stands in a function.
  bool isMade = false;
};

/// A kernel or program that stands in a function and is not reached.
struct UnreachedKernel {
  /// `factory.kernel`
  std::string name;
  mlir::Location loc;
  std::string why;
};

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

  /// What kernels see of a name.
  std::optional<Object> lookup(llvm::StringRef name) override;
  /// `module.name = value` in another file.
  bool assign(llvm::StringRef name, const Object &value) override;
  /// Imports what has been left for later, as Python would have done by now.
  void settleImports();

  /// All functions with a kernel decorator, in source order.
  const std::vector<std::unique_ptr<KernelFunction>> &getFunctions() const {
    return functions;
  }
  /// The kernels and programs that functions of the file make, by a name of the
  /// file or as `factory.kernel`. Functions that nobody calls are called for
  /// it.
  std::vector<std::pair<std::string, const KernelFunction *>>
  makeKernels(std::vector<UnreachedKernel> &unreached);
  /// The programs, in source order.
  const std::vector<KernelProgram> &getPrograms() const { return programs; }
  /// Where a program starts; null if that is not clear.
  const KernelFunction *getEntry() const { return entry; }
  /// A method of a program as an entry of its own; null if there is none.
  const KernelFunction *makeEntry(llvm::StringRef method);
  /// The names it defines that can be shown in messages.
  std::vector<llvm::StringRef> getNames() const;

  // The evaluator runs code with the names here.

  std::optional<Object> find(llvm::StringRef name) override;
  void bind(llvm::StringRef name, Object object) override;
  bool unbind(llvm::StringRef name) override;
  /// Defines a kernel; false if the decorators make it none.
  bool defineKernel(const ast::FunctionDef &node, Frame &frame);
  /// Defines a program; false if the decorators make it none.
  bool defineProgram(const ast::ClassDef &node, Frame &frame);
  /// Binds what an import brings.
  void runImport(const ast::Import &node, Scope &scope);
  void runImport(const ast::ImportFrom &node, Scope &scope);
  /// The first import among the statements of something that is not known.
  const ast::Stmt *findMissingImport(Stmts stmts, Scope &scope);
  /// True if all statements are imports of what is known.
  bool importsOnly(Stmts stmts);
  /// "line 6", and of which file if it is not the one that was asked for.
  std::string describeLocation(llvm::SMLoc loc) const;
  /// What a name stands for whose value is missing because of `failure`.
  Object withoutValue(llvm::StringRef name, const Object &failure,
                      llvm::SMLoc loc) const;

private:
  /// A value a name has had.
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
  void runStatement(const ast::Stmt &stmt);
  void define(llvm::StringRef name, Object object);
  void define(llvm::StringRef name, std::function<Object()> compute);
  void withhold(const ast::Stmt &stmt, const Object &failure);
  void chooseEntry(const llvm::StringSet<> &called);
  /// Defines what `self` has of bases and of `__init__`.
  void takeAttributes(const ast::ClassDef &program);
  void defineUnusable(llvm::StringRef name, const llvm::Twine &why,
                      llvm::SMLoc loc);
  std::optional<Object> lookupBefore(llvm::StringRef name, unsigned before);
  Object valueOf(llvm::StringRef name, Definition &definition);

  // Imports: ModuleImports.cpp.
  Object importModule(llvm::StringRef module, llvm::StringRef name,
                      llvm::SMLoc loc);
  Object importName(llvm::StringRef module, llvm::StringRef name,
                    llvm::SMLoc loc);
  bool isKnownModule(llvm::StringRef module);
  std::optional<Object> importStar(Star &star, llvm::StringRef name);
  ModuleConstants *moduleOf(const Star &star);
  std::optional<unsigned> orderOfStarTo(const ModuleConstants &other);

  // Kernels in functions: ModuleKernels.cpp.
  void callFactories();
  Environment &closureOf(Frame &frame);
  bool isReached(const ast::FunctionDef &node) const;
  std::vector<std::string>
  namesOf(llvm::function_ref<bool(const Object &)> isIt);
  std::string whyUnreached(Enclosing around);

  const SourceText &source;
  KernelFiles &files;
  ModuleConstants *outer;
  const ast::Block *body = nullptr;
  /// Where names come from that are defined nowhere; may be null.
  Environment *captured = nullptr;
  /// How much of `outer` stands before this.
  unsigned outerOrder = 0;
  /// The number of the statement being run.
  unsigned order = 0;
  llvm::StringMap<std::vector<Definition>> definitions;
  std::vector<Star> stars;
  std::vector<std::unique_ptr<KernelFunction>> functions;
  /// Kernels that functions have made, by `factory.kernel`.
  std::vector<std::pair<std::string, std::unique_ptr<KernelFunction>>> made;
  /// Why functions that make kernels cannot be called, by name.
  llvm::StringMap<std::string> failedFactories;
  std::vector<KernelProgram> programs;
  /// What methods of a program, and kernels in functions, see.
  std::vector<std::unique_ptr<Environment>> innerNames;
  /// Methods that are called from outside although they are not made for it.
  std::vector<std::unique_ptr<KernelFunction>> entries;
  const KernelFunction *entry = nullptr;
};

/// What kernels see of a name in `scope`, which may be dotted.
std::optional<Object> lookupForKernel(Scope &scope, Evaluator &evaluator,
                                      llvm::StringRef name);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULECONSTANTS_H
