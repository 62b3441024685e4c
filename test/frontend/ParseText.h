// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the front end's unit tests share: errors as text, and the tree or the
/// errors of a piece of source.

#ifndef TEGULA_TEST_FRONTEND_PARSETEXT_H
#define TEGULA_TEST_FRONTEND_PARSETEXT_H

#include "tegula/frontend/syntax/AstPrinter.h"
#include "tegula/frontend/syntax/Parser.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tegula::test {

/// Writes errors as `line:column: message`, one to a line. Columns count bytes.
class ErrorText : public SourceDiagnostics {
public:
  explicit ErrorText(llvm::StringRef source) : source(source) {}

  void error(llvm::SMLoc loc, const llvm::Twine &message) override {
    size_t offset = loc.getPointer() - source.data();
    llvm::StringRef before = source.take_front(offset);
    size_t column = offset - (before.rfind('\n') + 1) + 1;
    text += (llvm::Twine(before.count('\n') + 1) + ":" + llvm::Twine(column) +
             ": " + message + "\n")
                .str();
  }

  std::string text;

private:
  llvm::StringRef source;
};

/// The tree of `source`, or its errors.
inline std::string parseText(llvm::StringRef source) {
  ErrorText errors(source);
  std::unique_ptr<ast::Module> module = parseModule(source, errors);
  if (!module)
    return errors.text.empty() ? "null without an error" : errors.text;
  return errors.text.empty() ? printAst(*module) : "a tree with errors";
}

/// The tree of the statement or expression `source` at module level.
inline std::string parseLine(llvm::StringRef source) {
  return llvm::StringRef(parseText(source)).rtrim('\n').str();
}

/// The tree or the errors of `lines` as the body of a kernel. The kernel's
/// own two lines come first, so line 1 of `lines` is line 3.
inline std::string parseBody(llvm::StringRef lines) {
  std::string source = "@pl.jit\ndef k():\n";
  llvm::StringRef rest = lines;
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    source += ("  " + line + "\n").str();
    rest = next;
  }
  llvm::StringRef header = "def k @(. pl jit)\n";
  std::string text = parseText(source);
  return llvm::StringRef(text).starts_with(header) ? text.substr(header.size())
                                                   : text;
}

} // namespace tegula::test

#endif // TEGULA_TEST_FRONTEND_PARSETEXT_H
