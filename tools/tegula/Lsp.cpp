// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tegula lsp`: what editors talk to.

#include "tools/tegula/Commands.h"
#include "tools/tegula/lsp/Server.h"

#include <unistd.h>

using namespace tegula;

CommandSpec tegula::describeLsp() {
  CommandSpec spec;
  spec.name = "lsp";
  spec.summary = "serve an editor on standard input and output";
  spec.details =
      "A language server: mistakes while you type, what names are and what is "
      "proved of them,\ncompletion, definitions, inferred shapes. Editors "
      "start "
      "it by themselves; editors/vscode is\nan extension that does. Nothing is "
      "run or written.\n";
  spec.numOperands = 0;
  spec.isOperandOptional = true;
  return spec;
}

Expected<int> tegula::runLsp(const CommandLine &) {
  // What is printed while compiling must not come between messages.
  int output = dup(STDOUT_FILENO);
  if (output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return makeError("cannot write to the editor");
  llvm::raw_fd_ostream stream(output, /*shouldClose=*/true);
  return Server(STDIN_FILENO, stream).run();
}
