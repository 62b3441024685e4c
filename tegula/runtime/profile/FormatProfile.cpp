// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/profile/FormatProfile.h"

#include "tegula/runtime/profile/MachineLimits.h"
#include "tegula/support/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tegula;

/// Fills in what this machine can do.
static void measureCores(unsigned threads, ProfileRates &rates) {
  rates.copyRate = measureCopyRate(static_cast<uint64_t>(rates.bytes));
  rates.peak = measurePeak() * threads;
  rates.copier = "one core";
  rates.computer =
      threads == 1 ? "one core" : std::to_string(threads) + " cores";
}

/// The same of a device.
static void measureDevice(const ProfiledDevice &device, ProfileRates &rates) {
  rates.copyRate = device.runtime->measureCopyRate(
      device.number, static_cast<uint64_t>(rates.bytes));
  rates.peak = device.call.peak;
  rates.copier = device.runtime->getName();
  rates.computer = device.call.units.empty() ? rates.copier : device.call.units;
}

ProfileRates tegula::measureRates(const Profile &profile,
                                  llvm::ArrayRef<Argument> arguments) {
  ProfileRates rates;
  for (const Argument &argument : arguments)
    if (argument.isTensor())
      rates.bytes += static_cast<double>(getDenseBytes(
          argument.getTensor().getNumElements(), argument.getTensor().dtype));
  rates.operations = profile.operations;
  rates.seconds = profile.seconds;
  if (profile.device)
    measureDevice(*profile.device, rates);
  else
    measureCores(profile.threads, rates);
  return rates;
}

/// "83.9 M"
static std::string formatLarge(double value) {
  static constexpr const char *units[] = {"", "k", "M", "G", "T", "P"};
  size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  return llvm::formatv("{0} {1}", llvm::format("%.3g", value), units[unit]);
}

static int toPercent(double share) {
  return static_cast<int>(std::lround(share * 100));
}

std::string tegula::describeBound(const ProfileRates &rates) {
  double memory = rates.ofMemory(), arithmetic = rates.ofArithmetic();
  bool isMemory = memory >= arithmetic;
  double share = std::max(memory, arithmetic);
  const char *what = isMemory ? "memory" : "arithmetic";
  if (share >= 0.7)
    return llvm::formatv("bound by {0}: at {1} % of what {2} can do", what,
                         toPercent(share),
                         isMemory ? rates.copier : rates.computer);
  return llvm::formatv("not at a limit: {0} alone would take {1} % of the time",
                       what, toPercent(share));
}

std::string tegula::formatRates(const ProfileRates &rates, bool isCounted) {
  auto format = [](const char *what, const std::string &amount,
                   const std::string &rate, double share,
                   const std::string &limit) -> std::string {
    return llvm::formatv("  {0,-11} {1,10}  {2,12}  {3,4} % of {4}\n", what,
                         amount, rate, toPercent(share), limit);
  };
  return format("arithmetic",
                (isCounted ? "" : "about ") + formatLarge(rates.operations) +
                    "op",
                formatLarge(rates.operations / rates.seconds) + "op/s",
                rates.ofArithmetic(),
                formatLarge(rates.peak) + "op/s, the multiply-adds of " +
                    rates.computer) +
         format("memory", formatLarge(rates.bytes) + "B",
                formatLarge(rates.bytes / rates.seconds) + "B/s",
                rates.ofMemory(),
                formatLarge(rates.copyRate) + "B/s, at which " + rates.copier +
                    " copies as much") +
         "  " + describeBound(rates) + "\n";
}

std::string tegula::formatLines(const Profile &profile, SourceFiles &files) {
  std::string written;
  llvm::raw_string_ostream stream(written);
  if (profile.device)
    stream << "\n" << profile.device->call.text << "\n";
  std::vector<LineShare> lines;
  uint64_t shown = 0;
  for (const LineShare &line : profile.lines)
    if (line.samples * 100 >= profile.samples) {
      lines.push_back(line);
      shown += line.samples;
    }
  llvm::sort(lines, [](const LineShare &a, const LineShare &b) {
    return std::tie(a.location.file, a.location.line) <
           std::tie(b.location.file, b.location.line);
  });
  auto toShare = [&](uint64_t samples) {
    return toPercent(static_cast<double>(samples) /
                     std::max<double>(1, profile.samples));
  };
  std::string file;
  for (const LineShare &line : lines) {
    if (line.location.file != file)
      stream << "\n" << line.location.file << "\n";
    file = line.location.file;
    llvm::StringRef text;
    Expected<const std::string *> source = files.find(file);
    if (source && *source) {
      llvm::SmallVector<llvm::StringRef> all;
      llvm::StringRef(**source).split(all, '\n');
      if (line.location.line <= all.size())
        text = all[line.location.line - 1].rtrim();
    }
    llvm::consumeError(source.takeError());
    stream << llvm::formatv("{0,5} {1,4} %  {2}\n", line.location.line,
                            toShare(line.samples), text);
  }
  if (profile.waiting * 100 >= profile.samples && profile.waiting != 0) {
    stream << llvm::formatv("      {0,4} %  waiting for other threads, and "
                            "starting them\n",
                            toShare(profile.waiting));
    shown += profile.waiting;
  }
  if (uint64_t rest = profile.samples - shown)
    stream << llvm::formatv("      {0,4} %  elsewhere: other lines, the call "
                            "itself\n",
                            toShare(rest));
  if (!profile.remarks.empty())
    stream << "\n";
  for (const Diagnostic &remark : profile.remarks)
    stream << formatDiagnostic(remark, files);
  return written;
}
