// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sizes must satisfy beyond being equal.

#include "tegula/launch/call/Guard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;

ExtentProgram Guard::resolve(ExtentProgram program,
                             llvm::ArrayRef<std::string> symbols) const {
  for (ExtentProgram::Step &step : program.steps) {
    if (step.op == ExtentProgram::Op::Size)
      step.number =
          llvm::find(symbols, program.names[step.number]) - symbols.begin();
    if (step.op != ExtentProgram::Op::Scalar)
      continue;
    int64_t slot = 0;
    for (const ParameterCheck &check :
         llvm::ArrayRef(checks).take_front(step.number))
      slot += 1 + 2 * check.rank;
    step.number = slot;
  }
  return program;
}

void Guard::addRequirements(llvm::ArrayRef<std::string> symbols) {
  for (SizeRequirement requirement : signature.requirements) {
    requirement.condition = resolve(requirement.condition, symbols);
    for (auto &[name, size] : requirement.sizes)
      size = resolve(size, symbols);
    requirements.push_back(std::move(requirement));
  }
}

Problem Guard::wrongSizes(const SizeRequirement &requirement,
                          const int64_t *sizes, const int64_t *slots) const {
  std::vector<std::string> found;
  for (const auto &[name, size] : requirement.sizes)
    found.push_back(name + " is " + std::to_string(size.run(sizes, slots)));
  if (requirement.parameter < 0) {
    std::string location =
        requirement.location.empty() ? "" : requirement.location + ": ";
    return makeCallProblem("{0}needs {1}{2}{3}", location, requirement.text,
                           found.empty() ? "" : ", but ",
                           llvm::join(found, " and "));
  }
  const Parameter &parameter = signature.parameters[requirement.parameter];
  const ParameterCheck &check = checks[requirement.parameter];
  const AxisCheck &axis = axes[check.firstAxis + requirement.axis];
  int64_t extent = axis.extent >= 0 ? axis.extent : sizes[axis.symbol];
  if (found.empty())
    return makeCallProblem("argument '{0}': axis {1} is {2}, but {3} is wanted",
                           parameter.name, requirement.axis, extent,
                           (*parameter.axes)[requirement.axis].symbol);
  auto others = llvm::ArrayRef(found).drop_front();
  return makeCallProblem("argument '{0}': axis {1} is {2}, but {3}{4}{5}{6}",
                         parameter.name, requirement.axis, extent,
                         found.front(), others.empty() ? "" : " (",
                         llvm::join(others, ", "), others.empty() ? "" : ")");
}
