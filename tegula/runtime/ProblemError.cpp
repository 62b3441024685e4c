// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/ProblemError.h"

#include "tegula/runtime/Diagnostic.h"

#include "llvm/Support/raw_ostream.h"

using namespace tegula;

namespace {

/// A call that does not fit, on its way through the compiler.
class RefusedCall : public llvm::ErrorInfo<RefusedCall> {
public:
  static char ID;

  explicit RefusedCall(std::string text) : text(std::move(text)) {}

  void log(llvm::raw_ostream &stream) const override { stream << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string text;
};

char RefusedCall::ID;

} // namespace

Error tegula::toError(const Problem &problem) {
  if (!problem)
    return Error::success();
  if (problem.getKind() == Problem::Kind::Call)
    return llvm::make_error<RefusedCall>(problem.getText());
  if (problem.getKind() != Problem::Kind::Compile)
    return makeTextError(problem.getText());
  Diagnostic diagnostic;
  diagnostic.place = {problem.getPath(), problem.getLine(),
                      problem.getColumn()};
  diagnostic.message = problem.getText();
  return llvm::make_error<KernelError>(std::vector{diagnostic},
                                       problem.getText());
}

/// Where the first error is.
static SourcePlace placeOf(const KernelError &error) {
  for (const Diagnostic &diagnostic : error.getDiagnostics())
    if (diagnostic.severity == Severity::Error)
      return diagnostic.place;
  return {};
}

Problem tegula::toProblem(Error error, Problem::Kind kind) {
  if (!error)
    return {};
  SourcePlace place;
  std::string text;
  auto add = [&](const std::string &message) {
    text += (text.empty() ? "" : "\n") + message;
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const KernelError &kernel) {
        kind = Problem::Kind::Compile;
        place = placeOf(kernel);
        add(kernel.message());
      },
      [&](const RefusedCall &refused) {
        kind = Problem::Kind::Call;
        add(refused.message());
      },
      [&](const llvm::ErrorInfoBase &other) { add(other.message()); });
  Problem problem(kind, text);
  problem.setPlace(place.file, place.line, place.column);
  return problem;
}
