// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small files with a format of their own.
#include "test/fuzz/Inputs.h"

#include "tegula/backends/cuda/emulator/PtxMachine.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/machine/MachineKeys.h"
#include "tegula/support/Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

using namespace tegula;
using llvm::StringRef;

/// True for a value; what is wrong otherwise has a text.
template <typename T> static bool isRead(Expected<T> &found) {
  if (found)
    return true;
  fuzz::expect(!llvm::toString(found.takeError()).empty(),
               "the error says nothing");
  return false;
}

static void readNpyFile(StringRef bytes) {
  const std::optional<DType> types[] = {std::nullopt, DType::Int4,
                                        DType::FP8E5M2};
  for (std::optional<DType> wanted : types) {
    Expected<Array> array = parseNpy(bytes, wanted);
    if (!isRead(array))
      continue;
    DType dtype = array->getDType();
    Expected<Array> again = parseNpy(formatNpy(array->getView()), dtype);
    fuzz::expect(isRead(again), "what was written is not read");
    fuzz::expect(isHalfByte(dtype) || again->getSizes() == array->getSizes(),
                 "what was written has another shape");
  }
}

static std::vector<std::string> listNpyTokens() {
  return {"'descr'",
          "'fortran_order'",
          "'shape'",
          "True",
          "False",
          "(",
          ")",
          "'<f4'",
          "'|u1'",
          "'|b1'",
          "'<V2'",
          "'|V1'",
          "'>f8'",
          "0",
          "1",
          "2",
          "-1",
          "3L",
          ",",
          "9223372036854775807",
          "{",
          "}",
          "'<f1'",
          ":",
          "1000000000000"};
}

static void readMachine(StringRef text) {
  Expected<sim::Machine> machine = sim::parseMachine(text, "m.toml");
  if (!isRead(machine))
    return;
  std::string printed = sim::printMachine(*machine);
  Expected<sim::Machine> again = sim::parseMachine(printed, "printed.toml");
  fuzz::expect(isRead(again), "what was printed is not read");
  fuzz::expect(sim::printMachine(*again) == printed,
               "what was printed is another machine");
}

static std::vector<std::string> listMachineTokens() {
  std::vector<std::string> words = {
      "=",  "true", "false", "[",  "]",   "\"\"",
      "0",  "-1",   "1e308", "1",  "nan", "inf",
      "0x", "[[]",  "'''",   "{}", "#",   "9223372036854775807",
      "_",  "\n"};
  for (const sim::MachineKey &key : sim::getMachineKeys())
    words.push_back(key.name.str());
  return words;
}

static void readPtxText(StringRef text) {
  for (const emulator::PtxInstruction &instruction : emulator::readPtx(text)) {
    emulator::findAction(instruction);
    instruction.has("shared");
  }
}

static std::vector<std::string> listPtxTokens() {
  return {"ld.shared.v4.b32",
          "st.global.b32",
          "mbarrier",
          "wgmma",
          "[",
          "]",
          "{",
          "}",
          "@p",
          "@!p",
          "$0",
          "$12",
          "bra",
          "setp.ne.b32",
          ":",
          ";",
          ",",
          "|",
          "-1",
          "0x7fffffff",
          ".reg",
          ".pred",
          "%r1"};
}

const fuzz::Input fuzz::npy = {"npy", readNpyFile, listNpyTokens};
const fuzz::Input fuzz::machine = {"machine", readMachine, listMachineTokens};
const fuzz::Input fuzz::ptx = {"ptx", readPtxText, listPtxTokens};
