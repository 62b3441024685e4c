// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/fidelity/Measurements.h"

#include "tegula/sim/machine/ShippedFiles.h"
#include "tegula/support/File.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::StringRef;

/// Hands the cells of each row of the shipped file `name`, but for its heading,
/// to `take`, which says whether it can read them.
static Error
readRows(StringRef name, size_t numCells,
         llvm::function_ref<bool(llvm::ArrayRef<StringRef>)> take) {
  std::string path = getShippedFolder("measured") + "/" + name.str();
  Expected<std::string> text = readFile(path, 1 << 20);
  if (!text)
    return text.takeError();
  llvm::SmallVector<StringRef> lines;
  StringRef(*text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (size_t line = 1; line < lines.size(); ++line) {
    llvm::SmallVector<StringRef> cells;
    lines[line].trim().split(cells, ',');
    if (cells.size() < numCells || !take(cells))
      return makeError("{0}:{1}: '{2}' is no measurement", path, line + 1,
                       lines[line]);
  }
  return Error::success();
}

Expected<KernelsAndNetworks> sim::readKernelsAndNetworks() {
  KernelsAndNetworks rows;
  auto take = [&](llvm::ArrayRef<StringRef> cells) {
    Measurement row{cells[0].str(), 0};
    bool isNetwork = row.name == "resnet18" || row.name == "bert_base";
    bool isRead = !cells[1].getAsDouble(row.cycles);
    (isNetwork ? rows.networks : rows.kernels).push_back(std::move(row));
    return isRead;
  };
  if (Error error = readRows("tpuv3.csv", 2, take))
    return error;
  return rows;
}

Expected<std::vector<MeasuredMatmul>> sim::readMatmuls() {
  std::vector<MeasuredMatmul> rows;
  auto take = [&](llvm::ArrayRef<StringRef> cells) {
    MeasuredMatmul &row = rows.emplace_back();
    return !cells[0].getAsInteger(10, row.m) &&
           !cells[1].getAsInteger(10, row.n) &&
           !cells[2].getAsInteger(10, row.k) &&
           !cells[3].getAsDouble(row.microseconds);
  };
  if (Error error = readRows("tpuv4_gemm.csv", 4, take))
    return error;
  return rows;
}

Measurements sim::toMeasurements(const std::vector<MeasuredMatmul> &matmuls,
                                 const Machine &machine) {
  Measurements rows;
  for (const MeasuredMatmul &matmul : matmuls)
    rows.push_back(
        {llvm::formatv("gemmfp16_{0}x{1}x{2}", matmul.m, matmul.n, matmul.k),
         matmul.microseconds * machine.coreClockMhz});
  return rows;
}
