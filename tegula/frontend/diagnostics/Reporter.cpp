// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/diagnostics/Reporter.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;

void Reporter::error(mlir::Location loc, const llvm::Twine &message,
                     llvm::ArrayRef<Note> notes) {
  ++numErrors;
  if (!first)
    first = {loc, message.str()};
  std::vector<Note> all(notes.begin(), notes.end());
  all.insert(all.end(), calls.rbegin(), calls.rend());
  say({Message::Kind::Error, loc, message.str(), std::move(all)});
}

void Reporter::remark(mlir::Location loc, const llvm::Twine &message) {
  say({Message::Kind::Remark, loc, message.str(), {}});
}

void Reporter::warning(mlir::Location loc, const llvm::Twine &message) {
  say({Message::Kind::Warning, loc, message.str(), {}});
}

void Reporter::say(Message message) {
  if (isSilent)
    return;
  if (!attempts.empty()) {
    attempts.back().messages.push_back(std::move(message));
    return;
  }
  if (!seen.insert({message.loc.getAsOpaquePointer(), message.text}).second)
    return;
  mlir::InFlightDiagnostic diagnostic =
      message.kind == Message::Kind::Error
          ? mlir::emitError(message.loc, message.text)
      : message.kind == Message::Kind::Warning
          ? mlir::emitWarning(message.loc, message.text)
          : mlir::emitRemark(message.loc, message.text);
  for (const Note &note : message.notes)
    diagnostic.attachNote(note.first) << note.second;
}

void Reporter::beginAttempt() { attempts.push_back({{}, numErrors, first}); }

void Reporter::endAttempt(bool isForgotten) {
  Attempt attempt = std::move(attempts.back());
  attempts.pop_back();
  if (isForgotten) {
    numErrors = attempt.numErrors;
    first = attempt.first;
    return;
  }
  for (Message &message : attempt.messages)
    say(std::move(message));
}
