// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/CudaKernel.h"

#include "tegula/launch/gpu/GpuFailure.h"
#include "tegula/launch/gpu/hopper/ProductAbi.h"
#include "tegula/support/HalfBytes.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::cuda;

static thread_local GpuStream stream;

GpuStream &tegula::currentGpuStream() { return stream; }

bool Kernel::check(Result result, const char *doing,
                   std::string &problem) const {
  if (result == 0)
    return true;
  const char *words = "unknown error";
  driver.errorString(result, &words);
  problem = program.name + ": cannot " + doing + " on the GPU: " + words;
  return false;
}

/// The best of the codes for a chip of that capability: one made for it, else
/// text that the driver assembles.
static const GpuCode *findCode(const std::vector<GpuCode> &codes, int major,
                               int minor) {
  std::string own = "sm_" + std::to_string(10 * major + minor);
  const GpuCode *best = nullptr;
  for (const GpuCode &code : codes) {
    bool isText = code.bytes.compare(0, 4, "\177ELF") != 0;
    if (code.chip == own || code.chip == own + "a")
      return &code;
    int made = std::atoi(code.chip.c_str() + 3);
    bool isFamily = made / 10 == major && made % 10 <= minor;
    if (code.chip.back() != 'a' &&
        (isText ? made <= 10 * major + minor : isFamily))
      best = &code;
  }
  return best;
}

Loaded *Kernel::load(Context context, std::string &problem) {
  std::lock_guard<std::mutex> lock(mutex);
  for (const auto &known : loaded)
    if (known->context == context)
      return known.get();
  Device device;
  int major = 0, minor = 0, processors = 0;
  if (!check(driver.contextGetDevice(&device), "find a device", problem))
    return nullptr;
  driver.deviceGetAttribute(&major, capabilityMajor, device);
  driver.deviceGetAttribute(&minor, capabilityMinor, device);
  driver.deviceGetAttribute(&processors, multiprocessorCount, device);
  const GpuCode *code = findCode(program.codes, major, minor);
  if (!code) {
    problem = program.name + ": compiled for";
    for (const GpuCode &other : program.codes)
      problem += " " + other.chip;
    problem += ", and the GPU is sm_" + std::to_string(10 * major + minor);
    return nullptr;
  }
  auto made = std::make_unique<Loaded>();
  made->context = context;
  Module module;
  int atOnce = 0;
  void *host = nullptr;
  auto shared = static_cast<int>(program.sharedBytes);
  if (!check(driver.moduleLoadData(&module, code->bytes.c_str()),
             "load the code", problem) ||
      !check(driver.moduleGetFunction(&made->function, module,
                                      program.symbol.c_str()),
             "find the kernel", problem) ||
      !check(driver.functionSetAttribute(made->function,
                                         mostSharedBytesOfFunction, shared),
             "reserve shared memory", problem) ||
      !check(driver.occupancy(&atOnce, made->function,
                              static_cast<int>(program.threads), shared),
             "place blocks", problem) ||
      !check(driver.hostAllocate(&host, sizeof(TegulaCallState), mappedMemory),
             "allocate memory", problem) ||
      !check(driver.hostAddress(&made->stateAddress, host, 0),
             "allocate memory", problem))
    return nullptr;
  made->state = static_cast<TegulaCallState *>(host);
  *made->state = {};
  made->mostBlocks = std::max<int64_t>(1, int64_t(atOnce) * processors);
  made->processors = processors;
  made->products = nullptr;
  if (const GpuCode *own = findCode(program.productCodes, major, minor))
    if (!check(driver.moduleLoadData(&made->products, own->bytes.c_str()),
               "load the code of products", problem))
      return nullptr;
  loaded.push_back(std::move(made));
  return loaded.back().get();
}

namespace {

/// The bytes from the first to the last element of a tensor.
struct Span {
  /// Where they begin, and how many there are.
  Address start = 0;
  int64_t bytes = 0;

  Span(const GpuTensor &tensor, const int64_t *slots) {
    int64_t first = 0, last = 0;
    const int64_t *sizes = slots + tensor.slot + 1;
    const int64_t *strides = sizes + tensor.rank;
    for (int64_t axis = 0; axis < tensor.rank; ++axis) {
      if (sizes[axis] == 0)
        return;
      int64_t reach = (sizes[axis] - 1) * strides[axis];
      (reach < 0 ? first : last) += reach;
    }
    auto address = static_cast<Address>(slots[tensor.slot]);
    if (tensor.elementBits >= 8) {
      start = address + first * (tensor.elementBits / 8);
      bytes = (last - first + 1) * (tensor.elementBits / 8);
      return;
    }
    // Addresses of half bytes are twice those of bytes, and marked.
    Address half = address & halfByteMark ? address << 1 >> 1 : address << 1;
    start = (half + first) / 2;
    bytes = static_cast<int64_t>((half + last) / 2 - start) + 1;
  }
};

/// Tensors of the host in memory of the GPU, for one call.
class TensorCopies {
public:
  TensorCopies(const Driver &driver, const GpuProgram &program,
               const int64_t *slots, Stream stream)
      : driver(driver), program(program), stream(stream),
        slots(slots, slots + program.numSlots) {}
  ~TensorCopies() {
    for (const Copy &copy : copies)
      driver.free(copy.address, stream);
  }

  const int64_t *getSlots() const { return slots.data(); }
  bool isEmpty() const { return copies.empty(); }

  Result copyIn() {
    for (const GpuTensor &tensor : program.tensors) {
      Span span(tensor, slots.data());
      int type = 0;
      // The driver does not know memory that is not its own.
      if (span.bytes == 0 ||
          (driver.pointerAttribute(&type, memoryTypeOfPointer, span.start) ==
               0 &&
           type == deviceMemory))
        continue;
      Address address = 0;
      if (Result result = driver.allocate(&address, span.bytes, stream))
        return result;
      copies.push_back({&tensor, span, address});
      // Bytes between elements are copied back as they were.
      auto *host = reinterpret_cast<const void *>(span.start);
      if (Result result = driver.copyIn(address, host, span.bytes, stream))
        return result;
      auto moved = static_cast<int64_t>(address - span.start);
      if (tensor.elementBits < 8 &&
          static_cast<Address>(slots[tensor.slot]) & halfByteMark)
        moved *= 2;
      slots[tensor.slot] += moved;
    }
    return 0;
  }

  Result copyOut() {
    for (const Copy &copy : copies)
      if (copy.tensor->isWritten)
        if (Result result =
                driver.copyOut(reinterpret_cast<void *>(copy.span.start),
                               copy.address, copy.span.bytes, stream))
          return result;
    return driver.synchronize(stream);
  }

private:
  struct Copy {
    const GpuTensor *tensor;
    Span span;
    Address address;
  };

  const Driver &driver;
  const GpuProgram &program;
  Stream stream;
  std::vector<int64_t> slots;
  std::vector<Copy> copies;
};

/// Memory of the GPU, given back behind what was launched.
class Scratch {
public:
  Scratch(const Driver &driver, Stream stream)
      : driver(driver), stream(stream) {}
  ~Scratch() {
    if (address)
      driver.free(address, stream);
  }
  Result allocate(int64_t bytes) {
    return driver.allocate(&address, bytes, stream);
  }
  Address get() const { return address; }

private:
  const Driver &driver;
  Stream stream;
  Address address = 0;
};

} // namespace

static constexpr int64_t lineBytes = 256;

static int64_t roundUp(int64_t bytes) {
  return (bytes + lineBytes - 1) / lineBytes * lineBytes;
}

/// The context of the call: that of its tensors, or the first GPU's.
static Result enter(const Driver &driver, Context &context) {
  if (Result result = driver.contextGetCurrent(&context))
    return result;
  Device device;
  if (context)
    return 0;
  if (Result result = driver.deviceGet(&device, stream.device))
    return result;
  if (Result result = driver.primaryContextRetain(&context, device))
    return result;
  return driver.contextSetCurrent(context);
}

/// The box of a matrix that is copied at once: 64 elements of rows, which lie
/// side by side.
static Result encode(const Driver &driver, const GpuMatrix &matrix, bool isBf16,
                     uint32_t boxRows, TegulaProductMap &map) {
  uint64_t sizes[] = {uint64_t(matrix.columns), uint64_t(matrix.rows)};
  uint64_t pitches[] = {uint64_t(matrix.row) * 2};
  uint32_t box[] = {64, boxRows}, steps[] = {1, 1};
  return driver.encodeMap(&map, isBf16 ? mapBf16 : mapFp16, 2,
                          reinterpret_cast<void *>(matrix.address), sizes,
                          pitches, box, steps, 0, swizzle128Bytes,
                          promoteTo256Bytes, 0);
}

/// Copies a matrix that no boxes can be taken of to memory of its own.
static Result repack(const Driver &driver, const Loaded &on, Stream queue,
                     bool isLarge, GpuMatrix &matrix, Scratch &memory) {
  if (isLarge ? matrix.hasQuickBoxes() : matrix.hasBoxes())
    return 0;
  // Rows that begin at multiples of 128 bytes.
  int64_t pitch = (matrix.columns + 63) / 64 * 64;
  if (Result result = memory.allocate(2 * pitch * matrix.rows))
    return result;
  TegulaRepack numbers{reinterpret_cast<const uint16_t *>(matrix.address),
                       reinterpret_cast<uint16_t *>(memory.get()),
                       matrix.row,
                       matrix.column,
                       pitch,
                       static_cast<int32_t>(matrix.rows),
                       static_cast<int32_t>(matrix.columns)};
  Function function;
  if (Result result =
          driver.moduleGetFunction(&function, on.products, "tegulaRepack"))
    return result;
  void *parameters[] = {&numbers};
  matrix = {memory.get(), matrix.rows, matrix.columns, pitch, 1};
  constexpr unsigned blocksPerProcessor = 8;
  auto blocks = static_cast<unsigned>(on.processors) * blocksPerProcessor;
  return driver.launch(function, blocks, 1, 1, tegulaRepackThreads, 1, 1, 0,
                       queue, parameters, nullptr);
}

bool Kernel::multiply(const Loaded &on, const int64_t *slots, Stream queue,
                      std::string &problem) {
  if (!on.products)
    return false;
  const GpuProduct &product = *program.product;
  auto at = [&](int64_t tensor) {
    return slots + program.tensors[tensor].slot;
  };
  GpuProductCall call(product, at(product.left), at(product.right),
                      at(product.target));
  if (!call.isPossible())
    return false;
  int64_t columns = call.chooseColumns(on.processors);
  std::string name = call.getKernel(product, columns);
  auto rightBox = static_cast<uint32_t>(call.isAcross() ? 64 : columns);
  GpuMatrix leftRows = call.left, rightRows = call.getRightRows();
  Scratch leftCopy(driver, queue), rightCopy(driver, queue);
  TegulaProductMap left, right;
  TegulaProduct numbers{reinterpret_cast<void *>(call.target.address),
                        call.target.row,
                        static_cast<int32_t>(call.left.rows),
                        static_cast<int32_t>(call.right.columns),
                        static_cast<int32_t>(call.left.columns),
                        product.isNarrow};
  Function function;
  int shared = tegulaProductShared(columns);
  void *parameters[] = {&left, &right, &numbers};
  auto blocks =
      static_cast<unsigned>(std::min(call.countTiles(columns), on.processors));
  // Who fails has said why.
  (void)(check(repack(driver, on, queue, call.isLarge(), leftRows, leftCopy),
               "copy a factor", problem) &&
         check(repack(driver, on, queue, call.isLarge(), rightRows, rightCopy),
               "copy a factor", problem) &&
         check(encode(driver, leftRows, product.isBf16, 128, left),
               "describe a factor", problem) &&
         check(encode(driver, rightRows, product.isBf16, rightBox, right),
               "describe a factor", problem) &&
         check(driver.moduleGetFunction(&function, on.products, name.c_str()),
               "find the product", problem) &&
         check(driver.functionSetAttribute(function, mostSharedBytesOfFunction,
                                           shared),
               "reserve shared memory", problem) &&
         check(driver.launch(function, blocks, 1, 1, tegulaProductThreads, 1, 1,
                             shared, queue, parameters, nullptr),
               "launch", problem));
  return true;
}

void Kernel::run(const TegulaGpuRequest &request) {
  std::string problem;
  Context context = nullptr;
  auto fail = [&] { reportGpuFailure(request.state, problem); };
  if (!check(enter(driver, context), "start", problem))
    return fail();
  Loaded *on = load(context, problem);
  if (!on)
    return fail();
  // What an earlier call reported, which nobody waited for, is told now.
  if (on->state->error) {
    *request.state = *on->state;
    *on->state = {};
    return;
  }
  auto queue = static_cast<Stream>(stream.stream);
  TensorCopies copies(driver, program, request.slots, queue);
  if (!check(copies.copyIn(), "copy tensors", problem))
    return fail();

  if (multiply(*on, copies.getSlots(), queue, problem)) {
    if (!problem.empty() ||
        (!copies.isEmpty() && !check(copies.copyOut(), "run", problem)))
      fail();
    return;
  }
  int64_t blocks = std::clamp<int64_t>(request.turns, 1, on->mostBlocks);
  int64_t common = roundUp(std::max<int64_t>(request.commonBytes, 1));
  int64_t own = roundUp(std::max<int64_t>(request.ownBytes, 1));
  bool needsMemory =
      program.hasMeetings || request.commonBytes || request.ownBytes;
  Scratch scratch(driver, queue);
  if (needsMemory &&
      (!check(scratch.allocate(lineBytes + common + blocks * own),
              "allocate scratch memory", problem) ||
       !check(driver.fill(scratch.get(), 0, lineBytes, queue),
              "clear scratch memory", problem)))
    return fail();

  Address meeting = scratch.get(), commonAt = meeting + lineBytes,
          ownAt = commonAt + common;
  Address state = on->stateAddress;
  const int64_t *slots = copies.getSlots();
  std::vector<void *> parameters;
  for (int64_t i = 0; i < program.usedSlots; ++i)
    parameters.push_back(const_cast<int64_t *>(slots + i));
  for (void *tail :
       {static_cast<void *>(&meeting), static_cast<void *>(&commonAt),
        static_cast<void *>(&common), static_cast<void *>(&ownAt),
        static_cast<void *>(&own), static_cast<void *>(&state)})
    parameters.push_back(tail);
  auto grid = static_cast<unsigned>(blocks);
  auto threads = static_cast<unsigned>(program.threads);
  auto shared = static_cast<unsigned>(program.sharedBytes);
  Result result =
      program.hasMeetings
          ? driver.launchTogether(on->function, grid, 1, 1, threads, 1, 1,
                                  shared, queue, parameters.data())
          : driver.launch(on->function, grid, 1, 1, threads, 1, 1, shared,
                          queue, parameters.data(), nullptr);
  if (!check(result, "launch", problem))
    return fail();
  if (copies.isEmpty())
    return;
  if (!check(copies.copyOut(), "run", problem))
    return fail();
  if (on->state->error) {
    *request.state = *on->state;
    *on->state = {};
  }
}
