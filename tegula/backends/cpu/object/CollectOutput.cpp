// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/object/CollectOutput.h"

#include "tegula/launch/image/MemoryFile.h"
#include "tegula/support/Error.h"

#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

using namespace llvm;
using namespace tegula;

/// Appends what can be read now. False once nothing more can come.
static bool drain(int pipe, FileBytes &bytes) {
  constexpr size_t chunk = 1 << 16;
  for (;;) {
    size_t used = bytes.size();
    bytes.resize_for_overwrite(used + chunk);
    ssize_t count = ::read(pipe, bytes.data() + used, chunk);
    bytes.truncate(used + std::max<ssize_t>(count, 0));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return count < 0 && errno == EAGAIN;
  }
}

namespace {

/// Reads a pipe on a thread of its own.
class PipeReader {
public:
  PipeReader(int pipe, int finished) : pipe(pipe), finished(finished) {}

  /// False if there is no thread to be had; errno says why.
  bool start();
  /// Waits for the end, and gives the bytes away.
  FileBytes join() {
    ::pthread_join(thread, nullptr);
    return std::move(bytes);
  }

private:
  void run();

  int pipe, finished;
  pthread_t thread;
  FileBytes bytes;
};

} // namespace

/// Reads until `finished` can be read. A copy of the pipe's other end that some
/// child process has does not keep it waiting.
void PipeReader::run() {
  pollfd events[] = {{pipe, POLLIN, 0}, {finished, POLLIN, 0}};
  for (bool isOpen = true; isOpen && !(events[1].revents & POLLIN);) {
    if (::poll(events, 2, -1) < 0 && errno != EINTR)
      return;
    isOpen = drain(pipe, bytes);
  }
  drain(pipe, bytes);
}

bool PipeReader::start() {
  // Signals of the process are the business of its other threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  errno = ::pthread_create(
      &thread, nullptr,
      [](void *reader) -> void * {
        static_cast<PipeReader *>(reader)->run();
        return nullptr;
      },
      this);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return error == 0;
}

Expected<FileBytes>
tegula::collectOutput(function_ref<Error(StringRef path)> write) {
  auto fail = [] {
    return makeSystemError(errno, "cannot pass on what is written: {0}",
                           std::strerror(errno));
  };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fail();
  Descriptor from(ends[0]), to(ends[1]);
  Descriptor finished(::eventfd(0, EFD_CLOEXEC));
  if (!finished || ::fcntl(from.get(), F_SETFL, O_NONBLOCK) != 0)
    return fail();
  PipeReader reader(from.get(), finished.get());
  if (!reader.start())
    return fail();
  Error error = write(getPathOf(to));
  [[maybe_unused]] int status = ::eventfd_write(finished.get(), 1);
  assert(status == 0 && "a counter of 0 can be raised");
  FileBytes bytes = reader.join();
  if (error)
    return error;
  return bytes;
}
