// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/mpi/MpiTransport.h"

#include <cstdlib>

using namespace tegula;

Problem tegula::describeMpiError(int error, const char *action) {
  if (error == MPI_SUCCESS)
    return {};
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(error, text, &length);
  return makeProblem(Problem::Kind::System, "MPI cannot {0}: {1}", action,
                     std::string(text, length));
}

char *tegula::alignSegment(char *memory) {
  auto address = reinterpret_cast<uintptr_t>(memory);
  return memory +
         (segmentAlignment - address % segmentAlignment) % segmentAlignment;
}

static void endMpi() {
  int isEnded = 0;
  MPI_Finalized(&isEnded);
  if (!isEnded)
    MPI_Finalize();
}

Problem tegula::startMpi() {
  int isStarted = 0;
  MPI_Initialized(&isStarted);
  if (isStarted)
    return {};
  int level = 0;
  if (int error =
          MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level))
    return describeMpiError(error, "start");
  std::atexit(endMpi);
  return {};
}

MpiTransport::MpiTransport(MPI_Comm ranks, int64_t numLocal) : ranks(ranks) {
  int number = 0, size = 1;
  MPI_Comm_rank(ranks, &number);
  MPI_Comm_size(ranks, &size);
  rank = number;
  count = size;
  localCount = numLocal;
  // The first thing that MPI_Finalize does is to delete attributes of
  // MPI_COMM_SELF, whoever calls it.
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, endJob, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, this);
}

MpiTransport::~MpiTransport() {
  // Windows are left to MPI: freeing them would wait for all ranks.
  if (!over)
    MPI_Comm_delete_attr(MPI_COMM_SELF, key);
}

int MpiTransport::endJob(MPI_Comm, int, void *transport, void *) {
  auto *self = static_cast<MpiTransport *>(transport);
  if (self->leaving)
    self->leaving(self->context);
  self->over = true;
  return MPI_SUCCESS;
}

void MpiTransport::setLeaving(void (*function)(void *), void *argument) {
  leaving = function;
  context = argument;
}

Problem MpiTransport::agreeOn(int error, const char *action) {
  int worst = MPI_SUCCESS;
  int failed = MPI_Allreduce(&error, &worst, 1, MPI_INT, MPI_MAX, ranks);
  return describeMpiError(failed ? failed : worst, action);
}
