// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/bench/BenchCases.h"

#include "tegula/runtime/simulation/SimulatedTarget.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;

std::vector<OptionSpec> tegula::getBenchCaseOptions() {
  return {{"const", "NAME=VALUE,...",
           "measure with each value of this constant of the file", true},
          {"against", "FILE[:KERNEL]", "measure this kernel as well"},
          {"target", "TARGET",
           "what to compile for, as 'tegula help targets' lists them; several "
           "are measured side by side",
           true}};
}

/// The text with another value for a constant of the module.
static Expected<std::string> withConstant(StringRef text, StringRef name,
                                          StringRef value, StringRef path) {
  std::string changed;
  bool isFound = false;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    StringRef rest = line;
    bool isIt = rest.consume_front(name) && rest.ltrim().consume_front("=") &&
                !rest.ltrim().starts_with("==");
    isFound |= isIt;
    changed += (number ? "\n" : "") +
               (isIt ? (name + " = " + value).str() : line.str());
  }
  if (!isFound)
    return makeError("option '--const': {0} has no line '{1} = ...'", path,
                     name);
  return changed;
}

static std::string joined(StringRef label, StringRef more) {
  return (label + (label.empty() || more.empty() ? "" : " ") + more).str();
}

/// The values of a list: commas in brackets and quotes are not between them.
static llvm::SmallVector<StringRef> splitValues(StringRef text) {
  llvm::SmallVector<StringRef> values;
  size_t start = 0;
  unsigned depth = 0;
  char quote = 0;
  for (auto [index, c] : llvm::enumerate(text)) {
    if (quote) {
      quote = c == quote ? 0 : quote;
      continue;
    }
    if (c == '"' || c == '\'')
      quote = c;
    else if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if ((c == ')' || c == ']' || c == '}') && depth > 0)
      --depth;
    else if (c == ',' && depth == 0) {
      values.push_back(text.slice(start, index));
      start = index + 1;
    }
  }
  values.push_back(text.drop_front(start));
  return values;
}

/// Each case once for each of the values.
static Error multiply(std::vector<BenchCase> &cases,
                      const Assignment &constant) {
  std::vector<BenchCase> all;
  for (const BenchCase &base : cases)
    for (StringRef value : splitValues(constant.value)) {
      Expected<KernelSource> source = readSource(base.source);
      if (!source)
        return source.takeError();
      Expected<std::string> text =
          withConstant(*source->text, constant.name, value, source->path);
      if (!text)
        return text.takeError();
      source->text = std::move(*text);
      source->files = nullptr;
      all.push_back({joined(base.label, constant.name + "=" + value.str()),
                     std::move(*source), base.machine});
    }
  cases = std::move(all);
  return Error::success();
}

Expected<std::vector<BenchCase>>
tegula::readBenchCases(const CommandLine &line) {
  std::vector<std::string> kernels = {line.getOperand().str()};
  if (line.has("against"))
    kernels.push_back(line.get("against"));
  std::vector<std::string> targets = line.getAll("target");
  if (targets.empty())
    targets.emplace_back();
  std::vector<BenchCase> cases;
  for (const std::string &kernel : kernels)
    for (const std::string &target : targets) {
      Expected<std::optional<sim::Machine>> machine =
          findSimulatedMachine(target);
      if (!machine)
        return machine.takeError();
      KernelName name = splitKernelName(kernel);
      BenchCase made;
      made.source = {name.path, name.kernel};
      made.source.target = target;
      made.machine = std::move(*machine);
      if (kernels.size() > 1)
        made.label = kernel;
      if (targets.size() > 1)
        made.label = joined(made.label, target);
      cases.push_back(std::move(made));
    }
  Expected<std::vector<Assignment>> constants = line.getAssignments("const");
  if (!constants)
    return constants.takeError();
  for (const Assignment &constant : *constants)
    if (Error error = multiply(cases, constant))
      return error;
  return cases;
}
