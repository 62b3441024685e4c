// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/Lexer.h"
#include "tegula/frontend/syntax/Ast.h"
#include "tegula/frontend/syntax/TokenScanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace tegula;
using llvm::SMLoc;
using llvm::StringRef;

namespace {

/// The width of a line's indentation, measured twice: with tab stops every
/// eight columns and with tabs as one column. Where the two orders disagree,
/// the meaning of the line depends on the editor.
struct Indentation {
  size_t wide = 0;
  size_t narrow = 0;
};

class Lexer {
public:
  Lexer(StringRef text, SourceDiagnostics &diagnostics, unsigned maxErrors,
        FirstLine firstLine)
      : text(text), diagnostics(diagnostics), maxErrors(maxErrors),
        setsDepth(firstLine == FirstLine::MayBeIndented) {}

  std::vector<Token> run();

private:
  bool checkBytes();
  void startLine();
  void changeIndentation(Indentation indentation, size_t at);
  void dedentTo(Indentation indentation, size_t at);
  void lexToken();
  void lexString(size_t opening);
  void endLine();
  void closeBracket();
  bool isStatementKeywordNext() const;
  void abandonBrackets();
  void finish();

  bool skipBlanks();
  void push(TokenKind kind, size_t at, size_t length = 0);
  void error(size_t at, const llvm::Twine &message);
  StringRef rest() const { return text.drop_front(position); }

  StringRef text;
  SourceDiagnostics &diagnostics;
  unsigned maxErrors;
  unsigned numErrors = 0;
  bool isStopped = false;
  /// True until the first line has said how deep the text stands.
  bool setsDepth;
  size_t position = 0;
  std::vector<Token> tokens;
  llvm::SmallVector<Indentation> indents = {Indentation()};
  /// Indices into `tokens` of the brackets that are still open.
  std::vector<size_t> openBrackets;
};

} // namespace

void Lexer::push(TokenKind kind, size_t at, size_t length) {
  tokens.push_back({text.data() + at, static_cast<uint32_t>(length), kind});
}

void Lexer::error(size_t at, const llvm::Twine &message) {
  diagnostics.error(SMLoc::getFromPointer(text.data() + at), message);
  if (++numErrors == maxErrors)
    isStopped = true;
}

/// Reports text that is no Python source at all.
bool Lexer::checkBytes() {
  if (text.size() > maxSourceBytes) {
    error(0, "the file has " + llvm::Twine(text.size()) + " bytes, at most " +
                 llvm::Twine(maxSourceBytes) + " are taken");
    return false;
  }
  size_t zero = text.find('\0');
  if (zero != StringRef::npos) {
    error(zero, "the file contains a NUL byte; a kernel file is UTF-8 text");
    return false;
  }
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(text.bytes_begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.bytes_end());
  while (at != end) {
    if (*at < 0x80) {
      ++at;
      continue;
    }
    if (!llvm::isLegalUTF8Sequence(at, end)) {
      error(at - text.bytes_begin(),
            "byte 0x" + llvm::utohexstr(*at) + " is not valid UTF-8");
      return false;
    }
    at += llvm::getNumBytesForUTF8(*at);
  }
  return true;
}

std::vector<Token> Lexer::run() {
  if (!checkBytes()) {
    push(TokenKind::End, text.size());
    return std::move(tokens);
  }
  if (text.starts_with("\xEF\xBB\xBF"))
    position = 3;
  while (position < text.size() && !isStopped) {
    startLine();
    while (!isStopped) {
      if (skipBlanks())
        break;
      lexToken();
    }
  }
  finish();
  return std::move(tokens);
}

/// Skips blanks, comments and joined line breaks. Returns true if the logical
/// line is over, after having ended it.
bool Lexer::skipBlanks() {
  while (position < text.size()) {
    char c = text[position];
    if (c == ' ' || c == '\t' || c == '\f') {
      ++position;
      continue;
    }
    if (c == '#') {
      position = std::min(text.find_first_of("\r\n", position), text.size());
      continue;
    }
    if (c == '\\') {
      size_t lineBreak = lineBreakLength(rest().drop_front(1));
      if (!lineBreak)
        return false;
      position += 1 + lineBreak;
      continue;
    }
    size_t lineBreak = lineBreakLength(rest());
    if (!lineBreak)
      return false;
    if (openBrackets.empty()) {
      endLine();
      position += lineBreak;
      return true;
    }
    position += lineBreak;
    if (isStatementKeywordNext()) {
      position -= lineBreak;
      abandonBrackets();
      endLine();
      position += lineBreak;
      return true;
    }
  }
  return true;
}

/// True if the line at `position` starts with a word that can only start a
/// statement: then a bracket that is still open was forgotten.
bool Lexer::isStatementKeywordNext() const {
  StringRef line = rest().ltrim(" \t\f");
  if (line.empty() || !llvm::isLower(line[0]))
    return false;
  switch (scanToken(line).kind) {
  case TokenKind::Assert:
  case TokenKind::Break:
  case TokenKind::Class:
  case TokenKind::Continue:
  case TokenKind::Def:
  case TokenKind::Del:
  case TokenKind::Elif:
  case TokenKind::Except:
  case TokenKind::Finally:
  case TokenKind::Global:
  case TokenKind::Import:
  case TokenKind::Nonlocal:
  case TokenKind::Pass:
  case TokenKind::Raise:
  case TokenKind::Return:
  case TokenKind::Try:
  case TokenKind::While:
  case TokenKind::With:
    return true;
  default:
    return false;
  }
}

/// Reports the innermost open bracket, if that was not done, and forgets all.
void Lexer::abandonBrackets() {
  const Token &inner = tokens[openBrackets.back()];
  if (inner.kind != TokenKind::Error)
    error(inner.begin - text.data(), "'" + inner.text() + "' was never closed");
  for (size_t index : openBrackets)
    tokens[index].kind = TokenKind::Error;
  openBrackets.clear();
}

/// Ends the logical line at `position`, unless it is blank.
void Lexer::endLine() {
  if (tokens.empty())
    return;
  TokenKind last = tokens.back().kind;
  if (last != TokenKind::Newline && last != TokenKind::Indent &&
      last != TokenKind::Dedent)
    push(TokenKind::Newline, position);
}

/// Reads the indentation of a line and emits what it means. Blank lines and
/// lines with only a comment mean nothing.
void Lexer::startLine() {
  Indentation indentation;
  for (; position < text.size(); ++position) {
    char c = text[position];
    if (c == ' ') {
      ++indentation.wide;
      ++indentation.narrow;
    } else if (c == '\t') {
      indentation.wide = (indentation.wide / 8 + 1) * 8;
      ++indentation.narrow;
    } else if (c == '\f') {
      indentation = Indentation();
    } else {
      break;
    }
  }
  if (position == text.size() || text[position] == '#' ||
      lineBreakLength(rest()))
    return;
  if (setsDepth)
    indents.front() = indentation;
  setsDepth = false;
  changeIndentation(indentation, position);
}

void Lexer::changeIndentation(Indentation indentation, size_t at) {
  Indentation current = indents.back();
  if (indentation.wide < current.wide)
    return dedentTo(indentation, at);
  bool isDeeper = indentation.wide > current.wide;
  bool isConsistent = isDeeper ? indentation.narrow > current.narrow
                               : indentation.narrow == current.narrow;
  if (!isConsistent)
    error(at, "tabs and spaces are mixed, so the depth of this line depends on "
              "the width of a tab; indent with spaces only");
  if (!isDeeper)
    return;
  if (indents.size() > ast::maxBlockDepth) {
    error(at, "blocks are nested too deeply (limit " +
                  llvm::Twine(ast::maxBlockDepth) + ")");
    isStopped = true;
    return;
  }
  indents.push_back(indentation);
  push(TokenKind::Indent, at);
}

void Lexer::dedentTo(Indentation indentation, size_t at) {
  while (indents.size() > 1 && indentation.wide < indents.back().wide) {
    indents.pop_back();
    push(TokenKind::Dedent, at);
  }
  if (indentation.wide != indents.back().wide)
    error(at, "this line is indented by " + llvm::Twine(indentation.wide) +
                  " columns, which matches no enclosing block; the nearest is "
                  "at " +
                  llvm::Twine(indents.back().wide));
  else if (indentation.narrow != indents.back().narrow)
    error(at, "tabs and spaces are mixed, so the depth of this line depends on "
              "the width of a tab; indent with spaces only");
}

void Lexer::lexToken() {
  if (size_t opening = stringOpening(rest()))
    return lexString(opening);
  Token token = scanToken(rest());
  tokens.push_back(token);
  position += token.length;
  switch (token.kind) {
  case TokenKind::LeftParen:
  case TokenKind::LeftSquare:
  case TokenKind::LeftBrace:
    return openBrackets.push_back(tokens.size() - 1);
  case TokenKind::RightParen:
  case TokenKind::RightSquare:
  case TokenKind::RightBrace:
    return closeBracket();
  default:
    return;
  }
}

void Lexer::lexString(size_t opening) {
  size_t start = position;
  ScannedString string = scanString(rest(), opening);
  position = std::min(position + string.length, text.size());
  if (string.end == StringEnd::Closed)
    return push(TokenKind::String, start, position - start);
  error(start, string.end == StringEnd::OpenAtLineEnd
                   ? "this string is not closed before the end of the line"
                   : "this triple-quoted string is never closed");
  push(TokenKind::Error, start, position - start);
  // What closes the open brackets may be inside the string, or on a later line.
  // Either way they have been reported enough.
  for (size_t index : openBrackets)
    tokens[index].kind = TokenKind::Error;
  for (char c : text.slice(start, position))
    if (StringRef(")]}").contains(c) && !openBrackets.empty())
      openBrackets.pop_back();
}

/// Matches the closing bracket just pushed with the one it closes.
void Lexer::closeBracket() {
  Token &close = tokens.back();
  size_t at = close.begin - text.data();
  if (openBrackets.empty()) {
    close.kind = TokenKind::Error;
    return error(at, "'" + close.text() + "' has no opening bracket");
  }
  StringRef pairs = "()[]{}";
  auto closes = [&](size_t index) {
    return pairs.find(tokens[index].text()) / 2 == pairs.find(close.text()) / 2;
  };
  size_t inner = openBrackets.back();
  openBrackets.pop_back();
  if (closes(inner))
    return;
  close.kind = TokenKind::Error;
  error(at, "'" + close.text() + "' does not close the '" +
                tokens[inner].text() + "' before it");
  // If it closes one further out, those between were forgotten.
  auto outer = llvm::find_if(llvm::reverse(openBrackets), closes);
  if (outer != openBrackets.rend())
    openBrackets.erase(std::prev(outer.base()), openBrackets.end());
}

void Lexer::finish() {
  if (!openBrackets.empty())
    abandonBrackets();
  // Stopped early: the parser shall not complain about the missing rest.
  if (isStopped)
    push(TokenKind::Error, position);
  endLine();
  for (size_t i = 1; i < indents.size(); ++i)
    push(TokenKind::Dedent, position);
  push(TokenKind::End, position);
}

std::vector<Token> tegula::lex(StringRef text, SourceDiagnostics &diagnostics,
                               unsigned maxErrors, FirstLine firstLine) {
  return Lexer(text, diagnostics, maxErrors, firstLine).run();
}
