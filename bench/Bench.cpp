// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures what a call and a compile cost. Prints one JSON object; bench/run.py
// makes a table of it.

#include "tegula/runtime/Compiler.h"
#include "tegula/runtime/KernelState.h"
#include "tegula/runtime/ProblemError.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <fstream>
#include <unistd.h>

using namespace tegula;
using Clock = std::chrono::steady_clock;

/// Stops the program: a bench that cannot run has nothing to say.
static void stopOn(Error error) {
  if (!error)
    return;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  std::exit(1);
}

template <typename T> static T valueOf(Expected<T> value) {
  if (!value)
    stopOn(value.takeError());
  return std::move(*value);
}

static double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// The median over `rounds` of the seconds one of `count` calls takes.
template <typename Function>
static double timePerCall(int rounds, int count, Function call) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    Clock::time_point start = Clock::now();
    for (int index = 0; index < count; ++index)
      call(index);
    times.push_back(
        std::chrono::duration<double>(Clock::now() - start).count() / count);
  }
  return median(std::move(times));
}

/// Resident bytes of this process.
static double getResidentBytes() {
  std::ifstream file("/proc/self/statm");
  long total = 0, resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident) *
         static_cast<double>(sysconf(_SC_PAGESIZE));
}

namespace {

/// The measurements of the runtime on the example kernels.
class Bench {
public:
  explicit Bench(std::string folder) : folder(std::move(folder)) {}

  llvm::json::Object run() {
    llvm::json::Object results;
    results["compiles_for_100_sizes"] = countCompiles();
    results["cold_elementwise_ms"] = timeCompile("silu.py") * 1e3;
    results["cold_softmax_ms"] = timeCompile("softmax.py") * 1e3;
    results["cold_gemm_ms"] = timeCompile("gemm.py") * 1e3;
    measureOverhead(results);
    results["growth_over_million_calls_kib"] = measureGrowth() / 1024;
    return results;
  }

private:
  Kernel load(const char *name) {
    return valueOf(loadKernel(folder + "/" + name));
  }

  /// Compiles of one kernel that is called with a hundred sizes.
  int64_t countCompiles() {
    Kernel kernel = load("silu.py");
    uint64_t before = getCompileCount();
    for (int64_t size = 0; size < 100; ++size)
      stopOn(
          kernel({view(x, size, 2 * size % 97), view(y, size, 2 * size % 97)}));
    return kernel.getCompileCount() + (getCompileCount() - before);
  }

  /// Median seconds from file to callable kernel in a process that has
  /// compiled before.
  double timeCompile(const char *name) {
    load(name);
    return timePerCall(9, 1, [&](int) { load(name); });
  }

  /// What a call with three tensors costs on top of the kernel itself.
  void measureOverhead(llvm::json::Object &results) {
    Kernel kernel = load("swiglu.py");
    TensorView gate = view(x, 1, 1), up = view(z, 1, 1), out = view(y, 1, 1);
    constexpr int count = 20000;
    double full =
        timePerCall(15, count, [&](int) { stopOn(kernel({gate, up, out})); });
    const Variant *variant = kernel.getState().dispatcher.find({gate, up, out});
    int64_t slots[Guard::maxSlots];
    stopOn(toError(variant->guard.check({gate, up, out}, slots)));
    double bare = timePerCall(15, count, [&](int) {
      TegulaCallState state = {};
      variant->function(slots, &state);
    });
    results["warm_call_ns"] = full * 1e9;
    results["bare_kernel_ns"] = bare * 1e9;
    results["call_overhead_ns"] = (full - bare) * 1e9;
  }

  /// Bytes the process grows by over a million calls at changing sizes.
  double measureGrowth() {
    Kernel kernel = load("swiglu.py");
    auto call = [&](int index) {
      int64_t rows = index % 13, columns = index % 29;
      stopOn(kernel({view(x, rows, columns), view(z, rows, columns),
                     view(y, rows, columns)}));
    };
    timePerCall(1, 10000, call);
    double before = getResidentBytes();
    timePerCall(1, 1000000, call);
    return getResidentBytes() - before;
  }

  static TensorView view(std::vector<float> &memory, int64_t rows,
                         int64_t columns) {
    return TensorView(memory.data(), {rows, columns});
  }

  std::string folder;
  std::vector<float> x = std::vector<float>(20000, 1.0f);
  std::vector<float> z = std::vector<float>(20000, 0.5f);
  std::vector<float> y = std::vector<float>(20000);
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: tegula-bench FOLDER-OF-EXAMPLES\n";
    return 1;
  }
  // What is measured is the compiler.
  CacheOptions options;
  options.mode = CacheOptions::Mode::Off;
  setDefaultCache(options);
  llvm::json::Value results = Bench(argv[1]).run();
  llvm::outs() << llvm::formatv("{0:2}\n", results);
  return 0;
}
