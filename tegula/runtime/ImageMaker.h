// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The part of the road that is the target's: from a kernel to an image, an
/// object file or a producer. Internal to the runtime.

#ifndef TEGULA_RUNTIME_IMAGEMAKER_H
#define TEGULA_RUNTIME_IMAGEMAKER_H

#include "tegula/runtime/Compilation.h"

namespace tegula {

/// A kernel for a library that stands alone.
struct StandaloneObject {
  /// With all types and shapes.
  Signature signature;
  /// The bytes of the object file.
  std::string code;
  std::vector<KernelWarning> warnings;
};

/// A kernel as a producer for simulators.
struct CompiledProducer {
  ProducerFiles files;
  std::vector<KernelWarning> warnings;
};

/// Takes a compilation that has just begun to its end.
class ImageMaker {
public:
  explicit ImageMaker(Compilation &compilation) : compilation(compilation) {}

  /// Takes the kernel all the way to an image for its target.
  [[nodiscard]] Expected<KernelImage>
  compile(llvm::ArrayRef<Argument> arguments);

  /// The kernel as an object file with a C function called `name`, for a target
  /// that has libraries.
  [[nodiscard]] Expected<StandaloneObject>
  compileStandalone(llvm::ArrayRef<Argument> arguments, const std::string &name,
                    llvm::ArrayRef<BoundTensor> bound = {});

  /// What tells a simulator the steps of the kernel, for a target that has
  /// producers; its library will be called `libraryName`.
  [[nodiscard]] Expected<CompiledProducer>
  compileProducer(llvm::ArrayRef<Argument> arguments,
                  llvm::StringRef libraryName);

  /// The module as text at the stage of that name, to which it is taken.
  [[nodiscard]] Expected<std::string> print(llvm::StringRef stage);

private:
  /// Generates the kernel and takes it to the target's last stage. Of the facts
  /// it knows the signature.
  [[nodiscard]] Expected<KernelFacts> lower(llvm::ArrayRef<Argument> arguments);
  [[nodiscard]] Expected<KernelImage>
  makeImage(llvm::ArrayRef<Argument> arguments);
  [[nodiscard]] Expected<StandaloneObject>
  makeStandalone(llvm::ArrayRef<Argument> arguments, const std::string &name,
                 llvm::ArrayRef<BoundTensor> bound);
  [[nodiscard]] Expected<CompiledProducer>
  makeProducer(llvm::ArrayRef<Argument> arguments, llvm::StringRef libraryName);
  [[nodiscard]] Expected<std::string> printNow(llvm::StringRef stage);
  /// The target, once the kernel has been lowered for it.
  const Target &getTarget() { return **compilation.getTarget(); }

  Compilation &compilation;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_IMAGEMAKER_H
