// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/cache/Digest.h"
#include "tegula/launch/cache/Toolchain.h"

#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

using namespace tegula;

#if defined(__x86_64__)

namespace {

/// The answer to one question to the processor; zeros if it does not know it.
struct CpuAnswer {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;

  CpuAnswer(unsigned leaf, unsigned part) {
    __get_cpuid_count(leaf, part, &eax, &ebx, &ecx, &edx);
  }
};

} // namespace

/// Which registers the system saves when it switches threads.
static unsigned getSavedState() {
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

std::string tegula::describeHostCpu() {
  CpuAnswer vendor(0, 0), model(1, 0);
  char name[13] = {};
  std::memcpy(name, &vendor.ebx, 4);
  std::memcpy(name + 4, &vendor.edx, 4);
  std::memcpy(name + 8, &vendor.ecx, 4);
  Digest features;
  // The second word of leaf 1 says on which core this runs.
  features.add(model.eax);
  features.add(model.ecx);
  features.add(model.edx);
  constexpr unsigned osSavesState = 1 << 27;
  if (model.ecx & osSavesState)
    features.add(getSavedState());
  // The leaves in which processors list their instructions.
  const unsigned leaves[][2] = {{7, 0},    {7, 1},    {0xd, 1},
                                {0x19, 0}, {0x1e, 1}, {0x24, 0}};
  for (auto [leaf, part] : leaves) {
    CpuAnswer answer(leaf, part);
    if (leaf != 0xd) {
      features.add(answer.ebx);
      features.add(answer.ecx);
      features.add(answer.edx);
    }
    features.add(answer.eax);
  }
  CpuAnswer extended(0x80000001, 0), more(0x80000008, 0);
  features.add(extended.ecx);
  features.add(extended.edx);
  features.add(more.ebx);
  return "x86-64 " + std::string(name) + " " +
         features.finishText().substr(0, 16);
}

#else

std::string tegula::describeHostCpu() {
  Digest features;
  features.add(static_cast<uint64_t>(::getauxval(AT_HWCAP)));
  features.add(static_cast<uint64_t>(::getauxval(AT_HWCAP2)));
  auto *platform = reinterpret_cast<const char *>(::getauxval(AT_PLATFORM));
  return std::string(platform ? platform : "unknown") + " " +
         features.finishText().substr(0, 16);
}

#endif
