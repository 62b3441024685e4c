// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/RankLiveness.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tegula;

void RankLiveness::add(pid_t process) {
  processes.emplace_back(
      process > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, process, 0))
                  : -1);
}

int64_t RankLiveness::findEnded() const {
  std::vector<pollfd> asked;
  for (const Descriptor &process : processes)
    asked.push_back({process.get(), POLLIN, 0});
  if (::poll(asked.data(), asked.size(), 0) <= 0)
    return -1;
  for (size_t index = 0; index < asked.size(); ++index)
    if (asked[index].revents & POLLIN)
      return index;
  return -1;
}

void RankLiveness::signal(size_t number, int signal) const {
  if (processes[number])
    ::syscall(SYS_pidfd_send_signal, processes[number].get(), signal, nullptr,
              0);
}
