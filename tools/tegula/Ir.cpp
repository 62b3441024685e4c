// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/StageText.h"
#include "tegula/support/SourceFiles.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/StagePage.h"
#include "tools/tegula/sim/Workload.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;

CommandSpec tegula::describeIr() {
  CommandSpec spec;
  spec.name = "ir";
  spec.operand = "FILE[:KERNEL]";
  spec.summary = "print a kernel at one stage of its compilation";
  spec.details = "A kernel that leaves types or shapes open needs --in, or "
                 "--dtype and --shape.\n\n"
                 "  tegula ir examples/softmax.py --stage tiles --lines\n"
                 "  tegula ir examples/softmax.py --stage "
                 "after:cpu-vectorize\n"
                 "  tegula ir examples/softmax.py --html softmax.html\n"
                 "  tegula ir examples/softmax.py --target cpu:x86-64-v3 "
                 "--stage asm\n";
  spec.options = getWorkloadOptions();
  spec.options.push_back(getTargetOption());
  spec.options.insert(
      spec.options.begin(),
      {{"stage", "STAGE",
        "frontend, inferred, tiles, outlined, one of the target's: llvm, asm; "
        "or after:PASS, which 'tegula help passes' lists (tiles)"},
       {"lines", "", "print the line of the source over what comes from it"},
       {"html", "FILE",
        "write the source and all stages side by side, linked to each other"},
       {"as-source", "",
        "print kernel source again, at stage frontend or inferred "
        "(frontend)"}});
  return spec;
}

/// "a, b or c"
static std::string joinWithOr(llvm::ArrayRef<std::string> words) {
  return llvm::join(words.drop_back(), ", ") + " or " + words.back();
}

/// Fails if the target has no such pass.
static Error checkPass(llvm::StringRef name, llvm::StringRef target) {
  Expected<std::vector<PassDescription>> passes = listPasses(target);
  if (!passes)
    return passes.takeError();
  std::vector<llvm::StringRef> names;
  for (const PassDescription &pass : *passes)
    names.push_back(pass.name);
  if (llvm::is_contained(names, name))
    return Error::success();
  return makeError("option '--stage' wants {0}PASS, and there is no pass "
                   "'{1}'{2}; 'tegula help passes {3}' lists them",
                   passStagePrefix, name, suggest(name, names), target);
}

/// The stage that is asked for, one of the target's.
static Expected<std::string> readStage(const CommandLine &line) {
  Expected<std::vector<std::string>> stages = listStages(line.get("target"));
  if (!stages)
    return stages.takeError();
  bool asSource = line.has("as-source");
  std::string given =
      line.get("stage", getName(asSource ? Stage::Frontend : Stage::Tiles));
  if (asSource && given != getName(Stage::Frontend) &&
      given != getName(Stage::Inferred))
    return makeError("with '--as-source', option '--stage' wants frontend or "
                     "inferred, got '{0}'",
                     given);
  if (llvm::StringRef pass = given; pass.consume_front(passStagePrefix)) {
    if (Error error = checkPass(pass, line.get("target")))
      return error;
    return given;
  }
  if (!llvm::is_contained(*stages, given))
    return makeError("option '--stage' wants {0}, got '{1}'; also {2}PASS, "
                     "which 'tegula help passes' lists",
                     joinWithOr(*stages), given, passStagePrefix);
  return given;
}

/// Options that would say two things about what is printed are errors.
static Error checkExclusiveOptions(const CommandLine &line,
                                   llvm::StringRef stage) {
  auto exclude = [&](llvm::StringRef first, llvm::StringRef second) {
    return line.has(first) && line.has(second)
               ? makeError("options '--{0}' and '--{1}' do not go together",
                           first, second)
               : Error::success();
  };
  for (llvm::StringRef other : {"stage", "lines", "as-source"})
    if (Error error = exclude("html", other))
      return error;
  if (Error error = exclude("lines", "as-source"))
    return error;
  if (!line.has("lines") || knowsLocations(stage))
    return Error::success();
  std::vector<std::string> names;
  for (Stage each : listCommonStages())
    names.push_back(getName(each).str());
  names.push_back((passStagePrefix + "PASS").str());
  return makeError("what is printed at stage '{0}' does not know the lines of "
                   "the source; option '--lines' is for {1}",
                   stage, joinWithOr(names));
}

/// Prints each group of lines below the line of the source that it comes from.
static void printWithLines(const StageText &printed) {
  DiskFiles files;
  SourceLocation last;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(printed.text).rtrim('\n').split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    SourceLocation location = number < printed.locations.size()
                                  ? printed.locations[number]
                                  : SourceLocation();
    bool isNew = location.line != 0 &&
                 (location.line != last.line || location.file != last.file);
    if (isNew) {
      size_t indent = line.size() - line.ltrim().size();
      llvm::outs().indent(indent)
          << "// " << location.file << ":" << location.line << ": "
          << llvm::StringRef(lineOf(files, location)).trim() << "\n";
      last = location;
    }
    llvm::outs() << line << "\n";
  }
}

Expected<int> tegula::runIr(const CommandLine &line) {
  Expected<std::string> stage = readStage(line);
  if (!stage)
    return stage.takeError();
  if (Error error = checkExclusiveOptions(line, *stage))
    return error;
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  KernelName name = splitKernelName(line.getOperand());
  KernelSource source = {name.path, name.kernel};
  source.target = line.get("target");
  Expected<Signature> signature = readSignature(source);
  if (!signature)
    return signature.takeError();
  Workload workload;
  if (signature->isOpen()) {
    Expected<Workload> made = makeWorkload(*signature, *request);
    if (!made)
      return made.takeError();
    workload = std::move(*made);
  }
  Progress progress("compiling");
  if (line.has("html"))
    return writeStagePage(source, line.get("target"), workload.arguments,
                          line.get("html"));
  if (line.has("lines")) {
    Expected<StageText> printed =
        printStageText(source, *stage, workload.arguments);
    if (!printed)
      return printed.takeError();
    progress.clear();
    printWithLines(*printed);
    return 0;
  }
  Expected<std::string> text =
      line.has("as-source")
          ? printSource(source, *findCommonStage(*stage), workload.arguments)
          : printStage(source, *stage, workload.arguments);
  if (!text)
    return text.takeError();
  progress.clear();
  llvm::outs() << *text;
  return 0;
}
