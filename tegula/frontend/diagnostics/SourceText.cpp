// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/diagnostics/SourceText.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;

SourceText::SourceText(mlir::MLIRContext *context, llvm::StringRef text,
                       llvm::StringRef path, unsigned firstLine)
    : context(context), text(text), path(path), firstLine(firstLine) {
  lines.push_back(this->text.data());
  for (const char &character : this->text)
    if (character == '\n')
      lines.push_back(&character + 1);
}

unsigned SourceText::lineOf(llvm::SMLoc loc) const {
  return llvm::upper_bound(lines, loc.getPointer()) - lines.begin() - 1 +
         firstLine;
}

mlir::Location SourceText::locate(llvm::SMLoc loc) const {
  unsigned line = lineOf(loc);
  const char *start = lines[line - firstLine];
  // Bytes after the first of a character look like 10xxxxxx.
  unsigned column =
      1 + llvm::count_if(llvm::StringRef(start, loc.getPointer() - start),
                         [](char byte) { return (byte & 0xC0) != 0x80; });
  return mlir::FileLineColLoc::get(context, path, line, column);
}
