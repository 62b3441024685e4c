// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Random.h"

using namespace tegula::differential;

uint64_t Random::next() {
  uint64_t bits = state += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}
