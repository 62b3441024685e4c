// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/ObjectFile.h"

#include "tegula/support/Error.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tegula;

Expected<FileBytes> tegula::emitObject(Module &module, TargetMachine &machine) {
  FileBytes bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                  CodeGenFileType::ObjectFile))
    return makeError("cannot write object files for {0}",
                     machine.getTargetTriple().str());
  passes.run(module);
  return bytes;
}
