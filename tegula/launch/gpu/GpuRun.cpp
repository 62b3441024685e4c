// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a kernel for GPUs, from its host code.

#include "tegula/launch/gpu/CudaKernel.h"
#include "tegula/launch/gpu/Emulator.h"
#include "tegula/launch/gpu/GpuConsole.h"
#include "tegula/launch/gpu/GpuFailure.h"
#include "tegula/launch/gpu/GpuScratch.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

using namespace tegula;

/// A block is as good as many, but then none waits for another.
static constexpr int64_t emulatedBlocks = 3;
/// Two warps.
static constexpr int32_t emulatedThreads = 64;

/// Memory of an emulated GPU. What nobody wrote is NaN, as far as anybody will
/// look.
class EmulatedMemory {
public:
  explicit EmulatedMemory(int64_t bytes)
      : memory(static_cast<char *>(std::aligned_alloc(64, bytes))) {
    constexpr int64_t poisoned = 64 << 20;
    if (memory)
      std::memset(memory, 0xff, std::min(bytes, poisoned));
  }
  ~EmulatedMemory() { std::free(memory); }
  EmulatedMemory(const EmulatedMemory &) = delete;
  EmulatedMemory &operator=(const EmulatedMemory &) = delete;
  char *get() const { return memory; }

private:
  char *memory;
};

/// Runs a form of a kernel that does the same with every row. False if none
/// can take the call.
static bool emulateRows(const GpuProgram &program,
                        const TegulaGpuRequest &request) {
  if (!program.rows)
    return false;
  std::optional<GpuRowLaunch> rows =
      planRows(*program.rows, program.tensors, request.slots, program.numSlots,
               emulatedBlocks, emulatedThreads);
  if (!rows)
    return false;
  const int64_t *slots =
      rows->slots.empty() ? request.slots : rows->slots.data();
  std::vector<void *> parameters;
  for (int64_t i = 0; i < program.numSlots; ++i)
    parameters.push_back(const_cast<int64_t *>(slots + i));
  // Blocks do not wait for each other, so a few at a time will do.
  for (int64_t first = 0; first < rows->blocks; first += emulatedBlocks) {
    EmulatedLaunch launch{
        request.emulated[1 + rows->form],
        parameters.data(),
        static_cast<int32_t>(std::min(rows->blocks - first, emulatedBlocks)),
        emulatedThreads,
        0,
        static_cast<int32_t>(first)};
    std::string problem = emulate(launch);
    if (!problem.empty()) {
      reportGpuFailure(request.state, program.name + ": " + problem);
      break;
    }
  }
  return true;
}

static void runEmulated(const GpuProgram &program,
                        const TegulaGpuRequest &request) {
  if (emulateRows(program, request))
    return;
  GpuScratch sizes(request, emulatedBlocks);
  std::unique_ptr<EmulatedMemory> memory;
  do
    memory = std::make_unique<EmulatedMemory>(sizes.getBytes());
  while (!memory->get() && sizes.shrink());
  if (!memory->get())
    return tegulaReportError(request.state, TegulaOutOfMemory, -1, 0,
                             sizes.getBytes(), 0);
  uint64_t meeting = 0;
  std::unique_ptr<TegulaGpuConsole> console;
  if (program.hasPrints)
    console = std::make_unique<TegulaGpuConsole>();
  TegulaGpuKernelTail tail = {
      &meeting,     memory->get(),
      sizes.common, memory->get() + sizes.common,
      sizes.own,    console ? &console->state : request.state};
  std::vector<void *> parameters;
  for (int64_t i = 0; i < program.usedSlots; ++i)
    parameters.push_back(const_cast<int64_t *>(request.slots + i));
  for (void *part :
       {static_cast<void *>(&tail.meeting), static_cast<void *>(&tail.common),
        static_cast<void *>(&tail.commonBytes), static_cast<void *>(&tail.own),
        static_cast<void *>(&tail.ownBytes), static_cast<void *>(&tail.state)})
    parameters.push_back(part);
  std::string problem = emulate({request.emulated[0], parameters.data(),
                                 static_cast<int32_t>(sizes.blocks),
                                 emulatedThreads, program.sharedBytes});
  if (console) {
    *request.state = console->state;
    printConsole(*console);
  }
  if (!problem.empty())
    reportGpuFailure(request.state, program.name + ": " + problem);
}

namespace {

/// A program, read from the bytes in host code.
struct LoadedProgram {
  GpuProgram program;
  std::unique_ptr<cuda::Kernel> kernel;
};

} // namespace

/// Read once, and kept for as long as the process: host code may be unloaded
/// while its last launch is still running.
static LoadedProgram *load(const TegulaGpuRequest &request) {
  auto *place =
      reinterpret_cast<std::atomic<LoadedProgram *> *>(request.loaded);
  if (LoadedProgram *known = place->load(std::memory_order_acquire))
    return known;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (LoadedProgram *known = place->load(std::memory_order_acquire))
    return known;
  auto made = std::make_unique<LoadedProgram>();
  std::string problem;
  if (!made->program.read({request.program, size_t(request.programBytes)}))
    problem = "the code of a GPU kernel is damaged";
  if (problem.empty() && !request.emulated)
    if (const cuda::Driver *driver = cuda::findDriver(problem))
      made->kernel = std::make_unique<cuda::Kernel>(made->program, *driver);
  if (!problem.empty()) {
    reportGpuFailure(request.state, problem);
    return nullptr;
  }
  LoadedProgram *kept = made.release();
  place->store(kept, std::memory_order_release);
  return kept;
}

void tegulaGpuRun(const TegulaGpuRequest *request) {
  LoadedProgram *loaded = load(*request);
  if (!loaded)
    return;
  if (request->emulated)
    return runEmulated(loaded->program, *request);
  loaded->kernel->run(*request);
}
