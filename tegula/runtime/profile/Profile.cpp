// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/profile/Profile.h"

#include "tegula/backends/CallSizes.h"
#include "tegula/ir/CountWork.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/launch/call/Program.h"
#include "tegula/launch/threads/ThreadCount.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ImageMaker.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/runtime/ReadSizes.h"
#include "tegula/runtime/profile/CallSite.h"
#include "tegula/runtime/profile/LineTable.h"
#include "tegula/runtime/profile/MachineLimits.h"
#include "tegula/runtime/profile/Sampler.h"
#include "tegula/support/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"

#include <link.h>
#include <set>

using namespace tegula;

// Counted at the stage where nothing has been cut or joined yet.
Error tegula::countOperations(const KernelSource &source,
                              llvm::ArrayRef<Argument> arguments,
                              Profile &profile) {
  Compilation compilation(source);
  if (Error error = compilation.generate(arguments))
    return error;
  if (Error error = compilation.advance(Stage::Inferred))
    return error;
  mlir::func::FuncOp entry = compilation.getEntry();
  pl::Work work = pl::countWork(entry, readSizes(entry, arguments));
  profile.operations = work.operations;
  profile.isCounted = work.isExact;
  return Error::success();
}

/// How the tensors of a call lie.
static std::map<pl::SizeInput, int64_t>
readStrides(mlir::func::FuncOp entry, llvm::ArrayRef<Argument> arguments) {
  std::map<pl::SizeInput, int64_t> strides;
  for (auto [parameter, argument] :
       llvm::zip_equal(entry.getArguments(), arguments))
    if (argument.isTensor())
      for (unsigned axis = 0; axis < argument.getTensor().rank; ++axis)
        strides[{parameter, axis}] = argument.getTensor().strides[axis];
  return strides;
}

/// Adds what the code decides at these sizes to the remarks.
static Error explainChoices(const KernelSource &source,
                            llvm::ArrayRef<Argument> arguments,
                            Profile &profile) {
  Compilation compilation(source);
  if (Error error = compilation.generate(arguments))
    return error;
  Expected<std::shared_ptr<const Target>> target = compilation.getTarget();
  if (!target)
    return target.takeError();
  if (Error error = compilation.advance((*target)->getStart()))
    return error;
  size_t known = compilation.getReports().listRemarks().size();
  mlir::func::FuncOp entry = compilation.getEntry();
  CallSizes sizes{readSizes(entry, arguments), readStrides(entry, arguments),
                  profile.threads, getCoreCacheBytes()};
  if (Error error = compilation.getReports().attempt([&] {
        return (*target)->explainChoices(compilation.getModule(), sizes);
      }))
    return error;
  llvm::append_range(
      profile.remarks,
      llvm::drop_begin(compilation.getReports().listRemarks(), known));
  return Error::success();
}

namespace {

/// Code of a library: where the library begins, and which part is code.
struct LoadedCode {
  uintptr_t base = 0;
  CodeRange range;
};

} // namespace

/// The first place of the sample, from the inside out, that is in one of the
/// user's files; what is made in a function of ours counts for its caller.
static std::optional<SourceLocation>
locationOf(const Sample &sample, const LoadedCode &code, const LineTable &lines,
           const std::set<std::string> &files) {
  for (auto [depth, address] : llvm::enumerate(sample.frames)) {
    if (!code.range.contains(address))
      continue;
    // A return address is that of the next instruction.
    uint64_t offset = address - code.base - (depth == 0 ? 0 : 1);
    for (SourceLocation &location : lines.find(offset))
      if (files.count(location.file))
        return std::move(location);
  }
  return std::nullopt;
}

static Error attributeSamples(llvm::ArrayRef<Sample> samples,
                              const LoadedCode &code, llvm::StringRef bytes,
                              const std::set<std::string> &files,
                              Profile &profile) {
  Expected<std::unique_ptr<LineTable>> lines = LineTable::read(bytes);
  if (!lines)
    return lines.takeError();
  std::map<std::pair<std::string, unsigned>, uint64_t> counts;
  std::map<Sample, std::optional<SourceLocation>> known;
  for (const Sample &sample : samples) {
    if (sample.isWaiting) {
      ++profile.waiting;
      continue;
    }
    auto [entry, isNew] = known.try_emplace(sample);
    if (isNew)
      entry->second = locationOf(sample, code, **lines, files);
    if (entry->second)
      ++counts[{entry->second->file, entry->second->line}];
  }
  for (const auto &[line, count] : counts)
    profile.lines.push_back({{line.first, line.second, 0}, count});
  llvm::sort(profile.lines, [](const LineShare &a, const LineShare &b) {
    return a.samples > b.samples;
  });
  profile.samples = samples.size();
  return Error::success();
}

/// The code that a function is in; empty if it is in none.
static LoadedCode findCode(const void *function) {
  struct Search {
    uintptr_t address;
    LoadedCode found;
  } search = {reinterpret_cast<uintptr_t>(function), {}};
  auto look = [](dl_phdr_info *library, size_t, void *data) {
    auto *search = static_cast<Search *>(data);
    for (unsigned number = 0; number < library->dlpi_phnum; ++number) {
      const ElfW(Phdr) &part = library->dlpi_phdr[number];
      CodeRange range = {library->dlpi_addr + part.p_vaddr, part.p_memsz};
      if (part.p_type == PT_LOAD && range.contains(search->address))
        search->found = {library->dlpi_addr, range};
    }
    return search->found.range.size != 0 ? 1 : 0;
  };
  if (function)
    dl_iterate_phdr(look, &search);
  return search.found;
}

/// The source for another target.
static void setTarget(KernelSource &source, const std::string &key) {
  source.target = key;
  if (!source.program)
    return;
  auto program = std::make_shared<Program>(*source.program);
  program->target = key;
  source.program = std::move(program);
}

/// Compiles the kernel, counts what a call computes, and loads it. `bytes` is
/// its code for this processor.
static Error prepare(const KernelSource &source,
                     llvm::ArrayRef<Argument> arguments, Profile &profile,
                     std::unique_ptr<Variant> &variant, std::string &bytes) {
  if (Error error = countOperations(source, arguments, profile))
    return error;
  Compilation compilation(source);
  Expected<KernelImage> image = ImageMaker(compilation).compile(arguments);
  if (!image)
    return image.takeError();
  profile.remarks = compilation.getReports().listRemarks();
  if (const auto *code = image->find(hostCode))
    bytes = code->bytes;
  if (Problem problem = loadImage(std::move(*image), Descriptor(), variant))
    return toError(problem);
  if (!variant->function)
    return makeError("the time of a program over ranks is told by 'tegula run "
                     "--ranks N --measure'");
  return Error::success();
}

/// Fills in the median.
static Error timeCalls(const CallSite &site, double budget, CallSite::Call call,
                       Profile &profile) {
  if (Error error = site.callOnce(call))
    return error;
  std::vector<double> times;
  if (Error error = site.callFor(budget, UINT64_MAX, call, times))
    return error;
  std::nth_element(times.begin(), times.begin() + times.size() / 2,
                   times.end());
  profile.seconds = times[times.size() / 2];
  profile.calls = times.size();
  return Error::success();
}

static Expected<Profile> profileOnDevice(const KernelSource &source,
                                         const std::string &target,
                                         llvm::ArrayRef<Argument> arguments,
                                         double seconds) {
  Profile profile;
  std::unique_ptr<Variant> variant;
  std::string bytes;
  if (Error error = prepare(source, arguments, profile, variant, bytes))
    return error;
  auto call = [&](llvm::ArrayRef<Argument> given) -> Error {
    if (Problem problem = variant->call(given))
      return toError(problem);
    return Error::success();
  };
  Expected<CallSite> site = CallSite::make(target, arguments);
  if (!site)
    return site.takeError();
  if (Error error = timeCalls(*site, seconds, call, profile))
    return error;
  DeviceStreamScope stream(site->getStream());
  CallDescriber describer;
  if (Error error = call(site->getArguments()))
    return error;
  profile.device = {site->getRuntime(), site->getStream().device,
                    describer.get()};
  return profile;
}

Expected<Profile> tegula::profile(const KernelSource &source,
                                  llvm::ArrayRef<Argument> arguments,
                                  double seconds) {
  Expected<KernelSource> loaded = readSource(source);
  if (!loaded)
    return loaded.takeError();
  Expected<std::shared_ptr<const Target>> target = findTargetOf(*loaded);
  if (!target)
    return target.takeError();
  std::string key = (*target)->getKey();
  if (findDeviceRuntime(key))
    return profileOnDevice(*loaded, key, arguments, seconds);
  std::string withLines = (*target)->getKeyWithLines();
  if (withLines.empty())
    return makeError("code for '{0}' does not say which lines it comes from, "
                     "so its time cannot be told by lines",
                     key);
  setTarget(*loaded, withLines);
  Profile profile;
  std::unique_ptr<Variant> variant;
  std::string bytes;
  if (Error error = prepare(*loaded, arguments, profile, variant, bytes))
    return error;
  auto call = [&](llvm::ArrayRef<Argument> given) -> Error {
    if (Problem problem = variant->call(given))
      return toError(problem);
    return Error::success();
  };
  Expected<CallSite> site = CallSite::make(withLines, arguments);
  if (!site)
    return site.takeError();
  if (Error error = timeCalls(*site, seconds / 2, call, profile))
    return error;
  profile.threads = static_cast<unsigned>(countThreads());
  if (Error error = explainChoices(*loaded, arguments, profile))
    return error;
  LoadedCode code = findCode(reinterpret_cast<const void *>(variant->function));
  if (code.range.size == 0)
    return makeError("the code of the kernel is not found");
  Expected<std::unique_ptr<Sampler>> sampler = Sampler::start(code.range);
  if (!sampler)
    return sampler.takeError();
  std::vector<double> watched;
  if (Error error = site->callFor(seconds / 2, UINT64_MAX, call, watched))
    return error;
  std::vector<Sample> samples = (*sampler)->list();
  sampler->reset();
  std::set<std::string> files = {loaded->path};
  for (const auto &[path, text] : loaded->files->list())
    files.insert(path);
  if (Error error = attributeSamples(samples, code, bytes, files, profile))
    return error;
  return profile;
}
