// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/Dispatcher.h"

#include "tegula/launch/call/CompileReason.h"
#include "tegula/launch/image/CompileLog.h"
#include "tegula/launch/threads/ForkGate.h"
#include "tegula/launch/threads/StopRequest.h"

#include <chrono>
#include <utility>

using namespace tegula;

static std::atomic<uint64_t> processCompileCount = 0;

uint64_t tegula::getProcessCompileCount() { return processCompileCount; }

Dispatcher::Dispatcher(std::unique_ptr<KernelOrigin> origin)
    : origin(std::move(origin)), kept(this->origin->getKey()) {}

class Dispatcher::Lease {
public:
  ~Lease() {
    if (!dispatcher)
      return;
    dispatcher->maker = std::thread::id();
    dispatcher->making.unlock();
  }

  Problem take(Dispatcher &from) {
    constexpr auto pause = std::chrono::milliseconds(20);
    if (from.maker == std::this_thread::get_id())
      return makeCallProblem("this thread is compiling the kernel just now, "
                             "and cannot call it before it is done");
    while (!from.making.try_lock_for(pause))
      if (isStopWanted())
        return makeProblem(Problem::Kind::Stopped,
                           "stopped while another thread was compiling");
    from.maker = std::this_thread::get_id();
    dispatcher = &from;
    return {};
  }

private:
  CompileScope scope;
  Dispatcher *dispatcher = nullptr;
};

Problem Dispatcher::describe() {
  if (declared.load(std::memory_order_relaxed))
    return {};
  if (!kept.findDeclared(declaredStorage)) {
    if (Problem problem = origin->describe(declaredStorage))
      return problem;
    kept.storeDeclared(declaredStorage, origin->listFiles());
  }
  declared.store(&declaredStorage, std::memory_order_release);
  return {};
}

Problem Dispatcher::getDeclared(const Signature *&signature) {
  signature = declared.load(std::memory_order_acquire);
  if (signature)
    return {};
  Lease lease;
  if (Problem problem = lease.take(*this))
    return problem;
  if (Problem problem = describe())
    return problem;
  signature = &declaredStorage;
  return {};
}

Problem Dispatcher::compileAndLog(llvm::ArrayRef<Argument> arguments,
                                  KernelImage &image) {
  if (!logsCompiles())
    return origin->compile(arguments, image);
  CompileTimes times;
  CompileTimes *outer = std::exchange(currentCompileTimes(), &times);
  Problem problem = origin->compile(arguments, image);
  currentCompileTimes() = outer;
  if (problem)
    return problem;
  std::vector<const Variant *> known = variants.list();
  bool isNew = known.empty() && !cause.empty();
  logCompile(declaredStorage.kernel, times,
             isNew ? cause : explainCompile(declaredStorage, known, arguments));
  return {};
}

Problem Dispatcher::compile(llvm::ArrayRef<Argument> arguments,
                            std::unique_ptr<Variant> &variant) {
  KernelImage image;
  if (Problem problem = compileAndLog(arguments, image))
    return problem;
  image.facts.files = origin->listFiles();
  Descriptor file = kept.store(image, declaredStorage);
  if (Problem problem = loadImage(std::move(image), file, variant))
    return problem;
  ++compileCount;
  ++processCompileCount;
  return {};
}

Problem Dispatcher::make(llvm::ArrayRef<Argument> arguments,
                         const Variant *&variant) {
  // What is wrong with the wish for a log is said even if nothing is compiled.
  logsCompiles();
  std::unique_ptr<Variant> made = kept.find(arguments);
  if (!made)
    if (Problem problem = compile(arguments, made))
      return problem;
  variant = variants.add(std::move(made), declaredStorage);
  return {};
}

Problem Dispatcher::makeOnly(const Variant *&variant) {
  Lease lease;
  if (Problem problem = lease.take(*this))
    return problem;
  if (Problem problem = describe())
    return problem;
  return make({}, variant);
}

Problem Dispatcher::findOrMake(llvm::ArrayRef<Argument> arguments,
                               const Variant *&variant) {
  variant = find(arguments);
  if (variant)
    return {};
  Lease lease;
  if (Problem problem = lease.take(*this))
    return problem;
  if (Problem problem = describe())
    return problem;
  if (declaredStorage.parameters.size() != arguments.size())
    return makeCountProblem(declaredStorage, arguments.size());
  variant = variants.find(arguments);
  if (variant)
    return {};
  return make(arguments, variant);
}
