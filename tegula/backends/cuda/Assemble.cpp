// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's assembler, where there is one.

#include "tegula/backends/cuda/DeviceModule.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace tegula;

/// Where it is: as TEGULA_PTXAS says, on the PATH, or in CUDA's folder. Empty
/// if it is nowhere.
static std::string findAssembler() {
  if (auto named = sys::Process::GetEnv("TEGULA_PTXAS"))
    return *named;
  if (auto found = sys::findProgramByName("ptxas"))
    return *found;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (auto folder = sys::Process::GetEnv(variable)) {
      SmallString<128> path(*folder);
      sys::path::append(path, "bin", "ptxas");
      if (sys::fs::can_execute(path))
        return path.str().str();
    }
  return "";
}

namespace {

/// A file that is deleted at the end.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef suffix) {
    if (sys::fs::createTemporaryFile("tegula", suffix, path))
      path.clear();
  }
  ~TemporaryFile() {
    if (!path.empty())
      sys::fs::remove(path);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  StringRef get() const { return path; }

private:
  SmallString<128> path;
};

} // namespace

tegula::Expected<std::string> tegula::assemble(const std::string &ptx,
                                               const std::string &chip) {
  std::string program = findAssembler();
  if (program.empty())
    return ptx;
  TemporaryFile source("ptx"), object("cubin"), messages("txt");
  if (source.get().empty() || object.get().empty() || messages.get().empty())
    return makeError("cannot make temporary files for {0}", program);
  std::error_code problem;
  {
    raw_fd_ostream stream(source.get(), problem);
    stream << ptx;
  }
  if (problem)
    return makeError("cannot write a temporary file: {0}", problem.message());
  std::string target = "-arch=" + chip;
  std::optional<StringRef> redirects[] = {std::nullopt, messages.get(),
                                          messages.get()};
  std::string failure;
  int status = 0;
  // As many threads as there are processors, unless it is too old for that.
  auto run = [&](ArrayRef<StringRef> more) {
    SmallVector<StringRef> words = {program,      target, "-O3",
                                    source.get(), "-o",   object.get()};
    append_range(words, more);
    status =
        sys::ExecuteAndWait(program, words, std::nullopt, redirects,
                            /*SecondsToWait=*/0, /*MemoryLimit=*/0, &failure);
    return status == 0;
  };
  if (!run({"--split-compile=0"}) && !run({})) {
    if (failure.empty())
      if (auto text = MemoryBuffer::getFile(messages.get()))
        failure = (*text)->getBuffer().trim().str();
    // Drivers may know a chip that it does not, such as old ones.
    if (failure.find("'" + chip + "' is not defined") != std::string::npos)
      return ptx;
    if (failure.empty())
      failure = formatv("it ended with status {0}", status).str();
    return makeError("{0} cannot assemble the kernel for {1}: {2}", program,
                     chip, failure);
  }
  auto assembled = MemoryBuffer::getFile(object.get());
  if (!assembled)
    return makeError("cannot read what {0} wrote: {1}", program,
                     assembled.getError().message());
  if (!(*assembled)->getBuffer().starts_with("\177ELF"))
    return makeError("{0} wrote no code for {1}", program, chip);
  return (*assembled)->getBuffer().str();
}
