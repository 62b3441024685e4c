// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/driver/GpuConsole.h"

#include "tegula/support/PrintRecord.h"
#include "tegula/support/PrintSink.h"

using namespace tegula;

/// Where the elements lie, once they are in memory of the host.
static void setAddresses(int64_t *record) {
  int64_t *value = record + 2 + (record[0] + 7) / 8;
  for (int64_t i = 0; i < record[1]; ++i) {
    bool isNumeric = value[1] < 0;
    if (!isNumeric)
      value[2] = reinterpret_cast<int64_t>(record + value[2]);
    value += isNumeric ? 3 : 3 + 2 * value[1];
  }
}

void tegula::printConsole(TegulaGpuConsole &console) {
  for (uint32_t at = 0; at < console.numWords;
       at += 1 + static_cast<uint32_t>(console.words[at])) {
    int64_t *record = console.words + at + 1;
    setAddresses(record);
    printLine(formatRecord(record));
  }
  if (console.numLost)
    printLine("... " + std::to_string(console.numLost) +
              " more that the GPU had no room for");
  console.numWords = 0;
  console.numLost = 0;
}
