// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/lsp/TextLines.h"

#include <algorithm>

using namespace tegula;
using llvm::StringRef;
using llvm::lsp::Position;

TextLines::TextLines(StringRef text) : text(text), starts{0} {
  for (size_t at = 0; at != text.size(); ++at)
    if (text[at] == '\n')
      starts.push_back(at + 1);
}

StringRef TextLines::lineAt(size_t index) const {
  size_t end = index + 1 < starts.size() ? starts[index + 1] - 1 : text.size();
  return text.slice(starts[index], end).rtrim('\r');
}

/// The bytes of a character, by its first one.
static size_t bytesOf(char first) {
  unsigned char lead = first;
  return lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// The units of UTF-16 it takes.
static size_t unitsOf(char first) { return bytesOf(first) == 4 ? 2 : 1; }

size_t TextLines::offsetOf(Position position) const {
  if (position.line < 0)
    return 0;
  if (size_t(position.line) >= starts.size())
    return text.size();
  StringRef line = lineAt(position.line);
  size_t at = 0;
  for (int units = 0; at < line.size() && units < position.character;
       at += bytesOf(line[at]))
    units += unitsOf(line[at]);
  return starts[position.line] + std::min(at, line.size());
}

Position TextLines::positionOf(size_t offset) const {
  offset = std::min(offset, text.size());
  size_t index = lineOf(offset) - 1;
  StringRef line = text.slice(starts[index], offset);
  size_t units = 0;
  for (size_t at = 0; at < line.size(); at += bytesOf(line[at]))
    units += unitsOf(line[at]);
  return Position(index, units);
}

size_t TextLines::offsetOf(unsigned line, unsigned character) const {
  if (line == 0)
    return 0;
  if (line > starts.size())
    return text.size();
  StringRef content = lineAt(line - 1);
  size_t at = 0;
  for (unsigned count = 1; at < content.size() && count < character; ++count)
    at += bytesOf(content[at]);
  return starts[line - 1] + std::min(at, content.size());
}

unsigned TextLines::lineOf(size_t offset) const {
  return std::upper_bound(starts.begin(), starts.end(), offset) -
         starts.begin();
}
