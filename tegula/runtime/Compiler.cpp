// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compilation.h"

#include "tegula/backends/Backend.h"
#include "tegula/backends/CallInterpreter.h"
#include "tegula/backends/RunPasses.h"
#include "tegula/frontend/Frontend.h"
#include "tegula/frontend/diagnostics/StaticPrint.h"
#include "tegula/ir/Register.h"
#include "tegula/ir/ops/EntryAttributes.h"
#include "tegula/ir/ops/PlDialect.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/launch/call/Guard.h"
#include "tegula/launch/call/Program.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/File.h"
#include "tegula/support/SourceFiles.h"
#include "tegula/transforms/Pipelines.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace tegula;
using mlir::failed;
using mlir::failure;
using mlir::succeeded;
using mlir::success;

/// `source`, which has its text, with the files it may import.
static KernelSource withFiles(KernelSource source) {
  if (!source.files)
    source.files = std::make_shared<DiskFiles>();
  if (!source.program) {
    source.files->add(source.path, *source.text);
    return source;
  }
  source.path = source.program->blocks.front().path;
  source.kernel = source.program->blocks.front().name;
  for (const auto &[path, text] : textsOf(*source.program))
    source.files->add(path, text);
  return source;
}

Expected<KernelSource> tegula::readSource(const KernelSource &source) {
  KernelSource loaded = source;
  if (!loaded.text && !loaded.program) {
    Expected<std::string> text = readFile(source.path, DiskFiles::maxBytes);
    if (!text)
      return text.takeError();
    loaded.text = std::move(*text);
  }
  return withFiles(std::move(loaded));
}

// One kernel is too little work to share between threads, and starting them
// costs more than compiling it.
Compilation::Compilation(KernelSource source)
    : source(withFiles(std::move(source))),
      ownContext(std::make_unique<mlir::MLIRContext>(
          mlir::MLIRContext::Threading::DISABLED)),
      context(*ownContext) {
  // Messages are for the author of a kernel, who does not know the IR.
  context.printOpOnDiagnostic(false);
  loadDialects(context);
  mlir::DialectRegistry registry;
  for (const Backend *backend : listBackends())
    backend->registerDialects(registry);
  context.appendDialectRegistry(registry);
}

Compilation::Compilation(KernelSource source, Compilation &neighbour)
    : source(withFiles(std::move(source))), target(neighbour.target),
      context(neighbour.context) {}

Compilation::~Compilation() = default;

static Severity toSeverity(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return Severity::Error;
  case mlir::DiagnosticSeverity::Warning:
    return Severity::Warning;
  case mlir::DiagnosticSeverity::Remark:
    return Severity::Remark;
  case mlir::DiagnosticSeverity::Note:
    return Severity::Note;
  }
  llvm_unreachable("every severity is handled");
}

static Diagnostic toDiagnostic(mlir::Diagnostic &from) {
  Diagnostic to;
  auto named = mlir::dyn_cast<mlir::NameLoc>(from.getLocation());
  bool isSaid = named && named.getName() == staticPrintName;
  to.severity = isSaid ? Severity::Note : toSeverity(from.getSeverity());
  to.message = from.str();
  if (auto fileLoc = from.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
    to.location = {fileLoc.getFilename().str(), fileLoc.getLine(),
                   fileLoc.getColumn()};
  for (mlir::Diagnostic &note : from.getNotes())
    to.notes.push_back(toDiagnostic(note));
  return to;
}

std::vector<Diagnostic>
Compilation::collect(llvm::function_ref<llvm::LogicalResult()> step) {
  std::vector<Diagnostic> diagnostics;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        diagnostics.push_back(toDiagnostic(diagnostic));
        return success();
      });
  bool hasFailed = failed(step());
  bool hasError = llvm::any_of(diagnostics, [](const Diagnostic &entry) {
    return entry.severity == Severity::Error;
  });
  // A failure that says nothing is a mistake of ours; it must not look like
  // success.
  if (hasFailed && !hasError)
    diagnostics.push_back({Severity::Error,
                           {source.path, 0, 0},
                           "cannot compile '" + source.path + "'",
                           {}});
  return diagnostics;
}

Error Compilation::attempt(llvm::function_ref<llvm::LogicalResult()> step) {
  bool hasFailed = false;
  std::vector<Diagnostic> diagnostics = collect([&] {
    hasFailed = failed(step());
    return success(!hasFailed);
  });
  if (hasFailed)
    return makeKernelError(std::move(diagnostics));
  for (Diagnostic &diagnostic : diagnostics) {
    // A note that is about nothing else is what the author wants said.
    bool isWarning = diagnostic.severity == Severity::Warning ||
                     diagnostic.severity == Severity::Note;
    (isWarning ? warnings : remarks).push_back(std::move(diagnostic));
  }
  return Error::success();
}

Error Compilation::makeKernelError(std::vector<Diagnostic> diagnostics) {
  std::string text;
  for (const Diagnostic &diagnostic : diagnostics)
    text += formatDiagnostic(diagnostic, *source.files);
  return llvm::make_error<KernelError>(std::move(diagnostics),
                                       llvm::StringRef(text).rtrim().str());
}

std::vector<KernelWarning> Compilation::listWarnings() {
  std::vector<KernelWarning> list;
  bool isQuiet = getWarnings() == Warnings::None;
  for (const Diagnostic &warning : warnings) {
    if (isQuiet && warning.severity == Severity::Warning)
      continue;
    if (warning.severity == Severity::Note) {
      list.push_back({"", 0, warning.message, warning.message});
      continue;
    }
    std::string message = warning.message;
    for (const Diagnostic &note : warning.notes)
      message += "\n  " + note.message;
    std::string text = formatDiagnostic(warning, *source.files);
    list.push_back({warning.location.file, warning.location.line,
                    std::move(message), llvm::StringRef(text).rtrim().str()});
  }
  return list;
}

mlir::func::FuncOp Compilation::getEntry() { return findEntry(*module); }

bool Compilation::isDebug() {
  bool isAsked = source.program ? source.program->isDebug : source.isDebug;
  return isAsked || (getEntry() && getEntry()->hasAttr(pl::debugAttrName));
}

Warnings Compilation::getWarnings() {
  if (source.program ? source.program->isQuiet : source.isQuiet)
    return Warnings::None;
  bool isStrict = source.program ? source.program->isStrict : source.isStrict;
  isStrict |= getEntry() && getEntry()->hasAttr(pl::strictAttrName);
  return isStrict ? Warnings::AreErrors : Warnings::Reported;
}

bool Compilation::isIr() const {
  return !source.program && llvm::StringRef(source.path).ends_with(".mlir");
}

/// Checks what the front end guarantees and a hand-written entry may lack.
static llvm::LogicalResult verifyEntry(mlir::func::FuncOp entry) {
  if (entry.isExternal())
    return entry.emitError("the entry has no body");
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes()))
    if (!mlir::isa<pl::TensorViewType>(type) && !type.isIntOrIndexOrFloat())
      return entry.emitError() << "parameter " << index << " is " << type
                               << ", a !pl.tensor or a number is wanted";
  for (auto bind : entry.getOps<pl::BindOp>())
    for (mlir::Value tensor : bind.getTensors())
      if (!llvm::is_contained(entry.getArguments(), tensor))
        return bind.emitError("only parameters of the entry can be bound");
  return success();
}

Error Compilation::parseIr() {
  return attempt([&]() -> llvm::LogicalResult {
    mlir::ParserConfig config(&context);
    module = mlir::parseSourceString<mlir::ModuleOp>(*source.text, config,
                                                     source.path);
    if (!module)
      return failure();
    if (!getEntry())
      return module->emitError("no function is marked as entry");
    return verifyEntry(getEntry());
  });
}

/// Refuses shapes that no tensor has; a kernel is not specialised on them.
static Error checkShape(const Argument &argument, size_t index) {
  if (!argument.isTensor())
    return Error::success();
  const TensorView &view = argument.getTensor();
  if (view.rank > TensorView::maxRank)
    return makeError("argument {0}: {1}", index, TensorView::wrongAxes);
  for (auto [axis, size] : llvm::enumerate(view.getSizes()))
    if (size < 0)
      return makeError("argument {0}: axis {1} is {2}, an extent cannot be "
                       "negative",
                       index, axis, size);
  return Error::success();
}

/// What the front end needs to know about an argument. Numbers without a
/// declared type are what they are in Python: INDEX or FP32.
static ArgumentSpec toSpec(const Argument &argument) {
  if (!argument.isTensor()) {
    ArgumentSpec spec = {
        false, argument.isFloat() ? DType::FP32 : DType::Index, {}};
    if (argument.isFloat())
      spec.real = argument.getFloat();
    else
      spec.integer = static_cast<int64_t>(argument.getIntegerBits());
    return spec;
  }
  const TensorView &view = argument.getTensor();
  ArgumentSpec spec = {true, view.dtype, {}};
  for (int64_t size : view.getSizes())
    spec.shape.push_back(size);
  return spec;
}

mlir::OwningOpRef<mlir::ModuleOp>
Compilation::generateFrom(llvm::ArrayRef<ArgumentSpec> specs,
                          const MachineParts &parts) {
  if (source.program)
    return generateModule(context, *source.program, specs, parts);
  return generateModule(context, *source.text, source.path, source.kernel,
                        specs, source.files.get(), parts, listener);
}

Error Compilation::checkNumbers(llvm::ArrayRef<Argument> arguments) {
  Expected<Signature> declared = declare();
  if (!declared) {
    llvm::consumeError(declared.takeError());
    return Error::success();
  }
  for (auto [argument, parameter] :
       llvm::zip(arguments, declared->parameters)) {
    bool wantsInteger =
        parameter.isScalar() && parameter.dtype && !isFloat(*parameter.dtype);
    if (wantsInteger && !argument.isTensor() && argument.isFloat())
      return toError(
          makeCallProblem("argument '{0}': {1} is wanted, got a float",
                          parameter.name, getName(*parameter.dtype)));
  }
  return Error::success();
}

Error Compilation::generate(llvm::ArrayRef<Argument> arguments) {
  if (isIr())
    return parseIr();
  Expected<std::shared_ptr<const Target>> goal = getTarget();
  if (!goal)
    return goal.takeError();
  std::vector<ArgumentSpec> specs;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (Error error = checkShape(argument, index))
      return error;
    specs.push_back(toSpec(argument));
  }
  Error error = attempt([&] {
    module = generateFrom(specs, (*goal)->getMachine().parts);
    return success(module && succeeded(mlir::verify(*module)));
  });
  if (!error)
    return error;
  // What the call brings may be the reason that a constant is missing.
  if (Error refused = checkNumbers(arguments)) {
    llvm::consumeError(std::move(error));
    return refused;
  }
  return error;
}

Error Compilation::runPasses(
    llvm::function_ref<void(mlir::OpPassManager &)> build,
    std::unique_ptr<mlir::PassInstrumentation> instrumentation) {
  return attempt([&] {
    return tegula::runPasses(*module, build, std::move(instrumentation));
  });
}

Error Compilation::advance(
    Stage wanted, std::unique_ptr<mlir::PassInstrumentation> instrumentation) {
  Expected<std::shared_ptr<const Target>> goal = getTarget();
  if (!goal)
    return goal.takeError();
  Stage from = stage;
  stage = std::max(from, wanted);
  InferOptions options;
  options.warnings = getWarnings();
  options.zeroTensors = isDebug();
  options.keepBarriers = keepsBarriers;
  return runPasses(
      [&](mlir::OpPassManager &manager) {
        for (Stage next : listCommonStages())
          if (next > from && next <= wanted)
            buildStage(manager, next, options, (*goal)->getMachine());
      },
      std::move(instrumentation));
}

Error Compilation::interpret(llvm::ArrayRef<Argument> arguments) {
  Guard guard;
  if (Error error = toError(Guard::create(getSignature(getEntry()), guard)))
    return error;
  int64_t slots[Guard::maxSlots];
  if (Error error = toError(guard.check(arguments, slots)))
    return error;
  pl::InterpreterOptions options;
  options.checkIndependence = true;
  return attempt([&] {
    return callInterpreter(getEntry(), guard.getSignature(), arguments, slots,
                           options);
  });
}
