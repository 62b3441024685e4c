// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/PtxText.h"

#include <cctype>
#include <cstdlib>
#include <tuple>

using namespace tegula::emulator;

bool PtxInstruction::begins(std::string_view words) const {
  std::string_view all = mnemonic;
  return all.substr(0, words.size()) == words &&
         (all.size() == words.size() || all[words.size()] == '.');
}

bool PtxInstruction::has(std::string_view word) const {
  size_t at = 0;
  while (at <= mnemonic.size()) {
    size_t end = mnemonic.find('.', at);
    if (std::string_view(mnemonic).substr(at, end - at) == word)
      return true;
    if (end == std::string::npos)
      return false;
    at = end + 1;
  }
  return false;
}

namespace {

class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  std::vector<PtxInstruction> read() {
    std::vector<PtxInstruction> all;
    while (skip()) {
      // Of a block of instructions.
      if (text[at] == '{' || text[at] == '}' || text[at] == ';') {
        ++at;
        continue;
      }
      all.push_back(readInstruction());
    }
    return all;
  }

private:
  /// Passes blanks. False at the end.
  bool skip() {
    while (at < text.size() &&
           std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    return at < text.size();
  }
  bool take(char wanted) {
    if (!skip() || text[at] != wanted)
      return false;
    ++at;
    return true;
  }
  /// Letters, digits and what mnemonics have besides; a single colon is not
  /// part of it.
  std::string readWord() {
    skip();
    size_t first = at;
    while (at < text.size()) {
      char c = text[at];
      bool isPair = c == ':' && at + 1 < text.size() && text[at + 1] == ':';
      if (isPair)
        ++at;
      else if (!std::isalnum(static_cast<unsigned char>(c)) &&
               std::string_view("._%$-+").find(c) == std::string_view::npos)
        break;
      ++at;
    }
    return std::string(text.substr(first, at - first));
  }

  PtxInstruction readInstruction() {
    PtxInstruction instruction;
    if (take('@')) {
      instruction.isNegated = take('!');
      instruction.predicate = readWord();
    }
    std::string word = readWord();
    if (take(':')) {
      instruction.label = word;
      return instruction;
    }
    instruction.mnemonic = word;
    if (word.empty() && at < text.size())
      ++at;
    while (skip() && text[at] != ';' && text[at] != '}') {
      instruction.operands.push_back(readOperand());
      if (!take(','))
        break;
    }
    // Whatever else there is, as in `.reg .pred p`, says nothing new.
    while (skip() && text[at] != ';' && text[at] != '}')
      ++at;
    return instruction;
  }

  /// What is in more brackets than `depth` has no parts.
  PtxOperand readOperand(unsigned depth = 16) {
    for (auto [open, close, kind] :
         {std::tuple('[', ']', PtxOperand::Kind::Address),
          std::tuple('{', '}', PtxOperand::Kind::List)}) {
      if (!take(open))
        continue;
      PtxOperand operand{kind};
      while (skip() && !take(close)) {
        if (depth == 0) {
          ++at;
          continue;
        }
        operand.parts.push_back(readOperand(depth - 1));
        take(',');
      }
      return operand;
    }
    std::string word = readWord();
    if (word.empty() && at < text.size())
      ++at;
    // Two results, such as `_|p`.
    if (depth > 0 && take('|'))
      return {PtxOperand::Kind::List,
              0,
              {},
              {{PtxOperand::Kind::Name, 0, word}, readOperand(depth - 1)}};
    if (word[0] == '$')
      return {PtxOperand::Kind::Slot, std::atoll(word.c_str() + 1)};
    if (word[0] == '-' || std::isdigit(static_cast<unsigned char>(word[0])))
      return {PtxOperand::Kind::Immediate,
              std::strtoll(word.c_str(), nullptr, 0)};
    return {PtxOperand::Kind::Name, 0, word};
  }

  std::string_view text;
  size_t at = 0;
};

} // namespace

std::vector<PtxInstruction> tegula::emulator::readPtx(std::string_view text) {
  return Reader(text).read();
}
