// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/image/CpuFeatures.h"

#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace tegula;

namespace {

/// Where the processor says whether it has a feature, and which registers the
/// system has to save for it.
struct CpuFeature {
  enum Register : uint8_t { Eax, Ebx, Ecx, Edx };
  enum Saved : uint8_t { Nothing, Ymm, Zmm, Amx };

  std::string_view name;
  uint32_t leaf, part;
  Register where;
  uint8_t bit;
  Saved saved;
};

} // namespace

static constexpr CpuFeature known[] = {
    {"sse3", 1, 0, CpuFeature::Ecx, 0, CpuFeature::Nothing},
    {"ssse3", 1, 0, CpuFeature::Ecx, 9, CpuFeature::Nothing},
    {"sse4.1", 1, 0, CpuFeature::Ecx, 19, CpuFeature::Nothing},
    {"sse4.2", 1, 0, CpuFeature::Ecx, 20, CpuFeature::Nothing},
    {"movbe", 1, 0, CpuFeature::Ecx, 22, CpuFeature::Nothing},
    {"popcnt", 1, 0, CpuFeature::Ecx, 23, CpuFeature::Nothing},
    {"fma", 1, 0, CpuFeature::Ecx, 12, CpuFeature::Ymm},
    {"avx", 1, 0, CpuFeature::Ecx, 28, CpuFeature::Ymm},
    {"f16c", 1, 0, CpuFeature::Ecx, 29, CpuFeature::Ymm},
    {"lzcnt", 0x80000001, 0, CpuFeature::Ecx, 5, CpuFeature::Nothing},
    {"bmi", 7, 0, CpuFeature::Ebx, 3, CpuFeature::Nothing},
    {"avx2", 7, 0, CpuFeature::Ebx, 5, CpuFeature::Ymm},
    {"bmi2", 7, 0, CpuFeature::Ebx, 8, CpuFeature::Nothing},
    {"avx512f", 7, 0, CpuFeature::Ebx, 16, CpuFeature::Zmm},
    {"avx512dq", 7, 0, CpuFeature::Ebx, 17, CpuFeature::Zmm},
    {"avx512ifma", 7, 0, CpuFeature::Ebx, 21, CpuFeature::Zmm},
    {"avx512cd", 7, 0, CpuFeature::Ebx, 28, CpuFeature::Zmm},
    {"avx512bw", 7, 0, CpuFeature::Ebx, 30, CpuFeature::Zmm},
    {"avx512vl", 7, 0, CpuFeature::Ebx, 31, CpuFeature::Zmm},
    {"avx512vbmi", 7, 0, CpuFeature::Ecx, 1, CpuFeature::Zmm},
    {"avx512vbmi2", 7, 0, CpuFeature::Ecx, 6, CpuFeature::Zmm},
    {"gfni", 7, 0, CpuFeature::Ecx, 8, CpuFeature::Nothing},
    {"vaes", 7, 0, CpuFeature::Ecx, 9, CpuFeature::Ymm},
    {"vpclmulqdq", 7, 0, CpuFeature::Ecx, 10, CpuFeature::Ymm},
    {"avx512vnni", 7, 0, CpuFeature::Ecx, 11, CpuFeature::Zmm},
    {"avx512bitalg", 7, 0, CpuFeature::Ecx, 12, CpuFeature::Zmm},
    {"avx512vpopcntdq", 7, 0, CpuFeature::Ecx, 14, CpuFeature::Zmm},
    {"amx-bf16", 7, 0, CpuFeature::Edx, 22, CpuFeature::Amx},
    {"avx512fp16", 7, 0, CpuFeature::Edx, 23, CpuFeature::Zmm},
    {"amx-tile", 7, 0, CpuFeature::Edx, 24, CpuFeature::Amx},
    {"amx-int8", 7, 0, CpuFeature::Edx, 25, CpuFeature::Amx},
    {"avxvnni", 7, 1, CpuFeature::Eax, 4, CpuFeature::Ymm},
    {"avx512bf16", 7, 1, CpuFeature::Eax, 5, CpuFeature::Zmm},
    {"amx-fp16", 7, 1, CpuFeature::Eax, 21, CpuFeature::Amx},
    {"avxifma", 7, 1, CpuFeature::Eax, 23, CpuFeature::Ymm},
};

std::vector<std::string_view> tegula::listCpuFeatures() {
  std::vector<std::string_view> names;
  for (const CpuFeature &feature : known)
    names.push_back(feature.name);
  return names;
}

#if defined(__x86_64__)

/// Which registers the system saves when it switches threads.
static uint32_t getSavedState() {
  unsigned words[4] = {};
  constexpr unsigned osSavesState = 1 << 27;
  if (!__get_cpuid(1, words, words + 1, words + 2, words + 3) ||
      !(words[2] & osSavesState))
    return 0;
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static bool hasFeature(const CpuFeature &feature) {
  // By Saved: the parts of the state that must be there.
  constexpr uint32_t states[] = {0, 0x6, 0xe6, 0x60000};
  uint32_t wanted = states[feature.saved];
  unsigned words[4] = {};
  return __get_cpuid_count(feature.leaf, feature.part, words, words + 1,
                           words + 2, words + 3) &&
         (words[feature.where] >> feature.bit & 1) &&
         (getSavedState() & wanted) == wanted;
}

#else

static bool hasFeature(const CpuFeature &feature) { return false; }

#endif

std::string tegula::listHostFeatures() {
  std::string names;
  for (const CpuFeature &feature : known)
    if (hasFeature(feature))
      names += (names.empty() ? "" : " ") + std::string(feature.name);
  return names;
}

std::string tegula::findMissingFeature(std::string_view names) {
  while (!names.empty()) {
    size_t end = std::min(names.find(' '), names.size());
    std::string_view name = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    const CpuFeature *found = nullptr;
    for (const CpuFeature &feature : known)
      if (feature.name == name)
        found = &feature;
    if (!found || !hasFeature(*found))
      return std::string(name);
  }
  return "";
}
