// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/LlvmPasses.h"

using namespace llvm;
using namespace tegula;

LlvmPasses::LlvmPasses(TargetMachine &machine)
    : builder(&machine, PipelineTuningOptions(), std::nullopt, &callbacks) {
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
}
