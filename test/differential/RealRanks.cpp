// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/RealRanks.h"

#include "tegula/dist/control/Controller.h"

#include <cstdlib>

using namespace tegula;
using namespace tegula::differential;

static Problem start(int64_t ranks, RankTransport transport,
                     std::unique_ptr<Controller> &controller) {
  ::setenv("TEGULA_RANKS_TRANSPORT",
           transport == RankTransport::Messages ? "mpi" : "", 1);
  return Controller::start({ranks}, controller);
}

Problem RealProgram::call(int64_t ranks,
                          llvm::ArrayRef<Argument> arguments) const {
  static std::map<std::pair<int64_t, RankTransport>,
                  std::unique_ptr<Controller>>
      kept;
  std::unique_ptr<Controller> &controller = kept[{ranks, transport}];
  if (!controller)
    if (Problem problem = start(ranks, transport, controller))
      return problem;
  int64_t number = -1;
  if (Problem problem = controller->load(program.getImage(), number))
    return problem;
  return controller->call(number, program.getLocal(), arguments);
}
