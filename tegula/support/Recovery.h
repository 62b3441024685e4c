// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Steps of a compile that may end in their middle: LLVM meets an error that it
/// calls fatal, memory runs out, or whoever waits no longer wants the result.
/// The process goes on. It is the one place with exceptions: they are thrown
/// through code that knows none and so cleans nothing up.

#ifndef TEGULA_SUPPORT_RECOVERY_H
#define TEGULA_SUPPORT_RECOVERY_H

#include "tegula/support/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula {

/// Why a step ended in its middle.
class StepEnded : public llvm::ErrorInfo<StepEnded> {
public:
  static char ID; // NOLINT(readability-identifier-naming)

  enum class Cause {
    /// LLVM could go no further.
    FatalError,
    NoMemory,
    /// stopStep was called.
    Stopped
  };

  StepEnded(Cause cause, std::string text)
      : cause(cause), text(std::move(text)) {}

  Cause getCause() const { return cause; }
  void log(llvm::raw_ostream &stream) const override { stream << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  Cause cause;
  std::string text;
};

/// Runs `step`; the error is a StepEnded. After one, what the step was making
/// is in no known state: it must be neither used nor destroyed. The step holds
/// no lock while it calls what may end it.
[[nodiscard]] Error runRecovering(llvm::function_ref<void()> step);

/// Ends the innermost step that this thread runs; returns if it runs none.
void stopStep();

/// Ends the innermost step as a step in it ended, of which `ended` is the
/// error; gives that back if this thread runs none.
[[nodiscard]] Error endStep(Error ended);

/// From now on a process for which there is no memory, or no thread, outside of
/// steps ends with an error and the code 1. For programs; a library does not
/// decide that.
void endProcessOnNoMemory();

} // namespace tegula

#endif // TEGULA_SUPPORT_RECOVERY_H
