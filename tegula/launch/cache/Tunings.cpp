// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/cache/Tunings.h"

#include "tegula/launch/cache/CacheFiles.h"
#include "tegula/launch/cache/Digest.h"
#include "tegula/launch/cache/KernelCache.h"
#include "tegula/launch/cache/Toolchain.h"
#include "tegula/launch/call/Program.h"
#include "tegula/support/HostTarget.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <unistd.h>

using namespace tegula;

static constexpr const char *fileName = "tuned";
static constexpr std::string_view heading = "tegula tuned 1";
static constexpr uint64_t mostBytes = 1 << 20;

bool tegula::readChoice(std::string_view word, size_t &choice,
                        int64_t &number) {
  size_t equals = word.find('=');
  if (equals == std::string_view::npos)
    return false;
  auto found =
      std::find_if(std::begin(tunableChoices), std::end(tunableChoices),
                   [&](const TunableChoice &each) {
                     return each.name == word.substr(0, equals);
                   });
  if (found == std::end(tunableChoices))
    return false;
  choice = found - std::begin(tunableChoices);
  const char *end = word.data() + word.size();
  auto [rest, error] =
      std::from_chars(word.data() + equals + 1, end, number, 10);
  return error == std::errc() && rest == end && number >= found->least &&
         number <= found->most;
}

static std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (size_t end; (end = text.find(at)) != std::string_view::npos;
       text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

static bool areChoices(std::string_view text) {
  std::vector<std::string_view> words = split(text, ',');
  size_t choice;
  int64_t number;
  return std::all_of(words.begin(), words.end(), [&](std::string_view word) {
    return readChoice(word, choice, number);
  });
}

static std::string digestOf(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.finishText();
}

/// Of a file with this digest, on this machine.
static std::string onThisMachine(const std::string &file) {
  static const std::string machine = describeHostCpu();
  Digest digest;
  digest.add(machine);
  digest.add(file);
  return digest.finishText();
}

std::string tegula::digestTuned(std::string_view text) {
  return onThisMachine(digestOf(text));
}

/// The lines after the heading, and at last the digest of all before it. False
/// if the text is not what was once written.
static bool parse(std::string_view text, std::vector<Tuning> &tunings) {
  if (text.size() < 2 || text.back() != '\n')
    return false;
  size_t end = text.rfind('\n', text.size() - 2);
  if (end == std::string_view::npos)
    return false;
  std::string_view body = text.substr(0, end + 1);
  if (text.substr(end + 1, text.size() - end - 2) != digestOf(body))
    return false;
  std::vector<std::string_view> lines = split(body, '\n');
  lines.pop_back();
  if (lines.empty() || lines.front() != heading)
    return false;
  for (size_t line = 1; line < lines.size(); ++line) {
    std::vector<std::string_view> words = split(lines[line], ' ');
    if (words.size() != 3 || !areChoices(words[2]))
      return false;
    tunings.push_back(
        {std::string(words[0]), std::string(words[1]), std::string(words[2])});
  }
  return true;
}

static void warn(const std::string &path, const char *why) {
  warnOnce("tunings", formatText("what 'tegula tune' found is not used: '{0}' "
                                 "{1}; 'tegula tune --clear' removes it",
                                 {path, why}));
}

std::vector<Tuning> tegula::readTunings() {
  const CacheOptions &options = getDefaultCache()->getOptions();
  std::vector<Tuning> tunings;
  if (options.mode == CacheOptions::Mode::Off || options.folder.empty())
    return tunings;
  std::string path = options.folder + "/" + fileName;
  CacheFile file;
  if (!file.open(path))
    return tunings;
  if (!file.isTrusted() || !isTrustedFolder(options.folder)) {
    warn(path, "is of another user, or others may write it");
  } else if (file.getSize() > mostBytes || !parse(file.read(), tunings)) {
    warn(path, "is damaged");
    tunings.clear();
  }
  return tunings;
}

std::string tegula::findTuned(const std::string &file,
                              const std::string &kernel) {
  for (const Tuning &tuning : readTunings())
    if (tuning.file == file && (kernel.empty() || tuning.kernel == kernel))
      return tuning.choices;
  return "";
}

/// The folder to write to, made if it is missing.
static Problem openFolder(std::string &folder) {
  const CacheOptions &options = getDefaultCache()->getOptions();
  if (options.mode != CacheOptions::Mode::On || options.folder.empty())
    return makeProblem(Problem::Kind::System,
                       "what is found is kept next to compiled kernels, and "
                       "those are not kept: TEGULA_CACHE is not 'on', or there "
                       "is no folder");
  folder = options.folder;
  if (!makeFolders(folder))
    return makeProblem(Problem::Kind::System, "cannot make '{0}': {1}", folder,
                       std::string(std::strerror(errno)));
  return {};
}

Problem tegula::keepTuning(const Tuning &tuning) {
  std::string folder;
  if (Problem problem = openFolder(folder))
    return problem;
  FolderLock lock(folder);
  std::vector<Tuning> tunings = readTunings();
  tunings.erase(std::remove_if(tunings.begin(), tunings.end(),
                               [&](const Tuning &other) {
                                 return other.file == tuning.file &&
                                        other.kernel == tuning.kernel;
                               }),
                tunings.end());
  if (!tuning.choices.empty())
    tunings.push_back(tuning);
  std::string text = std::string(heading) + "\n";
  for (const Tuning &each : tunings)
    text += each.file + " " + each.kernel + " " + each.choices + "\n";
  text += digestOf(text) + "\n";
  if (!writeWhole(folder, fileName, text))
    return makeProblem(Problem::Kind::System, "cannot write '{0}/{1}': {2}",
                       folder, std::string(fileName),
                       std::string(std::strerror(errno)));
  return {};
}

Problem tegula::forgetTunings() {
  std::string folder;
  if (Problem problem = openFolder(folder))
    return problem;
  std::string path = folder + "/" + fileName;
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    return makeProblem(Problem::Kind::System, "cannot remove '{0}': {1}", path,
                       std::string(std::strerror(errno)));
  return {};
}

static bool isTuned(const std::string &target) {
  return target.empty() || target == hostTarget;
}

static std::string withChoices(const std::string &choices) {
  return std::string(hostTarget) + ":" + choices;
}

std::string tegula::tuneTarget(const std::string &target, std::string_view text,
                               const std::string &kernel) {
  if (!isTuned(target))
    return target;
  std::string choices = findTuned(digestTuned(text), kernel);
  return choices.empty() ? target : withChoices(choices);
}

void tegula::useTuning(Program &program) {
  if (!isTuned(program.target) || program.blocks.empty())
    return;
  std::vector<Tuning> tunings = readTunings();
  if (tunings.empty())
    return;
  const ProgramBlock &entry = program.blocks.front();
  std::string file = onThisMachine(digestFile(entry.path));
  for (const Tuning &tuning : tunings)
    if (tuning.file == file && tuning.kernel == entry.name)
      program.target = withChoices(tuning.choices);
}
