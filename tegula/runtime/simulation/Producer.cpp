// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/simulation/Producer.h"

#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ImageMaker.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/File.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace tegula;

Expected<WrittenProducer> tegula::exportProducer(const ExportedKernel &kernel,
                                                 llvm::StringRef target,
                                                 llvm::StringRef name) {
  Expected<std::shared_ptr<const Target>> found = findTarget(target);
  if (!found)
    return found.takeError();
  assert((*found)->isSimulated() && "whoever asks for a producer has looked");
  Expected<KernelSource> source = readSource(kernel.source);
  if (!source)
    return source.takeError();
  Compilation compilation(std::move(*source));
  compilation.setTarget(*found);
  std::string library = (name + ".so").str();
  Expected<CompiledProducer> producer =
      ImageMaker(compilation)
          .compileProducer(kernel.arguments,
                           llvm::sys::path::filename(library));
  if (!producer)
    return producer.takeError();
  std::vector<FileContent> files = {
      {(name + ".json").str(), std::move(producer->files.description)},
      {library, std::move(producer->files.library)}};
  if (!producer->files.source.empty())
    files.push_back({(name + ".c").str(), std::move(producer->files.source)});
  if (Error error = writeFilesAtomically(files))
    return error;
  WrittenProducer written;
  for (FileContent &file : files)
    written.files.push_back(std::move(file.path));
  written.warnings = std::move(producer->warnings);
  return written;
}

/// The back end whose name the description has.
static Expected<const Backend *> findBackendOf(llvm::StringRef path) {
  Expected<std::string> text = readFile(path, uint64_t(1) << 30);
  if (!text)
    return text.takeError();
  Expected<llvm::json::Value> value = llvm::json::parse(*text);
  if (!value)
    return makeError("{0}: {1}", path, llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  std::optional<llvm::StringRef> name;
  if (object)
    name = object->getString("backend");
  if (!name)
    return makeError("{0}: not the description of a producer, which 'tegula "
                     "build' writes: there is no 'backend'",
                     path);
  const Backend *backend = findBackend(*name);
  if (!backend)
    return makeError("{0}: there is no back end '{1}'", path, *name);
  return backend;
}

Expected<Producer> Producer::read(llvm::StringRef path) {
  Expected<const Backend *> backend = findBackendOf(path);
  if (!backend)
    return backend.takeError();
  Expected<ReadProducer> read = (*backend)->readProducer(path);
  if (!read)
    return read.takeError();
  Producer producer;
  producer.machine = std::move(read->machine);
  auto variant = std::make_shared<Variant>();
  if (Problem problem =
          Guard::create(read->image.facts.signature, variant->guard))
    return toError(problem);
  if (Problem problem = (*backend)->load(read->image, variant->image))
    return makeError("{0}: {1}", path, problem.getText());
  producer.variant = std::move(variant);
  return producer;
}

const Signature &Producer::getSignature() const {
  return variant->guard.getSignature();
}

Expected<bool> Producer::mustRunToTrace(llvm::ArrayRef<Argument>) const {
  return variant->image->mustRunToTrace();
}

Expected<std::unique_ptr<TracedCall>>
Producer::trace(llvm::ArrayRef<Argument> arguments,
                const std::string &machine) const {
  std::unique_ptr<TracedCall> traced;
  if (Problem problem = variant->trace(arguments, machine, traced))
    return toError(problem);
  return traced;
}
