// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/constants/NamesElsewhere.h"

using namespace tegula;
using llvm::ArrayRef;
using llvm::StringRef;

bool tegula::bindArguments(StringRef function, ArrayRef<StringRef> parameters,
                           ArrayRef<bool> isRequired,
                           const CallArguments &arguments, Reporter &reporter,
                           std::vector<std::optional<CallArgument>> &bound) {
  bound.assign(parameters.size(), std::nullopt);
  size_t given = arguments.positional.size();
  if (given > parameters.size()) {
    reporter.error(arguments.loc,
                   function + "() takes " + llvm::Twine(parameters.size()) +
                       (parameters.size() == 1 ? " positional argument but "
                                               : " positional arguments but ") +
                       llvm::Twine(given) + " were given");
    return false;
  }
  for (size_t i = 0; i < given; ++i)
    bound[i] = arguments.positional[i];
  bool isRight = true;
  for (const auto &[name, argument] : arguments.keywords) {
    auto found = llvm::find(parameters, name);
    size_t position = found - parameters.begin();
    if (found == parameters.end()) {
      reporter.error(argument.loc,
                     function + "() got an unexpected keyword argument '" +
                         name + "'" + nearestParameter(name, parameters));
      isRight = false;
    } else if (bound[position]) {
      reporter.error(argument.loc, function +
                                       "() got multiple values for argument '" +
                                       name + "'");
      isRight = false;
    } else {
      bound[position] = argument;
    }
  }
  for (auto [position, required] : llvm::enumerate(isRequired))
    if (isRight && required && !bound[position]) {
      reporter.error(arguments.loc, function +
                                        "() missing required argument '" +
                                        parameters[position] + "'");
      return false;
    }
  return isRight;
}
