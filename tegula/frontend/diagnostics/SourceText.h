// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The text of a kernel file, or of a part of one, and the place of every
/// character in it.

#ifndef TEGULA_FRONTEND_DIAGNOSTICS_SOURCETEXT_H
#define TEGULA_FRONTEND_DIAGNOSTICS_SOURCETEXT_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"
#include <string>
#include <vector>

namespace tegula {

/// Owns a copy of the text, which syntax trees point into.
class SourceText {
public:
  /// `text` starts at line `firstLine` of the file.
  SourceText(mlir::MLIRContext *context, llvm::StringRef text,
             llvm::StringRef path, unsigned firstLine = 1);

  llvm::StringRef getText() const { return text; }
  llvm::StringRef getPath() const { return path; }

  /// The line of a location in the file, counted from 1.
  unsigned lineOf(llvm::SMLoc loc) const;

  /// Path, line and column; columns count characters from 1.
  mlir::Location locate(llvm::SMLoc loc) const;

private:
  mlir::MLIRContext *context;
  std::string text;
  std::string path;
  unsigned firstLine;
  /// Where each line starts.
  std::vector<const char *> lines;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_DIAGNOSTICS_SOURCETEXT_H
