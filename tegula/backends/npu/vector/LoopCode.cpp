// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/npu/vector/LoopCode.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/RISCVTargetParser.h"

#include <optional>

using namespace llvm;
using namespace tegula;

CoreTables::CoreTables(const VectorCore &core)
    : registers(core.getTarget().createMCRegInfo(core.getTriple())),
      syntax(core.getTarget().createMCAsmInfo(*registers, core.getTriple(),
                                              MCTargetOptions())),
      instructions(core.getTarget().createMCInstrInfo()) {}

namespace {

/// Instructions in order, and before which of them each label stands.
struct Listing : MCStreamer {
  explicit Listing(MCContext &context) : MCStreamer(context) {}

  void emitInstruction(const MCInst &instruction,
                       const MCSubtargetInfo &) override {
    instructions.push_back(instruction);
  }
  void emitLabel(MCSymbol *symbol, SMLoc loc) override {
    MCStreamer::emitLabel(symbol, loc);
    labels[symbol] = instructions.size();
  }
  bool emitSymbolAttribute(MCSymbol *, MCSymbolAttr) override { return true; }
  void emitCommonSymbol(MCSymbol *, uint64_t, Align) override {}

  std::vector<MCInst> instructions;
  DenseMap<const MCSymbol *, size_t> labels;
};

/// Looks at one function of a listing: the instructions from `first` on, up to
/// `last`.
class LoopFinder {
public:
  LoopFinder(const Listing &listing, size_t first, size_t last,
             const VectorCore &core, const CoreTables &tables)
      : listing(listing), first(first), last(last), core(core), tables(tables),
        analysis(
            core.getTarget().createMCInstrAnalysis(tables.instructions.get())) {
  }

  Expected<LoopCode> find() {
    if (Error error = checkCalls())
      return error;
    if (Error error = findBounds())
      return error;
    ArrayRef<MCInst> all = listing.instructions;
    LoopCode code;
    code.before = all.slice(first, begin - first).vec();
    code.iteration = all.slice(begin, end - begin).vec();
    // The return is the caller's, and not a time that models know.
    for (const MCInst &instruction : all.slice(end, last - end))
      if (!analysis->isReturn(instruction))
        code.after.push_back(instruction);
    std::optional<unsigned> elements = countElements(code.iteration);
    if (!elements)
      return makeError("its loop has no vectors of any length");
    code.iterationElements = *elements;
    return code;
  }

private:
  const MCInstrDesc &describe(const MCInst &instruction) const {
    return tables.instructions->get(instruction.getOpcode());
  }

  static const MCSymbol *getSymbol(const MCInst &instruction) {
    for (const MCOperand &operand : instruction)
      if (operand.isExpr()) {
        const MCExpr *expr = operand.getExpr();
        if (auto *special = dyn_cast<MCSpecifierExpr>(expr))
          expr = special->getSubExpr();
        if (auto *symbol = dyn_cast<MCSymbolRefExpr>(expr))
          return &symbol->getSymbol();
      }
    return nullptr;
  }

  Error checkCalls() const {
    for (size_t position = first; position < last; ++position) {
      const MCInst &instruction = listing.instructions[position];
      const MCSymbol *symbol = getSymbol(instruction);
      if (describe(instruction).isCall() && symbol &&
          !listing.labels.contains(symbol))
        return makeError("it calls '{0}', so its loop has no vectors",
                         symbol->getName());
    }
    return Error::success();
  }

  /// Where a branch goes to, if it is one.
  std::optional<size_t> getTarget(const MCInst &instruction) const {
    const MCInstrDesc &kind = describe(instruction);
    auto label = listing.labels.find(getSymbol(instruction));
    bool isJump = kind.isBranch() || kind.isCall();
    if (!isJump || label == listing.labels.end())
      return std::nullopt;
    return label->second;
  }

  Error findBounds() {
    for (size_t position = first; position < last; ++position) {
      std::optional<size_t> target = getTarget(listing.instructions[position]);
      if (!target || *target > position)
        continue;
      if (end != 0)
        return makeError("it has a second loop, for what vectors leave over");
      begin = *target;
      end = position + 1;
    }
    if (end == 0)
      return makeError("it has no loop");
    for (size_t position = first; position < last; ++position) {
      std::optional<size_t> target = getTarget(listing.instructions[position]);
      bool isInside = position >= begin && position + 1 < end;
      bool goesInside = target && *target > begin && *target < end;
      if ((isInside && target) || goesInside)
        return makeError("its loop has branches in it");
    }
    return Error::success();
  }

  /// From the instruction that asks how many of the remaining elements this
  /// iteration takes.
  std::optional<unsigned> countElements(ArrayRef<MCInst> iteration) const {
    for (const MCInst &instruction : iteration) {
      if (tables.instructions->getName(instruction.getOpcode()) != "VSETVLI" ||
          StringRef(tables.registers->getName(
              instruction.getOperand(0).getReg())) == "X0")
        continue;
      unsigned type = instruction.getOperand(2).getImm();
      auto [lmul, isFraction] =
          RISCVVType::decodeVLMUL(RISCVVType::getVLMUL(type));
      unsigned perRegister = core.getRegisterBits() / RISCVVType::getSEW(type);
      return isFraction ? perRegister / lmul : perRegister * lmul;
    }
    return std::nullopt;
  }

  const Listing &listing;
  size_t first;
  size_t last;
  const VectorCore &core;
  const CoreTables &tables;
  std::unique_ptr<MCInstrAnalysis> analysis;
  size_t begin = 0;
  size_t end = 0;
};

} // namespace

/// The loops of `functions`, each of which ends where the next begins.
static Expected<std::vector<LoopCode>>
findLoopsIn(const Listing &listing, ArrayRef<std::string> functions,
            const VectorCore &core, const CoreTables &tables) {
  std::vector<LoopCode> loops;
  std::vector<size_t> positions;
  for (const std::string &function : functions) {
    const MCSymbol *symbol = listing.getContext().lookupSymbol(function);
    assert(symbol && "the code has the functions that were asked for");
    positions.push_back(listing.labels.lookup(symbol));
  }
  positions.push_back(listing.instructions.size());
  for (size_t index = 0; index < functions.size(); ++index) {
    Expected<LoopCode> loop = LoopFinder(listing, positions[index],
                                         positions[index + 1], core, tables)
                                  .find();
    if (!loop)
      return loop.takeError();
    loops.push_back(std::move(*loop));
  }
  return loops;
}

Expected<std::vector<LoopCode>>
tegula::findLoops(StringRef assembly, ArrayRef<std::string> functions,
                  const VectorCore &core, const CoreTables &tables) {
  SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBuffer(assembly), SMLoc());
  std::string messages;
  sources.setDiagHandler(
      [](const SMDiagnostic &diagnostic, void *messages) {
        *static_cast<std::string *>(messages) += diagnostic.getMessage();
      },
      &messages);
  auto context = std::make_shared<MCContext>(
      core.getTriple(), tables.syntax.get(), tables.registers.get(),
      &core.getSubtarget(), &sources);
  const Target &target = core.getTarget();
  std::unique_ptr<MCObjectFileInfo> sections(
      target.createMCObjectFileInfo(*context, /*PIC=*/true));
  context->setObjectFileInfo(sections.get());
  Listing listing(*context);
  target.createNullTargetStreamer(listing);
  std::unique_ptr<MCAsmParser> parser(
      createMCAsmParser(sources, *context, listing, *tables.syntax));
  std::unique_ptr<MCTargetAsmParser> words(target.createMCAsmParser(
      core.getSubtarget(), *parser, *tables.instructions, MCTargetOptions()));
  parser->setTargetParser(*words);
  if (parser->Run(/*NoInitialTextSection=*/false))
    return makeError("its code cannot be read back: {0}", messages);
  Expected<std::vector<LoopCode>> loops =
      findLoopsIn(listing, functions, core, tables);
  if (loops)
    for (LoopCode &loop : *loops)
      loop.context = context;
  return loops;
}
