// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace tegula;
using llvm::StringRef;

std::string tegula::suggest(StringRef word,
                            llvm::ArrayRef<StringRef> candidates) {
  StringRef best;
  unsigned bestDistance = std::max<size_t>(2, word.size() / 3) + 1;
  for (StringRef candidate : candidates) {
    unsigned distance =
        word.edit_distance(candidate, /*AllowReplacements=*/true, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best.empty() ? "" : "; did you mean '" + best.str() + "'?";
}

static Error unknownOption(const CommandSpec &spec, StringRef word) {
  std::vector<std::string> spellings = {"--help"};
  for (const OptionSpec &option : spec.options)
    spellings.push_back("--" + option.name.str());
  std::vector<StringRef> candidates(spellings.begin(), spellings.end());
  return makeError("'tegula {0}' has no option '{1}'{2}", spec.name, word,
                   suggest(word, candidates));
}

Expected<CommandLine> CommandLine::parse(const CommandSpec &spec,
                                         llvm::ArrayRef<StringRef> words) {
  CommandLine line;
  line.command = spec.name;
  bool takesOptions = true;
  if (llvm::is_contained(words, "--help") || llvm::is_contained(words, "-h")) {
    line.values["help"];
    return line;
  }
  for (size_t index = 0; index < words.size(); ++index) {
    StringRef word = words[index];
    if (takesOptions && word == "--") {
      takesOptions = false;
      continue;
    }
    if (!takesOptions || !word.starts_with("-") || word == "-") {
      if (line.operands.size() == spec.numOperands)
        return makeError("'tegula {0}' takes {1} {2}, got '{3}' and '{4}'",
                         spec.name, spec.numOperands == 1 ? "one" : "just",
                         spec.operand, line.operands.back(), word);
      line.operands.push_back(word.str());
      continue;
    }
    auto [spelling, value] = word.split('=');
    StringRef name = spelling;
    auto option = llvm::find_if(spec.options, [&](const OptionSpec &option) {
      if (!name.starts_with("--"))
        return !option.letter.empty() && option.letter == name.drop_front();
      return option.name == name.drop_front(2);
    });
    if (option == spec.options.end())
      return unknownOption(spec, spelling);
    bool hasValue = word.contains('=');
    if (option->valueName.empty() && hasValue)
      return makeError("option '{0}' takes no value, got '{1}'", spelling,
                       value);
    if (!option->valueName.empty() && !hasValue) {
      if (++index == words.size())
        return makeError("option '{0}' needs a value: {0} {1}", spelling,
                         option->valueName);
      value = words[index];
    }
    std::vector<std::string> &given = line.values[option->name.str()];
    if (!given.empty() && !option->isRepeatable)
      return makeError("option '{0}' is given twice", spelling);
    given.push_back(value.str());
  }
  bool isLeftOut = line.operands.empty() && spec.isOperandOptional;
  if (line.operands.size() != spec.numOperands && !isLeftOut)
    return makeError("'tegula {0}' needs {1}; see 'tegula {0} --help'",
                     spec.name, spec.operand);
  return line;
}

bool CommandLine::has(StringRef option) const {
  return values.count(option.str()) != 0;
}

std::string CommandLine::get(StringRef option, StringRef otherwise) const {
  auto found = values.find(option.str());
  return found == values.end() ? otherwise.str() : found->second.front();
}

std::vector<std::string> CommandLine::getAll(StringRef option) const {
  auto found = values.find(option.str());
  return found == values.end() ? std::vector<std::string>() : found->second;
}

Expected<uint64_t> CommandLine::getNumber(StringRef option, uint64_t otherwise,
                                          uint64_t low, uint64_t high) const {
  if (!has(option))
    return otherwise;
  std::string text = get(option);
  uint64_t value;
  if (StringRef(text).getAsInteger(10, value) || value < low || value > high)
    return makeError("option '--{0}' wants a whole number from {1} to {2}, got "
                     "'{3}'",
                     option, low, high, text);
  return value;
}

Expected<std::vector<Assignment>>
CommandLine::getAssignments(StringRef option) const {
  std::vector<Assignment> assignments;
  auto found = values.find(option.str());
  if (found == values.end())
    return assignments;
  for (StringRef text : found->second) {
    auto [name, value] = text.split('=');
    if (name.empty() || value.empty())
      return makeError("option '--{0}' wants NAME=VALUE, got '{1}'", option,
                       text);
    for (const Assignment &earlier : assignments)
      if (earlier.name == name)
        return makeError("option '--{0}' gives '{1}' twice: {2} and {3}",
                         option, name, earlier.value, value);
    assignments.push_back({name.str(), value.str()});
  }
  return assignments;
}

OptionSpec tegula::getTargetOption() {
  return {"target", "TARGET",
          "what to compile for; see 'tegula help targets' (cpu)"};
}

std::string tegula::formatHelp(const CommandSpec &spec) {
  std::string text = "usage: tegula " + spec.name.str() +
                     (spec.operand.empty() ? "" : " ") + spec.operand.str() +
                     (spec.options.empty() ? "" : " [options]") + "\n\n" +
                     spec.summary.str() + "\n";
  if (!spec.options.empty())
    text += "\noptions:\n";
  constexpr size_t column = 26;
  for (const OptionSpec &option : spec.options) {
    std::string left = "  --" + option.name.str();
    if (!option.valueName.empty())
      left += " " + option.valueName.str();
    // A long option stands on a line of its own.
    left += left.size() < column - 1 ? std::string(column - left.size(), ' ')
                                     : "\n" + std::string(column, ' ');
    text += left + option.help.str() + "\n";
  }
  if (!spec.details.empty())
    text += "\n" + spec.details.str();
  return text;
}

KernelName tegula::splitKernelName(StringRef operand) {
  auto [path, kernel] = operand.rsplit(':');
  bool isName = !kernel.empty() && llvm::all_of(kernel, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  });
  if (!isName || llvm::sys::fs::exists(operand))
    return {operand.str(), ""};
  return {path.str(), kernel.str()};
}
