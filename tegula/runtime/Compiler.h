// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The one entry point: from a kernel file to something that can be called.
/// Needs LLVM's support headers, none of MLIR's.

#ifndef TEGULA_RUNTIME_COMPILER_H
#define TEGULA_RUNTIME_COMPILER_H

#include "tegula/launch/call/Argument.h"
#include "tegula/launch/call/KernelWarning.h"
#include "tegula/launch/call/Signature.h"
#include "tegula/runtime/Diagnostic.h"
#include "tegula/support/Error.h"
#include "tegula/transforms/Stage.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tegula {

class KernelState;
struct Program;
class SourceFiles;
class TracedCall;

/// A kernel, ready to be called. Copies are cheap and share the compiled code.
///
/// One compiled kernel serves every size of the axes that are declared
/// dynamic. A parameter whose type or shape the annotation leaves open is
/// specialised: the first call with a new combination of element types and
/// shapes compiles, every later one finds that code without taking a lock.
///
/// ```cpp
/// Expected<Kernel> add = loadKernel("add.py");
/// if (Error error = (*add)({TensorView(x, {m, n}), TensorView(y, {m, n}),
///                           TensorView(out, {m, n})}))
/// ```
class Kernel {
public:
  /// Checks the arguments and runs the kernel. On a failed check nothing has
  /// run; on an error during the run (an index out of range) outputs may be
  /// partly written. May be called from several threads at once.
  [[nodiscard]] Error operator()(llvm::ArrayRef<Argument> arguments) const;

  /// Compiles for calls like this one, if that has not been done; nothing runs.
  /// Of tensors only types and shapes count.
  [[nodiscard]] Error prepare(llvm::ArrayRef<Argument> arguments) const;

  /// True if what such a call does on the simulated machine depends on data.
  [[nodiscard]] Expected<bool>
  mustRunToTrace(llvm::ArrayRef<Argument> arguments) const;

  /// What such a call would do on the simulated machine that the kernel is
  /// compiled for. Where that depends on data the call is run; of other kernels
  /// the memory of tensors need not even be there. Tiles are chosen for
  /// `machine`, a machine file as text, or for that of the target.
  [[nodiscard]] Expected<std::unique_ptr<TracedCall>>
  trace(llvm::ArrayRef<Argument> arguments,
        const std::string &machine = "") const;

  /// The parameters as the source declares them.
  const Signature &getSignature() const;

  /// What the compiler thinks may not have been meant, of all that was compiled
  /// so far or came from the disk.
  std::vector<KernelWarning> listWarnings() const;

  /// How often this kernel has been compiled, in this process.
  uint64_t getCompileCount() const;

  /// The compiler's side of the kernel; only the runtime looks inside.
  KernelState &getState() const { return *state; }
  explicit Kernel(std::shared_ptr<KernelState> state);

private:
  std::shared_ptr<KernelState> state;
};

/// What to load, and from where.
struct KernelSource {
  /// The name for messages, and the file to read if `text` is not given. A
  /// name that ends in .mlir means IR of the front end's kind, not Python.
  std::string path;
  /// The kernel; empty for the only entry of the file.
  std::string kernel;
  /// The source, if it does not come from the file.
  std::optional<std::string> text = std::nullopt;
  /// Where the files it imports come from; the disk if it is null.
  std::shared_ptr<SourceFiles> files = nullptr;
  /// What to compile if it is not a file; then `path`, `kernel` and `text` do
  /// not count.
  std::shared_ptr<const Program> program = nullptr;
  /// Tensors that the kernel makes start as zeros, so that a mistake gives the
  /// same in every run. A program says so itself.
  bool isDebug = false;
  /// What is a warning elsewhere is an error. A program says so itself.
  bool isStrict = false;
  /// Nobody is told what may not have been meant. A program says so itself.
  bool isQuiet = false;
  /// What to compile for, such as "cpu:x86-64-v3" or "interpreter"; empty for
  /// this processor. A program says so itself.
  std::string target = "";
};

/// How targets of one kind are written, and what they are.
struct TargetKind {
  std::string usage;
  std::string summary;
};

/// Targets that run here whatever hardware there is, and where kernels run
/// then, such as `on this processor`. That of the default is first.
std::vector<std::pair<std::string, std::string>> listTargetChoices();

/// All kinds of targets, that of the default first.
std::vector<TargetKind> listTargets();

/// The stages that a kernel for the target can be printed at, in order. Fails
/// if there is no such target.
[[nodiscard]] Expected<std::vector<std::string>>
listStages(llvm::StringRef target = "");

/// A pass that kernels for a target go through.
struct PassDescription {
  std::string name;
  /// What it does, in a few words.
  std::string summary;
};

/// What a stage begins with that is the end of a pass: `after:cpu-vectorize`.
inline constexpr llvm::StringLiteral passStagePrefix = "after:";

/// These passes, in order. A kernel can be printed at a stage after each.
[[nodiscard]] Expected<std::vector<PassDescription>>
listPasses(llvm::StringRef target = "");

/// The source with its text, read from the file unless it is there already,
/// and with its files.
[[nodiscard]] Expected<KernelSource> readSource(const KernelSource &source);

/// Loads a kernel. If all its parameters are annotated it is compiled now,
/// otherwise, or if it needs the value of a number, at its first call. The
/// error is what is wrong with the file, one message per line with the source
/// line and a caret.
[[nodiscard]] Expected<Kernel> loadKernel(const KernelSource &source);
[[nodiscard]] Expected<Kernel> loadKernel(llvm::StringRef path,
                                          llvm::StringRef kernel = "");

/// The parameters of a kernel, without compiling it.
[[nodiscard]] Expected<Signature> readSignature(const KernelSource &source);

/// How often this process has compiled a kernel.
uint64_t getCompileCount();

/// Everything wrong with the file at `path`: all kernels are parsed, generated
/// and verified, none is run. Fails only if the file cannot be read.
[[nodiscard]] Expected<std::vector<Diagnostic>> checkFile(llvm::StringRef path);

/// How thoroughly to report.
enum class Explain {
  /// What is wrong.
  Mistakes,
  /// Also, as remarks, what is proved and what is checked when.
  Facts
};

/// The same for a source that has its text; of the kernel that it names, if it
/// names one.
std::vector<Diagnostic> checkSource(const KernelSource &source,
                                    Explain explain = Explain::Mistakes);

/// The names of the kernels in the file that can be run.
[[nodiscard]] Expected<std::vector<std::string>>
listKernels(llvm::StringRef path);
/// The same for a source that has its text.
[[nodiscard]] Expected<std::vector<std::string>>
listKernels(const KernelSource &source);

/// The kernel as text at the stage of that name, one of its target's or after
/// a pass. Open
/// parameters are specialised on `arguments`, which are otherwise not needed.
[[nodiscard]] Expected<std::string>
printStage(const KernelSource &source, llvm::StringRef stage,
           llvm::ArrayRef<Argument> arguments = {});

/// The kernel at `stage`, Frontend or Inferred, as kernel source again. The
/// text is the same program: it has been parsed and compared. What cannot be
/// written as source is an error that names it.
[[nodiscard]] Expected<std::string>
printSource(const KernelSource &source, Stage stage,
            llvm::ArrayRef<Argument> arguments = {});

/// The first thing in which two kernels differ.
struct KernelDifference {
  /// What it is in the first and what in the second.
  std::string message;
  SourceLocation first, second;
  /// The message and both locations, each with its source line and a caret.
  std::string text;
};

/// Compares the programs that two kernels are at `stage`, Frontend or Inferred:
/// nothing if they are the same. Names of variables, comments, the order of
/// helpers, and at Inferred how the body is divided into helpers do not count;
/// parameters, symbols, ops, types and constants do. Open parameters of both
/// are specialised on `arguments`.
[[nodiscard]] Expected<std::optional<KernelDifference>>
findDifference(const KernelSource &first, const KernelSource &second,
               Stage stage = Stage::Inferred,
               llvm::ArrayRef<Argument> arguments = {});

} // namespace tegula

#endif // TEGULA_RUNTIME_COMPILER_H
