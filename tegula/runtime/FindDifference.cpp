// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/ir/StructuralEquality.h"
#include "tegula/runtime/Compilation.h"

using namespace tegula;

static SourcePlace toPlace(mlir::Location loc) {
  if (auto place = loc->findInstanceOf<mlir::FileLineColLoc>())
    return {place.getFilename().str(), place.getLine(), place.getColumn()};
  return {};
}

static std::string showPlace(const SourcePlace &place, const char *message,
                             const KernelSource &source) {
  Diagnostic note = {Severity::Note, place, message, {}};
  if (place.line == 0)
    note.message += " ('" + source.path + "')";
  return formatDiagnostic(note, *source.files);
}

std::optional<KernelDifference>
Compilation::findDifference(Compilation &other) {
  std::optional<pl::Difference> found =
      pl::findDifference(getEntry(), other.getEntry());
  if (!found)
    return std::nullopt;
  KernelDifference difference = {found->message, toPlace(found->first),
                                 toPlace(found->second), ""};
  difference.text = "the programs differ: " + found->message + "\n" +
                    showPlace(difference.first, "in the first", source) +
                    showPlace(difference.second, "in the second", other.source);
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
