// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/Recovery.h"

#include "tegula/support/File.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>
#include <unistd.h>

using namespace tegula;
using Cause = StepEnded::Cause;

char StepEnded::ID;

namespace {

/// What is thrown.
struct Ending {
  Cause cause;
  std::string text;
};

} // namespace

static constexpr const char *failure = "the compiler failed: ";

/// How many steps this thread is in.
static thread_local unsigned numSteps = 0;

static bool isEndOfProcess = false;

/// Nothing here needs memory.
[[noreturn]] static void endProcess(const char *text) {
  discardUnfinishedFiles();
  for (const char *part : {"error: ", text, "\n"}) {
    [[maybe_unused]] ssize_t written =
        ::write(STDERR_FILENO, part, std::strlen(part));
  }
  ::_exit(1);
}

static constexpr const char *noMemory = "there is not enough memory";

/// What nobody catches is of the standard library: it finds no memory, or the
/// system has no thread for it.
[[noreturn]] static void onTerminate() {
  if (std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (std::bad_alloc &) {
      endProcess(noMemory);
    } catch (std::system_error &error) {
      endProcess(error.what());
    } catch (...) {
    }
  }
  std::abort();
}

/// LLVM ends the process if this returns. So it does for whoever else in this
/// process uses LLVM.
static void onFatalError(void *, const char *reason, bool) {
  if (numSteps > 0)
    throw Ending{Cause::FatalError, reason};
  std::fprintf(stderr, "LLVM ERROR: %s\n", reason);
}

static void onNoMemory(void *, const char *reason, bool) {
  if (numSteps > 0)
    throw Ending{Cause::NoMemory, reason};
  if (isEndOfProcess)
    endProcess(noMemory);
  std::fprintf(stderr, "LLVM ERROR: out of memory: %s\n", reason);
}

static void installHandlers() {
  static const bool isInstalled = [] {
    llvm::install_fatal_error_handler(onFatalError);
    llvm::install_bad_alloc_error_handler(onNoMemory);
    return true;
  }();
  (void)isInstalled;
}

Error tegula::runRecovering(llvm::function_ref<void()> step) {
  installHandlers();
  const void *stack = llvm::SavePrettyStackState();
  unsigned numBefore = numSteps++;
  Ending ending = {Cause::Stopped, ""};
  try {
    step();
    numSteps = numBefore;
    return Error::success();
  } catch (Ending &thrown) {
    ending = std::move(thrown);
  } catch (std::bad_alloc &) {
    ending.cause = Cause::NoMemory;
  }
  numSteps = numBefore;
  llvm::RestorePrettyStackState(stack);
  switch (ending.cause) {
  case Cause::FatalError:
    ending.text = failure + ending.text;
    break;
  case Cause::NoMemory:
    ending.text = "there is not enough memory to compile the kernel";
    break;
  case Cause::Stopped:
    ending.text = "stopped while compiling";
    break;
  }
  return llvm::make_error<StepEnded>(ending.cause, std::move(ending.text));
}

Error tegula::endStep(Error ended) {
  Ending ending = {Cause::Stopped, ""};
  ended = llvm::handleErrors(std::move(ended),
                             [&](std::unique_ptr<StepEnded> inner) -> Error {
                               ending.cause = inner->getCause();
                               ending.text = inner->message();
                               return Error(std::move(inner));
                             });
  if (numSteps == 0)
    return ended;
  llvm::consumeError(std::move(ended));
  llvm::StringRef text = ending.text;
  text.consume_front(failure);
  throw Ending{ending.cause, text.str()};
}

void tegula::stopStep() {
  if (numSteps > 0)
    throw Ending{Cause::Stopped, ""};
}

void tegula::endProcessOnNoMemory() {
  isEndOfProcess = true;
  installHandlers();
  std::set_terminate(onTerminate);
}
