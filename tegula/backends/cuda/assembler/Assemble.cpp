// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's assembler, where there is one.

#include "tegula/backends/cuda/assembler/AssemblerProcess.h"
#include "tegula/backends/cuda/assembler/DeviceModule.h"
#include "tegula/support/Recovery.h"

#include "llvm/Support/FileSystem.h"
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

/// What an assembler that failed is said to have done: what it printed, if it
/// did.
static std::string describe(const AssemblerEnd &end,
                            const MemoryFile &messages) {
  if (end.kind == AssemblerEnd::Kind::NotStarted)
    return std::generic_category().message(end.number);
  std::string said = StringRef(messages.read().value_or("")).trim().str();
  if (!said.empty())
    return said;
  return end.kind == AssemblerEnd::Kind::Signalled
             ? formatv("it was ended by signal {0}", end.number).str()
             : formatv("it ended with status {0}", end.number).str();
}

tegula::Expected<std::string> tegula::assemble(const std::string &ptx,
                                               const std::string &chip) {
  std::string program = findAssembler();
  if (program.empty())
    return ptx;
  MemoryFile source, object, messages;
  if (!source || !object || !messages || !source.write(ptx))
    return makeSystemError(ENOMEM,
                           "there is no memory for the text that {0} "
                           "assembles",
                           program);
  AssemblerEnd end = {};
  auto hasCode = [&] {
    return StringRef(object.read().value_or("")).starts_with("\177ELF");
  };
  auto run = [&](ArrayRef<std::string> more) {
    std::vector<std::string> words = {program, "-arch=" + chip,
                                      "-O3",   source.getPath(),
                                      "-o",    object.getPath()};
    append_range(words, more);
    messages.clear();
    end = runAssembler(words, messages, {&source, &object});
    if (end.kind == AssemblerEnd::Kind::Unknown)
      end = {AssemblerEnd::Kind::Ended, hasCode() ? 0 : 1};
    return end.isSuccess();
  };
  // As many threads as there are processors, unless it is too old for that.
  if (!run({"--split-compile=0"}) && end.kind == AssemblerEnd::Kind::Ended)
    run({});
  if (end.kind == AssemblerEnd::Kind::Stopped) {
    // Nothing else closes them if the step ends here.
    for (MemoryFile *file : {&source, &object, &messages})
      file->close();
    stopStep();
    return makeError("stopped while {0} was running", program);
  }
  if (!end.isSuccess()) {
    std::string failure = describe(end, messages);
    // Drivers may know a chip that it does not, such as old ones.
    if (failure.find("'" + chip + "' is not defined") != std::string::npos)
      return ptx;
    constexpr const char *words = "{0} cannot assemble the kernel for {1}: {2}";
    return end.kind == AssemblerEnd::Kind::NotStarted
               ? makeSystemError(end.number, words, program, chip, failure)
               : makeError(words, program, chip, failure);
  }
  if (!hasCode())
    return makeError("{0} wrote no code for {1}", program, chip);
  return object.read().value_or("");
}
