// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a kernel from C++: compiled once, then any size, on plain memory.

#include "tegula/runtime/Compiler.h"
#include <cstdio>
#include <vector>

using namespace tegula;

int main(int argc, char **argv) {
  Expected<Kernel> softmax = loadKernel(argc > 1 ? argv[1] : "softmax.py");
  if (!softmax) {
    std::fprintf(stderr, "%s\n", llvm::toString(softmax.takeError()).c_str());
    return 1;
  }
  std::vector<float> x(1000 * 1000, 1.0f), y(1000 * 1000);
  for (int64_t n : {1, 10, 1000}) {
    // The second tensor is written through strides: every other column.
    if (Error error = (*softmax)({TensorView(x.data(), {n, n / 2}),
                                  TensorView(y.data(), {n, n / 2}, {n, 2})}))
      std::printf("n = %d: %s\n", int(n),
                  llvm::toString(std::move(error)).c_str());
    else
      std::printf("n = %d: y[0, 0] = %g\n", int(n), n > 1 ? y[0] : 0.0f);
  }
  Error error =
      (*softmax)({TensorView(x.data(), {4, 5}), TensorView(y.data(), {3, 5})});
  std::printf("a wrong call: %s\n", llvm::toString(std::move(error)).c_str());
  std::printf("compiles: %d\n", int(getCompileCount()));
}
