// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The words after `tegula`: what each subcommand accepts, and what was given.

#ifndef TEGULA_TOOLS_COMMANDLINE_H
#define TEGULA_TOOLS_COMMANDLINE_H

#include "tegula/support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tegula {

/// One option a subcommand accepts.
struct OptionSpec {
  /// Without the dashes.
  llvm::StringRef name;
  /// What the value is called in the help; empty for a flag.
  llvm::StringRef valueName;
  llvm::StringRef help;
  /// True if it may be given several times.
  bool isRepeatable = false;
  /// A second spelling of one letter, without the dash; empty if none.
  llvm::StringRef letter = "";
};

/// What the command line of one subcommand looks like.
struct CommandSpec {
  llvm::StringRef name;
  /// The positional argument, e.g. "FILE[:KERNEL]".
  llvm::StringRef operand;
  llvm::StringRef summary;
  /// Paragraphs and examples below the options.
  llvm::StringRef details;
  std::vector<OptionSpec> options;
  /// How many words `operand` stands for.
  size_t numOperands = 1;
  /// Whether they may be left out.
  bool isOperandOptional = false;
  /// The exit code when something goes wrong.
  int failureCode = 1;
};

/// A `NAME=VALUE` given to an option.
struct Assignment {
  std::string name;
  std::string value;
};

/// The parsed words of one subcommand.
class CommandLine {
public:
  /// Parses `words`. Unknown, repeated and incomplete options are errors, and
  /// so is a missing operand or one too many.
  [[nodiscard]] static Expected<CommandLine>
  parse(const CommandSpec &spec, llvm::ArrayRef<llvm::StringRef> words);

  /// True if --help or -h was among the words; nothing else counts then.
  bool wantsHelp() const { return has("help"); }
  bool hasOperand() const { return !operands.empty(); }
  llvm::StringRef getOperand(size_t position = 0) const {
    return operands[position];
  }
  bool has(llvm::StringRef option) const;
  /// The value given to `option`, or `otherwise`.
  std::string get(llvm::StringRef option, llvm::StringRef otherwise = "") const;
  /// All values of a repeatable option.
  std::vector<std::string> getAll(llvm::StringRef option) const;
  /// The value as a whole number from `low` to `high`.
  [[nodiscard]] Expected<uint64_t> getNumber(llvm::StringRef option,
                                             uint64_t otherwise, uint64_t low,
                                             uint64_t high) const;
  /// All values of a repeatable `NAME=VALUE` option; a repeated name is an
  /// error.
  [[nodiscard]] Expected<std::vector<Assignment>>
  getAssignments(llvm::StringRef option) const;

private:
  llvm::StringRef command;
  std::vector<std::string> operands;
  std::map<std::string, std::vector<std::string>> values;
};

/// What to compile for: the option of all subcommands that compile.
OptionSpec getTargetOption();

/// The help text of one subcommand.
std::string formatHelp(const CommandSpec &spec);

/// "; did you mean 'x'?" for the candidate closest to `word`, or nothing if
/// none is close.
std::string suggest(llvm::StringRef word,
                    llvm::ArrayRef<llvm::StringRef> candidates);

/// A kernel named on the command line: FILE or FILE:KERNEL.
struct KernelName {
  std::string path;
  /// Empty if the file's only entry is meant.
  std::string kernel;
};
KernelName splitKernelName(llvm::StringRef operand);

} // namespace tegula

#endif // TEGULA_TOOLS_COMMANDLINE_H
