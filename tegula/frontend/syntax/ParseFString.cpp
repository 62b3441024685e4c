// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The replacement fields of f-strings. A kernel may hold any f-string, so what
// cannot be taken apart is no mistake here.
#include "tegula/frontend/syntax/ParseFString.h"
#include "tegula/frontend/syntax/ExpressionParser.h"
#include "tegula/frontend/syntax/Lexer.h"
#include "tegula/frontend/syntax/Literals.h"
#include "tegula/frontend/syntax/Parser.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::StringRef;

/// Where the expression at the start of a field ends: at `!`, `:` or `}`.
static size_t endOfExpression(StringRef text) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      quote = c == quote ? 0 : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (depth > 0 && (c == ')' || c == ']' || c == '}')) {
      --depth;
    } else if (depth == 0) {
      bool isCompare = c == '!' && text.substr(i + 1).starts_with("=");
      if (c == '}' || c == ':' || (c == '!' && !isCompare))
        return i;
    }
  }
  return StringRef::npos;
}

static bool readParts(StringRef &text, unsigned level, bool isRaw,
                      std::vector<FStringPart> &parts);

/// `{value!r:format}`, behind its opening brace.
static bool readFStringField(StringRef &text, unsigned level, bool isRaw,
                             FStringPart &part) {
  // A field may stand in a format, but no deeper.
  if (level > 1)
    return false;
  size_t end = endOfExpression(text);
  StringRef written = text.take_front(end);
  if (end == StringRef::npos || written.trim().empty() ||
      written.trim().ends_with("="))
    return false;
  text = text.drop_front(end);
  // In parentheses lines do not count.
  StringRef inside = written.trim();
  ErrorList problems;
  std::vector<Token> inner = lex(inside, problems, 1);
  ExpressionParser parser(inner, problems);
  part.value = parser.parseExpressionList();
  parser.accept(TokenKind::Newline);
  if (!part.value || !parser.at(TokenKind::End) || !problems.errors.empty())
    return false;
  if (text.consume_front("!")) {
    part.conversion = text.empty() ? 0 : text.front();
    text = text.drop_front(text.empty() ? 0 : 1);
    if (!StringRef("rsa").contains(part.conversion))
      return false;
  }
  if (text.consume_front(":") &&
      !readParts(text, level + 1, isRaw, part.format))
    return false;
  return text.consume_front("}");
}

/// Text and fields up to the end, or up to the brace that ends a format.
static bool readParts(StringRef &text, unsigned level, bool isRaw,
                      std::vector<FStringPart> &parts) {
  while (!text.empty() && !(level > 0 && text.front() == '}')) {
    size_t plain = text.find_first_of("{}");
    StringRef plainText = text.take_front(plain);
    text = text.drop_front(plainText.size());
    FStringPart part;
    if (!plainText.empty()) {
      // As a literal of its own, so that escapes are resolved in one place.
      std::string literal =
          (isRaw ? "r\"\"\"" : "\"\"\"") + plainText.str() + "\"\"\"";
      if (!readString(literal, part.text).empty())
        return false;
      parts.push_back(std::move(part));
      continue;
    }
    bool isBrace =
        level == 0 && (text.starts_with("{{") || text.starts_with("}}"));
    if (isBrace) {
      part.text = text.take_front(1).str();
      text = text.drop_front(2);
    } else if (!text.consume_front("{") ||
               !readFStringField(text, level, isRaw, part)) {
      return false;
    }
    parts.push_back(std::move(part));
  }
  return true;
}

/// Adds the pieces of one literal. Those of a plain one are its text.
void tegula::readFStringParts(String &string, StringRef literal) {
  StringPrefix prefix = stringPrefix(literal);
  StringRef body =
      literal.drop_until([](char c) { return c == '"' || c == '\''; });
  size_t quotes = body.size() >= 6 && body[1] == body[0] ? 3 : 1;
  body = body.drop_front(quotes).drop_back(quotes);
  std::vector<FStringPart> parts;
  if (!prefix.isFormatted) {
    parts.emplace_back();
    if (!readString(literal, parts.back().text).empty())
      return;
  } else if (!readParts(body, /*level=*/0, prefix.isRaw, parts)) {
    // A piece without a value and with nothing to say makes it all unknown.
    parts.clear();
    parts.emplace_back().conversion = '?';
  }
  for (FStringPart &part : parts)
    string.parts.push_back(std::move(part));
}
