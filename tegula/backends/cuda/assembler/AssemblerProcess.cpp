// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/assembler/AssemblerProcess.h"

#include "tegula/launch/threads/StopRequest.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tegula;
using llvm::StringRef;

MemoryFile::MemoryFile() : descriptor(::memfd_create("tegula", MFD_CLOEXEC)) {
  if (descriptor < 0 || descriptor > STDERR_FILENO)
    return;
  // The child has other files there.
  int low = descriptor;
  descriptor = ::fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(low);
}

std::string MemoryFile::getPath() const {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

bool MemoryFile::write(StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR)
      return false;
    bytes = bytes.drop_front(std::max<ssize_t>(count, 0));
  }
  return true;
}

std::optional<std::string> MemoryFile::read() const {
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return std::nullopt;
  std::string bytes(status.st_size, '\0');
  for (size_t at = 0; at < bytes.size();) {
    ssize_t count = ::pread(descriptor, &bytes[at], bytes.size() - at,
                            static_cast<off_t>(at));
    if (count == 0 || (count < 0 && errno != EINTR))
      return std::nullopt;
    at += std::max<ssize_t>(count, 0);
  }
  return bytes;
}

void MemoryFile::clear() {
  (void)!::ftruncate(descriptor, 0);
  ::lseek(descriptor, 0, SEEK_SET);
}

void MemoryFile::close() {
  if (descriptor >= 0)
    ::close(descriptor);
  descriptor = -1;
}

namespace {

/// All that the new process needs, made before there is one.
struct Start {
  const char *const *words;
  int messages;
  llvm::ArrayRef<const MemoryFile *> files;
  pid_t parent;
  sigset_t signals;
};

} // namespace

/// In a child: what the parent handles has its usual meaning, as handlers would
/// run in the memory of both. What has come meanwhile was for the parent's
/// group, and is forgotten.
static void forgetHandlers() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (::sigaction(number, nullptr, &action) != 0 ||
        action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
      continue;
    action = {};
    for (auto *handler : {SIG_IGN, SIG_DFL}) {
      action.sa_handler = handler;
      ::sigaction(number, &action, nullptr);
    }
  }
}

/// In a child, which has the memory of its parent until then. Only the errno of
/// what went wrong is left there.
[[noreturn]] static void become(const Start &start, volatile int &problem) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != start.parent)
    ::_exit(1);
  // Keys pressed in the terminal are for the parent, which ends the group.
  ::setpgid(0, 0);
  int none = ::open("/dev/null", O_RDONLY);
  ::dup2(none, STDIN_FILENO);
  ::dup2(start.messages, STDOUT_FILENO);
  ::dup2(start.messages, STDERR_FILENO);
  for (const MemoryFile *file : start.files)
    ::fcntl(file->get(), F_SETFD, 0);
  forgetHandlers();
  ::sigprocmask(SIG_SETMASK, &start.signals, nullptr);
  ::execvp(start.words[0], const_cast<char *const *>(start.words));
  problem = errno;
  ::_exit(127);
}

/// Waits for the child, and asks now and then whether somebody else does.
static AssemblerEnd await(pid_t child) {
  constexpr int pause = 20;
  // Without one it is looked after as often as it is asked.
  auto ended = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  bool isStopped = false, isKnown = true;
  int status = 0;
  for (;;) {
    pid_t found = ::waitpid(child, &status, isStopped ? 0 : WNOHANG);
    isKnown = found >= 0 || errno == EINTR;
    if (found == child || !isKnown)
      break;
    pollfd watched = {ended, POLLIN, 0};
    ::poll(&watched, 1, pause);
    if (isStopped || !isStopWanted())
      continue;
    isStopped = true;
    if (::kill(-child, SIGKILL) != 0)
      ::kill(child, SIGKILL);
  }
  if (ended >= 0)
    ::close(ended);
  if (isStopped)
    return {AssemblerEnd::Kind::Stopped, 0};
  if (!isKnown)
    return {AssemblerEnd::Kind::Unknown, 0};
  return WIFSIGNALED(status)
             ? AssemblerEnd{AssemblerEnd::Kind::Signalled, WTERMSIG(status)}
             : AssemblerEnd{AssemblerEnd::Kind::Ended, WEXITSTATUS(status)};
}

AssemblerEnd tegula::runAssembler(llvm::ArrayRef<std::string> words,
                                  const MemoryFile &messages,
                                  llvm::ArrayRef<const MemoryFile *> files) {
  llvm::SmallVector<const char *> line;
  for (const std::string &word : words)
    line.push_back(word.c_str());
  line.push_back(nullptr);
  Start start = {line.data(), messages.get(), files, ::getpid(), {}};
  volatile int problem = 0;
  // Handlers of this process would run in the memory of both.
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &start.signals);
  // What forks waits for threads that compile, and this is one.
  pid_t child = ::vfork();
  if (child == 0)
    become(start, problem);
  int failed = errno;
  ::pthread_sigmask(SIG_SETMASK, &start.signals, nullptr);
  if (child < 0)
    return {AssemblerEnd::Kind::NotStarted, failed};
  AssemblerEnd end = await(child);
  return problem == 0 ? end
                      : AssemblerEnd{AssemblerEnd::Kind::NotStarted, problem};
}
