// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ranks that host programs of this process run on, from when they are
/// chosen until the session ends: processes that it starts and keeps, or others
/// that were started as it was.

#ifndef TEGULA_DIST_CONTROL_RANKSESSION_H
#define TEGULA_DIST_CONTROL_RANKSESSION_H

#include "tegula/dist/RankCall.h"
#include "tegula/dist/control/Controller.h"
#include "tegula/dist/control/GatherEvents.h"
#include "tegula/dist/control/JoinRanks.h"
#include "tegula/launch/image/HostProgram.h"
#include <map>

namespace tegula {

/// Calls host programs of this process on ranks. One session at a time.
class RankSession : public HostCaller {
public:
  /// Starts `count` ranks that this process controls.
  static Problem start(int64_t count, std::unique_ptr<RankSession> &session);
  /// Makes this process a rank among those that were started with it, or that
  /// have the MPI_Comm at that address.
  static Problem join(const void *communicator,
                      std::unique_ptr<RankSession> &session);
  ~RankSession() override { end(); }
  RankSession(const RankSession &) = delete;
  RankSession &operator=(const RankSession &) = delete;

  /// Ends the ranks, or this one's part among them. Memory that all see stays
  /// until the session is destroyed.
  void end();

  Problem call(const HostProgram &program,
               llvm::ArrayRef<Argument> arguments) override;

  /// Limits how long a call may take, in nanoseconds, even if ranks work; 0 for
  /// no limit.
  void setLimit(int64_t nanoseconds);

  /// Makes a window that stays until the session ends (Controller::keepWindow).
  /// If this process is a rank, all ranks call it, and there is its own part.
  Problem keepWindow(int64_t bytes, Controller::Window &window);

  /// Begins or ends to write down what ranks do.
  Problem record(bool isWanted);
  /// Takes what all ranks wrote down. Every rank calls it.
  Problem takeEvents(RankEvents &events);
  /// The sites of the program that was called last.
  llvm::ArrayRef<std::string> getSites() const { return sites; }

  int64_t getCount() const;
  /// Nothing if this process controls the ranks and is none of them.
  std::optional<int64_t> getRank() const;
  /// The ranks that this process controls; null if it is one of them.
  Controller *getController() const { return controller.get(); }

private:
  RankSession() = default;

  /// Lets host programs come here.
  static Problem choose(std::unique_ptr<RankSession> made,
                        std::unique_ptr<RankSession> &session);

  std::unique_ptr<Controller> controller;
  /// The numbers of the programs that the controller's ranks have, by the
  /// digests of their code.
  std::map<std::string, int64_t> programs;
  std::unique_ptr<ProcessRanks> ranks;
  std::unique_ptr<RankCaller> caller;
  RankRecorder recorder;
  bool isRecording = false;
  std::vector<std::string> sites;
};

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_RANKSESSION_H
