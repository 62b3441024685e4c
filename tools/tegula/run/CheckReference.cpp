// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/run/CheckReference.h"

#include "tegula/frontend/diagnostics/Diagnostics.h"
#include "tegula/frontend/syntax/BoundNames.h"
#include "tegula/frontend/syntax/Parser.h"
#include "tegula/runtime/check/ArgumentCopies.h"
#include "tegula/support/File.h"
#include "tegula/support/Format.h"
#include "tegula/support/Npy.h"
#include "tegula/support/SourceFiles.h"
#include "tools/tegula/run/ReferenceScript.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cmath>
#include <tuple>

using namespace tegula;
namespace json = llvm::json;
namespace sys = llvm::sys;

namespace {

/// A folder that is gone when this is.
class ScratchFolder {
public:
  ScratchFolder() {
    hasFailed = static_cast<bool>(
        sys::fs::createUniqueDirectory("tegula-reference", path));
  }
  ~ScratchFolder() {
    if (!hasFailed)
      std::ignore = sys::fs::remove_directories(path);
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  std::string at(const std::string &name) const {
    return (path + "/" + name).str();
  }
  bool isThere() const { return !hasFailed; }

private:
  llvm::SmallString<128> path;
  bool hasFailed;
};

} // namespace

namespace {

/// Whoever compiles the file tells what is wrong with it.
class Unheard : public SourceDiagnostics {
  void error(llvm::SMLoc, const llvm::Twine &) override {}
};

} // namespace

static constexpr llvm::StringLiteral referenceName = "reference";

/// Whether a statement of the file binds `reference`: a definition, an
/// assignment or an import. Python knows whether it is there in the end.
static bool bindsReference(llvm::StringRef text) {
  Unheard unheard;
  std::unique_ptr<ast::Module> module = parseModule(text, unheard);
  return module && llvm::any_of(module->body, [&](const ast::StmtPtr &stmt) {
           const auto *skipped = std::get_if<ast::Skipped>(&stmt->node);
           return skipped ? llvm::is_contained(skipped->names, referenceName)
                          : boundNames(*stmt).contains(referenceName);
         });
}

/// The tensor in a type that NumPy has itself.
static Expected<std::string> formatForNumpy(const TensorView &tensor) {
  if (getNpyDescr(tensor.dtype).contains_insensitive('V') ||
      isHalfByte(tensor.dtype) || tensor.dtype == DType::BF16) {
    Expected<Array> wide = Array::create(tensor.getSizes(), DType::FP32);
    if (!wide)
      return wide.takeError();
    char *next = wide->getBytes();
    forEachElement(tensor, [&](char *element) {
      double value = isHalfByte(tensor.dtype)
                         ? readHalfByte(element)
                         : readElement(element, tensor.dtype);
      if (tensor.dtype == DType::Int4 && value > 7)
        value -= 16;
      writeElement(next, DType::FP32, value);
      next += sizeof(float);
    });
    return formatNpy(wide->getView());
  }
  return formatNpy(tensor);
}

/// Writes the arguments down.
static Error writeCall(const Signature &signature,
                       llvm::ArrayRef<Argument> arguments,
                       const ScratchFolder &folder) {
  json::Array parameters;
  std::vector<FileContent> files = {{folder.at("run.py"), referenceScript}};
  for (auto [parameter, argument] :
       llvm::zip(signature.parameters, arguments)) {
    json::Object entry{{"name", parameter.name},
                       {"read", parameter.direction != Direction::Out}};
    if (argument.isTensor()) {
      std::string file = "in_" + parameter.name + ".npy";
      Expected<std::string> bytes = formatForNumpy(argument.getTensor());
      if (!bytes)
        return bytes.takeError();
      files.push_back({folder.at(file), std::move(*bytes)});
      entry["file"] = file;
    } else if (argument.isFloat()) {
      // JSON has no others.
      double number = argument.getFloat();
      if (std::isfinite(number))
        entry["number"] = number;
      else
        entry["number"] = std::isnan(number) ? "nan"
                          : number > 0       ? "inf"
                                             : "-inf";
    } else {
      entry["number"] = static_cast<int64_t>(argument.getIntegerBits());
    }
    parameters.push_back(std::move(entry));
  }
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(parameters));
  files.push_back({folder.at("call.json"), std::move(text)});
  return writeFilesAtomically(files);
}

/// The last line of what Python said.
static std::string lastLine(const std::string &path) {
  Expected<std::string> text = readFile(path, DiskFiles::maxBytes);
  if (!text) {
    llvm::consumeError(text.takeError());
    return "it failed";
  }
  auto [before, last] = llvm::StringRef(*text).rtrim().rsplit('\n');
  return (last.empty() ? before : last).str();
}

/// Runs Python; returns what is in the way of it, or nothing at all if there is
/// no reference.
static Expected<std::optional<std::string>>
runPython(const std::string &path, const ScratchFolder &folder) {
  llvm::ErrorOr<std::string> python = sys::findProgramByName("python3");
  if (!python)
    return "there is no python3";
  std::string program = folder.at("run.py"), directory = folder.at("");
  std::string said = folder.at("said.txt");
  std::optional<llvm::StringRef> redirects[] = {"", llvm::StringRef(said),
                                                llvm::StringRef(said)};
  int status = sys::ExecuteAndWait(*python, {*python, program, path, directory},
                                   std::nullopt, redirects);
  // As the script says it.
  constexpr int missing = 3, absent = 4;
  if (status == 0)
    return "";
  if (status == absent)
    return std::nullopt;
  if (status == missing)
    return lastLine(said);
  return makeError("'reference' failed: {0}", lastLine(said));
}

/// Whether shapes are the same but for axes of one element.
static bool isAlike(llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs) {
  auto isLong = [](int64_t size) { return size != 1; };
  return llvm::equal(llvm::make_filter_range(lhs, isLong),
                     llvm::make_filter_range(rhs, isLong));
}

/// What the reference gave for an output, in the output's type.
static Expected<Array> readExpected(const std::string &path,
                                    const Parameter &parameter,
                                    const TensorView &found) {
  Expected<Array> given = readNpy(path);
  if (!given)
    return given.takeError();
  TensorView view = given->getView();
  if (!isAlike(view.getSizes(), found.getSizes()))
    return makeError("'reference' gives {0} for '{1}', which is {2}",
                     formatShape(view.getSizes()), parameter.name,
                     formatShape(found.getSizes()));
  Expected<Array> expected = Array::create(found.getSizes(), found.dtype);
  if (!expected)
    return expected.takeError();
  std::vector<char *> elements;
  forEachElement(expected->getView(),
                 [&](char *element) { elements.push_back(element); });
  size_t next = 0;
  forEachElement(given->getView(), [&](char *element) {
    double value = readElement(element, DType::FP64);
    if (isHalfByte(found.dtype))
      writeHalfByte(elements[next], static_cast<uint8_t>(int(value) & 15));
    else
      writeElement(elements[next], found.dtype, value);
    ++next;
  });
  return expected;
}

/// The tolerance of an output: that of its type, or of a narrower one among the
/// parameters, to which the kernel may round where NumPy does not. Floats of 8
/// bits that are just read are exact, and are computed in wider ones.
static double toleranceOf(const Signature &signature, const Parameter &output) {
  double widest = 0;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.dtype && isFloat(*parameter.dtype) &&
        (parameter.isWritten() ? parameter.name == output.name
                               : getBits(*parameter.dtype) > 8))
      widest = std::max(widest, getTolerance(*parameter.dtype));
  return widest;
}

Expected<ReferenceReport> tegula::checkReference(const std::string &path,
                                                 const Kernel &kernel,
                                                 const Workload &workload) {
  ReferenceReport report;
  Expected<std::string> text = readFile(path, DiskFiles::maxBytes);
  if (!text)
    return text.takeError();
  Expected<std::vector<std::string>> kernels = listKernels(path);
  if (!kernels)
    return kernels.takeError();
  if (!bindsReference(*text) || llvm::is_contained(*kernels, referenceName))
    return report;
  ScratchFolder folder;
  if (!folder.isThere())
    return makeTextError("cannot make a temporary folder");
  const Signature &signature = kernel.getSignature();
  if (Error error = writeCall(signature, workload.arguments, folder))
    return error;
  Expected<std::optional<std::string>> obstacle = runPython(path, folder);
  if (!obstacle)
    return obstacle.takeError();
  report.obstacle = obstacle->value_or("");
  if (!*obstacle || !report.obstacle.empty())
    return report;
  Expected<ArgumentCopies> found = ArgumentCopies::create(workload.arguments);
  if (!found)
    return found.takeError();
  if (Error error = kernel(found->get()))
    return error;
  Expected<double> rounded = findRoundedTolerance(kernel, workload.arguments);
  if (!rounded)
    return rounded.takeError();
  unsigned nextResult = 0;
  for (auto [index, parameter] : llvm::enumerate(signature.parameters)) {
    if (!parameter.isWritten())
      continue;
    const TensorView &output = found->get()[index].getTensor();
    std::string file = folder.at(std::to_string(nextResult++) + ".npy");
    if (!sys::fs::exists(file))
      return makeError("'reference' gives {0} results, and the kernel writes "
                       "'{1}' as well",
                       nextResult - 1, parameter.name);
    Expected<Array> expected = readExpected(file, parameter, output);
    if (!expected)
      return expected.takeError();
    report.outputs.push_back(
        compareTensors(parameter.name, output, expected->getView(),
                       std::max(toleranceOf(signature, parameter), *rounded)));
  }
  return report;
}
