// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compiler.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/sim/Workload.h"

#include "llvm/Support/raw_ostream.h"

using namespace tegula;

CommandSpec tegula::describeEqual() {
  CommandSpec spec;
  spec.name = "equal";
  spec.operand = "A[:KERNEL] B[:KERNEL]";
  spec.summary = "say whether two kernels are the same program";
  spec.details =
      "Names of variables, comments, spelling and the order of helpers do not "
      "count, and\nat stage inferred neither does how a kernel is divided into "
      "helpers. Parameters,\nsymbols, operations, types and constants do. Exit "
      "code 0: the same; 1: different,\nand the first difference is shown; 2: "
      "something is wrong with the files.\n\n"
      "  tegula equal old.py:softmax new.py:softmax\n";
  spec.options = getWorkloadOptions();
  spec.options.insert(spec.options.begin(),
                      {"stage", "STAGE", "frontend or inferred (inferred)"});
  spec.numOperands = 2;
  spec.failureCode = 2;
  return spec;
}

Expected<int> tegula::runEqual(const CommandLine &line) {
  std::string stage = line.get("stage", "inferred");
  if (stage != "frontend" && stage != "inferred")
    return makeError("option '--stage' wants frontend or inferred, got '{0}'",
                     stage);
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  KernelSource sources[2];
  Workload workload;
  for (size_t position : {0, 1}) {
    KernelName name = splitKernelName(line.getOperand(position));
    sources[position] = {name.path, name.kernel};
    Expected<Signature> signature = readSignature(sources[position]);
    if (!signature)
      return signature.takeError();
    if (!signature->isOpen() || !workload.arguments.empty())
      continue;
    Expected<Workload> made = makeWorkload(*signature, *request);
    if (!made)
      return made.takeError();
    workload = std::move(*made);
  }
  Expected<std::optional<KernelDifference>> difference =
      findDifference(sources[0], sources[1],
                     stage == "frontend" ? Stage::Frontend : Stage::Inferred,
                     workload.arguments);
  if (!difference)
    return difference.takeError();
  if (!*difference)
    return 0;
  llvm::outs() << (*difference)->text;
  return 1;
}
