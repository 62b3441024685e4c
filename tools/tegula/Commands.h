// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The subcommands of `tegula`. Each is a description of its command line and
/// a function that does the work and returns the exit code.

#ifndef TEGULA_TOOLS_COMMANDS_H
#define TEGULA_TOOLS_COMMANDS_H

#include "tools/tegula/CommandLine.h"

namespace tegula {

CommandSpec describeRun();
[[nodiscard]] Expected<int> runRun(const CommandLine &line);

CommandSpec describeCheck();
[[nodiscard]] Expected<int> runCheck(const CommandLine &line);

CommandSpec describeIr();
[[nodiscard]] Expected<int> runIr(const CommandLine &line);

CommandSpec describeEqual();
[[nodiscard]] Expected<int> runEqual(const CommandLine &line);

CommandSpec describeBench();
[[nodiscard]] Expected<int> runBench(const CommandLine &line);

CommandSpec describeExplain();
[[nodiscard]] Expected<int> runExplain(const CommandLine &line);

CommandSpec describeTune();
[[nodiscard]] Expected<int> runTune(const CommandLine &line);

CommandSpec describeBuild();
[[nodiscard]] Expected<int> runBuild(const CommandLine &line);

CommandSpec describeSim();
[[nodiscard]] Expected<int> runSim(const CommandLine &line);

CommandSpec describeCache();
[[nodiscard]] Expected<int> runCache(const CommandLine &line);

CommandSpec describeDemo();
[[nodiscard]] Expected<int> runDemo(const CommandLine &line);

CommandSpec describeLsp();
[[nodiscard]] Expected<int> runLsp(const CommandLine &line);

CommandSpec describeServe();
[[nodiscard]] Expected<int> runServe(const CommandLine &line);

/// What follows `tegula help` if it is not a command: `targets`, `pl`,
/// `pl.NAME`, `--names`, `--markdown THEME`, or THEME `constructs`,
/// `elsewhere` or `ignored`.
[[nodiscard]] Expected<int> runHelp(llvm::ArrayRef<llvm::StringRef> words);

} // namespace tegula

#endif // TEGULA_TOOLS_COMMANDS_H
