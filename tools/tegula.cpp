// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's command: finds the subcommand and prints what goes wrong.

#include "tegula/launch/cache/Toolchain.h"
#include "tegula/runtime/Compiler.h"
#include "tegula/runtime/Diagnostic.h"
#include "tegula/support/Recovery.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Interrupt.h"
#include "tools/tegula/Main.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <unistd.h>

using namespace tegula;
using llvm::StringRef;

namespace {

/// A subcommand: what it looks like, and what it does.
struct Command {
  CommandSpec spec;
  Expected<int> (*run)(const CommandLine &);
};

} // namespace

static std::vector<Command> listCommands() {
  return {{describeRun(), runRun},     {describeCheck(), runCheck},
          {describeIr(), runIr},       {describeEqual(), runEqual},
          {describeBench(), runBench}, {describeExplain(), runExplain},
          {describeTune(), runTune},   {describeBuild(), runBuild},
          {describeSim(), runSim},     {describeCache(), runCache},
          {describeDemo(), runDemo},   {describeLsp(), runLsp},
          {describeServe(), runServe}};
}

static void printOverview(llvm::ArrayRef<Command> commands) {
  llvm::outs() << "Tegula compiles tile kernels: once, for every size.\n\n"
                  "usage: tegula COMMAND ...\n\n";
  for (const Command &command : commands) {
    std::string left = (command.spec.name + " " + command.spec.operand).str();
    left.resize(std::max<size_t>(24, left.size() + 1), ' ');
    llvm::outs() << "  tegula " << left << command.spec.summary << "\n";
  }
  llvm::outs()
      << "\n'tegula COMMAND --help' says more; 'tegula --version' says "
         "which this is.\n";
}

/// Prints `error`: diagnostics of a kernel as they are, others with a prefix.
static void reportFailure(Error error) {
  llvm::outs().flush();
  llvm::handleAllErrors(
      std::move(error),
      [](const KernelError &kernel) {
        llvm::errs() << kernel.message() << "\n";
      },
      [](const llvm::ErrorInfoBase &other) {
        llvm::errs() << "error: " << other.message() << "\n";
      });
}

/// Runs what `words` say; `failureCode` is set to the exit code for errors.
/// A target that there is not is told before anything is done.
static Error checkTarget(const CommandLine &line) {
  if (!line.has("target"))
    return Error::success();
  std::string target = line.get("target");
  if (target.empty())
    return makeError("option '--target' wants a target; 'tegula help targets' "
                     "lists them");
  return listStages(target).takeError();
}

static Expected<int> runCommand(llvm::ArrayRef<StringRef> words,
                                int &failureCode) {
  std::vector<Command> commands = listCommands();
  StringRef name = words.empty() ? "" : words.front();
  bool wantsHelp = name == "help" || name == "--help" || name == "-h";
  if (name == "help" && words.size() > 1 &&
      (words[1] == "targets" || words[1] == "passes" ||
       words[1].starts_with("pl") || words[1].starts_with("--")))
    return runHelp(words.drop_front());
  // `tegula help run` is `tegula run --help`.
  if (name == "help" && words.size() > 1)
    name = words[1];
  auto command = llvm::find_if(
      commands, [&](const Command &entry) { return entry.spec.name == name; });
  if (command != commands.end() && wantsHelp) {
    llvm::outs() << formatHelp(command->spec);
    return 0;
  }
  if (name == "--version" && words.size() == 1) {
    llvm::outs() << "tegula " << getVersion()
                 << ", LLVM " LLVM_VERSION_STRING "\n";
    return 0;
  }
  if (wantsHelp && words.size() == 1) {
    printOverview(commands);
    return 0;
  }
  std::vector<StringRef> names;
  for (const Command &entry : commands)
    names.push_back(entry.spec.name);
  if (name.empty())
    return makeError("a command is wanted: {0} or help",
                     llvm::join(names, ", "));
  names.push_back("help");
  if (command == commands.end())
    return makeError("there is no command '{0}'{1}", name,
                     suggest(name, names));
  failureCode = command->spec.failureCode;
  Expected<CommandLine> line =
      CommandLine::parse(command->spec, words.drop_front());
  if (!line)
    return line.takeError();
  if (line->wantsHelp()) {
    llvm::outs() << formatHelp(command->spec);
    return 0;
  }
  if (Error error = checkTarget(*line))
    return error;
  return command->run(*line);
}

int tegulaCommand(int argc, char **argv) {
  if (fcntl(STDOUT_FILENO, F_GETFD) < 0) {
    llvm::errs() << "error: cannot write the output: it is closed\n";
    return 1;
  }
  // A file opened in place of a closed stdin or stderr would get messages.
  if (llvm::sys::Process::FixupStandardFileDescriptors())
    return 1;
  endBySignals();
  endProcessOnNoMemory();
  std::vector<StringRef> words(argv + 1, argv + argc);
  int exitCode = 1;
  if (Expected<int> code = runCommand(words, exitCode))
    exitCode = *code;
  else
    reportFailure(code.takeError());
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    llvm::errs() << "error: cannot write the output: "
                 << llvm::outs().error().message() << "\n";
    // An error left in the stream would abort at exit.
    llvm::outs().clear_error();
    exitCode = 1;
  }
  endIfInterrupted(exitCode);
  return exitCode;
}
