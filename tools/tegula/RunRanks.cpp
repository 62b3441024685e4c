// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/RunRanks.h"

#include "tegula/runtime/ProblemError.h"

using namespace tegula;

OptionSpec tegula::getRanksOption() {
  return {"ranks", "NUMBER",
          "start so many ranks and run a host program on them"};
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
  else if (*count > 0)
    problem = RankSession::start(static_cast<int64_t>(*count), session);
  if (problem)
    return toError(problem);
  if (session && *count > 0 &&
      session->getCount() != static_cast<int64_t>(*count))
    return makeError("option '--ranks': mpirun started {0} ranks, not {1}",
                     session->getCount(), *count);
  return session;
}

bool tegula::isSpeaker(const RankSession *session) {
  return !session || session->getRank().value_or(0) == 0;
}
