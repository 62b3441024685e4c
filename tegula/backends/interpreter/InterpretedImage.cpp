// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/interpreter/InterpretedImage.h"

#include "tegula/backends/CallInterpreter.h"
#include "tegula/ir/Register.h"
#include "tegula/launch/threads/ForkGate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace tegula;

/// "k.py:3:5: what is wrong", as compiled kernels say it, and a line for each
/// note.
static std::string describe(mlir::Diagnostic &diagnostic) {
  std::string text;
  if (auto fileLoc =
          diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
    text = fileLoc.getFilename().str() + ":" +
           std::to_string(fileLoc.getLine()) + ":" +
           std::to_string(fileLoc.getColumn()) + ": ";
  text += diagnostic.str();
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    text += "\n  " + describe(note);
  return text;
}

/// Runs `step`; what it emits is the problem if it fails.
static Problem attempt(mlir::MLIRContext &context, Problem::Kind kind,
                       llvm::function_ref<llvm::LogicalResult()> step) {
  std::string text;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          text += (text.empty() ? "" : "\n") + describe(diagnostic);
        return llvm::success();
      });
  if (succeeded(step()))
    return {};
  return Problem(kind, text.empty() ? "the interpreter failed" : text);
}

InterpretedImage::InterpretedImage()
    : context(mlir::MLIRContext::Threading::DISABLED) {
  context.printOpOnDiagnostic(false);
  loadDialects(context);
}

Problem InterpretedImage::load(const KernelImage &image,
                               std::unique_ptr<LoadedImage> &loaded) {
  CompileScope scope;
  const ImageObject *program = image.find(programKind);
  std::unique_ptr<InterpretedImage> made(new InterpretedImage());
  made->signature = image.facts.signature;
  Problem problem = attempt(made->context, Problem::Kind::System, [&] {
    mlir::ParserConfig config(&made->context);
    made->module = mlir::parseSourceString<mlir::ModuleOp>(
        program ? program->bytes : "", config);
    return llvm::success(made->module && findEntry(*made->module));
  });
  if (problem)
    return problem;
  loaded = std::move(made);
  return {};
}

Problem InterpretedImage::run(llvm::ArrayRef<Argument> arguments,
                              const int64_t *slots) {
  // A child that was forked could not use the context as a call leaves it.
  CompileScope scope;
  std::lock_guard<std::mutex> lock(mutex);
  return attempt(context, Problem::Kind::Run, [&] {
    return callInterpreter(findEntry(*module), signature, arguments, slots);
  });
}
