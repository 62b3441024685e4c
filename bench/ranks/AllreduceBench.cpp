// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All-reduce by ranks against MPI_Allreduce, in one run: `mpirun -n N
// tegula-allreduce-bench allreduce.py`. Rank 0 prints a line for each size:
// bytes, then microseconds an iteration of MPI, of data in windows and of
// private data, each time of tensors that were just written. The slowest rank
// counts, and of several rounds the median.

#include "tegula/dist/control/RankSession.h"
#include "tegula/runtime/Compiler.h"
#include "tegula/support/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstring>
#include <mpi.h>

using namespace tegula;

/// The seconds of the slowest rank.
template <typename Step> static double secondsOf(Step step) {
  MPI_Barrier(MPI_COMM_WORLD);
  auto begin = std::chrono::steady_clock::now();
  step();
  std::chrono::duration<double> own = std::chrono::steady_clock::now() - begin;
  double seconds = own.count(), slowest = 0;
  MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static double median(std::vector<double> values) {
  llvm::sort(values);
  return values[values.size() / 2];
}

static bool failed(Error error) {
  if (!error)
    return false;
  llvm::errs() << llvm::toString(std::move(error)) << "\n";
  MPI_Abort(MPI_COMM_WORLD, 1);
  return true;
}

/// The microseconds an iteration of `call(iterations)` takes, without what the
/// call itself does besides.
template <typename Call>
static double timeIteration(Call call, int64_t iterations, int rounds) {
  std::vector<double> found;
  for (int round = 0; round < rounds; ++round) {
    double few = secondsOf([&] { call(1); });
    double many = secondsOf([&] { call(iterations + 1); });
    found.push_back((many - few) / static_cast<double>(iterations) * 1e6);
  }
  return median(found);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, count = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  std::unique_ptr<RankSession> session;
  if (Problem problem = RankSession::join(nullptr, session)) {
    llvm::errs() << problem.getText() << "\n";
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  auto load = [&](const char *name) {
    Expected<Kernel> kernel = loadKernel({argv[1], name});
    if (!kernel)
      failed(kernel.takeError());
    return std::move(*kernel);
  };
  Kernel windows = load("sum_windows"), own = load("sum_private");
  for (int64_t bytes = 1 << 10; bytes <= int64_t(64) << 20; bytes *= 4) {
    int64_t elements = bytes / 4;
    int64_t iterations =
        std::clamp<int64_t>((int64_t(64) << 20) / bytes, 4, 2000);
    std::vector<float> x(elements * count, 1.5F), fresh(x), y(x);
    TensorView all(x.data(), {count, elements});
    TensorView written(fresh.data(), {count, elements});
    TensorView result(y.data(), {count, elements});
    double mpi = timeIteration(
        [&](int64_t times) {
          for (int64_t iteration = 0; iteration < times; ++iteration) {
            std::memcpy(fresh.data(), x.data(), bytes);
            MPI_Allreduce(fresh.data(), y.data(), static_cast<int>(elements),
                          MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
          }
        },
        iterations, 5);
    double shared = timeIteration(
        [&](int64_t times) { failed(windows({all, result, times})); },
        iterations, 5);
    double copied = timeIteration(
        [&](int64_t times) { failed(own({all, written, result, times})); },
        iterations, 5);
    bool isRight = y.front() == 1.5F * static_cast<float>(count);
    if (rank == 0)
      llvm::outs() << bytes << " " << mpi << " " << shared << " " << copied
                   << (isRight ? "" : " wrong") << "\n";
  }
  session.reset();
  MPI_Finalize();
}
