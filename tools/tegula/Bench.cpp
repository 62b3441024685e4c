// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compiler.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Measure.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/Workload.h"

#include "llvm/Support/JSON.h"
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
  spec.options.push_back(getTargetOption());
  spec.options.push_back(
      {"time", "MILLISECONDS", "time to spend per size (500)"});
  spec.options.push_back({"json", "", "print the results as JSON"});
  return spec;
}

/// The request itself, and with one dimension halved or doubled. Dimensions
/// that files fix are not in the request.
static std::vector<WorkloadRequest> listSizes(const WorkloadRequest &request) {
  std::vector<WorkloadRequest> sizes = {request};
  if (!request.files.empty())
    return sizes;
  for (const auto &[name, extent] : request.dims)
    for (int64_t other :
         {extent / 2, extent > INT64_MAX / 2 ? extent : extent * 2}) {
      if (other == extent)
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

/// One line of the table.
static std::string formatRow(const std::string &dims, double seconds,
                             double bytes, double reference) {
  auto round = [](double value) {
    return formatNumber(std::round(value * 100) / 100);
  };
  return llvm::formatv("{0,-32} {1,10}  {2,8} GB/s  x{3}\n", dims,
                       formatTime(seconds), round(bytes / seconds / 1e9),
                       round(seconds / reference))
      .str();
}

/// Measures every size; prints each row as it is known unless `rows` is wanted.
static Error measureSizes(const Kernel &kernel,
                          llvm::ArrayRef<WorkloadRequest> sizes, double budget,
                          llvm::json::Array *rows) {
  double reference = 0;
  for (const WorkloadRequest &size : sizes) {
    Progress progress("preparing the arguments");
    Expected<Workload> workload = makeWorkload(kernel.getSignature(), size);
    if (!workload)
      return workload.takeError();
    std::string dims = formatDims(kernel.getSignature(), workload->dims);
    progress.update("measuring " + dims);
    Expected<double> seconds = measureWarm(kernel, *workload, budget);
    if (!seconds)
      return seconds.takeError();
    progress.clear();
    if (reference == 0)
      reference = *seconds;
    if (rows) {
      llvm::json::Object row{{"seconds", *seconds}};
      for (const auto &[name, extent] : workload->dims)
        row[name] = extent;
      rows->push_back(std::move(row));
      continue;
    }
    llvm::outs() << formatRow(dims, *seconds, countBytes(*workload), reference);
    llvm::outs().flush();
  }
  return Error::success();
}

Expected<int> tegula::runBench(const CommandLine &line) {
  KernelName name = splitKernelName(line.getOperand());
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  Expected<uint64_t> budget = line.getNumber("time", 500, 1, 600000);
  if (!budget)
    return budget.takeError();
  std::optional<Progress> progress("compiling");
  KernelSource source = {name.path, name.kernel};
  source.target = line.get("target");
  Expected<Kernel> kernel = loadKernel(source);
  if (!kernel)
    return kernel.takeError();
  progress.reset();
  bool isJson = line.has("json");
  if (!isJson)
    llvm::outs() << kernel->getSignature().format() << "\n";
  llvm::json::Array rows;
  if (Error error = measureSizes(*kernel, listSizes(*request),
                                 static_cast<double>(*budget) / 1000,
                                 isJson ? &rows : nullptr))
    return error;
  if (isJson) {
    llvm::json::Value report = llvm::json::Object{
        {"kernel", kernel->getSignature().kernel},
        {"compiles", static_cast<int64_t>(kernel->getCompileCount())},
        {"sizes", std::move(rows)}};
    llvm::outs() << llvm::formatv("{0:2}\n", report);
    return 0;
  }
  llvm::outs() << "compiles: " << kernel->getCompileCount() << "\n";
  return 0;
}
