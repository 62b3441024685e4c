// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/driver/EmulatedDriver.h"

#include "tegula/backends/cuda/emulator/Emulator.h"
#include "tegula/backends/cuda/emulator/ForcedClusters.h"
#include "tegula/backends/cuda/emulator/TensorMap.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

using namespace tegula;
using namespace tegula::cuda;

// Numbers of results, as NVIDIA's.
static constexpr Result invalidValue = 1, notFound = 500, launchFailed = 719;

/// The last thing that went wrong in this thread.
static thread_local std::string problem;

/// What the driver knows of a kernel.
static TegulaGpuEmulated kernelOf(Function function) {
  return reinterpret_cast<const TegulaGpuEmulatedKernel *>(function)->function;
}

static Result getAttribute(int *value, int attribute, Device) {
  *value = attribute == multiprocessorCount ? numEmulatedSMs : 0;
  return 0;
}

/// There is one context, and every thread is in it.
static Context getContext() {
  static char context;
  return reinterpret_cast<Context>(&context);
}
static Result retainContext(Context *context, Device) {
  *context = getContext();
  return 0;
}
static Result getCurrent(Context *context) {
  *context = getContext();
  return 0;
}

static Result loadData(Module *module, const void *bytes) {
  std::memcpy(module, bytes, sizeof(*module));
  return 0;
}

static Result getFunction(Function *function, Module module, const char *name) {
  auto *kernel = reinterpret_cast<const TegulaGpuEmulatedKernel *>(module);
  for (; kernel->name; ++kernel)
    if (std::strcmp(kernel->name, name) == 0) {
      *function = reinterpret_cast<Function>(
          const_cast<TegulaGpuEmulatedKernel *>(kernel));
      return 0;
    }
  problem = std::string("there is no kernel ") + name;
  return notFound;
}

static Result countBlocks(int *blocks, Function, int, size_t) {
  *blocks = 1;
  return 0;
}

static Result run(const EmulatedLaunch &launch) {
  problem = emulate(launch);
  return problem.empty() ? 0 : launchFailed;
}

static Result launchKernel(Function function, unsigned blocks, unsigned,
                           unsigned, unsigned threads, unsigned, unsigned,
                           unsigned shared, Stream, void **parameters,
                           void **) {
  return run({kernelOf(function), parameters, static_cast<int32_t>(blocks),
              static_cast<int32_t>(threads), shared, numEmulatedSMs});
}

static Result launchTogether(Function function, unsigned blocks, unsigned,
                             unsigned, unsigned threads, unsigned, unsigned,
                             unsigned shared, Stream, void **parameters) {
  return run({kernelOf(function), parameters, static_cast<int32_t>(blocks),
              static_cast<int32_t>(threads), shared,
              static_cast<int32_t>(blocks)});
}

/// The attribute with that number, or null.
static const LaunchAttribute *find(const LaunchConfig &config, int id) {
  for (unsigned i = 0; i < config.numAttributes; ++i)
    if (config.attributes[i].id == id)
      return config.attributes + i;
  return nullptr;
}

/// The size of the clusters that a launch asks for, or 0.
static int32_t findCluster(const LaunchConfig &config) {
  const LaunchAttribute *asked = find(config, clusterAttribute);
  if (!asked)
    return 0;
  const unsigned *cluster = asked->words;
  // Larger ones are not to be had on every chip.
  constexpr unsigned most = 8;
  bool isKnown = cluster[0] >= 1 && cluster[0] <= most && cluster[1] == 1 &&
                 cluster[2] == 1 && config.blocks[0] % cluster[0] == 0;
  return isKnown ? static_cast<int32_t>(cluster[0]) : 0;
}

/// Launches have ended when others begin, so that none overlap.
static Result launchWith(const LaunchConfig *config, Function function,
                         void **parameters, void **) {
  bool mayOverlap = find(*config, overlapAttribute);
  if (config->numAttributes == 1 && mayOverlap)
    return launchKernel(function, config->blocks[0], 1, 1, config->threads[0],
                        1, 1, config->shared, config->stream, parameters,
                        nullptr);
  int32_t wanted =
      config->numAttributes == 1U + mayOverlap ? findCluster(*config) : 0;
  if (!wanted) {
    problem = "the attributes of the launch are not one size of up to 8 "
              "blocks for clusters, of which all blocks are whole ones";
    return invalidValue;
  }
  int32_t cluster = emulator::ForcedClusters::replace(wanted);
  int32_t blocks = static_cast<int32_t>(config->blocks[0]) / wanted * cluster;
  int32_t atOnce = std::max(numEmulatedSMs / cluster, 1) * cluster;
  return run({kernelOf(function), parameters, blocks,
              static_cast<int32_t>(config->threads[0]), config->shared, atOnce,
              cluster});
}

/// What nobody wrote is NaN, as far as anybody will look.
static Result allocate(Address *address, size_t bytes, Stream) {
  constexpr size_t poisoned = size_t(64) << 20, line = 256;
  void *memory = std::aligned_alloc(line, (bytes + line - 1) / line * line);
  if (!memory) {
    problem = "out of memory";
    return outOfMemory;
  }
  std::memset(memory, 0xff, std::min(bytes, poisoned));
  *address = reinterpret_cast<Address>(memory);
  return 0;
}
static Result release(Address address, Stream) {
  std::free(reinterpret_cast<void *>(address));
  return 0;
}

static Result allocateHost(void **memory, size_t bytes, unsigned) {
  Address address = 0;
  Result result = allocate(&address, bytes, nullptr);
  *memory = reinterpret_cast<void *>(address);
  return result;
}

static Result getType(void *type, int, Address) {
  *static_cast<int *>(type) = deviceMemory;
  return 0;
}

static Result encodeMap(void *map, int type, uint32_t rank, void *address,
                        const uint64_t *sizes, const uint64_t *pitches,
                        const uint32_t *box, const uint32_t *steps, int,
                        int swizzle, int, int) {
  problem = emulator::makeTensorMap(
      {type, rank, address, sizes, pitches, box, steps, swizzle}, map);
  return problem.empty() ? 0 : invalidValue;
}

static Driver makeDriver() {
  Driver driver = {};
  driver.waits = true;
  driver.init = [](unsigned) { return 0; };
  driver.deviceGet = [](Device *device, int number) {
    return *device = number;
  };
  driver.deviceGetAttribute = getAttribute;
  driver.primaryContextRetain = retainContext;
  driver.contextGetCurrent = getCurrent;
  driver.contextSetCurrent = [](Context) { return 0; };
  driver.contextGetDevice = [](Device *device) { return *device = 0; };
  driver.contextPush = [](Context) { return 0; };
  driver.contextPop = getCurrent;
  driver.moduleLoadData = loadData;
  driver.moduleGetFunction = getFunction;
  driver.functionSetAttribute = [](Function, int, int) { return 0; };
  driver.occupancy = countBlocks;
  driver.launch = launchKernel;
  driver.launchTogether = launchTogether;
  driver.allocate = allocate;
  driver.free = release;
  driver.hostAllocate = allocateHost;
  driver.hostAddress = [](Address *address, void *memory, unsigned) {
    *address = reinterpret_cast<Address>(memory);
    return 0;
  };
  driver.copyIn = [](Address to, const void *from, size_t bytes, Stream) {
    std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return 0;
  };
  driver.copyOut = [](void *to, Address from, size_t bytes, Stream) {
    std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
    return 0;
  };
  driver.copy = [](Address to, Address from, size_t bytes, Stream) {
    std::memcpy(reinterpret_cast<void *>(to),
                reinterpret_cast<const void *>(from), bytes);
    return 0;
  };
  driver.fill = [](Address at, unsigned char byte, size_t bytes, Stream) {
    std::memset(reinterpret_cast<void *>(at), byte, bytes);
    return 0;
  };
  driver.synchronize = [](Stream) { return 0; };
  driver.pointerAttribute = getType;
  driver.encodeMap = encodeMap;
  driver.errorString = [](Result, const char **words) {
    *words = problem.c_str();
    return 0;
  };
  return driver;
}

const Driver &tegula::getEmulatedDriver(int chip) {
  static std::mutex mutex;
  static std::map<int, Driver> drivers;
  std::lock_guard<std::mutex> lock(mutex);
  auto [known, isNew] = drivers.try_emplace(chip);
  if (isNew) {
    known->second = makeDriver();
    known->second.emulatedChip = chip;
    constexpr int firstWithClusters = 90;
    if (chip >= firstWithClusters)
      known->second.launchWith = launchWith;
    known->second.overlaps = chip >= firstWithClusters;
  }
  return known->second;
}

void tegula::setEmulatedKernels(GpuProgram &program,
                                const TegulaGpuEmulatedKernel *kernels) {
  for (auto *codes : {&program.codes, &program.matmulCodes, &program.tileCodes})
    for (GpuCode &code : *codes)
      code.bytes.assign(reinterpret_cast<const char *>(&kernels),
                        sizeof(kernels));
}
