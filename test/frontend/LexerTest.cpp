// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/Lexer.h"
#include "test/frontend/ParseText.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace tegula;
using tegula::test::ErrorText;

/// The tokens of `source`: their text, or the name of what has none. Errors
/// come last.
static std::string lexText(llvm::StringRef source) {
  ErrorText errors(source);
  std::string text;
  for (const Token &token : lex(source, errors, 100)) {
    switch (token.kind) {
    case TokenKind::End:
      text += "END";
      break;
    case TokenKind::Newline:
      text += "NEWLINE ";
      break;
    case TokenKind::Indent:
      text += "INDENT ";
      break;
    case TokenKind::Dedent:
      text += "DEDENT ";
      break;
    case TokenKind::Error:
      text += "ERROR ";
      break;
    case TokenKind::Unknown:
      text += ("?" + token.text() + " ").str();
      break;
    default:
      text += (token.text() + " ").str();
    }
  }
  return errors.text.empty() ? text : text + "\n" + errors.text;
}

TEST(Lexer, GivesOnlyTheEndForBlankText) {
  EXPECT_EQ(lexText(""), "END");
  EXPECT_EQ(lexText("\n  \n\t\n # comment\n\f\n"), "END");
  EXPECT_EQ(lexText("\xEF\xBB\xBF"), "END");
}

TEST(Lexer, SplitsEveryOperator) {
  llvm::StringRef operators =
      "+ - * ** / // % @ << >> & | ^ ~ := < > <= >= == != , : . ; @ = -> += -= "
      "*= /= //= %= @= &= |= ^= >>= <<= **= ... ";
  EXPECT_EQ(lexText(operators), (operators + "NEWLINE END").str());
}

TEST(Lexer, TakesTheLongestOperator) {
  EXPECT_EQ(lexText("a**=b//=c>>=d->e:=f...g"),
            "a **= b //= c >>= d -> e := f ... g NEWLINE END");
  EXPECT_EQ(lexText("a<-b"), "a < - b NEWLINE END");
  EXPECT_EQ(lexText("x..y"), "x . . y NEWLINE END");
  EXPECT_EQ(lexText("*"), "* NEWLINE END");
}

TEST(Lexer, EmitsIndentationAndClosesItAtTheEnd) {
  EXPECT_EQ(lexText("a:\n  b\n    \n  c\nd"),
            "a : NEWLINE INDENT b NEWLINE c NEWLINE DEDENT d NEWLINE END");
  EXPECT_EQ(
      lexText("a:\n b:\n  c"),
      "a : NEWLINE INDENT b : NEWLINE INDENT c NEWLINE DEDENT DEDENT END");
  EXPECT_EQ(lexText("a:\n b\n# comment\n c"),
            "a : NEWLINE INDENT b NEWLINE c NEWLINE DEDENT END");
}

TEST(Lexer, JoinsLinesInsideBracketsAndAfterBackslash) {
  EXPECT_EQ(lexText("f(a,\n# note\n   b)\nc"),
            "f ( a , b ) NEWLINE c NEWLINE END");
  EXPECT_EQ(lexText("a + \\\n   b"), "a + b NEWLINE END");
  EXPECT_EQ(lexText("a + \\\r\n   b"), "a + b NEWLINE END");
  EXPECT_EQ(lexText("a \\ b"), "a ?\\ b NEWLINE END");
  EXPECT_EQ(lexText("a \\"), "a ?\\ NEWLINE END");
}

TEST(Lexer, AcceptsEveryLineEndingAndAByteOrderMark) {
  EXPECT_EQ(lexText("\xEF\xBB\xBF"
                    "a:\r\n  b\r\nc\r\n"),
            "a : NEWLINE INDENT b NEWLINE DEDENT c NEWLINE END");
  EXPECT_EQ(lexText("a\rb"), "a NEWLINE b NEWLINE END");
}

TEST(Lexer, TakesEveryStringPrefix) {
  EXPECT_EQ(lexText("r'a' B\"b\" Rb'c' f'd' fR'e' u'f' ''"),
            "r'a' B\"b\" Rb'c' f'd' fR'e' u'f' '' NEWLINE END");
  EXPECT_EQ(lexText("ur'a'"), "ur 'a' NEWLINE END");
  EXPECT_EQ(lexText("'a\\'b' \"\"\"c\n\"d\"\"\" e"),
            "'a\\'b' \"\"\"c\n\"d\"\"\" e NEWLINE END");
  EXPECT_EQ(lexText("r'\\' x'"), "r'\\' x' NEWLINE END");
}

TEST(Lexer, TakesNumbersWhole) {
  EXPECT_EQ(lexText("1_000 0xFF .5 1. 1e-5 1.5E+3j 0b1 0o7 1abc"),
            "1_000 0xFF .5 1. 1e-5 1.5E+3j 0b1 0o7 1abc NEWLINE END");
  EXPECT_EQ(lexText("1.real 1...x"), "1.real 1. . . x NEWLINE END");
  EXPECT_EQ(lexText("x[1:2]"), "x [ 1 : 2 ] NEWLINE END");
  EXPECT_EQ(lexText("1e"), "1e NEWLINE END");
}

TEST(Lexer, TakesUnicodeNamesButNotSymbols) {
  EXPECT_EQ(lexText("größe = α"), "größe = α NEWLINE END");
  EXPECT_EQ(lexText("a→b “c”"), "a ?→ b ?“ c ?” NEWLINE END");
  EXPECT_EQ(lexText("a $ b ! c ?"), "a ?$ b ?! c ?? NEWLINE END");
}

TEST(Lexer, ReportsIndentationThatMatchesNoBlock) {
  EXPECT_EQ(lexText("a:\n    b\n  c\nd"),
            "a : NEWLINE INDENT b NEWLINE DEDENT c NEWLINE d NEWLINE END\n"
            "3:3: this line is indented by 2 columns, which matches no "
            "enclosing block; the nearest is at 0\n");
}

TEST(Lexer, ReportsTabsMixedWithSpaces) {
  llvm::StringRef message =
      "tabs and spaces are mixed, so the depth of this line depends on the "
      "width of a tab; indent with spaces only\n";
  EXPECT_EQ(
      lexText("a:\n        b\n\tc"),
      ("a : NEWLINE INDENT b NEWLINE c NEWLINE DEDENT END\n3:2: " + message)
          .str());
  EXPECT_EQ(lexText("a:\n  b:\n\tc"),
            ("a : NEWLINE INDENT b : NEWLINE INDENT c NEWLINE DEDENT DEDENT "
             "END\n3:2: " +
             message)
                .str());
  EXPECT_EQ(lexText("a:\n\tb:\n\t c\n        d"),
            ("a : NEWLINE INDENT b : NEWLINE INDENT c NEWLINE DEDENT d NEWLINE "
             "DEDENT END\n4:9: " +
             message)
                .str());
  EXPECT_EQ(lexText("a:\n\tb\n\tc"),
            "a : NEWLINE INDENT b NEWLINE c NEWLINE DEDENT END");
}

TEST(Lexer, ReportsAStringThatIsNotClosed) {
  EXPECT_EQ(lexText("a = 'b\nc"),
            "a = ERROR NEWLINE c NEWLINE END\n"
            "1:5: this string is not closed before the end of the line\n");
  EXPECT_EQ(lexText("'"), "ERROR NEWLINE END\n1:1: this string is not closed "
                          "before the end of the line\n");
  EXPECT_EQ(lexText("'a\\"), "ERROR NEWLINE END\n1:1: this string is not "
                             "closed before the end of the line\n");
  EXPECT_EQ(lexText("a = f\"\"\"b\nc"),
            "a = ERROR NEWLINE END\n"
            "1:5: this triple-quoted string is never closed\n");
}

TEST(Lexer, ReportsAnUnclosedStringInACallOnce) {
  EXPECT_EQ(lexText("f('a)\nb"),
            "f ERROR ERROR NEWLINE b NEWLINE END\n"
            "1:3: this string is not closed before the end of the line\n");
  EXPECT_EQ(lexText("f('a,\n  b)\nc"),
            "f ERROR ERROR b ) NEWLINE c NEWLINE END\n"
            "1:3: this string is not closed before the end of the line\n");
  EXPECT_EQ(lexText("f('a,\n  b\nc"),
            "f ERROR ERROR b c NEWLINE END\n"
            "1:3: this string is not closed before the end of the line\n");
}

TEST(Lexer, ReportsBracketsThatDoNotMatch) {
  EXPECT_EQ(lexText("f(a]\nb"), "f ( a ERROR NEWLINE b NEWLINE END\n"
                                "1:4: ']' does not close the '(' before it\n");
  EXPECT_EQ(lexText("a)"),
            "a ERROR NEWLINE END\n1:2: ')' has no opening bracket\n");
  EXPECT_EQ(lexText("f(a,\nb"),
            "f ERROR a , b NEWLINE END\n1:2: '(' was never closed\n");
}

TEST(Lexer, GoesOnAtAStatementAfterAForgottenBracket) {
  EXPECT_EQ(lexText("f(a,\n  b\ndef g"),
            "f ERROR a , b NEWLINE def g NEWLINE END\n"
            "1:2: '(' was never closed\n");
  EXPECT_EQ(lexText("f([a\n  return b"),
            "f ERROR ERROR a NEWLINE INDENT return b NEWLINE DEDENT END\n"
            "1:3: '[' was never closed\n");
  EXPECT_EQ(lexText("f(a\n  for b in c\n  if d)"),
            "f ( a for b in c if d ) NEWLINE END");
}

TEST(Lexer, RefusesBytesThatAreNoText) {
  EXPECT_EQ(lexText(llvm::StringRef("a\nb\0c", 5)),
            "END\n2:2: the file contains a NUL byte; a kernel file is UTF-8 "
            "text\n");
  EXPECT_EQ(lexText("a\n# \xFF"), "END\n2:3: byte 0xFF is not valid UTF-8\n");
  EXPECT_EQ(lexText("ab\xC3"), "END\n1:3: byte 0xC3 is not valid UTF-8\n");
  EXPECT_EQ(lexText("\xED\xA0\x80"),
            "END\n1:1: byte 0xED is not valid UTF-8\n");
}

TEST(Lexer, RefusesTextThatIsTooLarge) {
  // Memory that is never touched costs nothing.
  char *memory = static_cast<char *>(std::calloc(maxSourceBytes + 1, 1));
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(lexText(llvm::StringRef(memory, maxSourceBytes + 1)),
            "END\n1:1: the file has 1073741825 bytes, at most 1073741824 are "
            "taken\n");
  std::free(memory);
}

TEST(Lexer, LimitsTheDepthOfBlocks) {
  auto nested = [](unsigned depth) {
    std::string source;
    for (unsigned i = 0; i <= depth; ++i)
      source += std::string(i, ' ') + "a\n";
    return source;
  };
  EXPECT_EQ(lexText(nested(100)).find("limit"), std::string::npos);
  EXPECT_NE(lexText(nested(101))
                .find("102:102: blocks are nested too deeply (limit 100)"),
            std::string::npos);
}

TEST(Lexer, StopsAfterTheGivenNumberOfErrors) {
  std::string source;
  for (int i = 0; i < 50; ++i)
    source += ")\n";
  ErrorText errors(source);
  std::vector<Token> tokens = lex(source, errors, 3);
  EXPECT_EQ(errors.text, "1:1: ')' has no opening bracket\n"
                         "2:1: ')' has no opening bracket\n"
                         "3:1: ')' has no opening bracket\n");
  EXPECT_EQ(tokens.back().kind, TokenKind::End);
}
