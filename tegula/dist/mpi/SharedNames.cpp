// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/mpi/SharedNames.h"

#include <fcntl.h>
#include <fstream>
#include <mpi.h>
#include <string>
#include <unistd.h>

/// The name of this rank's own file, which MPI removes when it ends, and
/// complains if it is not there.
static std::string ownName;

static int restoreOwnName(MPI_Comm, int, void *, void *) {
  int file = ::open(ownName.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0)
    ::close(file);
  return MPI_SUCCESS;
}

/// The first thing that MPI_Finalize does is to delete attributes of
/// MPI_COMM_SELF.
static void restoreAtEnd() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, restoreOwnName, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

void tegula::removeSharedName() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string end = "." + std::to_string(rank);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    size_t path = line.find('/');
    bool isOwn = line.find("/vader_segment.") != std::string::npos &&
                 line.size() > end.size() &&
                 line.compare(line.size() - end.size(), end.size(), end) == 0;
    if (!isOwn)
      continue;
    ownName = line.substr(path);
    ::unlink(ownName.c_str());
    return restoreAtEnd();
  }
}
