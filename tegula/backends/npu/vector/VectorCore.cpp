// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/npu/vector/VectorCore.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

using namespace llvm;
using namespace tegula;

static const Target *getTargetOf(const Triple &triple, std::string &problem) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTarget();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVAsmPrinter();
    LLVMInitializeRISCVAsmParser();
    LLVMInitializeRISCVTargetMCA();
  });
  return TargetRegistry::lookupTarget(triple, problem);
}

/// Whether a scheduling model has times for vectors.
static bool knowsVectors(const MCSubtargetInfo &processor,
                         const MCInstrInfo &instructions) {
  static const unsigned addition = [&] {
    unsigned opcode = 0;
    while (instructions.getName(opcode) != "VFADD_VV")
      ++opcode;
    return opcode;
  }();
  return processor.getSchedModel()
      .getSchedClassDesc(instructions.get(addition).getSchedClass())
      ->isValid();
}

/// What keeps a processor from being a vector core; empty if nothing does.
static StringRef findFault(const MCSubtargetInfo &processor,
                           const MCInstrInfo &instructions) {
  if (!processor.checkFeatures("+64bit"))
    return "is no 64-bit processor";
  if (!processor.checkFeatures("+v"))
    return "has no vectors (extension V)";
  if (!processor.getSchedModel().hasInstrSchedModel() ||
      !knowsVectors(processor, instructions))
    return "has no scheduling model of its vectors in LLVM";
  return "";
}

/// Those that can be had, for messages.
static std::string listCores(const Target &target, const Triple &triple) {
  std::unique_ptr<MCSubtargetInfo> all(
      target.createMCSubtargetInfo(triple, "", ""));
  std::unique_ptr<MCInstrInfo> instructions(target.createMCInstrInfo());
  SmallVector<StringRef> names;
  for (const SubtargetSubTypeKV &processor :
       all->getAllProcessorDescriptions()) {
    std::unique_ptr<MCSubtargetInfo> one(
        target.createMCSubtargetInfo(triple, processor.Key, ""));
    if (findFault(*one, *instructions).empty())
      names.push_back(processor.Key);
  }
  return join(names, ", ");
}

VectorCore::VectorCore(StringRef name, const Target &target,
                       const Triple &triple,
                       std::unique_ptr<MCSubtargetInfo> processor)
    : name(name), target(target), triple(triple),
      subtarget(std::move(processor)), registerBits(64) {
  // Each length is a feature that implies the shorter ones.
  for (unsigned bits = 128; bits <= 65536; bits *= 2)
    if (has(("zvl" + Twine(bits) + "b").str()))
      registerBits = bits;
}

bool VectorCore::has(StringRef feature) const {
  return subtarget->checkFeatures("+" + feature.str());
}

Expected<std::shared_ptr<const VectorCore>> VectorCore::find(StringRef name) {
  Triple triple("riscv64-unknown-linux-gnu");
  std::string problem;
  const Target *target = getTargetOf(triple, problem);
  if (!target)
    return makeError("cannot make code for {0}: {1}", triple.str(), problem);
  std::unique_ptr<MCSubtargetInfo> any(
      target->createMCSubtargetInfo(triple, "", ""));
  StringRef fault = "is no RISC-V processor that LLVM knows";
  if (any->isCPUStringValid(name)) {
    std::unique_ptr<MCSubtargetInfo> processor(
        target->createMCSubtargetInfo(triple, name, ""));
    std::unique_ptr<MCInstrInfo> instructions(target->createMCInstrInfo());
    fault = findFault(*processor, *instructions);
    if (fault.empty())
      return std::shared_ptr<const VectorCore>(
          new VectorCore(name, *target, triple, std::move(processor)));
  }
  return makeError("vector_core is \"{0}\", which {1}; there are {2}", name,
                   fault, listCores(*target, triple));
}

std::unique_ptr<TargetMachine> VectorCore::createTargetMachine() const {
  // Not every model of a core that has them has times for their instructions.
  // They make constants and shifts shorter.
  return std::unique_ptr<TargetMachine>(target.createTargetMachine(
      triple, name, "-zfa,-zvbb", TargetOptions(), Reloc::PIC_,
      CodeModel::Medium, CodeGenOptLevel::Aggressive));
}
