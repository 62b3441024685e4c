// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/object/ObjectFile.h"

#include "tegula/backends/cpu/object/SkippedLlvmPasses.h"
#include "tegula/launch/threads/StopRequest.h"
#include "tegula/support/Error.h"
#include "tegula/support/Recovery.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tegula;

namespace {

/// Asked before each pass on each function, as functions may take long.
class StopIfWanted : public OptPassGate {
public:
  explicit StopIfWanted(LLVMContext &context)
      : context(context), before(context.getOptPassGate()) {
    context.setOptPassGate(*this);
  }
  ~StopIfWanted() override { context.setOptPassGate(before); }

  bool isEnabled() const override { return true; }
  bool shouldRunPass(StringRef pass, StringRef function) const override {
    if (isStopWanted())
      stopStep();
    return !before.isEnabled() || before.shouldRunPass(pass, function);
  }

private:
  LLVMContext &context;
  OptPassGate &before;
};

/// Keeps the errors that LLVM would print before it ends the process.
struct KeepErrors : DiagnosticHandler {
  explicit KeepErrors(std::string &messages) : messages(messages) {}

  bool handleDiagnostics(const DiagnosticInfo &diagnostic) override {
    if (diagnostic.getSeverity() != DS_Error)
      return true;
    raw_string_ostream stream(messages);
    stream << (messages.empty() ? "" : "; ");
    DiagnosticPrinterRawOStream printer(stream);
    diagnostic.print(printer);
    return true;
  }

  std::string &messages;
};

} // namespace

Error tegula::emitCode(Module &module, TargetMachine &machine,
                       CodeGenFileType type, raw_pwrite_stream &stream,
                       ArrayRef<StringLiteral> leftOut) {
  std::string messages;
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> before = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<KeepErrors>(messages));
  StopIfWanted gate(context);
  legacy::PassManager passes;
  // The module was verified when it was translated.
  SkippedLlvmPasses wanted(passes, leftOut);
  bool isImpossible = machine.addPassesToEmitFile(wanted, stream, nullptr, type,
                                                  /*DisableVerify=*/true);
  if (!isImpossible)
    passes.run(module);
  context.setDiagnosticHandler(std::move(before));
  if (isImpossible)
    return makeError("cannot write code for {0}",
                     machine.getTargetTriple().str());
  if (!messages.empty())
    return makeError("cannot make code of the kernel: {0}", messages);
  return Error::success();
}

Expected<FileBytes> tegula::emitObject(Module &module, TargetMachine &machine) {
  FileBytes bytes;
  raw_svector_ostream stream(bytes);
  if (Error error = emitCode(module, machine, CodeGenFileType::ObjectFile,
                             stream, getSkippedLlvmPasses()))
    return error;
  return bytes;
}
