// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/Backend.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <mutex>

using namespace tegula;
using llvm::StringRef;

LibraryMaker::~LibraryMaker() = default;
Target::~Target() = default;
Backend::~Backend() = default;

Problem Backend::load(const KernelImage &,
                      std::unique_ptr<LoadedImage> &) const {
  return makeProblem(Problem::Kind::Internal,
                     "the back end '{0}' runs no images of its own",
                     getName().str());
}

llvm::LogicalResult Target::explainChoices(mlir::ModuleOp,
                                           const CallSizes &) const {
  return llvm::success();
}

llvm::LogicalResult Target::explainVariant(mlir::ModuleOp) const {
  return llvm::success();
}

Expected<ProducerFiles> Target::emitProducer(mlir::ModuleOp, const Signature &,
                                             StringRef) const {
  llvm_unreachable("whoever asks for a producer has looked");
}

Expected<ReadProducer> Backend::readProducer(StringRef path) const {
  return makeError("{0}: the back end '{1}' has no producers", path, getName());
}

const Backend *tegula::findBackend(StringRef name) {
  const auto *found =
      llvm::find_if(listBackends(), [&](const Backend *backend) {
        return backend->getName() == name;
      });
  return found == listBackends().end() ? nullptr : *found;
}

static Expected<std::unique_ptr<Target>> makeTarget(StringRef text) {
  auto [name, options] = text.split(':');
  const Backend *backend =
      text.empty() ? listBackends().front() : findBackend(name);
  if (!backend)
    return makeError("there is no target '{0}'; there is: {1}", text,
                     llvm::join(llvm::map_range(listBackends(),
                                                [](const Backend *backend) {
                                                  return backend->getName();
                                                }),
                                ", "));
  if (text.contains(':') && options.empty())
    return makeError("target '{0}': nothing follows the colon; targets are "
                     "written {1}",
                     text, backend->getUsage());
  Expected<std::unique_ptr<Target>> target = backend->makeTarget(options);
  if (!target)
    return makeError("target '{0}': {1}", text,
                     llvm::toString(target.takeError()));
  return target;
}

Expected<std::shared_ptr<const Target>> tegula::findTarget(StringRef text) {
  static std::mutex mutex;
  static llvm::StringMap<std::shared_ptr<const Target>> known;
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const Target> &target = known[text];
  if (target)
    return target;
  Expected<std::unique_ptr<Target>> made = makeTarget(text);
  if (!made)
    return made.takeError();
  target = std::move(*made);
  return target;
}

std::vector<std::string> tegula::listStages(const Target &target) {
  std::vector<std::string> names;
  // All common stages can be looked at, whichever the target starts from.
  for (Stage stage : listCommonStages())
    names.push_back(getName(stage).str());
  // A target may have its own version of one of them.
  for (StringRef name : target.getStages())
    if (!llvm::is_contained(names, name))
      names.push_back(name.str());
  return names;
}
