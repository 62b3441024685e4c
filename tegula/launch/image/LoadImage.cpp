// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an image to something that can be called.

#include "tegula/launch/image/CodeLibrary.h"
#include "tegula/launch/image/CompilerService.h"
#include "tegula/launch/image/CpuFeatures.h"
#include "tegula/launch/image/HostProgram.h"

using namespace tegula;

/// Finds the function of host code, which stays loaded as long as the variant.
static Problem loadHostCode(const KernelImage &image, const Descriptor &file,
                            Variant &variant) {
  std::string missing = findMissingFeature(image.facts.features);
  if (!missing.empty())
    return makeProblem(Problem::Kind::System,
                       "the kernel was compiled for processors with {0}, "
                       "which this one does not have",
                       missing);
  const ImageObject *object = image.find(hostCode);
  std::shared_ptr<CodeLibrary> code;
  if (Problem problem =
          file ? CodeLibrary::load(file, code)
               : CodeLibrary::load(object ? object->bytes : "", code))
    return problem;
  variant.function =
      reinterpret_cast<TegulaKernel>(code->find(image.facts.entry.c_str()));
  if (!variant.function)
    return makeProblem(Problem::Kind::System,
                       "the compiled library has no function '{0}'",
                       image.facts.entry);
  variant.code = std::move(code);
  return {};
}

/// Lets the back end take the image.
static Problem loadByRunner(const KernelImage &image, Variant &variant) {
  CompilerService *service = nullptr;
  if (Problem problem = getCompilerService(service))
    return problem;
  return service->load(image, variant.image);
}

Problem tegula::loadImage(KernelImage image, const Descriptor &file,
                          std::unique_ptr<Variant> &variant) {
  auto made = std::make_unique<Variant>();
  if (Problem problem = Guard::create(image.facts.signature, made->guard))
    return problem;
  bool isHostProgram = image.facts.runner == hostProgramRunner;
  if (Problem problem =
          isHostProgram ? HostProgram::load(image, file, made->image)
          : image.facts.runner.empty() ? loadHostCode(image, file, *made)
                                       : loadByRunner(image, *made))
    return problem;
  made->sites = std::move(image.facts.sites);
  made->warnings = std::move(image.facts.warnings);
  variant = std::move(made);
  return {};
}
