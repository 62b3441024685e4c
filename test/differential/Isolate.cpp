// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Isolate.h"

#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tegula;
using namespace tegula::differential;

/// No message holds this.
static constexpr char recordEnd = '\1';

namespace {

/// A child process that does every `step`-th job.
struct Worker {
  pid_t process = 0;
  int pipe = -1;
  uint64_t next = 0;
  std::string unread;
};

} // namespace

/// One record of text per outcome, its fields apart by zero bytes.
static std::string encode(const Outcome &outcome) {
  std::string text = std::to_string(static_cast<int>(outcome.verdict));
  text += '\0' + outcome.message.substr(0, 4000) + '\0';
  for (const auto &[symbol, size] : outcome.sizes)
    text += symbol + "=" + std::to_string(size) + ";";
  return text + recordEnd;
}

static Outcome decode(const std::string &record) {
  Outcome outcome;
  outcome.verdict = static_cast<Verdict>(std::stoi(record));
  size_t message = record.find('\0') + 1, sizes = record.find('\0', message);
  outcome.message = record.substr(message, sizes - message);
  for (size_t at = sizes + 1; at < record.size();) {
    size_t equals = record.find('=', at), end = record.find(';', at);
    if (equals == std::string::npos)
      break;
    outcome.sizes[record.substr(at, equals - at)] =
        std::stoll(record.substr(equals + 1));
    at = end + 1;
  }
  return outcome;
}

static void writeAll(int pipe, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t count = write(pipe, text.data() + done, text.size() - done);
    if (count <= 0)
      _exit(3);
    done += count;
  }
}

static void start(Worker &worker, uint64_t last, unsigned step,
                  unsigned mostSeconds,
                  llvm::function_ref<Outcome(uint64_t)> job) {
  int ends[2];
  if (pipe(ends) != 0)
    std::abort();
  worker.process = fork();
  if (worker.process == 0) {
    close(ends[0]);
    for (uint64_t number = worker.next; number <= last; number += step) {
      alarm(mostSeconds);
      writeAll(ends[1], encode(job(number)));
    }
    _exit(0);
  }
  close(ends[1]);
  worker.pipe = ends[0];
  worker.unread.clear();
}

/// Reads what is there; false at the end.
static bool readSome(Worker &worker) {
  char buffer[65536];
  ssize_t count = read(worker.pipe, buffer, sizeof(buffer));
  if (count > 0)
    worker.unread.append(buffer, count);
  return count > 0;
}

void differential::runJobs(
    uint64_t first, uint64_t last, unsigned numWorkers, unsigned mostSeconds,
    llvm::function_ref<Outcome(uint64_t)> job,
    llvm::function_ref<void(uint64_t, const Outcome &)> report) {
  std::vector<Worker> workers(numWorkers);
  for (unsigned index = 0; index < numWorkers; ++index) {
    workers[index].next = first + index;
    start(workers[index], last, numWorkers, mostSeconds, job);
  }
  auto reportAll = [&](Worker &worker) {
    for (size_t at;
         (at = worker.unread.find(recordEnd)) != std::string::npos;) {
      report(worker.next, decode(worker.unread.substr(0, at)));
      worker.unread.erase(0, at + 1);
      worker.next += numWorkers;
    }
  };
  for (unsigned running = numWorkers; running > 0;) {
    std::vector<pollfd> waiting;
    for (Worker &worker : workers)
      waiting.push_back({worker.pipe, POLLIN, 0});
    poll(waiting.data(), waiting.size(), -1);
    for (unsigned index = 0; index < numWorkers; ++index) {
      Worker &worker = workers[index];
      if (worker.pipe < 0 || waiting[index].revents == 0)
        continue;
      bool goesOn = readSome(worker);
      reportAll(worker);
      if (goesOn)
        continue;
      close(worker.pipe);
      worker.pipe = -1;
      int status = 0;
      waitpid(worker.process, &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        --running;
        continue;
      }
      bool isHung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
      report(worker.next,
             {isHung ? Verdict::TimedOut : Verdict::Crashed,
              WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exited"});
      worker.next += numWorkers;
      start(worker, last, numWorkers, mostSeconds, job);
    }
  }
}

Outcome differential::runIsolated(const std::string &text,
                                  const std::vector<Sizes> &calls,
                                  uint64_t seed, unsigned mostSeconds) {
  Outcome outcome;
  runJobs(
      0, 0, 1, mostSeconds,
      [&](uint64_t) { return runKernel(text, calls, seed); },
      [&](uint64_t, const Outcome &found) { outcome = found; });
  return outcome;
}
