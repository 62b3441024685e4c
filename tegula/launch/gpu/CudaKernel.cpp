// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/CudaKernel.h"

#include "tegula/launch/device/DeviceFailure.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"
#include "tegula/launch/gpu/driver/CudaContext.h"
#include "tegula/launch/gpu/driver/CudaScratch.h"
#include "tegula/launch/gpu/driver/GpuConsole.h"
#include "tegula/launch/gpu/driver/GpuScratch.h"
#include "tegula/launch/gpu/driver/HostTensors.h"
#include "tegula/launch/gpu/driver/RelaxedCaptures.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::cuda;

bool Kernel::explain(Result result, const char *doing,
                     std::string &problem) const {
  const char *words = "unknown error";
  driver.errorString(result, &words);
  problem = program.name + ": cannot " + doing + " on the GPU: " + words;
  return false;
}

Loaded *Kernel::load(Context context, std::string &problem) {
  if (Loaded *known = latest.load(std::memory_order_acquire))
    if (known->context == context)
      return known;
  std::lock_guard<std::mutex> lock(mutex);
  Loaded *found = nullptr;
  for (const auto &known : loaded)
    if (known->context == context)
      found = known.get();
  if (!found)
    found = make(context, problem);
  if (found)
    latest.store(found, std::memory_order_release);
  return found;
}

Loaded *Kernel::make(Context context, std::string &problem) {
  RelaxedCaptures captures(driver);
  Device device;
  int numSMs = 0;
  if (!check(driver.contextGetDevice(&device), "find a device", problem))
    return nullptr;
  int chip = getChip(driver, device);
  driver.deviceGetAttribute(&numSMs, multiprocessorCount, device);
  const GpuCode *code = findGpuCode(program.codes, chip);
  if (!code) {
    problem = program.name + ": compiled for";
    for (const GpuCode &other : program.codes)
      problem += " " + other.chip;
    problem += ", and the GPU is sm_" + std::to_string(chip);
    return nullptr;
  }
  auto made = std::make_unique<Loaded>();
  made->context = context;
  made->device = device;
  int atOnce = 0;
  if (!loadFunctions(*code, *made, atOnce, problem))
    return nullptr;
  made->mostBlocks = std::max<int64_t>(1, int64_t(atOnce) * numSMs);
  made->numSMs = numSMs;
  made->overlaps = driver.overlaps && code->getChip() >= tegulaGpuOverlapChip;
  if (!loadLibraries(chip, *made, problem))
    return nullptr;
  loaded.push_back(std::move(made));
  return loaded.back().get();
}

bool Kernel::loadFunctions(const GpuCode &code, Loaded &made, int &atOnce,
                           std::string &problem) {
  Module module;
  void *host = nullptr;
  auto shared = static_cast<int>(program.sharedBytes);
  if (!check(driver.moduleLoadData(&module, code.bytes.c_str()),
             "load the code", problem) ||
      !check(driver.moduleGetFunction(&made.function, module,
                                      program.symbol.c_str()),
             "find the kernel", problem) ||
      !check(driver.functionSetAttribute(made.function,
                                         mostSharedBytesOfFunction, shared),
             "reserve shared memory", problem) ||
      !check(driver.occupancy(&atOnce, made.function,
                              static_cast<int>(program.threads), shared),
             "place blocks", problem) ||
      !check(driver.hostAllocate(&host,
                                 program.hasPrints ? sizeof(TegulaGpuConsole)
                                                   : sizeof(TegulaCallState),
                                 mappedMemory),
             "allocate memory", problem) ||
      !check(driver.hostAddress(&made.stateAddress, host, 0), "allocate memory",
             problem))
    return false;
  if (program.rows)
    for (const GpuRowVariant &variant : program.rows->variants)
      if (!check(driver.moduleGetFunction(&made.rows.emplace_back(), module,
                                          variant.symbol.c_str()),
                 "find a variant of the kernel", problem))
        return false;
  made.state = static_cast<TegulaCallState *>(host);
  if (program.hasPrints)
    *static_cast<TegulaGpuConsole *>(host) = {};
  *made.state = {};
  return true;
}

bool Kernel::loadLibraries(int chip, Loaded &made, std::string &problem) {
  made.matmuls = made.tiles = nullptr;
  const GpuCode *own = findGpuCode(program.matmulCodes, chip);
  if (own && !check(driver.moduleLoadData(&made.matmuls, own->bytes.c_str()),
                    "load the code of matmuls", problem))
    return false;
  const GpuCode *tiles = findGpuCode(program.tileCodes, chip);
  return own || !tiles ||
         check(driver.moduleLoadData(&made.tiles, tiles->bytes.c_str()),
               "load the code of tiled matmuls", problem);
}

bool Kernel::find(const Loaded &on, const std::string &name, Launch &launch,
                  std::string &problem) const {
  return check(driver.moduleGetFunction(&launch.function,
                                        on.matmuls ? on.matmuls : on.tiles,
                                        name.c_str()),
               "find the matmul", problem) &&
         check(driver.functionSetAttribute(launch.function,
                                           mostSharedBytesOfFunction,
                                           static_cast<int>(launch.shared)),
               "reserve shared memory", problem);
}

bool Kernel::launchMatmul(const Loaded &on, const int64_t *slots, Stream queue,
                          std::string &problem) {
  if (!program.matmul || (!on.matmuls && !on.tiles))
    return false;
  MatmulOfCall matmul(program, slots);
  if (matmul.findObstacle())
    return false;
  return on.matmuls ? multiply(on, matmul, queue, problem)
                    : multiplyTiles(on, matmul, queue, problem);
}

/// The grid barrier, before the rest of the memory.
static constexpr int64_t lineBytes = 256;

bool Kernel::runRows(const Loaded &on, const int64_t *slots, Stream queue,
                     std::string &problem) {
  if (!program.rows)
    return false;
  GpuRowLaunch rows;
  if (!on.rowLaunchCache.find(program.tensors, slots, program.numSlots, rows)) {
    std::optional<GpuRowLaunch> planned =
        planRows(*program.rows, program.tensors, slots, program.numSlots,
                 on.numSMs, program.threads);
    if (!planned)
      return false;
    rows = *planned;
    on.rowLaunchCache.keep(program.tensors, slots, program.numSlots, rows);
  }
  if (!rows.slots.empty())
    slots = rows.slots.data();
  ShortVector<void *, 40> room;
  room.resize(program.numSlots);
  void **parameters = room.data();
  for (int64_t i = 0; i < program.numSlots; ++i)
    parameters[i] = const_cast<int64_t *>(slots + i);
  auto blocks = static_cast<unsigned>(rows.blocks);
  Launch launch{on.rows[rows.variant],
                blocks,
                static_cast<unsigned>(rows.threads),
                0,
                queue,
                on.overlaps};
  check(launch.run(driver, parameters), "launch", problem);
  return true;
}

bool Kernel::takeError(Loaded &on, TegulaCallState &state) {
  auto *error = reinterpret_cast<volatile int32_t *>(&on.state->error);
  if (*error == TegulaNoError)
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  if (*error == TegulaNoError)
    return false;
  state = *on.state;
  *on.state = {};
  return true;
}

bool Kernel::launchFallback(const Loaded &on, const TegulaGpuRequest &request,
                            const int64_t *slots, Stream queue,
                            std::string &problem) {
  GpuScratch sizes(request, on.mostBlocks);
  Scratch scratch(driver, queue);
  PersistentScratch::Lease kept;
  if (program.hasGridBarrier || request.commonBytes || request.ownBytes) {
    kept = on.kept.take(driver, queue, lineBytes + sizes.getBytes());
    Result result = 0;
    if (!kept.address)
      do
        result = scratch.allocate(lineBytes + sizes.getBytes());
      while (result == outOfMemory && sizes.shrink());
    if (!check(result, "allocate scratch memory", problem))
      return false;
    // Nobody has come to the barrier yet, and all have left it after a launch.
    // One block does not go there.
    bool isCleared = kept.address && *kept.isCleared;
    if (program.hasGridBarrier && sizes.blocks > 1 && !isCleared) {
      if (!check(driver.fill(kept.address ? kept.address : scratch.get(), 0,
                             lineBytes, queue),
                 "clear scratch memory", problem))
        return false;
      if (kept.address)
        *kept.isCleared = true;
    }
  }

  Address gridBarrier = kept.address ? kept.address : scratch.get(),
          commonAt = gridBarrier + lineBytes, ownAt = commonAt + sizes.common;
  Address state = on.stateAddress;
  ShortVector<void *, 48> parameters;
  for (int64_t i = 0; i < program.usedSlots; ++i)
    parameters.push_back(const_cast<int64_t *>(slots + i));
  for (void *tail :
       {static_cast<void *>(&gridBarrier), static_cast<void *>(&commonAt),
        static_cast<void *>(&sizes.common), static_cast<void *>(&ownAt),
        static_cast<void *>(&sizes.own), static_cast<void *>(&state)})
    parameters.push_back(tail);
  auto grid = static_cast<unsigned>(sizes.blocks);
  auto threads = static_cast<unsigned>(program.threads);
  auto shared = static_cast<unsigned>(program.sharedBytes);
  Result result =
      program.hasGridBarrier && sizes.blocks > 1
          ? driver.launchTogether(on.function, grid, 1, 1, threads, 1, 1,
                                  shared, queue, parameters.data())
          : driver.launch(on.function, grid, 1, 1, threads, 1, 1, shared, queue,
                          parameters.data(), nullptr);
  if (!check(result, "launch", problem))
    return false;
  if (!program.hasPrints)
    return true;
  if (!check(driver.synchronize(queue), "run", problem))
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  printConsole(*reinterpret_cast<TegulaGpuConsole *>(on.state));
  return true;
}

bool Kernel::launchBest(const Loaded &on, const TegulaGpuRequest &request,
                        const int64_t *slots, Stream queue,
                        std::string &problem) {
  if (launchMatmul(on, slots, queue, problem) ||
      (program.attention && attend(on, slots, queue, problem)) ||
      runRows(on, slots, queue, problem))
    return problem.empty();
  return launchFallback(on, request, slots, queue, problem);
}

void Kernel::run(const TegulaGpuRequest &request) {
  std::string problem;
  const DeviceStream &stream = getDeviceStream();
  ContextScope context(driver);
  auto fail = [&](Problem::Kind kind = Problem::Kind::Run) {
    reportDeviceFailure(request.state, {kind, problem});
  };
  const Loaded *before = latest.load(std::memory_order_acquire);
  if (!check(before ? context.enter(stream, before->context, before->device)
                    : context.enter(stream),
             "start", problem))
    return fail(Problem::Kind::System);
  Loaded *on = load(context.get(), problem);
  if (!on)
    return fail(Problem::Kind::System);
  // Who waits takes what was reported for its own, so that others do not
  // launch the kernel meanwhile.
  std::unique_lock<std::mutex> lease(waiting, std::defer_lock);
  if (driver.waits || !stream.isNamed())
    lease.lock();
  // What an earlier call reported, which nobody waited for, is told now.
  if (takeError(*on, *request.state))
    return;
  auto *queue = static_cast<Stream>(stream.stream);
  if (stream.isNamed()) {
    if (!launchBest(*on, request, request.slots, queue, problem))
      return fail();
    if (driver.waits)
      takeError(*on, *request.state);
    return;
  }
  HostTensors copies(driver, program, request.slots, queue);
  if (!check(copies.copyIn(), "copy tensors", problem) ||
      !launchBest(*on, request, copies.getSlots(), queue, problem) ||
      (!copies.isEmpty() && !check(copies.copyOut(), "run", problem)))
    return fail();
  if (driver.waits || !copies.isEmpty())
    takeError(*on, *request.state);
}
