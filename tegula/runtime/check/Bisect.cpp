// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/check/Bisect.h"

#include "tegula/ir/MemoryAccess.h"

#include "mlir/Pass/Pass.h"

using namespace tegula;

namespace {

/// Tells the bisection of every pass that has run.
class AfterEachPass : public mlir::PassInstrumentation {
public:
  explicit AfterEachPass(PassBisection &bisection) : bisection(bisection) {}

  void runAfterPass(mlir::Pass *pass, mlir::Operation *) override {
    // Adaptors only hold other passes; they have no flag.
    if (!pass->getArgument().empty())
      bisection.look(pass->getArgument());
  }

private:
  PassBisection &bisection;
};

} // namespace

Expected<PassBisection>
PassBisection::create(Compilation &compilation,
                      llvm::ArrayRef<Argument> arguments) {
  Expected<ArgumentCopies> original = ArgumentCopies::create(arguments);
  if (!original)
    return original.takeError();
  Expected<ArgumentCopies> expected = ArgumentCopies::create(arguments);
  if (!expected)
    return expected.takeError();
  if (Error error = compilation.interpret(expected->get()))
    return error;
  return PassBisection(compilation, getSignature(compilation.getEntry()),
                       std::move(*original), std::move(*expected));
}

std::unique_ptr<mlir::PassInstrumentation>
PassBisection::makeInstrumentation() {
  return std::make_unique<AfterEachPass>(*this);
}

std::optional<Comparison> PassBisection::compare(llvm::ArrayRef<Argument> found,
                                                 double tolerance) const {
  for (auto [index, parameter] : llvm::enumerate(signature.parameters)) {
    if (!parameter.isWritten())
      continue;
    Comparison output =
        compareTensors(parameter.name, found[index].getTensor(),
                       expected.get()[index].getTensor(), tolerance);
    if (!output.agrees())
      return output;
  }
  return std::nullopt;
}

/// The last op of the function that writes the argument named `name`, as text
/// with its location.
static std::string describeWriter(mlir::func::FuncOp entry,
                                  const Signature &signature,
                                  const std::string &name) {
  mlir::Operation *writer = nullptr;
  for (auto [argument, parameter] :
       llvm::zip(entry.getArguments(), signature.parameters)) {
    if (parameter.name != name)
      continue;
    mlir::Value root = argument;
    entry.walk([&](mlir::Operation *op) {
      if (op->getNumRegions() == 0 && mayWrite(op, root))
        writer = op;
    });
  }
  if (!writer)
    return "";
  std::string text = "'" + writer->getName().getStringRef().str() + "'";
  if (auto fileLoc = writer->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
    text += " at " + fileLoc.getFilename().str() + ":" +
            std::to_string(fileLoc.getLine()) + ":" +
            std::to_string(fileLoc.getColumn());
  return text;
}

void PassBisection::look(llvm::StringRef pass) {
  if (culprit)
    return;
  Expected<ArgumentCopies> found = ArgumentCopies::create(original.get());
  if (!found) {
    llvm::consumeError(found.takeError());
    return;
  }
  if (Error error = compilation->interpret(found->get())) {
    Comparison output;
    output.name = signature.kernel;
    output.firstWrong = llvm::toString(std::move(error));
    culprit = Culprit{pass.str(), std::move(output), ""};
    return;
  }
  std::optional<Comparison> wrong = compare(found->get());
  if (!wrong)
    return;
  std::string op =
      describeWriter(compilation->getEntry(), signature, wrong->name);
  culprit = Culprit{pass.str(), std::move(*wrong), std::move(op)};
}
