// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compiler.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/run/DemoKernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <mutex>
#include <thread>

using namespace tegula;

CommandSpec tegula::describeDemo() {
  CommandSpec spec;
  spec.name = "demo";
  spec.operand = "FOLDER";
  spec.summary =
      "compile every kernel of a folder once and run it at many sizes";
  spec.details =
      "Each kernel is compiled once and run with empty, tiny, ragged, prime "
      "and "
      "large sizes.\nThe line of a kernel has the slowest of them, and the "
      "largest difference from the\nreference interpreter at any of them, "
      "relative to the largest element; '-' where interpreting\nwould take "
      "too long. With --verbose there is a line for each size.\n";
  spec.options = {{"verbose", "", "a line for each size"}, getTargetOption()};
  return spec;
}

namespace {

/// Runs kernels on all processors, and prints what there is to say of them in
/// their order.
class Demo {
public:
  Demo(bool isVerbose, std::string target)
      : isVerbose(isVerbose), target(std::move(target)) {}

  Error addFile(const std::string &path);
  /// Runs all kernels. Stops at the first that does not compile.
  Error run();

  size_t getNumKernels() const { return kernels.size(); }
  unsigned getNumFailures() const;
  /// The words that run a kernel at a size.
  std::string getExample() const;

private:
  void work();
  void finish(size_t index, Error error);

  bool isVerbose;
  std::string target;
  std::vector<std::unique_ptr<DemoKernel>> kernels;
  QuietMachine machine;
  Progress progress{"running the kernels"};

  /// Guards what follows.
  std::mutex mutex;
  size_t numStarted = 0;
  size_t numPrinted = 0;
  /// What came of the kernels that have ended.
  std::map<size_t, Error> ended;
  Error failure = Error::success();
};

} // namespace

Error Demo::addFile(const std::string &path) {
  Expected<std::vector<std::string>> names = listKernels(path);
  if (!names)
    return names.takeError();
  for (const std::string &name : *names)
    kernels.push_back(std::make_unique<DemoKernel>(path, name));
  return Error::success();
}

unsigned Demo::getNumFailures() const {
  unsigned number = 0;
  for (const auto &kernel : kernels)
    number += kernel->getNumFailures();
  return number;
}

std::string Demo::getExample() const {
  for (const auto &kernel : llvm::reverse(kernels))
    if (!kernel->getExample().empty())
      return kernel->getExample();
  return "";
}

/// Prints the kernels that have ended, up to the first that has not.
void Demo::finish(size_t index, Error error) {
  std::lock_guard<std::mutex> lock(mutex);
  ended.try_emplace(index, std::move(error));
  progress.clear();
  for (auto next = ended.begin();
       next != ended.end() && next->first == numPrinted; next = ended.begin()) {
    if (!failure)
      llvm::outs() << kernels[numPrinted]->getText();
    if (next->second && !failure)
      failure = std::move(next->second);
    llvm::consumeError(std::move(next->second));
    ended.erase(next);
    ++numPrinted;
  }
  llvm::outs().flush();
}

void Demo::work() {
  while (true) {
    size_t index;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (numStarted == kernels.size() || failure)
        return;
      index = numStarted++;
      progress.update(llvm::formatv("{0} of {1} kernels; running {2}",
                                    numPrinted, kernels.size(),
                                    kernels[index]->getName()));
    }
    finish(index, kernels[index]->run(target, isVerbose, machine));
  }
}

Error Demo::run() {
  std::vector<std::thread> workers;
  unsigned count = std::max(1u, std::thread::hardware_concurrency());
  for (size_t i = 0; i < std::min<size_t>(count, kernels.size()); ++i)
    workers.emplace_back([this] { work(); });
  for (std::thread &worker : workers)
    worker.join();
  for (auto &[index, error] : ended)
    llvm::consumeError(std::move(error));
  return std::move(failure);
}

/// The kernel files of a folder, sorted.
static Expected<std::vector<std::string>> listFiles(const std::string &folder) {
  if (!llvm::sys::fs::is_directory(folder))
    return makeError("'{0}' is not a folder", folder);
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       it != end && !code; it.increment(code))
    if (llvm::sys::path::extension(it->path()) == ".py")
      paths.push_back(it->path());
  if (code)
    return makeError("cannot read '{0}': {1}", folder, code.message());
  if (paths.empty())
    return makeError("'{0}' has no .py file", folder);
  llvm::sort(paths);
  return paths;
}

/// How this program is called from the current folder, for commands that can
/// be copied.
static std::string findSelf() {
  std::string path = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  llvm::SmallString<128> here;
  if (path.empty() || llvm::sys::fs::current_path(here))
    return "tegula";
  llvm::StringRef rest = path;
  bool isBelow = rest.consume_front(here) && rest.consume_front("/");
  return isBelow ? rest.str() : path;
}

Expected<int> tegula::runDemo(const CommandLine &line) {
  std::string folder = line.getOperand().str();
  Expected<std::vector<std::string>> paths = listFiles(folder);
  if (!paths)
    return paths.takeError();
  Demo demo(line.has("verbose"), line.get("target"));
  for (const std::string &path : *paths)
    if (Error error = demo.addFile(path))
      return error;
  llvm::outs() << formatDemoLine("kernel",
                                 line.has("verbose") ? "size" : "slowest size",
                                 "compiles", "time", "largest error");
  if (Error error = demo.run())
    return error;
  if (demo.getNumFailures() > 0)
    return makeError("{0} runs went wrong", demo.getNumFailures());
  llvm::outs() << llvm::formatv("\n{0} kernels, each compiled once. Try next:\n"
                                "  {3} run {1} --check\n"
                                "  {3} ir {2} --stage tiles\n"
                                "  {3} bench --help\n",
                                demo.getNumKernels(), demo.getExample(),
                                paths->front(), findSelf());
  return 0;
}
