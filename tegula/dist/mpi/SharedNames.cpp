// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/mpi/SharedNames.h"

#include <fstream>
#include <string>
#include <unistd.h>

void tegula::removeSharedNames() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    size_t path = line.find("/dev/shm/vader_segment.");
    // The system says of a file without a name that it is deleted.
    if (path != std::string::npos && line.find(' ', path) == std::string::npos)
      ::unlink(line.c_str() + path);
  }
}
