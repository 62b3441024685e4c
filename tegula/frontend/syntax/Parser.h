// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From the text of a kernel file to its syntax tree. Only kernel code is
/// parsed; what else stands in the file is skipped and recorded as Skipped.

#ifndef TEGULA_FRONTEND_SYNTAX_PARSER_H
#define TEGULA_FRONTEND_SYNTAX_PARSER_H

#include "tegula/frontend/diagnostics/Diagnostics.h"
#include "tegula/frontend/syntax/Ast.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace tegula {

/// After this many errors the parser gives up with "too many errors".
constexpr unsigned maxParseErrors = 20;

/// Parses `text`, which must outlive the tree and need not end in a NUL.
/// Returns null exactly when at least one error was reported. Errors come in
/// source order, one for each mistake.
[[nodiscard]] std::unique_ptr<ast::Module>
parseModule(llvm::StringRef text, SourceDiagnostics &diagnostics);

/// Parses one function or class with its decorators, which may be indented:
/// the text is part of a file. The tree has that one statement.
[[nodiscard]] std::unique_ptr<ast::Module>
parseDefinition(llvm::StringRef text, SourceDiagnostics &diagnostics);

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_PARSER_H
