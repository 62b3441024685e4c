// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank of a process that controls several: `tegula-rank FILE`, started by it
// under mpirun.

#include "tegula/dist/control/RankWorker.h"

#include <cstdio>

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: tegula-rank FILE\n"
                         "started by a process that controls ranks\n");
    return 2;
  }
  if (tegula::Problem problem = tegula::runRankWorker(argv[1])) {
    std::fprintf(stderr, "tegula-rank: %s\n", problem.getText().c_str());
    return 1;
  }
  return 0;
}
