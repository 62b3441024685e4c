// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/run/RunRanks.h"

#include "tegula/backends/Backend.h"
#include "tegula/backends/CallInterpreter.h"
#include "tegula/dist/control/RankPicture.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/File.h"

#include "llvm/Support/raw_ostream.h"

using namespace tegula;

std::vector<OptionSpec> tegula::getRankOptions() {
  return {
      {"ranks", "NUMBER", "start so many ranks and run a host program on them"},
      {"order", "in-order|late|random:SEED",
       "which of the ranks that are interpreted goes on (in-order)"},
      {"measure", "", "say what ranks spent their time with"},
      {"timeline", "FILE.json",
       "write when ranks did what, for Perfetto; and say the same"},
      {"picture", "FILE.svg", "draw it; and say the same"}};
}

Error tegula::reportRanks(const CommandLine &line, const Kernel &kernel,
                          llvm::ArrayRef<Argument> arguments,
                          RankSession *session) {
  if (!line.has("measure") && !line.has("timeline") && !line.has("picture"))
    return Error::success();
  if (!session)
    return makeTextError("there are no ranks to measure; give --ranks");
  RankEvents events;
  if (Problem problem = session->record(true))
    return toError(problem);
  if (Error error = kernel(arguments))
    return error;
  if (Problem problem = session->record(false))
    return toError(problem);
  if (Problem problem = session->takeEvents(events))
    return toError(problem);
  if (!isSpeaker(session))
    return Error::success();
  llvm::outs() << formatMeasures(measureRanks(events));
  std::vector<FileContent> files;
  if (line.has("timeline"))
    files.push_back(
        {line.get("timeline"), writeRankTrace(events, session->getSites())});
  if (line.has("picture"))
    files.push_back({line.get("picture"), drawRanks(events)});
  return writeFilesAtomically(files);
}

/// Whether the target runs ranks in this process. One that cannot be is told
/// where it is compiled for.
static bool hasCooperativeRanks(const CommandLine &line) {
  Expected<std::shared_ptr<const Target>> target =
      findTarget(line.get("target"));
  if (!target) {
    llvm::consumeError(target.takeError());
    return false;
  }
  return (*target)->hasCooperativeRanks();
}

Error tegula::chooseInterpretedRanks(const CommandLine &line) {
  pl::RankOptions ranks;
  Expected<uint64_t> count = line.getNumber("ranks", 1, 1, 1024);
  if (!count)
    return count.takeError();
  std::string text = line.get("order", "in-order");
  llvm::StringRef order = text;
  if (!hasCooperativeRanks(line))
    return line.has("order")
               ? makeTextError(
                     "option '--order': only ranks that run one at a time in "
                     "one process go on in an order")
               : Error::success();
  ranks.count = static_cast<int64_t>(*count);
  if (order == "late")
    ranks.order = pl::RankOrder::Late;
  else if (order != "in-order") {
    ranks.order = pl::RankOrder::Random;
    if (!order.consume_front("random:") || order.getAsInteger(10, ranks.seed))
      return makeError("option '--order': there is in-order, late, and "
                       "random:SEED with a number, not '{0}'",
                       text);
  }
  tegula::chooseInterpretedRanks(ranks);
  return Error::success();
}

Expected<std::unique_ptr<RankSession>>
tegula::openRanks(const CommandLine &line) {
  std::unique_ptr<RankSession> session;
  Expected<uint64_t> count = line.getNumber("ranks", 0, 1, 1024);
  if (!count)
    return count.takeError();
  Problem problem;
  if (isStartedAsRank())
    problem = RankSession::join(nullptr, session);
  else if (*count > 0 && !hasCooperativeRanks(line))
    problem = RankSession::start(static_cast<int64_t>(*count), session);
  if (problem)
    return toError(problem);
  if (session && *count > 0 &&
      session->getCount() != static_cast<int64_t>(*count))
    return makeError("option '--ranks': mpirun started {0} ranks, not {1}",
                     session->getCount(), *count);
  // What they compute is checked with as many.
  if (session)
    tegula::chooseInterpretedRanks(pl::RankOptions{session->getCount()});
  return session;
}

bool tegula::isSpeaker(const RankSession *session) {
  return !session || session->getRank().value_or(0) == 0;
}
