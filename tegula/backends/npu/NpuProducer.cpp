// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/NpuProducer.h"

#include "tegula/backends/npu/NpuImage.h"
#include "tegula/backends/npu/trace/HostCode.h"
#include "tegula/backends/npu/trace/TraceEmitter.h"
#include "tegula/launch/cache/Digest.h"
#include "tegula/launch/image/CpuFeatures.h"
#include "tegula/launch/image/LibraryFile.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/support/File.h"

#include "llvm/Support/Path.h"

using namespace tegula;

static std::string digest(llvm::StringRef bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.finishText().substr(0, 32);
}

Expected<ProducerFiles> tegula::makeProducerFiles(mlir::ModuleOp module,
                                                  const Signature &signature,
                                                  const sim::Machine &machine,
                                                  llvm::StringRef libraryName) {
  mlir::OwningOpRef<mlir::ModuleOp> forSource = module.clone();
  Expected<TraceEmitter> emitter = makeTraceEmitter(module, signature, machine);
  if (!emitter)
    return emitter.takeError();
  ProducerFiles files;
  if (emitter->description.obstacle.empty()) {
    Expected<std::string> source = makeTraceSource(*forSource);
    if (!source)
      return source.takeError();
    files.source = std::move(*source);
  }
  emitter->description.library = libraryName.str();
  emitter->description.libraryDigest = digest(emitter->library);
  emitter->description.libraryFeatures = listHostFeatures();
  files.library = std::move(emitter->library);
  files.description = writeDescription(emitter->description);
  return files;
}

/// Whether this process can load `library`. One that was put in place of that
/// which was written needs what it needs.
static Error checkLibrary(const NpuDescription &description,
                          llvm::StringRef library, llvm::StringRef path,
                          llvm::StringRef libraryPath) {
  if (Problem problem = checkLibraryFile(library))
    return makeError("{0}: its library '{1}' is {2}", path, libraryPath,
                     problem.getText());
  if (description.libraryDigest.empty())
    return Error::success();
  if (description.libraryDigest != digest(library))
    return makeError("{0}: '{1}' is not the library that it was written with; "
                     "an empty 'library_digest' takes any",
                     path, libraryPath);
  std::string missing = findMissingFeature(description.libraryFeatures);
  if (!missing.empty())
    return makeError("{0}: '{1}' was compiled for processors with {2}, which "
                     "this one does not have; build the kernel here{3}",
                     path, libraryPath, missing,
                     description.obstacle.empty()
                         ? ", or compile its C source and empty "
                           "'library_digest'"
                         : "");
  return Error::success();
}

Expected<ReadProducer> tegula::readProducerFiles(llvm::StringRef path) {
  constexpr uint64_t mostBytes = 1 << 30;
  Expected<std::string> text = readFile(path, mostBytes);
  if (!text)
    return text.takeError();
  Expected<NpuDescription> description = readDescription(*text, path);
  if (!description)
    return description.takeError();
  llvm::SmallString<128> libraryPath(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(libraryPath, description->library);
  Expected<std::string> library = readFile(libraryPath, mostBytes);
  if (!library)
    return makeError("{0}: its library: {1}", path,
                     llvm::toString(library.takeError()));
  if (Error error = checkLibrary(*description, *library, path, libraryPath))
    return error;
  ReadProducer producer;
  producer.machine = sim::printMachine(description->machine);
  producer.image.facts.signature = description->signature;
  producer.image.facts.sites = description->sites;
  producer.image.facts.runner = "npu";
  bool isRecording = !description->obstacle.empty();
  producer.image.objects = {
      {isRecording ? NpuImage::recordingKind : NpuImage::traceKind,
       std::move(*library)},
      {NpuImage::descriptionKind, std::move(*text)}};
  return producer;
}
