// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/emit/Emitter.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace tegula;
using namespace mlir;

EmitterPart::EmitterPart(Emitter &emitter)
    : emitter(emitter), builder(emitter.builder), reporter(emitter.reporter),
      uses(emitter.uses) {}

Object Emitter::fail(Location loc, const llvm::Twine &message,
                     ArrayRef<Note> notes) {
  reporter.error(loc, message, notes);
  return Object::poison();
}

void Emitter::eraseTrial(Operation *op) {
  extents.forgetSettled();
  op->erase();
}

/// Runs `attempt`, which fails, and reports what it says under the name the
/// author knows.
void Emitter::explain(Location loc, StringRef name,
                      llvm::function_ref<void()> attempt) {
  std::string said;
  {
    ScopedDiagnosticHandler handler(getContext(), [&](Diagnostic &diagnostic) {
      if (said.empty())
        said = diagnostic.str();
      return success();
    });
    attempt();
  }
  fail(loc, "'" + name + "': " + said);
}

/// The result of an op just built, or null if it does not verify.
Value Emitter::verified(Operation *op, StringRef name) {
  {
    ScopedDiagnosticHandler handler(getContext(),
                                    [](Diagnostic &) { return success(); });
    if (succeeded(mlir::verify(op)))
      return op->getResult(0);
  }
  std::string operand;
  for (Value value : op->getOperands())
    if (!isa<IndexType>(value.getType()) && operand.empty())
      operand = describe(value.getType());
  auto elementwise = dyn_cast<pl::ElementwiseOpInterface>(op);
  bool isOther =
      elementwise && llvm::any_of(op->getOperands(), [&](Value value) {
        return !elementwise.takesElement(pl::getElementOrSelf(value.getType()));
      });
  fail(op->getLoc(), isOther
                         ? "'" + name + "' takes " +
                               elementwise.getElementKind() + ", got " + operand
                         : "'" + name + "' cannot take " + operand);
  op->erase();
  return {};
}
