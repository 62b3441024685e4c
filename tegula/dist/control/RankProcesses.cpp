// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/RankProcesses.h"

#include "tegula/dist/control/Waiting.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tegula;

extern char **environ;

/// What mpirun and the ranks find in their environment besides ours.
static std::vector<std::string> makeSettings(int64_t count) {
  std::vector<std::string> settings = {"OMPI_ALLOW_RUN_AS_ROOT=1",
                                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                       "OMPI_MCA_mpi_yield_when_idle=1"};
  if (!std::getenv("OMP_NUM_THREADS"))
    settings.push_back(
        "OMP_NUM_THREADS=" +
        std::to_string(std::max<int64_t>(1, countUsableCores() / count)));
  return settings;
}

/// In a child, which has the memory of its parent until then: becomes mpirun,
/// unless the parent is gone already.
[[noreturn]] static void become(const char *const *command,
                                const char *const *environment, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent)
    ::_exit(1);
  // Keys pressed in the terminal are for the controller.
  ::setpgid(0, 0);
  int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::execvpe(command[0], const_cast<char *const *>(command),
            const_cast<char *const *>(environment));
  ::_exit(127);
}

void RankProcesses::keep(const std::vector<const char *> &command,
                         const std::vector<const char *> &environment) {
  pid_t parent = ::getpid();
  // What forks waits for threads that compile, and this process may be one.
  pid_t child = ::vfork();
  if (child == 0)
    become(command.data(), environment.data(), parent);
  std::unique_lock<std::mutex> guard(lock);
  process = child;
  isStarted = true;
  changed.notify_all();
  changed.wait(guard, [&] { return isEnding; });
}

void RankProcesses::adoptOrphans(bool isWanted) {
  static std::mutex lock;
  static int64_t numUsers = 0;
  static int before = 0;
  std::lock_guard<std::mutex> guard(lock);
  if (isWanted && numUsers++ == 0) {
    ::prctl(PR_GET_CHILD_SUBREAPER, &before);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  } else if (!isWanted && --numUsers == 0) {
    ::prctl(PR_SET_CHILD_SUBREAPER, before);
  }
}

Problem RankProcesses::start(int64_t count, const std::string &worker,
                             const std::string &path) {
  // Ranks whose mpirun is killed become children of this process, which then
  // can see to it that they end.
  adoptOrphans(true);
  adopts = true;
  std::string number = std::to_string(count);
  std::vector<const char *> command = {
      "mpirun", "--oversubscribe", "--bind-to",    "none",       "-q",
      "-n",     number.c_str(),    worker.c_str(), path.c_str(), nullptr};
  std::vector<std::string> settings = makeSettings(count);
  std::vector<const char *> environment;
  // The first of two settings of one name counts.
  for (const std::string &setting : settings)
    environment.push_back(setting.c_str());
  for (char **variable = environ; *variable; ++variable)
    environment.push_back(*variable);
  environment.push_back(nullptr);
  keeper = std::thread([&, this] { keep(command, environment); });
  std::unique_lock<std::mutex> guard(lock);
  changed.wait(guard, [&] { return isStarted; });
  if (process < 0)
    return makeProblem(Problem::Kind::System, "cannot start ranks: {0}",
                       std::strerror(errno));
  launcher.add(process);
  return {};
}

void RankProcesses::watch(const std::vector<pid_t> &processes) {
  rankProcesses = processes;
  for (pid_t rank : processes)
    ranks.add(rank);
}

bool RankProcesses::awaitEnd(int64_t milliseconds) {
  int64_t end = readClock() + milliseconds * 1000000;
  while (process > 0) {
    if (::waitpid(process, nullptr, WNOHANG) == process)
      process = -1;
    else if (readClock() > end)
      return false;
    else
      ::usleep(1000);
  }
  return true;
}

void RankProcesses::kill() {
  for (size_t rank = 0; rank < rankProcesses.size(); ++rank)
    ranks.signal(rank, SIGKILL);
}

void RankProcesses::end() {
  if (process > 0) {
    // First the ranks: mpirun would give them a second to end by themselves.
    kill();
    // Those that are not known yet it has to end itself. Asked for it while it
    // ends, it would complain.
    if (rankProcesses.empty())
      ::kill(process, SIGTERM);
    if (!awaitEnd(2200)) {
      ::kill(process, SIGKILL);
      awaitEnd(1000);
    }
  }
  // Those whose parent went before them.
  for (pid_t rank : rankProcesses)
    ::waitpid(rank, nullptr, WNOHANG);
  rankProcesses.clear();
  {
    std::lock_guard<std::mutex> guard(lock);
    isEnding = true;
  }
  changed.notify_all();
  if (keeper.joinable())
    keeper.join();
  if (adopts)
    adoptOrphans(false);
  adopts = false;
}
