// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compiler.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Measure.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/Workload.h"

#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tegula;

CommandSpec tegula::describeBench() {
  CommandSpec spec;
  spec.name = "bench";
  spec.operand = "FILE[:KERNEL]";
  spec.summary = "time warm calls of a kernel at a size and around it";
  spec.details =
      "Prints the median time of warm calls at the given size, then with each "
      "dimension\nhalved and doubled: the last column is the time divided by "
      "the time at the given\nsize. One compiled kernel runs them all.\n\n"
      "  tegula bench examples/softmax.py --dim M=4096 --dim N=1024\n";
  spec.options = getWorkloadOptions();
  spec.options.push_back(
      {"time", "MILLISECONDS", "time to spend per size (500)"});
  return spec;
}

/// The request itself, and with one dimension halved or doubled. Dimensions
/// that files fix are not in the request.
static std::vector<WorkloadRequest> listSizes(const WorkloadRequest &request) {
  std::vector<WorkloadRequest> sizes = {request};
  if (!request.files.empty())
    return sizes;
  for (const auto &[name, extent] : request.dims)
    for (int64_t other : {extent / 2, extent * 2}) {
      if (other == extent || other < 0)
        continue;
      sizes.push_back(request);
      sizes.back().dims[name] = other;
    }
  return sizes;
}

/// Bytes of all tensors of a workload.
static double countBytes(const Workload &workload) {
  double bytes = 0;
  for (const Array &array : workload.arrays)
    bytes += static_cast<double>(array.getNumBytes());
  return bytes;
}

Expected<int> tegula::runBench(const CommandLine &line) {
  KernelName name = splitKernelName(line.getOperand());
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  Expected<uint64_t> budget = line.getNumber("time", 500, 1, 600000);
  if (!budget)
    return budget.takeError();
  Expected<Kernel> kernel = loadKernel(name.path, name.kernel);
  if (!kernel)
    return kernel.takeError();

  double reference = 0;
  llvm::outs() << kernel->getSignature().format() << "\n";
  for (const WorkloadRequest &size : listSizes(*request)) {
    Expected<Workload> workload = makeWorkload(kernel->getSignature(), size);
    if (!workload)
      return workload.takeError();
    std::string dims = formatDims(workload->dims);
    Progress progress("measuring" + dims);
    Expected<double> seconds =
        measureWarm(*kernel, *workload, static_cast<double>(*budget) / 1000);
    if (!seconds)
      return seconds.takeError();
    if (reference == 0)
      reference = *seconds;
    llvm::outs() << llvm::formatv(
        "{0,-32} {1,10}  {2,8} GB/s  x{3}\n", dims, formatTime(*seconds),
        formatNumber(std::round(countBytes(*workload) / *seconds / 1e7) / 100),
        formatNumber(std::round(*seconds / reference * 100) / 100));
    llvm::outs().flush();
  }
  llvm::outs() << "compiles: " << kernel->getCompileCount() << "\n";
  return 0;
}
