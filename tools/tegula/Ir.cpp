// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compiler.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Workload.h"

#include "llvm/Support/raw_ostream.h"

using namespace tegula;

CommandSpec tegula::describeIr() {
  CommandSpec spec;
  spec.name = "ir";
  spec.operand = "FILE[:KERNEL]";
  spec.summary = "print a kernel at one stage of its compilation";
  spec.details = "A kernel that leaves types or shapes open needs --in, or "
                 "--dtype and --shape.\n\n"
                 "  tegula ir examples/softmax.py --stage tiles\n";
  spec.options = getWorkloadOptions();
  spec.options.insert(
      spec.options.begin(),
      {{"stage", "STAGE", "frontend, inferred, tiles, llvm or asm (tiles)"},
       {"as-source", "",
        "print kernel source again, at stage frontend or inferred "
        "(frontend)"}});
  return spec;
}

static Expected<Stage> readStage(const CommandLine &line) {
  static const std::pair<llvm::StringRef, Stage> stages[] = {
      {"frontend", Stage::Frontend},
      {"inferred", Stage::Inferred},
      {"tiles", Stage::Tiles},
      {"llvm", Stage::Llvm},
      {"asm", Stage::Asm}};
  bool asSource = line.has("as-source");
  std::string given = line.get("stage", asSource ? "frontend" : "tiles");
  if (asSource && given != "frontend" && given != "inferred")
    return makeError("with '--as-source', option '--stage' wants frontend or "
                     "inferred, got '{0}'",
                     given);
  for (const auto &[name, stage] : stages)
    if (given == name)
      return stage;
  return makeError("option '--stage' wants frontend, inferred, tiles, llvm or "
                   "asm, got '{0}'",
                   given);
}

Expected<int> tegula::runIr(const CommandLine &line) {
  Expected<Stage> stage = readStage(line);
  if (!stage)
    return stage.takeError();
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  KernelName name = splitKernelName(line.getOperand());
  KernelSource source = {name.path, name.kernel};
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
  Expected<std::string> text =
      line.has("as-source") ? printSource(source, *stage, workload.arguments)
                            : printStage(source, *stage, workload.arguments);
  if (!text)
    return text.takeError();
  progress.clear();
  llvm::outs() << *text;
  return 0;
}
