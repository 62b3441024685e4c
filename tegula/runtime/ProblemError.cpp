// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/ProblemError.h"

#include "tegula/runtime/Diagnostic.h"
#include "tegula/support/Recovery.h"

#include "llvm/Support/raw_ostream.h"

using namespace tegula;

namespace {

/// A problem that is not the kernel's, on its way through the compiler.
class OtherProblem : public llvm::ErrorInfo<OtherProblem> {
public:
  static char ID;

  OtherProblem(Problem::Kind kind, std::string text)
      : kind(kind), text(std::move(text)) {}

  Problem::Kind getKind() const { return kind; }

  void log(llvm::raw_ostream &stream) const override { stream << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  Problem::Kind kind;
  std::string text;
};

char OtherProblem::ID;

} // namespace

Error tegula::toError(const Problem &problem) {
  if (!problem)
    return Error::success();
  if (problem.getKind() != Problem::Kind::Compile)
    return llvm::make_error<OtherProblem>(problem.getKind(), problem.getText());
  Diagnostic diagnostic;
  diagnostic.location = {problem.getPath(), problem.getLine(),
                         problem.getColumn()};
  diagnostic.message = problem.getText();
  return llvm::make_error<KernelError>(std::vector{diagnostic},
                                       problem.getText());
}

Error tegula::blame(Error error) {
  return llvm::handleErrors(
      std::move(error), [](std::unique_ptr<llvm::StringError> text) {
        Problem::Kind kind = isSystemError(*text) ? Problem::Kind::System
                                                  : Problem::Kind::Internal;
        return toError(Problem(kind, text->message()));
      });
}

/// Where the first error is.
static SourceLocation locationOf(const KernelError &error) {
  for (const Diagnostic &diagnostic : error.getDiagnostics())
    if (diagnostic.severity == Severity::Error)
      return diagnostic.location;
  return {};
}

static Problem::Kind kindOf(StepEnded::Cause cause) {
  switch (cause) {
  case StepEnded::Cause::FatalError:
    return Problem::Kind::Internal;
  case StepEnded::Cause::NoMemory:
    return Problem::Kind::System;
  case StepEnded::Cause::Stopped:
    return Problem::Kind::Stopped;
  }
  llvm_unreachable("every cause is handled");
}

Problem tegula::toProblem(Error error, Problem::Kind kind) {
  if (!error)
    return {};
  SourceLocation location;
  std::string text;
  auto add = [&](const std::string &message) {
    text += (text.empty() ? "" : "\n") + message;
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const KernelError &kernel) {
        kind = Problem::Kind::Compile;
        location = locationOf(kernel);
        add(kernel.message());
      },
      [&](const OtherProblem &other) {
        kind = other.getKind();
        add(other.message());
      },
      [&](const StepEnded &ended) {
        kind = kindOf(ended.getCause());
        add(ended.message());
      },
      [&](const llvm::ErrorInfoBase &other) {
        kind = isSystemError(other) ? Problem::Kind::System : kind;
        add(other.message());
      });
  Problem problem(kind, text);
  problem.setLocation(location.file, location.line, location.column);
  return problem;
}
