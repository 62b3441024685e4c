// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a host program on ranks from C++: processes that it starts, or, under
// mpirun, those that were started with it.

#include "tegula/dist/Ranks.h"
#include "tegula/runtime/Compiler.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace tegula;

int main(int argc, char **argv) {
  Ranks ranks;
  bool isStarted = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  if (Problem problem =
          isStarted ? Ranks::join(ranks) : Ranks::start(3, ranks)) {
    std::fprintf(stderr, "%s\n", problem.getText().c_str());
    return 1;
  }
  Expected<Kernel> shift = loadKernel(argc > 1 ? argv[1] : "shift.py", "shift");
  if (!shift) {
    std::fprintf(stderr, "%s\n", llvm::toString(shift.takeError()).c_str());
    return 1;
  }
  int64_t count = ranks.getCount();
  for (int64_t n : {1, 10, 1000}) {
    // Row r goes to rank r + 1.
    std::vector<float> x(count * n), y(count * n);
    for (int64_t i = 0; i < count * n; ++i)
      x[i] = float(i / n);
    if (Error error = (*shift)({TensorView(x.data(), {count, 1, n}),
                                TensorView(y.data(), {count, 1, n})})) {
      std::fprintf(stderr, "%s\n", llvm::toString(std::move(error)).c_str());
      return 1;
    }
    if (ranks.getRank().value_or(0) == 0)
      std::printf("n = %d: the first row came from rank %g\n", int(n), y[0]);
  }
}
