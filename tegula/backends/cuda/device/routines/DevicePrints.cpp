// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel prints, written down for the host, which makes text of it.

#include "tegula/backends/cuda/device/routines/DeviceArena.h"
#include "tegula/launch/gpu/abi/GpuAbi.h"
#include "tegula/support/PrintAbi.h"

using namespace tegula::gpu;

/// As PrintRecord.h has them.
static constexpr int64_t mostPrinted = 1000, edge = 3;
/// As DType.h has them.
static constexpr int64_t int8 = 1, uint8 = 5, int4 = 13, uint4 = 14;

static int64_t bytesOf(int64_t dtype) {
  constexpr int64_t bytes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8,
                               2, 2, 4, 8, 1, 1, 1, 1, 8};
  return bytes[dtype];
}

namespace {

/// A tensor in a record: what of it is shown.
struct Shown {
  explicit Shown(const int64_t *value)
      : rank(value[1]), sizes(value + 3), strides(value + 3 + rank),
        isShort(countOf(rank, sizes) <= mostPrinted) {}

  bool isCut(int64_t axis) const { return !isShort && sizes[axis] > 2 * edge; }
  int64_t countAlong(int64_t axis) const {
    return isCut(axis) ? 2 * edge : sizes[axis];
  }
  int64_t count() const {
    int64_t product = 1;
    for (int64_t axis = 0; axis < rank; ++axis)
      product *= countAlong(axis);
    return product;
  }
  /// Elements from the first to the one that is shown at that position.
  int64_t offsetAt(int64_t number) const {
    int64_t offset = 0;
    for (int64_t axis = rank; axis-- > 0;) {
      int64_t shown = countAlong(axis), position = number % shown;
      number /= shown;
      if (isCut(axis) && position >= edge)
        position += sizes[axis] - 2 * edge;
      offset += position * strides[axis];
    }
    return offset;
  }

  int64_t rank;
  const int64_t *sizes, *strides;
  bool isShort;
};

} // namespace

static int64_t wordsOf(const int64_t *value) {
  return value[1] < 0 ? 3 : 3 + 2 * value[1];
}

static int64_t dataWordsOf(const int64_t *value) {
  return value[1] < 0 ? 0 : (Shown(value).count() * bytesOf(value[0]) + 7) / 8;
}

/// Half bytes get a byte of their own.
static void copyShown(const int64_t *value, int64_t *to, char *data) {
  Shown shown(value);
  auto *from = reinterpret_cast<const char *>(value[2]);
  int64_t dtype = value[0], bytes = bytesOf(dtype), stride = 1;
  bool isHalf = dtype == int4 || dtype == uint4;
  for (int64_t i = 0; i < shown.count(); ++i) {
    const char *element = from + shown.offsetAt(i) * bytes;
    if (isHalf)
      data[i] = static_cast<char>(dtype == int4 ? (readHalf(element) ^ 8) - 8
                                                : readHalf(element));
    else
      copyElement(data + i * bytes, element, bytes);
  }
  to[0] = (isHalf ? dtype == int4 ? int8 : uint8 : dtype) |
          int64_t(TegulaPrintShownOnly);
  for (int64_t axis = shown.rank; axis-- > 0;) {
    to[3 + shown.rank + axis] = stride;
    stride *= shown.countAlong(axis);
  }
}

/// Room for so many words behind all others; null if there is none.
static int64_t *reserve(TegulaGpuConsole *console, int64_t words) {
  uint32_t used = 0, wanted;
  do {
    uint32_t before = tegulaGpuSwap(&console->numWords, used, used);
    used = before;
    if (words >= int64_t(TegulaGpuConsoleWords) - used) {
      uint32_t lost = 0, found;
      while ((found = tegulaGpuSwap(&console->numLost, lost, lost + 1)) != lost)
        lost = found;
      return nullptr;
    }
    wanted = used + 1 + static_cast<uint32_t>(words);
  } while (tegulaGpuSwap(&console->numWords, used, wanted) != used);
  console->words[used] = words;
  return console->words + used + 1;
}

static void writeDown(const int64_t *record, TegulaGpuConsole *console) {
  const int64_t *first = record + 2 + (record[0] + 7) / 8, *value = first;
  int64_t dataWords = 0;
  for (int64_t i = 0; i < record[1]; ++i) {
    dataWords += dataWordsOf(value);
    value += wordsOf(value);
  }
  int64_t recordWords = value - record;
  int64_t *to = reserve(console, recordWords + dataWords);
  if (!to)
    return;
  for (int64_t i = 0; i < recordWords; ++i)
    to[i] = record[i];
  value = first;
  int64_t data = recordWords;
  for (int64_t i = 0; i < record[1]; ++i) {
    if (value[1] >= 0) {
      int64_t *copy = to + (value - record);
      copyShown(value, copy, reinterpret_cast<char *>(to + data));
      copy[2] = data;
    }
    data += dataWordsOf(value);
    value += wordsOf(value);
  }
}

extern "C" void tegulaGpuPrint(TegulaGpuArena *, const int64_t *record,
                               TegulaCallState *state) {
  bool hasFailed = *static_cast<volatile int32_t *>(&state->error);
  if (tegulaGpuThread() == 0 && !hasFailed)
    writeDown(record, reinterpret_cast<TegulaGpuConsole *>(state));
  tegulaGpuBarrier();
}
