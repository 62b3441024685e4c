// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/Reporter.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;

void Reporter::error(mlir::Location loc, const llvm::Twine &message,
                     llvm::ArrayRef<Note> notes) {
  ++numErrors;
  if (!first)
    first = {loc, message.str()};
  if (isSilent)
    return;
  std::string text = message.str();
  if (!seen.insert({loc.getAsOpaquePointer(), text}).second)
    return;
  mlir::InFlightDiagnostic diagnostic = mlir::emitError(loc, text);
  for (const Note &note : notes)
    diagnostic.attachNote(note.first) << note.second;
  for (const Note &call : llvm::reverse(calls))
    diagnostic.attachNote(call.first) << call.second;
}

void Reporter::remark(mlir::Location loc, const llvm::Twine &message) {
  std::string text = message.str();
  if (!isSilent && seen.insert({loc.getAsOpaquePointer(), text}).second)
    mlir::emitRemark(loc, text);
}

void Reporter::warning(mlir::Location loc, const llvm::Twine &message) {
  std::string text = message.str();
  if (!isSilent && seen.insert({loc.getAsOpaquePointer(), text}).second)
    mlir::emitWarning(loc, text);
}
