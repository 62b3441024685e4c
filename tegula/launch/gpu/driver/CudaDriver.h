// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The driver of NVIDIA's GPUs, found when it is first needed. Nothing of it is
/// there at link time: the types below are ours, as its documents describe
/// them.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_CUDADRIVER_H
#define TEGULA_LAUNCH_GPU_DRIVER_CUDADRIVER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace tegula::cuda {

using Result = int;
using Device = int;
using Context = struct ContextOf *;
using Module = struct ModuleOf *;
using Function = struct FunctionOf *;
using Stream = struct StreamOf *;
using Address = uint64_t;

// Numbers of attributes.
constexpr int clockRate = 13;
constexpr int multiprocessorCount = 16;
constexpr int capabilityMajor = 75;
constexpr int capabilityMinor = 76;
constexpr int mostSharedBytesOfFunction = 8;
constexpr unsigned mappedMemory = 2;
constexpr int outOfMemory = 2;
constexpr int relaxedCaptures = 2;
constexpr int memoryTypeOfPointer = 2;
constexpr int deviceMemory = 2;
// Of maps of tensors: element types, and how rows are swizzled.
constexpr int mapBytes = 0, mapHalves = 1, mapWords = 2;
constexpr int mapFp16 = 6;
constexpr int mapBf16 = 9;
/// FP32 in memory, which copies round.
constexpr int mapTf32 = 11;
constexpr int swizzle128Bytes = 3;
constexpr int promoteTo128Bytes = 2, promoteTo256Bytes = 3;

constexpr int clusterAttribute = 4;
constexpr int overlapAttribute = 6;

/// How a kernel is launched that asks for more: blocks of a cluster, or a 1 if
/// it may begin before the launch before it has ended.
struct LaunchAttribute {
  int id;
  char pad[4];
  union {
    unsigned words[3];
    char bytes[64];
  };
};
struct LaunchConfig {
  unsigned blocks[3], threads[3], shared;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

/// The functions of the driver.
struct Driver {
  /// Whether what was launched has ended when the call returns.
  bool waits;
  /// The chip that is emulated, such as 90 for `sm_90`; 0 if devices say what
  /// they are.
  int emulatedChip;
  /// Whether launches may overlap, those that graphs are made of, too.
  bool overlaps;
  Result (*init)(unsigned);
  Result (*deviceGet)(Device *, int);
  Result (*deviceGetAttribute)(int *, int, Device);
  Result (*primaryContextRetain)(Context *, Device);
  Result (*contextGetCurrent)(Context *);
  Result (*contextSetCurrent)(Context);
  Result (*contextGetDevice)(Device *);
  Result (*contextPush)(Context);
  Result (*contextPop)(Context *);
  Result (*moduleLoadData)(Module *, const void *);
  Result (*moduleGetFunction)(Function *, Module, const char *);
  Result (*functionSetAttribute)(Function, int, int);
  Result (*occupancy)(int *, Function, int, size_t);
  Result (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, Stream, void **, void **);
  /// Null if the driver is too old for attributes.
  Result (*launchWith)(const LaunchConfig *, Function, void **, void **);
  Result (*launchTogether)(Function, unsigned, unsigned, unsigned, unsigned,
                           unsigned, unsigned, unsigned, Stream, void **);
  Result (*allocate)(Address *, size_t, Stream);
  Result (*free)(Address, Stream);
  /// Null if the driver is too old: memory that no stream orders, the number of
  /// a stream, and whether what it is given becomes a graph.
  Result (*allocateAtOnce)(Address *, size_t);
  Result (*streamNumber)(Stream, unsigned long long *);
  Result (*streamCaptures)(Stream, int *);
  /// What this thread may do while streams become graphs. Null the same.
  Result (*exchangeCaptureMode)(int *);
  Result (*hostAllocate)(void **, size_t, unsigned);
  Result (*hostAddress)(Address *, void *, unsigned);
  Result (*copyIn)(Address, const void *, size_t, Stream);
  Result (*copyOut)(void *, Address, size_t, Stream);
  Result (*copy)(Address, Address, size_t, Stream);
  Result (*fill)(Address, unsigned char, size_t, Stream);
  Result (*synchronize)(Stream);
  Result (*pointerAttribute)(void *, int, Address);
  Result (*encodeMap)(void *, int, uint32_t, void *, const uint64_t *,
                      const uint64_t *, const uint32_t *, const uint32_t *, int,
                      int, int, int);
  Result (*errorString)(Result, const char **);
};

/// What a device is, such as 90 for `sm_90`.
int getChip(const Driver &driver, Device device);

/// The driver, or null; then `problem` says why.
const Driver *findDriver(std::string &problem);

} // namespace tegula::cuda

#endif // TEGULA_LAUNCH_GPU_DRIVER_CUDADRIVER_H
