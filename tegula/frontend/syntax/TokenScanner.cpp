// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/TokenScanner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include <cassert>

using namespace tegula;
using llvm::StringRef;

bool tegula::isNameStart(char c) {
  return llvm::isAlpha(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool tegula::isNameChar(char c) { return isNameStart(c) || llvm::isDigit(c); }

size_t tegula::lineBreakLength(StringRef text) {
  if (text.empty())
    return 0;
  if (text[0] == '\n')
    return 1;
  if (text[0] != '\r')
    return 0;
  return text.size() > 1 && text[1] == '\n' ? 2 : 1;
}

size_t tegula::stringOpening(StringRef text) {
  size_t quote = 0;
  while (quote < text.size() && quote < 3 && llvm::isAlpha(text[quote]))
    ++quote;
  if (quote == text.size() || (text[quote] != '"' && text[quote] != '\''))
    return 0;
  bool isPrefix = llvm::StringSwitch<bool>(text.take_front(quote))
                      .CasesLower({"", "r", "u", "b", "f"}, true)
                      .CasesLower({"br", "rb", "fr", "rf"}, true)
                      .Default(false);
  return isPrefix ? quote + 1 : 0;
}

ScannedString tegula::scanString(StringRef text, size_t opening) {
  char quote = text[opening - 1];
  size_t at = opening;
  bool isTriple =
      text.size() >= at + 2 && text[at] == quote && text[at + 1] == quote;
  if (isTriple)
    at += 2;
  while (at < text.size()) {
    char c = text[at];
    if (c == '\\') {
      size_t lineBreak = lineBreakLength(text.drop_front(at + 1));
      at += 1 + (lineBreak ? lineBreak : 1);
      continue;
    }
    if (!isTriple && (c == '\n' || c == '\r'))
      return {at, StringEnd::OpenAtLineEnd};
    ++at;
    if (c != quote)
      continue;
    if (!isTriple)
      return {at, StringEnd::Closed};
    if (text.size() >= at + 2 && text[at] == quote && text[at + 1] == quote)
      return {at + 2, StringEnd::Closed};
  }
  return {text.size(),
          isTriple ? StringEnd::OpenAtTextEnd : StringEnd::OpenAtLineEnd};
}

/// True for the code points beyond ASCII that people paste by accident: blanks,
/// typographic quotes and dashes, arrows, mathematical signs, full-width forms.
static bool isStraySymbol(uint32_t c) {
  auto isIn = [c](uint32_t low, uint32_t high) {
    return c >= low && c <= high;
  };
  if (isIn(0x80, 0xBF))
    return c != 0xAA && c != 0xB5 && c != 0xBA;
  return c == 0xD7 || c == 0xF7 || isIn(0x2000, 0x206F) ||
         isIn(0x20A0, 0x20CF) || isIn(0x2190, 0x2BFF) || isIn(0x3000, 0x3003) ||
         isIn(0x3008, 0x3020) || isIn(0xFF00, 0xFF0F) || isIn(0xFF1A, 0xFF20) ||
         c == 0xFEFF;
}

/// The length of the stray symbol at the start of `text`; 0 if there is none.
static size_t straySymbolLength(StringRef text) {
  if (static_cast<unsigned char>(text[0]) < 0x80)
    return 0;
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const llvm::UTF8 *at = begin;
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  llvm::UTF32 codePoint = 0;
  llvm::ConversionResult result =
      llvm::convertUTF8Sequence(&at, end, &codePoint, llvm::strictConversion);
  (void)result;
  assert(result == llvm::conversionOK && "the lexer checks the encoding first");
  return isStraySymbol(codePoint) ? at - begin : 0;
}

static size_t scanName(StringRef text) {
  size_t at = 0;
  while (at < text.size() && isNameChar(text[at])) {
    if (straySymbolLength(text.drop_front(at)))
      break;
    ++at;
    while (at < text.size() && (text[at] & 0xC0) == 0x80)
      ++at;
  }
  return at;
}

static size_t scanNumber(StringRef text) {
  size_t at = 0;
  auto skipDigits = [&] {
    while (at < text.size() && (llvm::isDigit(text[at]) || text[at] == '_'))
      ++at;
  };
  skipDigits();
  bool isRadix = at == 1 && text[0] == '0' && text.size() > 1 &&
                 StringRef("xXoObB").contains(text[1]);
  if (!isRadix) {
    if (at < text.size() && text[at] == '.') {
      ++at;
      skipDigits();
    }
    StringRef rest = text.drop_front(at);
    size_t sign = rest.size() > 1 && (rest[1] == '+' || rest[1] == '-');
    if (rest.size() > 1 + sign && llvm::toLower(rest[0]) == 'e' &&
        llvm::isDigit(rest[1 + sign])) {
      at += 1 + sign;
      skipDigits();
    }
  }
  // Letters that follow belong to the same, malformed, number.
  while (at < text.size() && isNameChar(text[at]))
    ++at;
  return at;
}

static TokenKind keywordOrName(StringRef text) {
  using K = TokenKind;
  if (text.size() > 8)
    return K::Name;
  return llvm::StringSwitch<TokenKind>(text)
      .Case("False", K::False)
      .Case("None", K::None)
      .Case("True", K::True)
      .Case("and", K::And)
      .Case("as", K::As)
      .Case("assert", K::Assert)
      .Case("async", K::Async)
      .Case("await", K::Await)
      .Case("break", K::Break)
      .Case("class", K::Class)
      .Case("continue", K::Continue)
      .Case("def", K::Def)
      .Case("del", K::Del)
      .Case("elif", K::Elif)
      .Case("else", K::Else)
      .Case("except", K::Except)
      .Case("finally", K::Finally)
      .Case("for", K::For)
      .Case("from", K::From)
      .Case("global", K::Global)
      .Case("if", K::If)
      .Case("import", K::Import)
      .Case("in", K::In)
      .Case("is", K::Is)
      .Case("lambda", K::Lambda)
      .Case("nonlocal", K::Nonlocal)
      .Case("not", K::Not)
      .Case("or", K::Or)
      .Case("pass", K::Pass)
      .Case("raise", K::Raise)
      .Case("return", K::Return)
      .Case("try", K::Try)
      .Case("while", K::While)
      .Case("with", K::With)
      .Case("yield", K::Yield)
      .Default(K::Name);
}

static TokenKind singleCharacter(char c) {
  using K = TokenKind;
  switch (c) {
  case '(':
    return K::LeftParen;
  case ')':
    return K::RightParen;
  case '[':
    return K::LeftSquare;
  case ']':
    return K::RightSquare;
  case '{':
    return K::LeftBrace;
  case '}':
    return K::RightBrace;
  case ',':
    return K::Comma;
  case ':':
    return K::Colon;
  case ';':
    return K::Semicolon;
  case '.':
    return K::Dot;
  case '@':
    return K::At;
  case '=':
    return K::Equal;
  case '+':
    return K::Plus;
  case '-':
    return K::Minus;
  case '*':
    return K::Star;
  case '/':
    return K::Slash;
  case '%':
    return K::Percent;
  case '&':
    return K::Ampersand;
  case '|':
    return K::Pipe;
  case '^':
    return K::Caret;
  case '~':
    return K::Tilde;
  case '<':
    return K::Less;
  case '>':
    return K::Greater;
  default:
    return K::Unknown;
  }
}

static TokenKind longOperator(StringRef text) {
  using K = TokenKind;
  return llvm::StringSwitch<TokenKind>(text)
      .Case("...", K::Ellipsis)
      .Case("->", K::Arrow)
      .Case(":=", K::Walrus)
      .Case("//", K::DoubleSlash)
      .Case("**", K::DoubleStar)
      .Case("<<", K::LeftShift)
      .Case(">>", K::RightShift)
      .Case("<=", K::LessEqual)
      .Case(">=", K::GreaterEqual)
      .Case("==", K::EqualEqual)
      .Case("!=", K::NotEqual)
      .Case("+=", K::PlusEqual)
      .Case("-=", K::MinusEqual)
      .Case("*=", K::StarEqual)
      .Case("/=", K::SlashEqual)
      .Case("//=", K::DoubleSlashEqual)
      .Case("%=", K::PercentEqual)
      .Case("**=", K::DoubleStarEqual)
      .Case("@=", K::AtEqual)
      .Case("<<=", K::LeftShiftEqual)
      .Case(">>=", K::RightShiftEqual)
      .Case("&=", K::AmpersandEqual)
      .Case("|=", K::PipeEqual)
      .Case("^=", K::CaretEqual)
      .Default(K::Unknown);
}

Token tegula::scanToken(StringRef text) {
  auto make = [&](size_t length, TokenKind kind) {
    return Token{text.data(), static_cast<uint32_t>(length), kind};
  };
  if (size_t length = straySymbolLength(text))
    return make(length, TokenKind::Unknown);
  if (isNameStart(text[0])) {
    size_t length = scanName(text);
    return make(length, keywordOrName(text.take_front(length)));
  }
  bool isFraction = text.size() > 1 && text[0] == '.' && llvm::isDigit(text[1]);
  if (llvm::isDigit(text[0]) || isFraction)
    return make(scanNumber(text), TokenKind::Number);
  // Every operator of two characters or more has one of these in second place.
  if (text.size() > 1 && StringRef("=*/<>.").contains(text[1])) {
    for (size_t length : {3, 2}) {
      TokenKind kind = longOperator(text.take_front(length));
      if (kind != TokenKind::Unknown)
        return make(std::min(length, text.size()), kind);
    }
  }
  return make(1, singleCharacter(text[0]));
}

std::string Token::describe() const {
  switch (kind) {
  case TokenKind::End:
    return "the end of the file";
  case TokenKind::Newline:
    return "the end of the line";
  case TokenKind::Indent:
    return "more indentation";
  case TokenKind::Dedent:
    return "less indentation";
  case TokenKind::String:
    return "a string";
  default:
    StringRef shown = text().take_front(40);
    // A name is not cut inside a character.
    while (shown.size() < length && (begin[shown.size()] & 0xC0) == 0x80)
      shown = text().take_front(shown.size() + 1);
    return ("'" + shown + (shown.size() < length ? "...'" : "'")).str();
  }
}
