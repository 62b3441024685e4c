// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compilation.h"

#include "tegula/backends/Backend.h"
#include "tegula/backends/CallInterpreter.h"
#include "tegula/backends/RunPasses.h"
#include "tegula/frontend/Frontend.h"
#include "tegula/ir/Register.h"
#include "tegula/ir/ops/PlDialect.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"
#include "tegula/launch/call/Guard.h"
#include "tegula/launch/call/Program.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/File.h"
#include "tegula/support/Recovery.h"
#include "tegula/support/SourceFiles.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/Pipelines.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

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

std::vector<KernelWarning> Compilation::listWarnings() {
  return reports.listWarnings(getWarnings() == Warnings::None);
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
  return reports.attempt([&]() -> llvm::LogicalResult {
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

llvm::LogicalResult
Compilation::generateFrom(llvm::ArrayRef<ArgumentSpec> specs,
                          const MachineParts &parts) {
  stage = Stage::Frontend;
  module =
      source.program
          ? generateModule(context, *source.program, specs, parts)
          : generateModule(context, *source.text, source.path, source.kernel,
                           specs, source.files.get(), parts, listener);
  return success(module && succeeded(mlir::verify(*module)));
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
  Error error = reports.attempt(
      [&] { return generateFrom(specs, (*goal)->getMachine().parts); });
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
    llvm::function_ref<void(PipelineBuilder &)> build,
    std::unique_ptr<mlir::PassInstrumentation> instrumentation,
    std::optional<size_t> limit) {
  return reports.attempt([&] {
    return tegula::runPasses(*module, build, std::move(instrumentation), limit);
  });
}

InferOptions Compilation::getInferOptions() {
  InferOptions options;
  options.warnings = getWarnings();
  options.zeroTensors = isDebug();
  options.keepBarriers = keepsBarriers;
  return options;
}

Error Compilation::advance(
    Stage wanted, std::unique_ptr<mlir::PassInstrumentation> instrumentation) {
  Expected<std::shared_ptr<const Target>> goal = getTarget();
  if (!goal)
    return goal.takeError();
  Stage from = stage;
  stage = std::max(from, wanted);
  InferOptions options = getInferOptions();
  return runPasses(
      [&](PipelineBuilder &manager) {
        for (Stage next : listCommonStages())
          if (next > from && next <= wanted)
            buildStage(manager, next, options, (*goal)->getMachine());
      },
      std::move(instrumentation));
}

Expected<std::shared_ptr<const Target>> Compilation::getTarget() {
  if (target)
    return target;
  Expected<std::shared_ptr<const Target>> found = findTargetOf(source);
  if (found)
    target = *found;
  return found;
}

Error Compilation::advanceToTarget(llvm::StringRef wanted) {
  Expected<std::shared_ptr<const Target>> goal = getTarget();
  if (!goal)
    return goal.takeError();
  if (Error error = advance((*goal)->getStart()))
    return error;
  return runPasses(
      [&](PipelineBuilder &manager) {
        (*goal)->buildPipeline(manager, wanted);
      },
      nullptr);
}

Error Compilation::recover(llvm::function_ref<Error()> step) {
  Error error = Error::success();
  if (Error ended = runRecovering([&] { error = step(); })) {
    llvm::consumeError(std::move(error));
    // What was in work cannot be destroyed.
    module.release();
    (void)ownContext.release();
    return ended;
  }
  return error;
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
  return reports.attempt([&] {
    return callInterpreter(getEntry(), guard.getSignature(), arguments, slots,
                           options);
  });
}
