// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The compiler as those see it who do not link it. It is loaded when a kernel
/// is first compiled; until then a process that finds all its kernels in the
/// cache pays nothing for it.

#ifndef TEGULA_LAUNCH_IMAGE_COMPILERSERVICE_H
#define TEGULA_LAUNCH_IMAGE_COMPILERSERVICE_H

#include "tegula/launch/call/Program.h"
#include "tegula/launch/image/KernelImage.h"

namespace tegula {

/// What the compiler does with a program. All functions may be called from
/// several threads at once.
class CompilerService {
public:
  virtual ~CompilerService() = default;

  /// The parameters as the program declares them.
  virtual Problem describe(const Program &program, Signature &declared) = 0;

  /// Compiles for calls like this one.
  virtual Problem compile(const Program &program,
                          llvm::ArrayRef<Argument> arguments,
                          KernelImage &image) = 0;

  /// Makes an image ready that one of the back ends runs.
  virtual Problem load(const KernelImage &image,
                       std::unique_ptr<LoadedImage> &loaded) = 0;

  /// The program as text at a stage of its target, or "source" for kernel
  /// source.
  virtual Problem print(const Program &program, const std::string &stage,
                        llvm::ArrayRef<Argument> arguments,
                        std::string &text) = 0;

  /// Calls the program for about `seconds` and says where the time goes, line
  /// by line, and how near it is to what the machine can do. It writes to the
  /// memory of the arguments.
  virtual Problem profile(const Program &program,
                          llvm::ArrayRef<Argument> arguments, double seconds,
                          std::string &text) = 0;

  /// Says how much memory a call takes for the tensors that the program makes,
  /// by the sizes of the arguments. Nothing is run.
  virtual Problem summarizeMemory(const Program &program,
                                  llvm::ArrayRef<Argument> arguments,
                                  std::string &text) = 0;

  /// Compares two programs: `difference` is empty if they are the same, or else
  /// says what the first difference is and where.
  virtual Problem compare(const Program &first, const Program &second,
                          llvm::ArrayRef<Argument> arguments,
                          std::string &difference) = 0;

  /// A graph of torch's, given as JSON, as the text of a kernel. If some of its
  /// operations are not known there is no text, but their nodes.
  virtual Problem importGraph(const std::string &json, std::string &text,
                              std::vector<std::string> &unknown) = 0;

  /// Writes a library that stands alone, and its C header unless `header` is
  /// empty. Arguments for the parameters in `bound` become part of it.
  virtual Problem build(const Program &program,
                        llvm::ArrayRef<Argument> arguments,
                        const std::string &library, const std::string &header,
                        const std::vector<std::string> &bound) = 0;
};

/// The compiler, loaded if it was not. Fails if its library cannot be found.
Problem getCompilerService(CompilerService *&service);

} // namespace tegula

/// How the compiler's library gives it away.
extern "C" tegula::CompilerService *tegulaCompilerService();

#endif // TEGULA_LAUNCH_IMAGE_COMPILERSERVICE_H
