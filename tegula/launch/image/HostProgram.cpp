// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/image/HostProgram.h"

#include <atomic>
#include <sys/stat.h>

using namespace tegula;

static std::atomic<HostCaller *> chosenCaller = nullptr;

HostCaller *tegula::getHostCaller() {
  return chosenCaller.load(std::memory_order_acquire);
}

HostCaller *tegula::chooseHostCaller(HostCaller *caller) {
  return chosenCaller.exchange(caller, std::memory_order_acq_rel);
}

/// All bytes of the file.
static Problem readWhole(const Descriptor &file, std::string &bytes) {
  struct stat status = {};
  bool isRead = ::fstat(file.get(), &status) == 0;
  if (isRead) {
    bytes.resize(status.st_size);
    isRead = readAll(file.get(), bytes.data(), bytes.size(), 0);
  }
  return isRead ? Problem()
                : Problem(Problem::Kind::System,
                          "cannot read the compiled code of a host program");
}

Problem HostProgram::load(KernelImage image, const Descriptor &file,
                          std::unique_ptr<LoadedImage> &program) {
  auto made = std::make_unique<HostProgram>();
  made->image = std::move(image);
  // Ranks call it as any other code.
  made->image.facts.runner.clear();
  if (file) {
    std::string bytes;
    if (Problem problem = readWhole(file, bytes))
      return problem;
    made->image.objects.push_back({hostCode, std::move(bytes)});
  }
  if (Problem problem = loadImage(made->image, {}, made->local))
    return problem;
  program = std::move(made);
  return {};
}

Problem HostProgram::run(llvm::ArrayRef<Argument> arguments,
                         const int64_t *slots) {
  if (HostCaller *caller = getHostCaller())
    return caller->call(*this, arguments);
  TegulaCallState state = {};
  local->function(slots, &state);
  if (state.error == TegulaNoError)
    return {};
  return describeRunProblem(state, local->sites);
}
