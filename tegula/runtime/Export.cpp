// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Export.h"

#include "tegula/backends/Backend.h"
#include "tegula/launch/cache/Tunings.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ExportHeader.h"
#include "tegula/runtime/ImageMaker.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace tegula;

/// A name that C programs cannot use, or that other code means already.
static Error checkName(const LibraryMaker &maker, const std::string &name,
                       llvm::ArrayRef<ExportedFunction> functions) {
  if (!isCName(name))
    return makeError("no C function can be called '{0}'; give a prefix", name);
  if (maker.isTaken(name))
    return makeError("the system has a function '{0}' already; give a prefix",
                     name);
  for (const ExportedFunction &function : functions)
    if (function.name == name)
      return makeError("two kernels are called '{0}'", name);
  return Error::success();
}

/// The tensors that a library keeps, as they were given.
static Expected<std::vector<BoundTensor>>
findBound(const ExportedKernel &kernel, const Signature &declared) {
  std::vector<BoundTensor> bound;
  for (const std::string &name : kernel.bound) {
    auto found =
        llvm::find_if(declared.parameters, [&](const Parameter &parameter) {
          return parameter.name == name;
        });
    size_t index = found - declared.parameters.begin();
    if (index >= kernel.arguments.size() ||
        !kernel.arguments[index].isTensor() ||
        found->direction != Direction::In)
      return makeError("'{0}' is no tensor that is only read", name);
    const TensorView &view = kernel.arguments[index].getTensor();
    TensorView dense(view.data, view.dtype, view.getSizes());
    bool hasGaps = false;
    for (unsigned axis = 0; axis < view.rank; ++axis)
      hasGaps |=
          view.sizes[axis] > 1 && view.strides[axis] != dense.strides[axis];
    if (hasGaps)
      return makeError("'{0}' has gaps; a library keeps what has none", name);
    bound.push_back({name, view});
  }
  return bound;
}

Expected<std::vector<KernelWarning>>
tegula::exportKernels(llvm::ArrayRef<ExportedKernel> kernels,
                      const ExportOptions &options) {
  Expected<std::shared_ptr<const Target>> target = findTarget(options.target);
  if (!target)
    return target.takeError();
  const LibraryMaker *maker = (*target)->getLibraryMaker();
  if (!maker)
    return makeError("there are no libraries for the target '{0}'",
                     (*target)->getKey());
  std::vector<ExportedFunction> functions;
  std::vector<std::string> objects;
  std::vector<KernelWarning> warnings;
  for (const ExportedKernel &kernel : kernels) {
    Expected<KernelSource> source = readSource(kernel.source);
    if (!source)
      return source.takeError();
    Expected<Signature> declared = Compilation(*source).declare();
    if (!declared)
      return declared.takeError();
    std::string name = options.prefix + declared->kernel;
    if (Error error = checkName(*maker, name, functions))
      return error;
    source->kernel = declared->kernel;
    Expected<std::vector<BoundTensor>> bound = findBound(kernel, *declared);
    if (!bound)
      return bound.takeError();
    Expected<std::shared_ptr<const Target>> tuned = findTarget(
        tuneTarget(options.target, source->text.value_or(""), source->kernel));
    if (!tuned)
      return tuned.takeError();
    Compilation compilation(std::move(*source));
    compilation.setTarget(*tuned);
    Expected<StandaloneObject> object =
        ImageMaker(compilation)
            .compileStandalone(kernel.arguments, name, *bound);
    if (!object)
      return object.takeError();
    functions.push_back({name, std::move(object->signature), kernel.bound,
                         maker->takesStream()});
    objects.push_back(std::move(object->code));
    llvm::append_range(warnings, object->warnings);
  }
  Expected<std::string> library =
      maker->link(objects, llvm::sys::path::filename(options.library));
  if (!library)
    return blame(library.takeError());
  std::vector<FileContent> files = {{options.library, std::move(*library)}};
  if (!options.header.empty())
    files.push_back({options.header, writeHeader(functions, options.header)});
  if (Error error = writeFilesAtomically(files))
    return error;
  return warnings;
}
