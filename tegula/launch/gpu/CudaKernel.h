// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel that is loaded on NVIDIA GPUs.

#ifndef TEGULA_LAUNCH_GPU_CUDAKERNEL_H
#define TEGULA_LAUNCH_GPU_CUDAKERNEL_H

#include "tegula/launch/gpu/abi/GpuAbi.h"
#include "tegula/launch/gpu/driver/CudaLaunch.h"
#include "tegula/launch/gpu/driver/PersistentScratch.h"
#include "tegula/launch/gpu/variants/MatmulOfCall.h"
#include "tegula/launch/gpu/variants/RowLaunchCache.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace tegula::cuda {

/// The kernel on one GPU.
struct Loaded {
  Context context;
  Device device;
  Function function;
  /// Of its variants, if it does the same with every row.
  std::vector<Function> rows;
  mutable RowLaunchCache rowLaunchCache;
  /// Blocks that run at once, and SMs of the chip.
  int64_t mostBlocks;
  int64_t numSMs;
  /// Whether its variants wait for earlier launches themselves.
  bool overlaps;
  /// The code of matmuls or attention, if the chip has tuned code.
  Module matmuls;
  /// That of matmuls in tiles, if there is no other.
  Module tiles;
  /// Functions of either that were called before, by numbers of the variant.
  static constexpr size_t mostVariants = 16;
  mutable std::atomic<Function> found[mostVariants] = {};
  /// Where the kernel reports errors: memory of the host that the GPU reaches,
  /// as either of them sees it. Of a TegulaGpuConsole if it prints.
  TegulaCallState *state;
  Address stateAddress;
  mutable PersistentScratch kept;
};

/// A program on all GPUs that it was called on.
class Kernel {
public:
  Kernel(GpuProgram program, const Driver &driver)
      : program(std::move(program)), driver(driver) {}

  /// Runs it at the thread's device (DeviceStream.h). If that names no GPU,
  /// tensors in memory of the host are copied there and back, and then the call
  /// waits. It also waits if the kernel prints.
  void run(const TegulaGpuRequest &request);

private:
  Loaded *load(Context context, std::string &problem);
  /// Loads it where it is not yet. The lock is held.
  Loaded *make(Context context, std::string &problem);
  /// Finds the kernel and its variants, and the memory where it reports errors.
  /// `atOnce` gets how many blocks an SM runs at once.
  bool loadFunctions(const GpuCode &code, Loaded &made, int &atOnce,
                     std::string &problem);
  /// Loads the chip's own code of matmuls.
  bool loadLibraries(int chip, Loaded &made, std::string &problem);
  /// Launches the kernel with such slots, whose tensors are on the GPU.
  bool launchBest(const Loaded &on, const TegulaGpuRequest &request,
                  const int64_t *slots, Stream queue, std::string &problem);
  /// The same for the fallback, not one of its tuned variants.
  bool launchFallback(const Loaded &on, const TegulaGpuRequest &request,
                      const int64_t *slots, Stream queue, std::string &problem);
  /// Launches tuned code of a matmul. False if there is none for this call.
  bool launchMatmul(const Loaded &on, const int64_t *slots, Stream queue,
                    std::string &problem);
  /// That of Hopper chips. False if it needs memory that is not there.
  bool multiply(const Loaded &on, const MatmulOfCall &matmul, Stream queue,
                std::string &problem);
  /// The same for matmuls in tiles.
  bool multiplyTiles(const Loaded &on, const MatmulOfCall &matmul, Stream queue,
                     std::string &problem);
  /// Launches a variant of a kernel that does the same with every row. False if
  /// none can take this call.
  bool runRows(const Loaded &on, const int64_t *slots, Stream queue,
               std::string &problem);
  /// The same for attention.
  bool attend(const Loaded &on, const int64_t *slots, Stream queue,
              std::string &problem);
  /// Takes what the kernel reported, if it did, for the state of a call.
  bool takeError(Loaded &on, TegulaCallState &state);
  bool check(Result result, const char *doing, std::string &problem) const {
    return __builtin_expect(result == 0, true) ||
           explain(result, doing, problem);
  }
  /// Says what is wrong; false.
  bool explain(Result result, const char *doing, std::string &problem) const;
  /// Launches the variant with that number, whose function is looked for once.
  template <typename GetName>
  bool launchVariant(const Loaded &on, size_t number, GetName getName,
                     Launch launch, void **parameters,
                     std::string &problem) const {
    launch.function = on.found[number].load(std::memory_order_relaxed);
    if (!launch.function) {
      if (!find(on, getName(), launch, problem))
        return false;
      on.found[number].store(launch.function, std::memory_order_relaxed);
    }
    return check(launch.run(driver, parameters), "launch", problem);
  }
  /// Finds the function of that name, which may use so much shared memory.
  bool find(const Loaded &on, const std::string &name, Launch &launch,
            std::string &problem) const;

  GpuProgram program;
  const Driver &driver;
  std::mutex mutex;
  /// Held by calls until they have waited for their launch.
  std::mutex waiting;
  std::vector<std::unique_ptr<Loaded>> loaded;
  /// Where the last call was, for the next one.
  std::atomic<Loaded *> latest = nullptr;
};

} // namespace tegula::cuda

#endif // TEGULA_LAUNCH_GPU_CUDAKERNEL_H
