// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/RankWorker.h"

#include "tegula/dist/control/ControlFile.h"
#include "tegula/dist/control/JoinRanks.h"
#include "tegula/dist/control/Vigil.h"
#include "tegula/dist/memory/TensorStage.h"
#include "tegula/launch/cache/ByteStream.h"
#include "tegula/launch/image/KernelImage.h"
#include "tegula/support/HostCallbacks.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <unistd.h>

using namespace tegula;

namespace {

/// One rank and what it has loaded.
class RankWorker {
public:
  Problem start(const char *path);
  /// Does commands until there are no more.
  void run();

private:
  bool awaitCommand(uint32_t last);
  Problem obey(RankCommand command);
  Problem load();
  Problem call();
  void report(const Problem &problem);
  bool askController(int64_t name, llvm::ArrayRef<TensorView> tensors);

  ControlFile file;
  std::unique_ptr<ProcessRanks> ranks;
  std::vector<std::unique_ptr<Variant>> images;
  RankLiveness controller;
  RankRecorder recorder;
  std::vector<RankEvent> events;
  Patience patience = {};
  /// Whether commands come one after the other.
  bool isBusy = true;
  /// Between commands that are not far apart.
  std::optional<Vigil> vigil;
  /// Whether the last call failed because another rank did.
  bool isFollower = false;
  /// A rank that did not do its part, or -1.
  int64_t lost = -1;
};

} // namespace

Problem RankWorker::start(const char *path) {
  if (Problem problem = ControlFile::open(path, file))
    return problem;
  controller.add(file.getHeader().controller);
  if (Problem problem = joinRanks({nullptr, /*hasController=*/true}, ranks))
    return problem;
  chooseRanks(ranks.get());
  ranks->addShared(file.getArena(), file.getReserved());
  patience = Patience::amongRunning(ranks->getCount() + 1);
  if (ranks->getCount() <= 4 * countUsableCores() && !hasCoreLimit())
    vigil.emplace();
  setCallbackRelay([this](int64_t name, llvm::ArrayRef<TensorView> tensors) {
    return askController(name, tensors);
  });
  file.getHeader().workers[ranks->getRank()].pid = ::getpid();
  return {};
}

/// Lets the controller run a function; it sees tensors of the arena only.
bool RankWorker::askController(int64_t name,
                               llvm::ArrayRef<TensorView> tensors) {
  ControlHeader &header = file.getHeader();
  CallbackRequest &request = header.callback;
  if (tensors.size() > CallbackRequest::maxTensors)
    return false;
  request.name = name;
  request.count = tensors.size();
  for (size_t index = 0; index < tensors.size(); ++index) {
    const TensorView &view = tensors[index];
    CallbackRequest::Tensor &tensor = request.tensors[index];
    tensor.offset = static_cast<char *>(view.data) - file.getArena();
    if (isHalfByte(view.dtype) || tensor.offset < 0 ||
        tensor.offset >= file.getReserved())
      return false;
    tensor.dtype = static_cast<int32_t>(view.dtype);
    tensor.rank = static_cast<int32_t>(view.rank);
    std::copy_n(view.sizes, view.rank, tensor.shape);
    std::copy_n(view.strides, view.rank, tensor.shape + view.rank);
  }
  request.state.store(CallbackRequest::Asked);
  wakeAll(header.numDone);
  while (request.state.load() == CallbackRequest::Asked) {
    sleepOn(request.state, CallbackRequest::Asked, 20);
    if (controller.findEnded() >= 0)
      return false;
  }
  request.state.store(CallbackRequest::Nothing);
  return request.isFine;
}

bool RankWorker::awaitCommand(uint32_t last) {
  ControlHeader &header = file.getHeader();
  auto isThere = [&] { return header.generation.load() != last; };
  auto tidyAndLook = [&] {
    ranks->tidy();
    return isThere();
  };
  int64_t start = readClock();
  if ((isBusy ? patience : Patience{0, 2}).wait(tidyAndLook))
    return true;
  header.sleepers.fetch_add(1);
  bool isAlone = false;
  while (!isThere() && !isAlone) {
    sleepOn(header.generation, last, 500);
    isAlone = controller.findEnded() >= 0;
  }
  header.sleepers.fetch_sub(1);
  int64_t waited = readClock() - start;
  isBusy = waited < 500000;
  constexpr int64_t soon = 4000000;
  if (vigil && !isBusy && waited < soon)
    vigil->extend(soon);
  return isThere();
}

void RankWorker::run() {
  ControlHeader &header = file.getHeader();
  uint32_t last = 0;
  do {
    header.workers[ranks->getRank()].done = last;
    bool isLast = header.numDone.fetch_add(1) + 1 == ranks->getCount();
    if (isLast && header.isControllerAsleep.load())
      wakeAll(header.numDone);
    if (!awaitCommand(last))
      return;
    ++last;
    isFollower = false;
    lost = -1;
    report(obey(header.command));
  } while (header.command != RankCommand::Stop);
}

Problem RankWorker::obey(RankCommand command) {
  ControlHeader &header = file.getHeader();
  int64_t rank = ranks->getRank();
  switch (command) {
  case RankCommand::Stop:
  case RankCommand::Nothing:
    return {};
  case RankCommand::Load:
    return load();
  case RankCommand::Keep:
    ranks->addWindow(file.getArena() + header.slots[0], header.slots[1]);
    return {};
  case RankCommand::Call:
    return call();
  case RankCommand::Record:
    ranks->setRecorder(header.slots[0] ? &recorder : nullptr);
    return {};
  case RankCommand::Count:
    events = recorder.take();
    header.workers[rank].numEvents = events.size();
    return {};
  case RankCommand::Copy:
    std::copy(
        events.begin(), events.end(),
        reinterpret_cast<RankEvent *>(file.getArena() + header.slots[rank]));
    return {};
  }
  return {};
}

Problem RankWorker::load() {
  ControlHeader &header = file.getHeader();
  ByteReader reader(std::string_view(file.getArena() + header.imageOffset,
                                     header.imageBytes));
  std::string facts(reader.readText()), code(reader.readText());
  KernelImage image;
  if (!reader.isGood() || !readImage(facts, image))
    return Problem(Problem::Kind::Internal, "the program cannot be read");
  if (!code.empty())
    image.objects.push_back({hostCode, code});
  images.emplace_back();
  Problem problem = loadImage(std::move(image), {}, images.back());
  return problem;
}

Problem RankWorker::call() {
  ControlHeader &header = file.getHeader();
  const Variant &variant = *images[header.image];
  int64_t slots[Guard::maxSlots];
  std::memcpy(slots, header.slots, header.numSlots * sizeof(int64_t));
  forEachTensorSlot(variant.guard.getSignature(),
                    [&](const Parameter &parameter, unsigned slot) {
                      bool isHalf = isHalfByte(*parameter.dtype);
                      char *arena = file.getArena();
                      char *start = isHalf ? toHalfByte(arena) : arena;
                      char *first = start + slots[slot];
                      slots[slot] = reinterpret_cast<int64_t>(
                          isHalf ? first : ranks->findOwn(first));
                    });
  TegulaCallState state = {};
  ranks->hold();
  variant.function(slots, &state);
  Problem problem;
  if (state.error != TegulaNoError)
    problem = describeRunProblem(state, variant.sites);
  isFollower = state.error == TegulaRankFailed || state.error == TegulaRankLost;
  lost = state.error == TegulaRankLost ? state.index : -1;
  ranks->finish({&state, -1});
  return problem;
}

void RankWorker::report(const Problem &problem) {
  using Outcome = WorkerSlot::Outcome;
  WorkerSlot &slot = file.getHeader().workers[ranks->getRank()];
  slot.outcome = !problem     ? Outcome::Fine
                 : isFollower ? Outcome::Followed
                              : Outcome::Failed;
  slot.lost = lost;
  if (problem)
    std::strncpy(slot.text, problem.getText().c_str(), sizeof(slot.text) - 1);
}

Problem tegula::runRankWorker(const char *path) {
  RankWorker worker;
  if (Problem problem = worker.start(path))
    return problem;
  worker.run();
  chooseRanks(nullptr);
  return {};
}
