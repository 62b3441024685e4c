// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How near the simulator is to measured silicon, beside models that need no
// simulator: the roofline, and a line with two constants.
//   tegula-sim-fidelity [FOLDER] [--fit]
// With --fit the constants are fitted anew instead of taken from the machines.

#include "Fit.h"
#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/forms/ArrayForms.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/programs/Workload.h"
#include "tegula/support/File.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <cstdlib>

using namespace tegula;
using namespace tegula::sim;

namespace {

/// A workload and what it took, in cycles.
struct Measurement {
  std::string name;
  double cycles;
};

using Measurements = std::vector<Measurement>;
using Rows = std::vector<llvm::SmallVector<std::string>>;

} // namespace

[[noreturn]] static void stop(const std::string &message) {
  std::fprintf(stderr, "tegula-sim-fidelity: %s\n", message.c_str());
  std::exit(1);
}

template <typename Value> static Value take(Expected<Value> value) {
  if (!value)
    stop(llvm::toString(value.takeError()));
  return std::move(*value);
}

/// The rows of a .csv file, without its heading.
static Rows readRows(const std::string &path) {
  std::string text = take(readFile(path, 1 << 20));
  Rows rows;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : llvm::ArrayRef(lines).drop_front()) {
    llvm::SmallVector<llvm::StringRef> cells;
    line.split(cells, ',');
    rows.emplace_back(cells.begin(), cells.end());
  }
  return rows;
}

static double toNumber(llvm::StringRef text) {
  double number = 0;
  if (text.trim().getAsDouble(number))
    stop(("'" + text + "' is no number").str());
  return number;
}

static void print(const char *model, const std::vector<double> &predicted,
                  const Measurements &rows) {
  std::vector<double> measured;
  for (const Measurement &row : rows)
    measured.push_back(row.cycles);
  ErrorStatistics statistics = getStatistics(predicted, measured);
  std::printf("  %-42s mean %5.1f %%  median %5.1f %%  p90 %5.1f %%  worst "
              "%5.1f %%  bias %+5.1f %%\n",
              model, 100 * statistics.mean, 100 * statistics.median,
              100 * statistics.p90, 100 * statistics.worst,
              100 * statistics.bias);
}

static Result run(const Machine &machine, const std::string &name) {
  Workload workload = take(makeWorkload(name, machine));
  Tenant tenant{name, getKernels(workload), 0, 0, 0};
  return take(simulate(machine, tenant));
}

static std::vector<double> predict(const Machine &machine,
                                   const Measurements &rows) {
  std::vector<double> predicted;
  for (const Measurement &row : rows)
    predicted.push_back(double(run(machine, row.name).getCycles()));
  return predicted;
}

static double getMeanError(const std::vector<double> &predicted,
                           const Measurements &rows) {
  double error = 0;
  for (size_t row = 0; row < rows.size(); ++row)
    error += std::abs(predicted[row] / rows[row].cycles - 1);
  return error / double(rows.size());
}

/// `machine` with the three constants that are fitted, fitted on `rows`.
static Machine fitMachine(const Machine &machine, const Measurements &rows) {
  std::vector<FitConstant> constants = {
      {double(machine.launchCycles), 0, 30000, machine.launchCycles / 10.0},
      {machine.arrayEfficiency, 0.5, 1, 0.02},
      {machine.dramEfficiency, 0.5, 1, 0.02}};
  auto apply = [&](const std::vector<FitConstant> &at) {
    Machine changed = machine;
    changed.launchCycles = int64_t(at[0].value);
    changed.arrayEfficiency = at[1].value;
    changed.dramEfficiency = at[2].value;
    return changed;
  };
  fit(
      constants,
      [&](const std::vector<FitConstant> &at) {
        return getMeanError(predict(apply(at), rows), rows);
      },
      3);
  return apply(constants);
}

/// Each row predicted with constants that were fitted on others: rows are left
/// out in `numParts` parts.
static std::vector<double> predictLeftOut(const Machine &machine,
                                          const Measurements &rows,
                                          size_t numParts) {
  std::vector<double> predicted(rows.size());
  for (size_t part = 0; part < numParts; ++part) {
    Measurements others;
    for (size_t row = 0; row < rows.size(); ++row)
      if (row % numParts != part)
        others.push_back(rows[row]);
    Machine fitted = fitMachine(machine, others);
    for (size_t row = part; row < rows.size(); row += numParts)
      predicted[row] = double(run(fitted, rows[row].name).getCycles());
  }
  return predicted;
}

/// Predictions of the line a + b x with the least mean error.
static std::vector<double> predictByLine(const std::vector<double> &x,
                                         const Measurements &rows) {
  double scale = rows.back().cycles / x.back();
  std::vector<FitConstant> line = {{0, 0, 1e9, rows.back().cycles / 50},
                                   {scale, 0, 1e9, scale / 5}};
  auto apply = [&](const std::vector<FitConstant> &at) {
    std::vector<double> predicted;
    for (double value : x)
      predicted.push_back(at[0].value + at[1].value * value);
    return predicted;
  };
  fit(
      line,
      [&](const std::vector<FitConstant> &at) {
        return getMeanError(apply(at), rows);
      },
      20);
  return apply(line);
}

/// The work of each run at the peak of the machine.
static std::vector<double> predictByRoofline(const Machine &machine,
                                             const Measurements &rows) {
  std::vector<double> predicted;
  for (const Measurement &row : rows) {
    Result result = run(machine, row.name);
    double bytes = double(result.dram.bytesRead + result.dram.bytesWritten);
    predicted.push_back(
        std::max(double(result.getMacs()) / machine.getMacsPerCycle(),
                 bytes / machine.getDramBytesPerCycle()));
  }
  return predicted;
}

static void printConstants(const Machine &machine) {
  std::printf("  fitted on these rows: launch_cycles %ld, array_efficiency "
              "%.4g, dram_efficiency %.4g\n  the rest is from data sheets or "
              "assumed, as %s.toml says\n",
              long(machine.launchCycles), machine.arrayEfficiency,
              machine.dramEfficiency, machine.name.c_str());
}

static void printRows(const Machine &machine, const Measurements &rows) {
  std::vector<double> predicted = predict(machine, rows);
  for (size_t row = 0; row < rows.size(); ++row)
    std::printf("  %-32s measured %8.0f  simulated %8.0f  %+5.1f %%\n",
                rows[row].name.c_str(), rows[row].cycles, predicted[row],
                100 * (predicted[row] / rows[row].cycles - 1));
}

static void reportV3(const std::string &folder, bool wantsFit) {
  Machine machine = take(loadMachine("tpuv3"));
  Measurements kernels, networks;
  for (const auto &row : readRows(folder + "/tpuv3.csv")) {
    bool isNetwork = row[0] == "resnet18" || row[0] == "bert_base";
    (isNetwork ? networks : kernels).push_back({row[0], toNumber(row[1])});
  }
  if (wantsFit)
    machine = fitMachine(machine, kernels);
  std::printf("TPU v3, one core, cycles\n");
  printRows(machine, kernels);
  printRows(machine, networks);
  std::vector<double> roofline = predictByRoofline(machine, kernels);
  print("simulated, kernels", predict(machine, kernels), kernels);
  print("simulated, each kernel left out of the fit",
        predictLeftOut(machine, kernels, kernels.size()), kernels);
  print("roofline, kernels", roofline, kernels);
  print("a + b roofline, kernels", predictByLine(roofline, kernels), kernels);
  Measurements all = kernels;
  all.insert(all.end(), networks.begin(), networks.end());
  print("simulated, kernels and networks", predict(machine, all), all);
  printConstants(machine);
}

static void reportV4(const std::string &folder, bool wantsFit) {
  Machine machine = take(loadMachine("tpuv4"));
  // Whole tiles spread evenly over the channels, and this is faster to fit.
  machine.dramLevel = DramLevel::Roofline;
  Measurements rows;
  std::vector<double> outputStationary;
  Machine bare = machine;
  bare.arrayDataflow = Dataflow::OutputStationary;
  for (const auto &row : readRows(folder + "/tpuv4_gemm.csv")) {
    rows.push_back({"gemmfp16_" + row[0] + "x" + row[1] + "x" + row[2],
                    toNumber(row[3]) * machine.coreClockMhz});
    outputStationary.push_back(double(getBareArrayCycles(
        {int64_t(toNumber(row[0])), int64_t(toNumber(row[1])),
         int64_t(toNumber(row[2]))},
        bare)));
  }
  if (wantsFit)
    machine = fitMachine(machine, rows);
  std::printf("TPU v4, one chip, fp16 products, %zu rows\n", rows.size());
  std::vector<double> predicted = predict(machine, rows);
  print("simulated", predicted, rows);
  print("simulated, fifths left out of the fit",
        predictLeftOut(machine, rows, 5), rows);
  print("roofline", predictByRoofline(machine, rows), rows);
  print("a + b output-stationary form", predictByLine(outputStationary, rows),
        rows);
  for (auto [name, isDeep] : {std::pair("simulated, K up to 2048", false),
                              std::pair("simulated, K above 2048", true)}) {
    Measurements band;
    std::vector<double> bandPredicted;
    for (size_t row = 0; row < rows.size(); ++row) {
      llvm::StringRef depth =
          llvm::StringRef(rows[row].name).rsplit('x').second;
      if ((toNumber(depth) > 2048) != isDeep)
        continue;
      band.push_back(rows[row]);
      bandPredicted.push_back(predicted[row]);
    }
    print(name, bandPredicted, band);
  }
  printConstants(machine);
}

int main(int argc, char **argv) {
  std::string folder = "bench/data";
  bool wantsFit = false;
  for (int argument = 1; argument < argc; ++argument) {
    if (llvm::StringRef(argv[argument]) == "--fit")
      wantsFit = true;
    else
      folder = argv[argument];
  }
  reportV3(folder, wantsFit);
  reportV4(folder, wantsFit);
}
