// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/control/RankSession.h"

using namespace tegula;

Problem RankSession::choose(std::unique_ptr<RankSession> made,
                            std::unique_ptr<RankSession> &session) {
  if (getHostCaller())
    return Problem(Problem::Kind::Call,
                   "this process has ranks already; end them first");
  chooseHostCaller(made.get());
  if (made->ranks)
    chooseRanks(made->ranks.get());
  session = std::move(made);
  return {};
}

Problem RankSession::start(int64_t count,
                           std::unique_ptr<RankSession> &session) {
  std::unique_ptr<RankSession> made(new RankSession);
  if (Problem problem = Controller::start({count}, made->controller))
    return problem;
  return choose(std::move(made), session);
}

Problem RankSession::join(const void *communicator,
                          std::unique_ptr<RankSession> &session) {
  std::unique_ptr<RankSession> made(new RankSession);
  if (Problem problem = joinRanks({communicator}, made->ranks))
    return problem;
  made->caller = std::make_unique<RankCaller>(*made->ranks);
  return choose(std::move(made), session);
}

void RankSession::end() {
  if (getHostCaller() != this)
    return;
  chooseHostCaller(nullptr);
  if (controller)
    controller->stop();
  if (ranks) {
    chooseRanks(nullptr);
    ranks->leave();
  }
}

Problem RankSession::call(const HostProgram &program,
                          llvm::ArrayRef<Argument> arguments) {
  if (isRecording)
    sites = program.getLocal().sites;
  if (caller)
    return caller->call(program.getLocal(), program.getKey(), arguments);
  auto [known, isNew] = programs.try_emplace(program.getKey(), -1);
  if (isNew)
    if (Problem problem = controller->load(program.getImage(), known->second)) {
      programs.erase(known);
      return problem;
    }
  return controller->call(known->second, program.getLocal(), arguments);
}

void RankSession::setLimit(int64_t nanoseconds) {
  if (controller)
    controller->setLimit(nanoseconds);
  else
    ranks->setLimit(nanoseconds);
}

Problem RankSession::keepWindow(int64_t bytes, Controller::Window &window) {
  if (controller)
    return controller->keepWindow(bytes, window);
  void *memory = nullptr;
  Problem problem = ranks->keepWindow(bytes, memory);
  window = {static_cast<char *>(memory), 0};
  return problem;
}

Problem RankSession::record(bool isWanted) {
  isRecording = isWanted;
  if (controller)
    return controller->record(isWanted);
  ranks->setRecorder(isWanted ? &recorder : nullptr);
  return {};
}

Problem RankSession::takeEvents(RankEvents &events) {
  return controller ? controller->takeEvents(events)
                    : gatherEvents(*ranks, recorder, events);
}

int64_t RankSession::getCount() const {
  return ranks ? ranks->getCount() : controller->getNumRanks();
}

std::optional<int64_t> RankSession::getRank() const {
  return ranks ? std::optional(ranks->getRank()) : std::nullopt;
}
