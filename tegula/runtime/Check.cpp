// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Check.h"

#include "tegula/backends/Backend.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/KernelState.h"
#include "tegula/runtime/check/ArgumentCopies.h"
#include "tegula/runtime/check/Bisect.h"

using namespace tegula;

/// Compares the outputs of two runs of one call.
static CheckReport compareOutputs(const Signature &signature,
                                  llvm::ArrayRef<Argument> found,
                                  llvm::ArrayRef<Argument> expected,
                                  double tolerance) {
  CheckReport report;
  for (auto [index, parameter] : llvm::enumerate(signature.parameters))
    if (parameter.isWritten())
      report.outputs.push_back(
          compareTensors(parameter.name, found[index].getTensor(),
                         expected[index].getTensor(), tolerance));
  return report;
}

/// What `findRoundedTolerance` finds, of a module that was generated.
static Expected<double> toleranceOf(Compilation &compilation) {
  Expected<std::shared_ptr<const Target>> target = compilation.getTarget();
  if (!target)
    return target.takeError();
  double tolerance = 0;
  compilation.getModule().walk([&](pl::MatmulOp matmul) {
    if (std::optional<pl::Precision> precision = matmul.getPrecision())
      tolerance = std::max(tolerance, (*target)->getRounding(*precision));
  });
  return tolerance;
}

Expected<double>
tegula::findRoundedTolerance(const Kernel &kernel,
                             llvm::ArrayRef<Argument> arguments) {
  Compilation compilation(kernel.getState().source);
  if (Error error = compilation.generate(arguments))
    return error;
  return toleranceOf(compilation);
}

Expected<CheckReport> tegula::checkCall(const Kernel &kernel,
                                        llvm::ArrayRef<Argument> arguments) {
  Expected<ArgumentCopies> found = ArgumentCopies::create(arguments);
  if (!found)
    return found.takeError();
  if (Error error = kernel(found->get()))
    return error;
  Expected<ArgumentCopies> expected = ArgumentCopies::create(arguments);
  if (!expected)
    return expected.takeError();
  Compilation compilation(kernel.getState().source);
  if (Error error = compilation.generate(arguments))
    return error;
  Expected<double> tolerance = toleranceOf(compilation);
  if (!tolerance)
    return tolerance.takeError();
  if (Error error = compilation.interpret(expected->get()))
    return error;
  return compareOutputs(kernel.getSignature(), found->get(), expected->get(),
                        *tolerance);
}

Expected<std::optional<Culprit>>
tegula::bisectCall(const Kernel &kernel, llvm::ArrayRef<Argument> arguments) {
  Compilation compilation(kernel.getState().source);
  if (Error error = compilation.generate(arguments))
    return error;
  Expected<PassBisection> bisection =
      PassBisection::create(compilation, arguments);
  if (!bisection)
    return bisection.takeError();
  Expected<std::shared_ptr<const Target>> target = compilation.getTarget();
  if (!target)
    return target.takeError();
  Expected<double> tolerance = toleranceOf(compilation);
  if (!tolerance)
    return tolerance.takeError();
  if (Error error = compilation.advance((*target)->getStart(),
                                        bisection->makeInstrumentation()))
    return error;
  if (bisection->getCulprit())
    return bisection->getCulprit();

  Expected<ArgumentCopies> native = ArgumentCopies::create(arguments);
  if (!native)
    return native.takeError();
  if (Error error = kernel(native->get()))
    return error;
  if (std::optional<Comparison> wrong =
          bisection->compare(native->get(), *tolerance))
    return Culprit{"the target " + (*target)->getKey(), std::move(*wrong), ""};
  return std::nullopt;
}
