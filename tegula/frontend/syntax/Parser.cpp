// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/Parser.h"
#include "tegula/frontend/syntax/KernelParser.h"
#include "tegula/frontend/syntax/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using llvm::StringRef;
using llvm::Twine;

/// Reports what was found, in source order; true if there is nothing.
static bool report(ErrorList &found, SourceDiagnostics &diagnostics) {
  llvm::sort(found.errors, [](const auto &lhs, const auto &rhs) {
    return std::make_pair(lhs.first.getPointer(), StringRef(lhs.second)) <
           std::make_pair(rhs.first.getPointer(), StringRef(rhs.second));
  });
  for (auto [index, error] : llvm::enumerate(found.errors)) {
    if (index == maxParseErrors) {
      diagnostics.error(error.first, "too many errors, only the first " +
                                         Twine(maxParseErrors) + " are shown");
      break;
    }
    diagnostics.error(error.first, error.second);
  }
  return found.errors.empty();
}

std::unique_ptr<ast::Module>
tegula::parseModule(StringRef text, SourceDiagnostics &diagnostics) {
  ErrorList found;
  std::vector<Token> tokens = lex(text, found, maxParseErrors + 1);
  auto module =
      std::make_unique<ast::Module>(KernelParser(tokens, found).parseModule());
  return report(found, diagnostics) ? std::move(module) : nullptr;
}

std::unique_ptr<ast::Module>
tegula::parseDefinition(StringRef text, SourceDiagnostics &diagnostics) {
  ErrorList found;
  std::vector<Token> tokens =
      lex(text, found, maxParseErrors + 1, FirstLine::MayBeIndented);
  auto module = std::make_unique<ast::Module>(
      KernelParser(tokens, found).parseDefinition());
  return report(found, diagnostics) ? std::move(module) : nullptr;
}
