// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/TensorMap.h"

#include "tegula/launch/gpu/abi/MatmulAbi.h"
#include "tegula/launch/gpu/driver/CudaDriver.h"

#include <cstring>

using namespace tegula;
using namespace tegula::emulator;

static_assert(sizeof(TensorMap) <= sizeof(TegulaTensorMap));

/// Bytes of elements by the numbers of their types: 8, 16, 32 bits, signed or
/// not, 64 bits, FP16, FP32, FP64, BF16, one that is not emulated, TF32.
static int64_t bytesOf(int type) {
  constexpr int64_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 0, 4};
  return type >= 0 && type < int(std::size(bytes)) ? bytes[type] : 0;
}

static std::string say(const char *what, int64_t number, const char *wanted) {
  return std::string(what) + " is " + std::to_string(number) + ", not " +
         wanted;
}

/// The first thing that is wrong.
static std::string check(const TensorDescription &tensor,
                         int64_t elementBytes) {
  constexpr uint64_t mostSize = uint64_t(1) << 32, mostPitch = uint64_t(1)
                                                               << 40;
  constexpr uint32_t mostBox = 256;
  constexpr int64_t chunk = 16, row = 128;
  if (elementBytes == 0)
    return say("the type of a tensor", tensor.type, "one that is known");
  if (tensor.rank == 0 || tensor.rank > mostAxes)
    return say("the number of axes", tensor.rank, "1 to 5");
  if (auto address = reinterpret_cast<uint64_t>(tensor.address);
      address % chunk != 0)
    return say("the address of a tensor", int64_t(address),
               "a multiple of 16 bytes");
  for (uint32_t axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.sizes[axis] == 0 || tensor.sizes[axis] > mostSize)
      return say("an extent", int64_t(tensor.sizes[axis]), "1 to 2^32");
    if (tensor.box[axis] == 0 || tensor.box[axis] > mostBox)
      return say("the extent of a box", tensor.box[axis], "1 to 256");
    if (tensor.steps[axis] != 1)
      return say("the step of a box", tensor.steps[axis], "1");
    if (axis > 0 && (tensor.pitches[axis - 1] % chunk != 0 ||
                     tensor.pitches[axis - 1] >= mostPitch))
      return say("the pitch of a tensor", int64_t(tensor.pitches[axis - 1]),
                 "a multiple of 16 bytes below 2^40");
  }
  int64_t boxBytes = tensor.box[0] * elementBytes;
  if (boxBytes % chunk != 0)
    return say("the row of a box", boxBytes, "a multiple of 16 bytes");
  if (tensor.swizzle == cuda::swizzle128Bytes && boxBytes > row)
    return say("the row of a box", boxBytes, "at most 128 bytes");
  if (tensor.swizzle != cuda::swizzle128Bytes && tensor.swizzle != 0)
    return say("the swizzle", tensor.swizzle,
               "none or that of 128 bytes, which are emulated");
  return {};
}

std::string emulator::makeTensorMap(const TensorDescription &tensor,
                                    void *map) {
  int64_t elementBytes = bytesOf(tensor.type);
  if (std::string problem = check(tensor, elementBytes); !problem.empty())
    return problem;
  TensorMap made = {};
  made.magic = TensorMap::mark;
  made.rank = static_cast<uint16_t>(tensor.rank);
  made.elementBytes = static_cast<uint16_t>(elementBytes);
  made.address = static_cast<char *>(tensor.address);
  for (uint32_t axis = 0; axis < tensor.rank; ++axis) {
    made.sizes[axis] = static_cast<int64_t>(tensor.sizes[axis]);
    made.box[axis] = static_cast<uint16_t>(tensor.box[axis]);
    if (axis > 0)
      made.pitches[axis - 1] = static_cast<int64_t>(tensor.pitches[axis - 1]);
  }
  made.isSwizzled = tensor.swizzle == cuda::swizzle128Bytes;
  made.isRounded = tensor.type == cuda::mapTf32;
  std::memcpy(map, &made, sizeof(made));
  return {};
}

int64_t TensorMap::countBytes() const {
  int64_t bytes = elementBytes;
  for (uint32_t axis = 0; axis < rank; ++axis)
    bytes *= box[axis];
  return bytes;
}

const TensorMap *emulator::readTensorMap(const void *map) {
  auto *read = static_cast<const TensorMap *>(map);
  return read->magic == TensorMap::mark ? read : nullptr;
}
