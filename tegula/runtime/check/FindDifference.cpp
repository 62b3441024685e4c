// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/ir/StructuralEquality.h"
#include "tegula/runtime/Compilation.h"

using namespace tegula;

static SourceLocation toLocation(mlir::Location loc) {
  if (auto fileLoc = loc->findInstanceOf<mlir::FileLineColLoc>())
    return {fileLoc.getFilename().str(), fileLoc.getLine(),
            fileLoc.getColumn()};
  return {};
}

static std::string showLocation(const SourceLocation &location,
                                const char *message,
                                const KernelSource &source) {
  Diagnostic note = {Severity::Note, location, message, {}};
  if (location.line == 0)
    note.message += " ('" + source.path + "')";
  return formatDiagnostic(note, *source.files);
}

std::optional<KernelDifference>
Compilation::findDifference(Compilation &other) {
  std::optional<pl::Difference> found =
      pl::findDifference(getEntry(), other.getEntry());
  if (!found)
    return std::nullopt;
  KernelDifference difference = {found->message, toLocation(found->first),
                                 toLocation(found->second), ""};
  difference.text =
      "the programs differ: " + found->message + "\n" +
      showLocation(difference.first, "in the first", source) +
      showLocation(difference.second, "in the second", other.source);
  return difference;
}

Expected<std::optional<KernelDifference>>
tegula::findDifference(const KernelSource &first, const KernelSource &second,
                       Stage stage, llvm::ArrayRef<Argument> arguments) {
  if (stage > Stage::Inferred)
    return makeError("programs are compared at stage frontend or inferred");
  Expected<KernelSource> left = readSource(first);
  if (!left)
    return left.takeError();
  Expected<KernelSource> right = readSource(second);
  if (!right)
    return right.takeError();
  Compilation one(std::move(*left));
  Compilation other(std::move(*right), one);
  for (Compilation *compilation : {&one, &other}) {
    compilation->keepBarriers();
    if (Error error = compilation->generate(arguments))
      return error;
    if (Error error = compilation->advance(stage))
      return error;
  }
  return one.findDifference(other);
}
