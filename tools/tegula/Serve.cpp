// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/Commands.h"
#include "tools/tegula/Interrupt.h"
#include "tools/tegula/serve/Confine.h"
#include "tools/tegula/serve/HttpServer.h"
#include "tools/tegula/serve/LimitedProcess.h"
#include "tools/tegula/serve/Playground.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/random.h>

using namespace tegula;

CommandSpec tegula::describeServe() {
  CommandSpec spec;
  spec.name = "serve";
  spec.summary = "a page in the browser to try kernels in";
  spec.details =
      "Prints the address of a page with an editor, examples, the stages of a "
      "kernel, its\nresult, and its timeline on a simulated NPU. Only this "
      "machine can open it, and only\nwith the whole address, which is "
      "another one each time. Kernels of the page run in\nprocesses of their "
      "own, for a limited time and with 4 GiB at most, and touch no files\nbut "
      "those in a folder that is removed afterwards. Ctrl-C ends it.\n\n"
      "  tegula serve\n"
      "  tegula serve --port 8080\n";
  spec.options = {
      {"port", "NUMBER", "where on 127.0.0.1; 0 is one that is free (0)"},
      {"seconds", "NUMBER", "how long a kernel may run (20)"}};
  spec.numOperands = 0;
  spec.isOperandOptional = true;
  return spec;
}

/// 128 bits that nobody can guess, in hexadecimal.
static Expected<std::string> makeToken() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
    return makeTextError("cannot have random numbers");
  return llvm::toHex(llvm::ArrayRef<uint8_t>(bytes), /*LowerCase=*/true);
}

Expected<int> tegula::runServe(const CommandLine &line) {
  Expected<uint64_t> port = line.getNumber("port", 0, 0, 65535);
  if (!port)
    return port.takeError();
  ProcessLimits limits;
  Expected<uint64_t> seconds =
      line.getNumber("seconds", limits.seconds, 1, 3600);
  if (!seconds)
    return seconds.takeError();
  limits.seconds = *seconds;
  Expected<std::string> token = makeToken();
  if (!token)
    return token.takeError();
  Expected<std::unique_ptr<HttpServer>> server = HttpServer::listen(*port);
  if (!server)
    return server.takeError();
  llvm::SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("tegula-serve", folder))
    return makeError("cannot make a folder for kernels: {0}", error.message());

  Playground playground(llvm::sys::fs::getMainExecutable(nullptr, nullptr),
                        folder.str().str(), *token, (*server)->getPort(),
                        limits);
  llvm::outs() << "http://127.0.0.1:" << (*server)->getPort() << "/" << *token
               << "/\n";
  llvm::outs().flush();
  if (!canConfine())
    llvm::errs() << "warning: this system cannot keep kernels from other files "
                    "(it has no Landlock)\n";
  int signal = (*server)->run(
      [&](const HttpRequest &request) { return playground.answer(request); },
      endAllProcesses);
  llvm::sys::fs::remove_directories(folder);
  noteSignal(signal);
  return getInterruptedCode();
}
