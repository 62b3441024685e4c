// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs a command for a test.

#ifndef TEGULA_TEST_DIST_RUNCOMMAND_H
#define TEGULA_TEST_DIST_RUNCOMMAND_H

#include <chrono>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace tegula {

/// How a command ended.
struct CommandResult {
  int status;
  std::string output;
  double seconds;
};

/// Runs it in a shell; the output is of both streams.
inline CommandResult runCommand(const std::string &command) {
  auto start = std::chrono::steady_clock::now();
  CommandResult result = {};
  FILE *pipe = ::popen(("exec 2>&1; " + command).c_str(), "r");
  char text[4096];
  while (size_t count = std::fread(text, 1, sizeof(text), pipe))
    result.output.append(text, count);
  int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  result.seconds = time.count();
  return result;
}

/// The beginning of a command that runs on so many ranks, as any user.
inline std::string mpirunCommand(int count) {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout -k "
         "1 200 mpirun --oversubscribe --bind-to none -n " +
         std::to_string(count) + " ";
}

} // namespace tegula

#endif // TEGULA_TEST_DIST_RUNCOMMAND_H
