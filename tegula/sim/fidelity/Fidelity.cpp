// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/fidelity/Fidelity.h"

#include "tegula/sim/cost/ArrayCycles.h"
#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/fidelity/Fit.h"
#include "tegula/sim/fidelity/PrintErrors.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/programs/Workload.h"
#include "llvm/Support/Format.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::format;

/// Runs a workload that checkRows found to run.
static Result run(const Machine &machine, const std::string &name) {
  Workload workload = llvm::cantFail(makeWorkload(name, machine));
  Tenant tenant{name, getKernels(workload), 0, 0, 0};
  return llvm::cantFail(simulate(machine, tenant));
}

/// Whether all of `rows` run on `machine`; its efficiencies do not matter.
static Error checkRows(const Machine &machine, const Measurements &rows) {
  for (const Measurement &row : rows) {
    Expected<Workload> workload = makeWorkload(row.name, machine);
    if (!workload)
      return workload.takeError();
    Tenant tenant{row.name, getKernels(*workload), 0, 0, 0};
    if (Error error = simulate(machine, tenant).takeError())
      return error;
  }
  return Error::success();
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
/// out in `numChunks` parts.
static std::vector<double> predictLeftOut(const Machine &machine,
                                          const Measurements &rows,
                                          size_t numChunks) {
  std::vector<double> predicted(rows.size());
  for (size_t part = 0; part < numChunks; ++part) {
    Measurements others;
    for (size_t row = 0; row < rows.size(); ++row)
      if (row % numChunks != part)
        others.push_back(rows[row]);
    Machine fitted = fitMachine(machine, others);
    for (size_t row = part; row < rows.size(); row += numChunks)
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

static void printConstants(llvm::raw_ostream &out, const Machine &machine) {
  out << format("  fitted on these rows: launch_cycles %lld, array_efficiency "
                "%.4g, dram_efficiency %.4g\n  the rest is from data sheets "
                "or assumed, as %s.toml says\n",
                (long long)machine.launchCycles, machine.arrayEfficiency,
                machine.dramEfficiency, machine.name.c_str());
}

static Error reportV3(Constants constants, llvm::raw_ostream &out) {
  Expected<Machine> loaded = loadMachine("tpuv3");
  if (!loaded)
    return loaded.takeError();
  Machine machine = std::move(*loaded);
  Expected<KernelsAndNetworks> rows = readKernelsAndNetworks();
  if (!rows)
    return rows.takeError();
  const Measurements &kernels = rows->kernels;
  Measurements all = kernels;
  all.insert(all.end(), rows->networks.begin(), rows->networks.end());
  if (Error error = checkRows(machine, all))
    return error;
  if (constants == Constants::FittedAnew)
    machine = fitMachine(machine, kernels);
  out << "TPU v3, one core, cycles\n";
  printRows(out, predict(machine, all), all);
  std::vector<double> roofline = predictByRoofline(machine, kernels);
  printErrors(out, "simulated, kernels", predict(machine, kernels), kernels);
  printErrors(out, "simulated, each kernel left out of the fit",
              predictLeftOut(machine, kernels, kernels.size()), kernels);
  printErrors(out, "roofline, kernels", roofline, kernels);
  printErrors(out, "a + b roofline, kernels", predictByLine(roofline, kernels),
              kernels);
  printErrors(out, "simulated, kernels and networks", predict(machine, all),
              all);
  printConstants(out, machine);
  return Error::success();
}

/// The errors of matmuls by their depth.
static void printBands(llvm::raw_ostream &out,
                       const std::vector<MeasuredMatmul> &matmuls,
                       const Measurements &rows,
                       const std::vector<double> &predicted) {
  for (auto [name, isDeep] : {std::pair("simulated, K up to 2048", false),
                              std::pair("simulated, K above 2048", true)}) {
    Measurements band;
    std::vector<double> bandPredicted;
    for (size_t row = 0; row < rows.size(); ++row) {
      if ((matmuls[row].k > 2048) != isDeep)
        continue;
      band.push_back(rows[row]);
      bandPredicted.push_back(predicted[row]);
    }
    printErrors(out, name, bandPredicted, band);
  }
}

static Error reportV4(Constants constants, llvm::raw_ostream &out) {
  Expected<Machine> loaded = loadMachine("tpuv4");
  if (!loaded)
    return loaded.takeError();
  Machine machine = std::move(*loaded);
  // Whole tiles spread evenly over the channels, and this is faster to fit.
  machine.dramLevel = DramLevel::Roofline;
  Expected<std::vector<MeasuredMatmul>> matmuls = readMatmuls();
  if (!matmuls)
    return matmuls.takeError();
  Measurements rows = toMeasurements(*matmuls, machine);
  std::vector<double> outputStationary;
  Machine bare = machine;
  bare.arrayDataflow = Dataflow::OutputStationary;
  for (const MeasuredMatmul &matmul : *matmuls)
    outputStationary.push_back(
        double(getBareArrayCycles({matmul.m, matmul.n, matmul.k}, bare)));
  if (Error error = checkRows(machine, rows))
    return error;
  if (constants == Constants::FittedAnew)
    machine = fitMachine(machine, rows);
  out << "TPU v4, one chip, fp16 matmuls, " << rows.size() << " rows\n";
  std::vector<double> predicted = predict(machine, rows);
  printErrors(out, "simulated", predicted, rows);
  printErrors(out, "simulated, fifths left out of the fit",
              predictLeftOut(machine, rows, 5), rows);
  printErrors(out, "roofline", predictByRoofline(machine, rows), rows);
  printErrors(out, "a + b output-stationary form",
              predictByLine(outputStationary, rows), rows);
  printBands(out, *matmuls, rows, predicted);
  printConstants(out, machine);
  return Error::success();
}

Error sim::writeFidelity(Constants constants, llvm::raw_ostream &out) {
  if (Error error = reportV3(constants, out))
    return error;
  return reportV4(constants, out);
}
