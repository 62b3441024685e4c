// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/SourceOrigin.h"

#include "tegula/launch/cache/Digest.h"
#include "tegula/launch/call/Program.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ImageMaker.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/SourceFiles.h"

using namespace tegula;

std::string SourceOrigin::getKey() const {
  if (source.program)
    return source.program->key();
  Digest digest;
  digest.add("tegula file 4");
  // Messages of a compiled kernel name the file.
  digest.add(source.path);
  digest.add(source.kernel);
  digest.add(*source.text);
  digest.add(static_cast<uint64_t>(source.isDebug));
  digest.add(static_cast<uint64_t>(source.isStrict));
  digest.add(static_cast<uint64_t>(source.isQuiet));
  digest.add(source.target);
  return digest.finishText();
}

std::vector<FileUse> SourceOrigin::listFiles() const {
  std::vector<FileUse> files;
  if (source.program || !source.files)
    return files;
  for (const auto &[path, text] : source.files->list()) {
    // The file itself is in the key.
    if (path == source.path)
      continue;
    Digest digest;
    digest.add(text.value_or(""));
    files.push_back({path, text ? digest.finishText() : ""});
  }
  return files;
}

Problem SourceOrigin::describe(Signature &declared) {
  if (Error error = findTargetOf(source).takeError())
    return toProblem(std::move(error));
  Expected<Signature> signature = Compilation(source).declare();
  if (!signature)
    return toProblem(signature.takeError());
  declared = std::move(*signature);
  return {};
}

Problem SourceOrigin::compile(llvm::ArrayRef<Argument> arguments,
                              KernelImage &image) {
  Compilation compilation(source);
  Expected<KernelImage> compiled = ImageMaker(compilation).compile(arguments);
  if (!compiled)
    return toProblem(compiled.takeError());
  image = std::move(*compiled);
  return {};
}
