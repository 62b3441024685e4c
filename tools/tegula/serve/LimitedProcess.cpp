// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/serve/LimitedProcess.h"

#include "tools/tegula/serve/Confine.h"

#include "llvm/Support/Path.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tegula;

/// The processes that run, each the leader of a group.
static std::mutex runningLock;
static std::set<pid_t> running;
static bool isEnding = false;

void tegula::endAllProcesses() {
  std::lock_guard<std::mutex> lock(runningLock);
  isEnding = true;
  for (pid_t process : running)
    ::kill(-process, SIGKILL);
}

namespace {

/// All that the new process needs, made before there is one: between fork and
/// exec nothing may be allocated.
struct Start {
  const char *program;
  std::vector<char *> words, environment;
  const char *folder;
  std::string installation;
  ProcessLimits limits;
  bool isConfined;
};

} // namespace

/// What the new process ends with if it does not become the program.
static constexpr int notConfined = 126, notStarted = 127;

static void limit(int resource, uint64_t value) {
  rlimit bound = {value, value};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &bound);
}

[[noreturn]] static void becomeProgram(const Start &start, int output) {
  ::setpgid(0, 0);
  int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0u, 0);
  limit(RLIMIT_CPU, 4 * start.limits.seconds);
  limit(RLIMIT_AS, start.limits.memoryBytes);
  limit(RLIMIT_FSIZE, start.limits.fileBytes);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 256);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::chdir(start.folder) != 0 ||
      (start.isConfined &&
       !confineTo(start.folder, start.program, start.installation.c_str())))
    ::_exit(notConfined);
  ::execve(start.program, start.words.data(), start.environment.data());
  ::_exit(notStarted);
}

/// Reads what the process prints until it closes its streams. Returns why it
/// must be ended; empty if it has come to its end.
static std::string readOutput(int stream, const ProcessLimits &limits,
                              std::string &output) {
  auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(limits.seconds);
  char bytes[4096];
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd wanted = {stream, POLLIN, 0};
    int ready = left.count() > 0 ? ::poll(&wanted, 1, left.count()) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return "ended after " + std::to_string(limits.seconds) + " seconds";
    ssize_t count = ::read(stream, bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return "";
    output.append(bytes, count);
    if (output.size() > limits.outputBytes) {
      output.resize(limits.outputBytes);
      return "ended because it prints too much";
    }
  }
}

/// Starts the process and notes that it runs.
static pid_t startProcess(const Start &start, int output) {
  std::lock_guard<std::mutex> lock(runningLock);
  if (isEnding)
    return -1;
  pid_t process = ::fork();
  if (process == 0)
    becomeProgram(start, output);
  if (process > 0) {
    // Both sides do it, so that nobody is too late.
    ::setpgid(process, process);
    running.insert(process);
  }
  return process;
}

static std::string describeEnd(int status) {
  if (WIFSIGNALED(status))
    return std::string("ended by signal: ") + ::strsignal(WTERMSIG(status));
  if (WEXITSTATUS(status) == notConfined)
    return "a process for the kernel could not be confined to its folder";
  if (WEXITSTATUS(status) == notStarted)
    return "a process for the kernel could not be started";
  return "";
}

static ProcessResult waitFor(pid_t process, int stream,
                             const ProcessLimits &limits) {
  ProcessResult result;
  std::string reason = readOutput(stream, limits, result.output);
  int status = 0;
  {
    // While it is not waited for, its number is nobody else's.
    std::lock_guard<std::mutex> lock(runningLock);
    if (!reason.empty())
      ::kill(-process, SIGKILL);
  }
  siginfo_t ended;
  while (::waitid(P_PID, process, &ended, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  {
    std::lock_guard<std::mutex> lock(runningLock);
    running.erase(process);
    ::waitpid(process, &status, 0);
  }
  if (reason.empty())
    reason = describeEnd(status);
  if (!reason.empty())
    result.output += "error: " + reason + "\n";
  else if (WIFEXITED(status))
    result.exitCode = WEXITSTATUS(status);
  return result;
}

Expected<ProcessResult>
tegula::runLimited(const std::string &program,
                   const std::vector<std::string> &words,
                   const std::string &folder, const ProcessLimits &limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return makeError("cannot start '{0}': {1}", program, std::strerror(errno));
  std::string home = "HOME=" + folder, temporary = "TMPDIR=" + folder;
  std::string cache = "TEGULA_CACHE=off";
  Start start{program.c_str(), {},          {}, folder.c_str(), "",
              limits,          canConfine()};
  start.words.push_back(const_cast<char *>(program.c_str()));
  for (const std::string &word : words)
    start.words.push_back(const_cast<char *>(word.c_str()));
  start.words.push_back(nullptr);
  start.environment = {home.data(), temporary.data(), cache.data(), nullptr};
  // What is installed with the program: PREFIX of PREFIX/bin/tegula.
  start.installation =
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(program)).str();
  pid_t process = startProcess(start, ends[1]);
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    return makeError("cannot start '{0}'", program);
  }
  ProcessResult result = waitFor(process, ends[0], limits);
  ::close(ends[0]);
  return result;
}
