// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program as a compiler would make it: `x` is a vector of INT64, `mode`
// says what to do.

#include "tegula/support/RanksAbi.h"

#include <cstdlib>
#include <signal.h>
#include <unistd.h>

/// Each rank adds its number to its part, and then the first one 1 to all.
static void addRanks(int64_t *x, int64_t size, int64_t stride,
                     TegulaCallState *state) {
  int64_t count = tegulaRankCount();
  for (int64_t rank = 0; rank < count; ++rank) {
    int64_t begin = size * rank / count, end = size * (rank + 1) / count;
    const int64_t shape[] = {end - begin, stride};
    TegulaTensorUse part = {x + begin * stride, shape, 1, 64, 1, 1};
    if (!tegulaDispatchBegin(rank, &part, 1, state, 0))
      continue;
    for (int64_t i = begin; i < end; ++i)
      x[i * stride] += rank;
    tegulaDispatchEnd(state, 0);
  }
  const int64_t shape[] = {size, stride};
  TegulaTensorUse all = {x, shape, 1, 64, 1, 1};
  if (tegulaDispatchBegin(0, &all, 1, state, 0)) {
    for (int64_t i = 0; i < size; ++i)
      x[i * stride] += 1;
    tegulaDispatchEnd(state, 0);
  }
}

extern "C" void tegulaTestProgram(const int64_t *slots,
                                  TegulaCallState *state) {
  int64_t *x = reinterpret_cast<int64_t *>(slots[0]);
  int64_t size = slots[1], mode = slots[3];
  bool isLast = tegulaRank() == tegulaRankCount() - 1;
  if (mode == 0)
    return;
  if (mode == 1)
    addRanks(x, size, slots[2], state);
  if (mode == 2 && isLast)
    tegulaReportError(state, TegulaStepNotPositive, 0, 0, -7, 0);
  if (mode == 3 && isLast)
    ::kill(::getpid(), SIGKILL);
  if (mode == 4 && isLast)
    std::exit(0);
  if (mode == 5 && isLast)
    ::raise(SIGSTOP);
  for (volatile bool goesOn = mode == 7 && isLast; goesOn;)
    ;
  do
    tegulaMeet(7, state, 0);
  while (mode == 6 && state->error == TegulaNoError);
  tegulaHostEnd(state, 0);
}
