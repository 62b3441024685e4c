// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/JoinRanks.h"

#include "tegula/dist/CreateTransport.h"
#include "tegula/launch/image/OwnFolder.h"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace tegula;

static constexpr const char *libraryName = "libtegula-mpi.so.0";

bool tegula::isStartedAsRank() {
  for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"})
    if (std::getenv(name))
      return true;
  return false;
}

/// What to say when the library cannot be loaded.
static Problem describeMissing(const std::string &path) {
  const char *reason = ::dlerror();
  const char *packages = "openmpi-bin libopenmpi-dev";
  if (::access(path.c_str(), F_OK) != 0)
    return makeProblem(Problem::Kind::System,
                       "ranks need MPI, and this Tegula was built without: "
                       "install {0} and build it again",
                       packages);
  return makeProblem(Problem::Kind::System, "ranks need MPI, install {0}: {1}",
                     packages, reason ? reason : "");
}

Problem tegula::joinRanks(JoinOptions options,
                          std::unique_ptr<ProcessRanks> &ranks) {
  std::string path = getOwnFolder() + libraryName;
  // MPI loads parts of itself that look for its symbols everywhere.
  void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    return describeMissing(path);
  auto create = reinterpret_cast<decltype(&tegulaCreateTransport)>(
      ::dlsym(library, "tegulaCreateTransport"));
  if (!create)
    return makeProblem(Problem::Kind::System,
                       "{0} is of another version of Tegula", path);
  const char *kind = std::getenv("TEGULA_RANKS_TRANSPORT");
  Problem problem;
  std::unique_ptr<Transport> transport(
      create(options.communicator, kind ? kind : "", &problem));
  if (problem)
    return problem;
  return ProcessRanks::create(std::move(transport), {options.hasController},
                              ranks);
}
