// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled code prints.

#include "tegula/launch/ranks/RankGroup.h"
#include "tegula/support/PrintAbi.h"
#include "tegula/support/PrintRecord.h"
#include "tegula/support/PrintSink.h"

#include <atomic>

using namespace tegula;

void tegulaPrint(const int64_t *record, TegulaCallState *state) {
  auto *error = reinterpret_cast<std::atomic<int32_t> *>(&state->error);
  if (error->load(std::memory_order_relaxed) != TegulaNoError)
    return;
  std::string text = formatRecord(record);
  const RankGroup &ranks = getRanks();
  if (ranks.getCount() > 1)
    text = "[rank " + std::to_string(ranks.getRank()) + "] " + text;
  printLine(std::move(text));
}
