// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One kernel on its way from source to an image. Internal to the runtime:
/// this is where MLIR begins.

#ifndef TEGULA_RUNTIME_COMPILATION_H
#define TEGULA_RUNTIME_COMPILATION_H

#include "tegula/backends/Backend.h"
#include "tegula/launch/image/KernelImage.h"
#include "tegula/launch/threads/ForkGate.h"
#include "tegula/runtime/Compiler.h"
#include "tegula/runtime/StepReports.h"
#include "tegula/support/MachineParts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

enum class Warnings;

class NameListener;
class PipelineBuilder;
struct ArgumentSpec;
struct InferOptions;

/// What the entry function takes: types and directions of its arguments, and
/// the symbols that pl.bind gives their axes.
Signature getSignature(mlir::func::FuncOp entry);

/// What the source is compiled for.
[[nodiscard]] Expected<std::shared_ptr<const Target>>
findTargetOf(const KernelSource &source);

/// `generated`, which knows more, with what it does not know: how the source
/// computes extents.
Signature withExpressions(Signature generated, const Signature &declared);

/// A module and everything needed to take it from one stage to the next.
class Compilation {
public:
  /// `source` has its text.
  explicit Compilation(KernelSource source);
  /// The same in the context of `neighbour`, which outlives it: both modules
  /// share types and attributes, and can be compared.
  Compilation(KernelSource source, Compilation &neighbour);
  ~Compilation();

  /// The parameters as the source declares them.
  [[nodiscard]] Expected<Signature> declare();

  /// The names of all kernels of the file.
  [[nodiscard]] Expected<std::vector<std::string>> listNames();

  /// Parses and generates the kernel. Open parameters take the types and
  /// shapes of `arguments`.
  [[nodiscard]] Error generate(llvm::ArrayRef<Argument> arguments);

  /// Generates the module anew for calls that bring `specs`; diagnostics are
  /// emitted.
  llvm::LogicalResult generateFrom(llvm::ArrayRef<ArgumentSpec> specs,
                                   const MachineParts &parts);
  /// The kernels of the file; diagnostics are emitted.
  std::optional<std::vector<Signature>> readKernels();
  /// Goes on with another kernel of the file.
  void chooseKernel(const std::string &name) { source.kernel = name; }

  /// What it is compiled for: what the source says, or what was set.
  [[nodiscard]] Expected<std::shared_ptr<const Target>> getTarget();
  void setTarget(std::shared_ptr<const Target> chosen) {
    target = std::move(chosen);
  }

  /// Leaves grids whole on the way to stage inferred: what is compared, or
  /// printed as source, has its barriers where the author put them.
  void keepBarriers() { keepsBarriers = true; }

  /// Runs the passes up to `stage`.
  [[nodiscard]] Error
  advance(Stage stage,
          std::unique_ptr<mlir::PassInstrumentation> instrumentation = nullptr);

  /// Runs all passes up to a stage of the target's own, or to the last one if
  /// it is empty.
  [[nodiscard]] Error advanceToTarget(llvm::StringRef stage);

  /// Runs all passes up to one of them, by its name. Nothing has run yet.
  [[nodiscard]] Error advanceToPass(llvm::StringRef pass);

  /// Runs the first `limit` passes that `build` adds, the verifier after each.
  [[nodiscard]] Error
  runPasses(llvm::function_ref<void(PipelineBuilder &)> build,
            std::unique_ptr<mlir::PassInstrumentation> instrumentation,
            std::optional<size_t> limit = std::nullopt);

  /// What becomes of warnings.
  Warnings getWarnings();
  /// What steps that succeeded had to say.
  std::vector<KernelWarning> listWarnings();
  StepReports &getReports() { return reports; }

  /// Runs `step`, which may end in its middle; then nothing more can be done
  /// with this.
  [[nodiscard]] Error recover(llvm::function_ref<Error()> step);

  /// Interprets the module as it is now; writes to the memory of `arguments`.
  /// Iterations of an independent loop that overlap are an error.
  [[nodiscard]] Error interpret(llvm::ArrayRef<Argument> arguments);

  /// The first difference to a module in the same context.
  std::optional<KernelDifference> findDifference(Compilation &other);

  /// Who hears what names mean while kernels are checked; null if nobody.
  void setListener(NameListener *chosen) { listener = chosen; }

  mlir::MLIRContext &getContext() { return context; }
  mlir::ModuleOp getModule() { return *module; }
  const KernelSource &getSource() const { return source; }
  /// The function that is called from outside.
  mlir::func::FuncOp getEntry();

private:
  /// True if what the kernel leaves undefined is to be defined.
  bool isDebug();
  /// How the road to stage inferred is taken.
  InferOptions getInferOptions();
  /// Sources that are IR already, for those who work on the compiler.
  bool isIr() const;
  [[nodiscard]] Error parseIr();
  /// Fails if an argument is a float where the source wants an integer.
  [[nodiscard]] Error checkNumbers(llvm::ArrayRef<Argument> arguments);

  /// A child that was forked could not use MLIR as this thread leaves it.
  CompileScope scope;
  KernelSource source;
  std::shared_ptr<const Target> target;
  std::unique_ptr<mlir::MLIRContext> ownContext;
  mlir::MLIRContext &context;
  StepReports reports{context, source};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Stage stage = Stage::Frontend;
  bool keepsBarriers = false;
  NameListener *listener = nullptr;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_COMPILATION_H
