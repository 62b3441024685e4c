// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tegula cache`: what compiled kernels lie on the disk.

#include "tegula/launch/cache/KernelCache.h"
#include "tegula/runtime/ProblemError.h"
#include "tools/tegula/Commands.h"

#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace tegula;

CommandSpec tegula::describeCache() {
  CommandSpec spec;
  spec.name = "cache";
  spec.operand = "ls|explain|verify|clear";
  spec.summary = "look at or remove compiled kernels on the disk";
  spec.details =
      "ls       one line for each compiled kernel, the last used first\n"
      "explain  all that is known: what each was specialised on, and whether "
      "it can\n         still be found\n"
      "verify   check every byte; the exit code is 1 if a file is damaged\n"
      "clear    remove what the options choose, or else everything\n\n"
      "The folder is $TEGULA_CACHE_DIR, or tegula in $XDG_CACHE_HOME or "
      "~/.cache.\n$TEGULA_CACHE_SIZE limits it (1G); what was not used for "
      "longest goes first.\n$TEGULA_CACHE may be on, readonly or off.\n\n"
      "  tegula cache ls\n"
      "  tegula cache explain --kernel softmax\n"
      "  tegula cache clear --stale\n";
  spec.options = {
      {"dir", "FOLDER", "another folder than the environment says"},
      {"kernel", "NAME", "only kernels of this name"},
      {"stale", "", "only what another compiler made, or another machine"},
      {"damaged", "", "only files that are not what was once written"}};
  return spec;
}

namespace {

/// The cache and what the options choose of it.
struct Selection {
  DiskCache cache;
  std::vector<CacheRecord> records;
};

} // namespace

/// True if no process with this compiler on this machine looks for it.
static bool isStale(const DiskCache &cache, const CacheRecord &record) {
  return record.state == CacheRecord::State::Good &&
         record.entry.toolchain != cache.getOptions().toolchain;
}

static Expected<Selection> select(const CommandLine &line) {
  CacheOptions options = getDefaultCache()->getOptions();
  if (line.has("dir"))
    options.folder = line.get("dir");
  if (options.folder.empty())
    return makeError("there is no cache: neither TEGULA_CACHE_DIR nor "
                     "XDG_CACHE_HOME nor HOME is set");
  Selection selection = {DiskCache(std::move(options)), {}};
  for (CacheRecord &record : selection.cache.list()) {
    bool isDamaged = record.state != CacheRecord::State::Good;
    if ((line.has("kernel") && record.entry.kernel != line.get("kernel")) ||
        (line.has("stale") && !isStale(selection.cache, record)) ||
        (line.has("damaged") && !isDamaged))
      continue;
    selection.records.push_back(std::move(record));
  }
  return selection;
}

static std::string formatSize(uint64_t bytes) {
  if (bytes < 10 << 10)
    return llvm::formatv("{0} B", bytes);
  if (bytes < 10 << 20)
    return llvm::formatv("{0} KiB", bytes >> 10);
  return llvm::formatv("{0} MiB", bytes >> 20);
}

static std::string formatAge(int64_t time) {
  int64_t seconds = std::max<int64_t>(0, std::time(nullptr) - time);
  if (seconds < 120)
    return llvm::formatv("{0} s", seconds);
  if (seconds < 120 * 60)
    return llvm::formatv("{0} min", seconds / 60);
  if (seconds < 48 * 3600)
    return llvm::formatv("{0} h", seconds / 3600);
  return llvm::formatv("{0} days", seconds / 86400);
}

static llvm::StringRef describeState(const DiskCache &cache,
                                     const CacheRecord &record) {
  switch (record.state) {
  case CacheRecord::State::Damaged:
    return "damaged: compiled again when it is needed";
  case CacheRecord::State::Untrusted:
    return "of another user, or others may write it: not used";
  case CacheRecord::State::Good:
    break;
  }
  return isStale(cache, record)
             ? "of another compiler or machine: not found by this one"
             : "found by this compiler on this machine";
}

static std::string baseName(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

static void printTotal(const Selection &selection) {
  uint64_t total = 0;
  for (const CacheRecord &record : selection.records)
    total += record.fileSize;
  llvm::outs() << selection.records.size() << " files, " << formatSize(total)
               << " of " << formatSize(selection.cache.getOptions().maxBytes)
               << " in " << selection.cache.getOptions().folder << "\n";
}

static int printList(const Selection &selection) {
  for (const CacheRecord &record : selection.records) {
    bool isGood = record.state == CacheRecord::State::Good;
    if (isGood && isIndex(record.entry))
      continue;
    llvm::outs() << llvm::formatv(
        "{0,8}  {1,8}  {2}{3}\n", formatSize(record.fileSize),
        formatAge(record.lastUsed),
        isGood ? record.entry.description : baseName(record.path),
        isGood && !isStale(selection.cache, record)
            ? ""
            : (" (" + describeState(selection.cache, record) + ")").str());
  }
  printTotal(selection);
  return 0;
}

static int printAll(const Selection &selection) {
  for (const CacheRecord &record : selection.records) {
    const CacheEntry &entry = record.entry;
    llvm::outs() << baseName(record.path) << "\n  state      "
                 << describeState(selection.cache, record) << "\n  size       "
                 << formatSize(record.fileSize) << ", code "
                 << formatSize(record.codeSize) << "\n  last used  "
                 << formatAge(record.lastUsed) << " ago, to an hour\n";
    if (record.state == CacheRecord::State::Good)
      llvm::outs() << "  compiled   " << formatAge(entry.created)
                   << " ago\n  kernel     " << entry.description
                   << "\n  variant    " << entry.variant << "\n  program    "
                   << entry.program << "\n  toolchain  " << entry.toolchain
                   << "\n";
    llvm::outs() << "\n";
  }
  printTotal(selection);
  return 0;
}

static int verify(const Selection &selection) {
  uint64_t numBad = 0;
  for (const CacheRecord &record : selection.records) {
    if (record.state == CacheRecord::State::Good)
      continue;
    ++numBad;
    llvm::outs() << record.path << ": "
                 << describeState(selection.cache, record) << "\n";
  }
  llvm::outs() << selection.records.size() << " files, " << numBad
               << " of them bad\n";
  return numBad == 0 ? 0 : 1;
}

static Expected<int> clear(const Selection &selection) {
  uint64_t bytes = 0;
  for (const CacheRecord &record : selection.records) {
    if (Problem problem = selection.cache.remove(record))
      return toError(problem);
    bytes += record.fileSize;
  }
  llvm::outs() << "removed " << selection.records.size() << " files, "
               << formatSize(bytes) << "\n";
  return 0;
}

Expected<int> tegula::runCache(const CommandLine &line) {
  Expected<Selection> selection = select(line);
  if (!selection)
    return selection.takeError();
  llvm::StringRef what = line.getOperand();
  if (what == "ls")
    return printList(*selection);
  if (what == "explain")
    return printAll(*selection);
  if (what == "verify")
    return verify(*selection);
  if (what == "clear")
    return clear(*selection);
  return makeError("'tegula cache' wants ls, explain, verify or clear, got "
                   "'{0}'{1}",
                   what, suggest(what, {"ls", "explain", "verify", "clear"}));
}
