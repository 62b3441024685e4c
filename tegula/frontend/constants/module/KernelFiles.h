// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files a program is made of: the one that was asked for, and those that
/// its kernels import, each parsed when a kernel first refers to it.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULE_KERNELFILES_H
#define TEGULA_FRONTEND_CONSTANTS_MODULE_KERNELFILES_H

#include "tegula/frontend/constants/module/ModuleConstants.h"
#include "tegula/frontend/diagnostics/Reporter.h"
#include "tegula/support/SourceFiles.h"
#include <map>

namespace tegula {

/// A parsed file with its names.
struct KernelFile {
  KernelFile(mlir::MLIRContext &context, llvm::StringRef text,
             llvm::StringRef path)
      : source(&context, text, path) {}

  SourceText source;
  /// Null if the file cannot be parsed, which has been reported.
  std::unique_ptr<ast::Module> module;
  std::unique_ptr<ModuleConstants> names;
};

/// All files of one program.
class KernelFiles {
public:
  /// Imports come from `texts`; if it is null nothing can be imported.
  KernelFiles(mlir::MLIRContext &context, SourceFiles *texts,
              Reporter &reporter)
      : context(context), texts(texts), reporter(reporter),
        evaluator(context, texts) {}

  /// Parses the file that was asked for.
  KernelFile &addEntry(llvm::StringRef text, llvm::StringRef path);

  /// What an import found.
  struct Found {
    /// Null if there is no such file.
    KernelFile *file = nullptr;
    /// Why there is none.
    std::string problem;
  };
  /// The file of `module`, which may begin with dots and is then relative to
  /// the folder of `importer`. Without, it is looked for in that folder, in the
  /// folder of the entry, and above the packages of `importer`.
  Found find(llvm::StringRef module, const SourceText &importer);

  /// Imports what all files have left for later.
  void settleImports();

  bool isEntry(const SourceText &source) const {
    return entry && &entry->source == &source;
  }
  mlir::MLIRContext &getContext() const { return context; }
  Reporter &getReporter() const { return reporter; }
  /// What computes the constants of all files.
  Evaluator &getEvaluator() { return evaluator; }

  /// Files may import '*' from one another this often: each takes some of the
  /// stack.
  static constexpr unsigned maxDepth = 50;
  /// How many files a name is being looked for in, each for the one before.
  unsigned depth = 0;

private:
  KernelFile &add(llvm::StringRef text, llvm::StringRef path);
  void run(KernelFile &file);
  Found load(llvm::StringRef path);
  std::vector<std::string> foldersFor(llvm::StringRef module,
                                      const SourceText &importer);

  mlir::MLIRContext &context;
  SourceFiles *texts;
  Reporter &reporter;
  const KernelFile *entry = nullptr;
  Evaluator evaluator;
  /// By path without dots.
  std::map<std::string, std::unique_ptr<KernelFile>, std::less<>> files;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULE_KERNELFILES_H
