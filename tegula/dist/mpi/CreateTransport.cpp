// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one function that is looked up in this library.

#include "tegula/dist/CreateTransport.h"
#include "tegula/dist/mpi/MpiTransport.h"
#include "tegula/dist/mpi/SharedNames.h"

#include <cstdlib>

using namespace tegula;

/// Finds a library that is not that of the command that started the ranks.
static Problem checkLibrary() {
  const char *text = std::getenv("OMPI_COMM_WORLD_SIZE");
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!text || std::atoi(text) == size)
    return {};
  return makeProblem(
      Problem::Kind::System,
      "mpirun started {0} ranks, but MPI in this process knows {1}: mpirun and "
      "the MPI that Tegula was built with must be of one installation",
      text, size);
}

static Problem create(const void *communicator, std::string_view kind,
                      Transport *&transport) {
  if (Problem problem = startMpi())
    return problem;
  if (!communicator)
    if (Problem problem = checkLibrary())
      return problem;
  MPI_Comm given = communicator ? *static_cast<const MPI_Comm *>(communicator)
                                : MPI_COMM_WORLD;
  MPI_Comm ranks = MPI_COMM_NULL, machine = MPI_COMM_NULL;
  if (int error = MPI_Comm_dup(given, &ranks))
    return describeMpiError(error, "join the ranks");
  MPI_Comm_set_errhandler(ranks, MPI_ERRORS_RETURN);
  if (int error = MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, 0,
                                      MPI_INFO_NULL, &machine))
    return describeMpiError(error, "find the ranks of this machine");
  int count = 1, local = 1;
  MPI_Comm_size(ranks, &count);
  MPI_Comm_size(machine, &local);
  MPI_Comm_free(&machine);
  int wantsMessages = local < count || kind == "mpi", someWant = 0;
  if (int error =
          MPI_Allreduce(&wantsMessages, &someWant, 1, MPI_INT, MPI_MAX, ranks))
    return describeMpiError(error, "ask all ranks");
  // All have started; ranks that are not asked may still look for names.
  int everyone = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &everyone);
  if (count == everyone)
    removeSharedName();
  if (someWant)
    transport = new OneSidedTransport(ranks, local);
  else
    transport = new SharedTransport(ranks, local);
  return {};
}

Transport *tegulaCreateTransport(const void *communicator, const char *kind,
                                 Problem *problem) {
  Transport *transport = nullptr;
  *problem = create(communicator, kind, transport);
  return transport;
}
