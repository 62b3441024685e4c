// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that controls three ranks: `tegula-control-scenario MODE` calls
// RankProgram.cpp and prints the error. A call may take a second in mode 7.

#include "tegula/dist/control/Controller.h"

#include "RankProgramImage.h"

#include <cstdio>

using namespace tegula;

int main(int argc, char **argv) {
  std::unique_ptr<Controller> controller;
  std::unique_ptr<Variant> variant;
  int64_t program = -1;
  Problem problem = Controller::start({3}, controller);
  if (!problem)
    problem = loadImage(makeRankProgram(), {}, variant);
  if (!problem)
    problem = controller->load(makeRankProgram(), program);
  if (problem)
    return std::printf("%s\n", problem.getText().c_str()), 1;
  int64_t x[3] = {};
  int64_t mode = std::atoi(argv[argc - 1]);
  if (mode == 7)
    controller->setLimit(1000000000);
  problem = controller->call(program, *variant, {TensorView(x, {3}), mode});
  std::printf("%s\n", problem ? problem.getText().c_str() : "fine");
  return 0;
}
