// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/ProgramOrigin.h"

using namespace tegula;

Problem ProgramOrigin::describe(Signature &declared) {
  CompilerService *service = nullptr;
  if (Problem problem = getCompilerService(service))
    return problem;
  return service->describe(*program, declared);
}

Problem ProgramOrigin::compile(llvm::ArrayRef<Argument> arguments,
                               KernelImage &image) {
  CompilerService *service = nullptr;
  if (Problem problem = getCompilerService(service))
    return problem;
  return service->compile(*program, arguments, image);
}
