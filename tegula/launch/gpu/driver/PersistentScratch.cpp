// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/driver/PersistentScratch.h"

#include "tegula/launch/gpu/driver/RelaxedCaptures.h"

using namespace tegula::cuda;

/// The number of a stream that nothing captures. False if it is not to be had.
static bool findNumber(const Driver &driver, Stream stream,
                       unsigned long long &number) {
  int capturing = 0;
  return driver.streamNumber && driver.streamCaptures &&
         driver.allocateAtOnce &&
         driver.streamCaptures(stream, &capturing) == 0 && capturing == 0 &&
         driver.streamNumber(stream, &number) == 0;
}

PersistentScratch::Lease PersistentScratch::take(const Driver &driver,
                                                 Stream stream, int64_t bytes) {
  unsigned long long number = 0;
  if (bytes > mostBytes || !findNumber(driver, stream, number))
    return {};
  Lease lease{0, std::unique_lock<std::mutex>(mutex), &isCleared};
  if (!address) {
    RelaxedCaptures captures(driver);
    if (driver.allocateAtOnce(&address, bytes) == 0) {
      size = bytes;
      owner = number;
    }
  }
  if (address && owner == number && bytes <= size)
    lease.address = address;
  else
    lease.lock.unlock();
  return lease;
}
