// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/Controller.h"

#include "tegula/dist/memory/TensorStage.h"
#include "tegula/launch/cache/ByteStream.h"
#include "tegula/launch/image/OwnFolder.h"
#include "tegula/launch/ranks/RankGroup.h"
#include "tegula/launch/threads/StopRequest.h"
#include "tegula/support/HostCallbacks.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <unistd.h>

using namespace tegula;

using Outcome = WorkerSlot::Outcome;

Problem Controller::start(Options options,
                          std::unique_ptr<Controller> &controller) {
  if (options.numRanks < 1 || options.numRanks > ControlHeader::maxRanks)
    return makeCallProblem("there can be 1 to {0} ranks, not {1}",
                           ControlHeader::maxRanks, options.numRanks);
  if (options.worker.empty())
    options.worker = getOwnFolder() + "../bin/tegula-rank";
  if (::access(options.worker.c_str(), X_OK) != 0)
    return makeProblem(Problem::Kind::System, "there is no command '{0}'",
                       options.worker);
  std::unique_ptr<Controller> made(new Controller(std::move(options)));
  if (Problem problem = ControlFile::create(made->file))
    return problem;
  // The controller waits while ranks run, but it is there when they end.
  made->patience = Patience::amongRunning(made->getNumRanks() + 1);
  if (Problem problem = made->startRanks())
    return problem;
  controller = std::move(made);
  return {};
}

Controller::Controller(Options options)
    : options(std::move(options)), owner(::getpid()) {}

Problem Controller::startRanks() {
  // Those before use the same file.
  ending = {};
  ControlHeader &header = file.getHeader();
  header.generation = 0;
  header.numDone = header.sleepers = 0;
  header.callback.state = CallbackRequest::Nothing;
  for (int64_t rank = 0; rank < getNumRanks(); ++rank) {
    header.workers[rank].outcome = Outcome::Fine;
    header.workers[rank].done = 0;
  }
  processes = std::make_unique<RankProcesses>();
  if (Problem problem =
          processes->start(getNumRanks(), options.worker, file.getPath()))
    return problem;
  if (Problem problem = awaitRanks())
    return endRanks(std::move(problem));
  std::vector<pid_t> ranks;
  for (int64_t rank = 0; rank < getNumRanks(); ++rank)
    ranks.push_back(getProcess(rank));
  processes->watch(ranks);
  return {};
}

Problem Controller::awaitRanks() {
  constexpr int64_t limit = int64_t(60) * 1000000000;
  ControlHeader &header = file.getHeader();
  int64_t start = readClock();
  header.isControllerAsleep = 1;
  for (uint32_t done; (done = header.numDone.load()) < getNumRanks();) {
    sleepOn(header.numDone, done, 20);
    if (processes->isOver())
      return Problem(Problem::Kind::System,
                     "the ranks could not be started; they need mpirun, from "
                     "openmpi-bin and libopenmpi-dev");
    if (isStopWanted())
      return Problem(Problem::Kind::Stopped, "ranks were not started");
    if (readClock() - start > limit)
      return makeProblem(Problem::Kind::System,
                         "{0} of {1} ranks did not start in a minute",
                         getNumRanks() - done, getNumRanks());
  }
  header.isControllerAsleep = 0;
  return {};
}

Problem Controller::endRanks(Problem problem) {
  processes->kill();
  ending =
      std::async(std::launch::async,
                 [ended = std::move(processes)]() mutable { ended.reset(); });
  return problem;
}

void Controller::stop() {
  if (owner != ::getpid()) {
    // They and the threads that keep them are not ours.
    std::ignore = processes.release();
    (void)new std::future<void>(std::move(ending));
    return;
  }
  std::lock_guard<std::recursive_mutex> guard(lock);
  ending = {};
  if (!processes)
    return;
  ControlHeader &header = file.getHeader();
  header.command = RankCommand::Stop;
  header.generation.fetch_add(1);
  wakeAll(header.generation);
  processes->awaitEnd(1500);
  processes.reset();
}

Problem Controller::ensureRanks() {
  if (owner != ::getpid())
    return Problem(Problem::Kind::Call,
                   "the ranks belong to the process that this one was forked "
                   "from; start others");
  if (isAnswering)
    return Problem(Problem::Kind::Call,
                   "the ranks wait for a callback, which cannot use them");
  if (processes)
    return {};
  if (Problem problem = startRanks())
    return problem;
  for (const std::string &image : images)
    if (Problem problem = sendImage(image))
      return problem;
  for (const Window &window : windows)
    if (Problem problem = sendWindow(window))
      return problem;
  file.getHeader().slots[0] = isRecording;
  return isRecording ? command(RankCommand::Record) : Problem();
}

int64_t Controller::takeMemory(int64_t bytes) {
  int64_t offset = arena.allocate(bytes);
  if (offset >= 0 || bytes < 0 || bytes > INT64_MAX / 4)
    return offset;
  int64_t size = arena.getSize() +
                 std::max({bytes + 64, arena.getSize(), int64_t(1) << 24});
  if (file.resize(size)) {
    size = arena.getSize() + bytes + 64;
    if (file.resize(size))
      return -1;
  }
  arena.extend(size);
  return arena.allocate(bytes);
}

void *Controller::allocate(int64_t bytes) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  int64_t offset = takeMemory(bytes);
  return offset < 0 ? nullptr : file.getArena() + offset;
}

void Controller::free(void *memory) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  arena.free(static_cast<char *>(memory) - file.getArena());
}

bool Controller::isShared(const void *memory) const {
  int64_t offset = static_cast<const char *>(memory) - file.getArena();
  return offset >= 0 && offset < arena.getSize();
}

Problem Controller::keepWindow(int64_t bytes, Window &window) {
  constexpr int64_t page = 4096;
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (Problem problem = ensureRanks())
    return problem;
  int64_t offset = -1;
  if (bytes >= 0 && bytes < INT64_MAX / 4 / getNumRanks()) {
    window.stride = std::max(page, (bytes + page - 1) / page * page);
    offset = takeMemory(window.stride * getNumRanks());
  }
  if (offset < 0)
    return makeProblem(Problem::Kind::System,
                       "no memory for a window of {0} bytes", bytes);
  window.first = file.getArena() + offset;
  std::memset(window.first, 0, window.stride * getNumRanks());
  if (Problem problem = sendWindow(window))
    return problem;
  windows.push_back(window);
  return {};
}

Problem Controller::sendWindow(const Window &window) {
  ControlHeader &header = file.getHeader();
  header.slots[0] = window.first - file.getArena();
  header.slots[1] = window.stride;
  return command(RankCommand::Keep);
}

Problem Controller::load(const KernelImage &image, int64_t &number) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  ByteWriter writer;
  writer.writeText(writeImage(image));
  const ImageObject *code = image.find(hostCode);
  writer.writeText(code ? code->bytes : "");
  if (Problem problem = ensureRanks())
    return problem;
  if (Problem problem = sendImage(writer.content))
    return problem;
  number = images.size();
  images.push_back(std::move(writer.content));
  return {};
}

Problem Controller::sendImage(const std::string &bytes) {
  ControlHeader &header = file.getHeader();
  int64_t offset = takeMemory(bytes.size());
  if (offset < 0)
    return Problem(Problem::Kind::System, "no memory for a program of ranks");
  std::memcpy(file.getArena() + offset, bytes.data(), bytes.size());
  header.imageOffset = offset;
  header.imageBytes = bytes.size();
  Problem problem = command(RankCommand::Load);
  arena.free(offset);
  return problem;
}

Problem Controller::ping() {
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (Problem problem = ensureRanks())
    return problem;
  return command(RankCommand::Nothing);
}

Problem Controller::command(RankCommand command) {
  ControlHeader &header = file.getHeader();
  header.numDone = 0;
  header.command = command;
  header.generation.fetch_add(1);
  // Ranks that wake want the core more than whoever looks whether they are
  // done.
  bool areAwake = header.sleepers.load() == 0;
  if (!areAwake)
    wakeAll(header.generation);
  if (Problem problem = awaitDone(areAwake ? patience : Patience{}))
    return endRanks(std::move(problem));
  return collect();
}

bool Controller::isDone() const {
  return file.getHeader().numDone.load() == getNumRanks();
}

Problem Controller::awaitDone(const Patience &patience) {
  const Word &asked = file.getHeader().callback.state;
  auto isAwaited = [&] {
    return isDone() || asked.load() == CallbackRequest::Asked;
  };
  int64_t start = readClock();
  for (;;) {
    if (!patience.wait(isAwaited))
      if (Problem problem = sleepUntil(isAwaited, start))
        return problem;
    if (isDone())
      return {};
    answer();
  }
}

Problem Controller::sleepUntil(llvm::function_ref<bool()> isAwaited,
                               int64_t start) {
  ControlHeader &header = file.getHeader();
  Problem problem;
  Times times = {start};
  header.isControllerAsleep.store(1);
  while (!isAwaited() && !problem) {
    uint32_t done = header.numDone.load();
    if (!isAwaited())
      sleepOn(header.numDone, done, 20);
    if (!isAwaited())
      problem = findFault(times);
  }
  header.isControllerAsleep.store(0);
  return problem;
}

void Controller::answer() {
  CallbackRequest &request = file.getHeader().callback;
  std::vector<TensorView> tensors;
  for (int64_t index = 0; index < request.count; ++index) {
    const CallbackRequest::Tensor &tensor = request.tensors[index];
    auto rank = static_cast<size_t>(tensor.rank);
    tensors.emplace_back(file.getArena() + tensor.offset,
                         static_cast<DType>(tensor.dtype),
                         llvm::ArrayRef(tensor.shape, rank),
                         llvm::ArrayRef(tensor.shape + rank, rank));
  }
  isAnswering = true;
  request.isFine = runHostCallback(request.name, tensors);
  isAnswering = false;
  request.state.store(CallbackRequest::Answered);
  wakeAll(request.state);
}

/// What makes it useless to wait any longer. A rank may be silent when others
/// have failed; it has most of a second from then on.
Problem Controller::findFault(Times &times) const {
  int64_t ended = processes->findEnded();
  if (ended >= 0)
    return makeProblem(Problem::Kind::Run,
                       "rank {0} ended before the program was done", ended);
  if (processes->isOver())
    return Problem(Problem::Kind::Run, "mpirun ended, and the ranks with it");
  if (isStopWanted())
    return Problem(Problem::Kind::Stopped, "the ranks were stopped");
  const ControlHeader &header = file.getHeader();
  bool hasFailure = false;
  for (int64_t rank = 0; rank < getNumRanks(); ++rank) {
    const WorkerSlot &worker = header.workers[rank];
    if (worker.done.load() != header.generation.load())
      continue;
    hasFailure |= worker.outcome != Outcome::Fine;
    if (worker.outcome == Outcome::Followed && worker.lost >= 0)
      return makeProblem(Problem::Kind::Run, "{0}", worker.text);
  }
  int64_t now = readClock();
  if (hasFailure && times.failed == 0)
    times.failed = now;
  if (hasFailure && now - times.failed > 800000000) {
    Problem first = collect();
    return makeProblem(Problem::Kind::Run, "{0} does not answer; {1}",
                       listSilent(), first ? first.getText() : "");
  }
  if (limit > 0 && now - times.start > limit)
    return makeProblem(Problem::Kind::Run, "{0} did not end in {1} ms",
                       listSilent(), limit / 1000000);
  return {};
}

/// "rank 2", or "ranks 0, 2"
std::string Controller::listSilent() const {
  const ControlHeader &header = file.getHeader();
  std::string list;
  int64_t count = 0;
  for (int64_t rank = 0; rank < getNumRanks(); ++rank)
    if (header.workers[rank].done.load() != header.generation.load())
      list += (count++ == 0 ? "" : ", ") + std::to_string(rank);
  return (count == 1 ? "rank " : "ranks ") + list;
}

/// What the rank that failed by itself says, or else the first that failed.
Problem Controller::collect() const {
  const ControlHeader &header = file.getHeader();
  for (Outcome outcome : {Outcome::Failed, Outcome::Followed})
    for (int64_t rank = 0; rank < getNumRanks(); ++rank) {
      const WorkerSlot &worker = header.workers[rank];
      if (worker.done.load() == header.generation.load() &&
          worker.outcome == outcome)
        return makeProblem(Problem::Kind::Run, "rank {0}: {1}", rank,
                           worker.text);
    }
  return {};
}

Problem Controller::call(int64_t number, const Variant &variant,
                         llvm::ArrayRef<Argument> arguments) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  ControlHeader &header = file.getHeader();
  int64_t slots[Guard::maxSlots];
  if (Problem problem = variant.guard.check(arguments, slots))
    return problem;
  if (Problem problem = ensureRanks())
    return problem;
  const Signature &signature = variant.guard.getSignature();
  std::vector<int64_t> copies;
  TensorStage stage(signature, slots);
  auto allocateCopy = [&](int64_t bytes) -> void * {
    copies.push_back(takeMemory(bytes));
    return copies.back() < 0 ? nullptr : file.getArena() + copies.back();
  };
  Problem problem;
  if (stage.allocateCopies([&](const void *data) { return isShared(data); },
                           allocateCopy)) {
    stage.copyIn(0, 1);
    header.numSlots = variant.guard.getNumSlots();
    std::memcpy(header.slots, slots, header.numSlots * sizeof(int64_t));
    forEachTensorSlot(
        signature, [&](const Parameter &parameter, unsigned slot) {
          char *arenaStart = file.getArena();
          if (isHalfByte(*parameter.dtype))
            arenaStart = toHalfByte(arenaStart);
          header.slots[slot] -= reinterpret_cast<int64_t>(arenaStart);
        });
    header.image = number;
    problem = command(RankCommand::Call);
    if (!problem)
      stage.copyOut();
  } else {
    problem = Problem(Problem::Kind::System, "no memory for tensors of ranks");
  }
  for (int64_t offset : copies)
    if (offset >= 0)
      arena.free(offset);
  return problem;
}
