// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/serve/JobArguments.h"

#include "tegula/runtime/Compiler.h"
#include "tegula/sim/machine/MachineFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;
using Arguments = std::vector<std::string>;

static StringRef textOf(const llvm::json::Object &request, StringRef key) {
  return request.getString(key).value_or("");
}

static bool isName(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Adds `option NAME=VALUE` for each in `text`, whose values have no
/// characters but those of `allowed`.
static Error addNumbers(Arguments &arguments, StringRef option, StringRef text,
                        StringRef allowed) {
  llvm::SmallVector<StringRef> parts;
  llvm::SplitString(text, parts, " \t\n,");
  for (StringRef part : parts) {
    auto [name, value] = part.split('=');
    if (!isName(name) || value.empty() || value.size() > 32 ||
        value.find_first_not_of(allowed) != StringRef::npos)
      return makeError("'{0}' is not NAME=NUMBER",
                       llvm::json::fixUTF8(part.take_front(64)));
    arguments.push_back(option.str());
    arguments.push_back(part.str());
  }
  return Error::success();
}

/// Adds an option whose value is one of `choices`, the first if none is given.
static Error addChoice(Arguments &arguments, StringRef option, StringRef value,
                       llvm::ArrayRef<std::string> choices) {
  if (value.empty() && !choices.empty())
    value = choices.front();
  if (!llvm::is_contained(choices, value))
    return makeError("there is no '{0}' to choose; there are {1}",
                     llvm::json::fixUTF8(value.take_front(64)),
                     llvm::join(choices, ", "));
  arguments.push_back(option.str());
  arguments.push_back(value.str());
  return Error::success();
}

/// Adds the target, which runs here whatever hardware there is, and for `ir` a
/// stage of it.
static Error addTarget(Arguments &arguments, StringRef verb,
                       const llvm::json::Object &request) {
  std::vector<std::string> targets;
  for (auto &[target, where] : listTargetChoices())
    targets.push_back(target);
  StringRef target = textOf(request, "target");
  if (Error error = addChoice(arguments, "--target", target, targets))
    return error;
  if (verb != "ir")
    return Error::success();
  Expected<std::vector<std::string>> stages = listStages(target);
  if (!stages)
    return stages.takeError();
  StringRef stage = textOf(request, "stage");
  return addChoice(arguments, "--stage",
                   stage.empty() ? getName(Stage::Tiles) : stage, *stages);
}

static Error addOptions(Arguments &arguments, StringRef verb,
                        const llvm::json::Object &request) {
  if (verb == "check") {
    arguments.push_back("--json");
    return Error::success();
  }
  if (verb == "at") {
    StringRef place = textOf(request, "place");
    if (place.empty() || place.size() > 16 ||
        place.find_first_not_of("0123456789:") != StringRef::npos)
      return makeError("'{0}' is not LINE:COLUMN",
                       llvm::json::fixUTF8(place.take_front(64)));
    arguments.insert(arguments.end(), {"--at", place.str()});
    return Error::success();
  }
  if (verb == "sim") {
    arguments.insert(arguments.end(), {"--report", jobReport});
    if (Error error = addChoice(arguments, "--npu", textOf(request, "machine"),
                                sim::listMachines()))
      return error;
  } else if (Error error = addTarget(arguments, verb, request))
    return error;
  // Text of a page is compiled, and nothing else of it runs.
  if (verb == "run")
    arguments.insert(arguments.end(), {"--check", "--no-reference"});
  if (Error error = addNumbers(arguments, "--dim", textOf(request, "sizes"),
                               "0123456789"))
    return error;
  return addNumbers(arguments, "--scalar", textOf(request, "scalars"),
                    "0123456789+-.eE");
}

Expected<Arguments>
tegula::makeJobArguments(StringRef verb, const llvm::json::Object &request) {
  std::string file = jobSource;
  StringRef kernel = textOf(request, "kernel");
  if (!kernel.empty() && !isName(kernel))
    return makeError("'{0}' is not the name of a kernel",
                     llvm::json::fixUTF8(kernel.take_front(64)));
  bool isOfFile = verb == "check" || verb == "at";
  if (!kernel.empty() && !isOfFile)
    file += ":" + kernel.str();
  Arguments arguments = {isOfFile ? "check" : verb.str(), file};
  if (Error error = addOptions(arguments, verb, request))
    return error;
  return arguments;
}
