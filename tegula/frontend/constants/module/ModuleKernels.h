// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The kernels and programs of a file: those that stand in it, and those that
/// functions make.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULE_MODULEKERNELS_H
#define TEGULA_FRONTEND_CONSTANTS_MODULE_MODULEKERNELS_H

#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/evaluator/Frame.h"
#include "tegula/frontend/constants/module/KernelFunction.h"
#include "tegula/frontend/constants/module/ModuleDefinitions.h"
#include "tegula/frontend/syntax/BoundNames.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
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

/// Defines kernels and programs, and finds those that functions hide.
class ModuleKernels {
public:
  ModuleKernels(ModuleConstants &owner, ModuleDefinitions &definitions,
                const SourceText &source, KernelFiles &files)
      : owner(owner), definitions(definitions), source(source), files(files) {}

  /// Defines a kernel; false if the decorators make it none.
  bool define(const ast::FunctionDef &node, Frame &frame);
  /// Defines a program; false if the decorators make it none.
  bool define(const ast::ClassDef &node, Frame &frame);
  /// Runs the class of a program, whose methods see `around`.
  void runProgram(const ast::ClassDef &program, ModuleConstants &outer,
                  Environment &around);

  /// All functions with a kernel decorator, in source order.
  const std::vector<std::unique_ptr<KernelFunction>> &getFunctions() const {
    return functions;
  }
  /// The kernels and programs that functions of the file make, by a name of the
  /// file or as `factory.kernel`. Functions that nobody calls are called for
  /// it.
  std::vector<std::pair<std::string, const KernelFunction *>>
  makeAll(const ast::Block &body, std::vector<UnreachedKernel> &unreached);
  /// The programs, in source order.
  const std::vector<KernelProgram> &getPrograms() const { return programs; }
  /// Where a program starts; null if that is not clear.
  const KernelFunction *getEntry() const { return entry; }
  /// A method of a program as an entry of its own; null if there is none.
  const KernelFunction *makeEntry(llvm::StringRef method);

private:
  void chooseEntry(const llvm::StringSet<> &called);
  /// Defines what `self` has of bases and of `__init__`.
  void takeAttributes(const ast::ClassDef &program, ModuleConstants &outer);
  void callFactories(const ast::Block &body);
  Environment &closureOf(Frame &frame);
  bool isReached(const ast::FunctionDef &node) const;
  std::vector<std::string>
  namesOf(llvm::function_ref<bool(const Object &)> isIt);
  std::string whyUnreached(Enclosing around);

  ModuleConstants &owner;
  ModuleDefinitions &definitions;
  const SourceText &source;
  KernelFiles &files;
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

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULE_MODULEKERNELS_H
