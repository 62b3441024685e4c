// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/Profile.h"

#include "tegula/backends/CallSizes.h"
#include "tegula/ir/CountWork.h"
#include "tegula/ir/PlOps.h"
#include "tegula/launch/Program.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/LineTable.h"
#include "tegula/runtime/MachineLimits.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/runtime/ReadSizes.h"
#include "tegula/runtime/Sampler.h"
#include "tegula/support/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <dlfcn.h>
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
  size_t known = compilation.listRemarks().size();
  mlir::func::FuncOp entry = compilation.getEntry();
  CallSizes sizes{readSizes(entry, arguments), readStrides(entry, arguments),
                  profile.threads, getCoreCacheBytes()};
  if (Error error = compilation.attempt([&] {
        return (*target)->explainChoices(compilation.getModule(), sizes);
      }))
    return error;
  llvm::append_range(profile.remarks,
                     llvm::drop_begin(compilation.listRemarks(), known));
  return Error::success();
}

namespace {

/// Calls a variant again and again.
class Caller {
public:
  Caller(const Variant &variant, llvm::ArrayRef<Argument> arguments)
      : variant(variant), arguments(arguments) {}

  /// The times of the calls that fit into `budget` seconds; at least three.
  [[nodiscard]] Error callFor(double budget, std::vector<double> &times) const {
    Clock::time_point begin = Clock::now();
    while (times.size() < 3 || since(begin) < budget) {
      Clock::time_point start = Clock::now();
      if (Problem problem = variant.call(arguments))
        return toError(problem);
      times.push_back(since(start));
    }
    return Error::success();
  }

private:
  using Clock = std::chrono::steady_clock;

  static double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  const Variant &variant;
  llvm::ArrayRef<Argument> arguments;
};

} // namespace

namespace {

/// Code of a library: where the library begins, and which part is code.
struct LoadedCode {
  uintptr_t base = 0;
  CodeRange range;
};

} // namespace

/// The first place of the sample, from the inside out, that is in one of the
/// user's files; what is made in a function of ours counts for its caller.
static std::optional<SourcePlace> placeOf(const Sample &sample,
                                          const LoadedCode &code,
                                          const LineTable &lines,
                                          const std::set<std::string> &files) {
  for (auto [depth, address] : llvm::enumerate(sample.places)) {
    if (!code.range.contains(address))
      continue;
    // A return address is that of the next instruction.
    uint64_t offset = address - code.base - (depth == 0 ? 0 : 1);
    for (SourcePlace &place : lines.find(offset))
      if (files.count(place.file))
        return std::move(place);
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
  std::map<Sample, std::optional<SourcePlace>> known;
  for (const Sample &sample : samples) {
    if (sample.isWaiting) {
      ++profile.waiting;
      continue;
    }
    auto [entry, isNew] = known.try_emplace(sample);
    if (isNew)
      entry->second = placeOf(sample, code, **lines, files);
    if (entry->second)
      ++counts[{entry->second->file, entry->second->line}];
  }
  for (const auto &[place, count] : counts)
    profile.lines.push_back({{place.first, place.second, 0}, count});
  llvm::sort(profile.lines, [](const LineShare &a, const LineShare &b) {
    return a.samples > b.samples;
  });
  profile.samples = samples.size();
  return Error::success();
}

/// Kernels that use threads have loaded who counts them.
static void *findThreads() {
  return dlsym(RTLD_DEFAULT, "omp_get_max_threads");
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

static unsigned countThreads() {
  auto count = reinterpret_cast<int (*)()>(findThreads());
  return count ? static_cast<unsigned>(std::max(1, count())) : 1;
}

/// The same source for the target whose code knows its lines.
static Expected<KernelSource> withLines(const KernelSource &source) {
  Expected<KernelSource> loaded = readSource(source);
  if (!loaded)
    return loaded.takeError();
  Expected<std::shared_ptr<const Target>> target = findTargetOf(*loaded);
  if (!target)
    return target.takeError();
  std::string key = (*target)->getKeyWithLines();
  if (key.empty())
    return makeError("code for '{0}' does not say which lines it comes from, "
                     "so its time cannot be told by lines",
                     (*target)->getKey());
  loaded->target = key;
  if (loaded->program) {
    auto program = std::make_shared<Program>(*loaded->program);
    program->target = key;
    loaded->program = std::move(program);
  }
  return loaded;
}

Expected<Profile> tegula::profile(const KernelSource &source,
                                  llvm::ArrayRef<Argument> arguments,
                                  double seconds) {
  Expected<KernelSource> loaded = withLines(source);
  if (!loaded)
    return loaded.takeError();
  Profile profile;
  if (Error error = countOperations(*loaded, arguments, profile))
    return error;
  Compilation compilation(*loaded);
  Expected<KernelImage> image = compilation.compile(arguments);
  if (!image)
    return image.takeError();
  profile.remarks = compilation.listRemarks();
  std::string bytes = image->find(hostCode)->bytes;
  std::unique_ptr<Variant> variant;
  if (Problem problem = loadImage(std::move(*image), Descriptor(), variant))
    return toError(problem);
  if (!variant->function)
    return makeError("the time of a program over ranks is told by 'tegula run "
                     "--ranks N --measure'");
  Caller caller(*variant, arguments);
  std::vector<double> first, calm, watched;
  if (Error error = caller.callFor(0, first))
    return error;
  if (Error error = caller.callFor(seconds / 2, calm))
    return error;
  std::nth_element(calm.begin(), calm.begin() + calm.size() / 2, calm.end());
  profile.seconds = calm[calm.size() / 2];
  profile.calls = calm.size();
  profile.threads = countThreads();
  if (Error error = explainChoices(*loaded, arguments, profile))
    return error;
  LoadedCode code = findCode(reinterpret_cast<const void *>(variant->function));
  if (code.range.size == 0)
    return makeError("the code of the kernel is not found");
  Expected<std::unique_ptr<Sampler>> sampler =
      Sampler::start(code.range, findCode(findThreads()).range);
  if (!sampler)
    return sampler.takeError();
  if (Error error = caller.callFor(seconds / 2, watched))
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
