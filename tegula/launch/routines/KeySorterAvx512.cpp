// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/KeySorters.h"

#if defined(__x86_64__)
#include <algorithm>
#include <cmath>
#include <immintrin.h>
#include <type_traits>

using namespace tegula;

#pragma clang attribute push(__attribute__((target("avx512f"))),               \
                             apply_to = function)
namespace {

/// Parts eight keys at a time; the lesser overwrite what has been read.
inline int64_t partitionVectors(int64_t *keys, int64_t *spare, int64_t count,
                                int64_t pivot, int64_t &low, int64_t &high) {
  __m512i middle = _mm512_set1_epi64(pivot);
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m512i next = _mm512_loadu_si512(keys + i);
    __mmask8 isLess = _mm512_cmplt_epi64_mask(next, middle);
    int64_t numLess = __builtin_popcount(isLess);
    _mm512_storeu_si512(keys + low, _mm512_maskz_compress_epi64(isLess, next));
    _mm512_storeu_si512(spare + high,
                        _mm512_maskz_compress_epi64(~isLess, next));
    low += numLess;
    high += 8 - numLess;
  }
  return i;
}

/// Takes those of sixteen halves that do not exceed the bound.
inline int64_t takeVector(const int32_t *halves, int64_t first, int32_t bound,
                          int64_t *keys) {
  __m512i next = _mm512_loadu_si512(halves + first);
  __mmask16 taken = _mm512_cmple_epi32_mask(next, _mm512_set1_epi32(bound));
  if (!taken)
    return 0;
  __m512i indices = _mm512_add_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                     _mm512_set1_epi64(first));
  auto put = [&](__m256i part, __mmask8 mask, int64_t *to) {
    __m512i wide = _mm512_slli_epi64(_mm512_cvtepi32_epi64(part), 32);
    _mm512_storeu_si512(
        to, _mm512_maskz_compress_epi64(mask, _mm512_or_si512(wide, indices)));
    return static_cast<int64_t>(__builtin_popcount(mask));
  };
  int64_t count = put(_mm512_castsi512_si256(next), taken & 0xff, keys);
  indices = _mm512_add_epi64(indices, _mm512_set1_epi64(8));
  return count +
         put(_mm512_extracti64x4_epi64(next, 1), taken >> 8, keys + count);
}

#include "tegula/launch/routines/SortKeys.inc"
// After it, whose vectors it uses.
#include "tegula/launch/routines/SelectKeys.inc"

} // namespace
#pragma clang attribute pop

const KeySorter tegula::keySorterAvx512 = {sortRowOf, readKeysOf, sortKeys,
                                           findFirstOf};
#endif
