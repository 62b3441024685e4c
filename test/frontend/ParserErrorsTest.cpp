// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One mistake, one error: each case below has its whole list of errors.
#include "test/frontend/ParseText.h"
#include "gtest/gtest.h"

using tegula::test::parseBody;
using tegula::test::parseText;

TEST(ParserErrors, NamesWhatIsMissingInAHeader) {
  EXPECT_EQ(parseText("@pl.jit\ndef f()\n  a = 1\n"),
            "2:8: expected ':' after the function header, found the end of the "
            "line\n");
  EXPECT_EQ(parseText("@pl.jit\ndef (a): pass\n"),
            "2:5: expected the function's name after 'def', found '('\n");
  EXPECT_EQ(parseText("@pl.jit\ndef f:\n  pass\n"),
            "2:6: expected '(' after the function's name, found ':'\n");
  EXPECT_EQ(parseText("@pl.program\nclass:\n  pass\n"),
            "2:6: expected the class's name after 'class', found ':'\n");
  EXPECT_EQ(parseText("@pl.program\nclass P\n  x = 1\n"),
            "2:8: expected ':' after the class header, found the end of the "
            "line\n");
  EXPECT_EQ(parseBody("for i range(3):\n  a"),
            "3:9: expected 'in' after the loop variable, found 'range'\n");
  EXPECT_EQ(parseBody("while a\n  b"),
            "3:10: expected ':' after the 'while' header, found the end of the "
            "line\n");
  EXPECT_EQ(parseBody("with a as b\n  c"),
            "3:14: expected ':' after the 'with' header, found the end of the "
            "line\n");
}

TEST(ParserErrors, SuggestsDoubleEquals) {
  EXPECT_EQ(parseBody("if a = 1:\n  b\nelif c:\n  d\nelse:\n  e"),
            "3:8: expected ':' after the 'if' header, found '='; to compare, "
            "write '=='\n");
  EXPECT_EQ(parseBody("while a = 1: b"),
            "3:11: expected ':' after the 'while' header, found '='; to "
            "compare, write '=='\n");
}

TEST(ParserErrors, WantsABlockAfterAHeader) {
  EXPECT_EQ(parseBody("if a:\nb = 1"),
            "4:3: expected an indented block after the 'if' header\n");
  EXPECT_EQ(parseText("@pl.jit\ndef f():\n"),
            "3:1: expected an indented block after the function header\n");
  EXPECT_EQ(parseBody("for i in a:"),
            "4:1: expected an indented block after the 'for' header\n");
}

TEST(ParserErrors, ReportsStrayIndentation) {
  EXPECT_EQ(parseBody("a = 1\n  b = 2\nc = 3"),
            "4:5: this line is indented more than the block it belongs to\n");
  EXPECT_EQ(parseText("a = 1\n  b = 2\nc = 3\n"),
            "2:3: this line is indented more than the block it belongs to\n");
  EXPECT_EQ(parseText("  a = 1\n"),
            "1:3: this line is indented more than the block it belongs to\n");
}

TEST(ParserErrors, ReportsMalformedParameters) {
  EXPECT_EQ(parseText("@pl.jit\ndef f(a, a): pass\n"),
            "2:10: parameter 'a' is declared twice\n");
  EXPECT_EQ(parseText("@pl.jit\ndef f(a=1, b): pass\n"),
            "2:12: parameter 'b' has no default but follows 'a', which has "
            "one\n");
  EXPECT_EQ(parseText("@pl.jit\ndef f(a b): pass\n"),
            "2:9: expected ',' or ')' in the parameter list, found 'b'\n");
  EXPECT_EQ(parseText("@pl.jit\ndef f(1): pass\n"),
            "2:7: expected a parameter's name, found '1'\n");
  EXPECT_EQ(parseText("@pl.jit\ndef f(/, a): pass\n"),
            "2:7: '/' must follow the parameters that are positional only\n");
}

TEST(ParserErrors, ReportsMalformedDecorators) {
  EXPECT_EQ(parseText("@pl.jit\nx = 1\ny = 2\n"),
            "2:1: expected 'def' or 'class' after the decorator, found 'x'\n");
  EXPECT_EQ(parseText("@pl.\ndef f(): pass\n"),
            "1:5: expected a name after '.', found the end of the line\n");
  EXPECT_EQ(parseText("@pl.jit x\ndef f(): pass\n"),
            "1:9: expected the end of the line after the decorator, found "
            "'x'\n");
  EXPECT_EQ(parseText("@pl.jit"),
            "1:8: expected 'def' or 'class' after the decorator, found the end "
            "of the file\n");
  EXPECT_EQ(parseBody("if a:\n  @pl.jit\nb = 1"),
            "5:3: expected 'def' or 'class' after the decorator, found less "
            "indentation\n");
}

TEST(ParserErrors, ReportsMalformedExpressions) {
  EXPECT_EQ(parseBody("a = "),
            "3:7: expected an expression, found the end of the line\n");
  EXPECT_EQ(parseBody("a = b +"),
            "3:10: expected an expression, found the end of the line\n");
  EXPECT_EQ(parseBody("a = * / b"), "3:9: expected an expression, found '/'\n");
  EXPECT_EQ(parseBody("a = (b c)"), "3:10: expected ',' or ')', found 'c'\n");
  EXPECT_EQ(parseBody("a = [b c]"),
            "3:10: expected ',' or ']' in the list, found 'c'\n");
  EXPECT_EQ(parseBody("a = b[c d]"),
            "3:11: expected ',' or ']' in the subscript, found 'd'\n");
  EXPECT_EQ(parseBody("a = b[]"), "3:9: expected an index, found ']'\n");
  EXPECT_EQ(parseBody("f(a b)"),
            "3:7: expected ',' or ')' in the call, found 'b'\n");
  EXPECT_EQ(parseBody("a if b"),
            "3:9: expected 'else' in the conditional expression, found the end "
            "of the line\n");
  EXPECT_EQ(parseBody("a.1"), "3:4: expected the end of the statement, found "
                              "'.1'\n");
  EXPECT_EQ(parseBody("lambda x"), "3:11: expected ':' after the parameters of "
                                   "'lambda', found the end of the line\n");
  EXPECT_EQ(parseBody("a b"),
            "3:5: expected the end of the statement, found 'b'\n");
  EXPECT_EQ(parseBody("a 'text'"),
            "3:5: expected the end of the statement, found a string\n");
}

TEST(ParserErrors, ReportsMalformedCalls) {
  EXPECT_EQ(parseBody("f(k=1, a)"),
            "3:10: a positional argument follows the keyword argument 'k'\n");
  EXPECT_EQ(parseBody("f(k=1, m=2, k=3)"),
            "3:15: keyword argument 'k' is given twice\n");
}

TEST(ParserErrors, ReportsCharactersWithoutMeaning) {
  EXPECT_EQ(parseBody("a = b $ c"), "3:9: character '$' has no meaning here\n");
  EXPECT_EQ(parseBody("a = “b”"), "3:7: character '“' has no meaning here\n");
  EXPECT_EQ(parseBody("a = \\ b"), "3:7: character '\\' has no meaning here\n");
}

TEST(ParserErrors, ReportsMalformedLiterals) {
  for (llvm::StringRef number : {"0777", "1__0", "1_", "0x", "0xG", "0b2",
                                 "0o8", "1abc", "1e", "1._5", "1_.5", "1ej"})
    EXPECT_EQ(parseBody(("a = " + number).str()),
              ("3:7: '" + number + "' is not a number\n").str());
  EXPECT_EQ(parseBody("a = " + std::string(1001, '1')),
            "3:7: the number has 1001 characters, at most 1000 are taken\n");
  EXPECT_EQ(parseBody("a = '\\x4'"),
            "3:7: escape '\\x' needs 2 hexadecimal digits\n");
  EXPECT_EQ(parseBody("a = 'b' '\\u12g4'"),
            "3:11: escape '\\u' needs 4 hexadecimal digits\n");
  EXPECT_EQ(parseBody("a = '\\U00110000'"),
            "3:7: escape '\\U00110000' names no character\n");
}

TEST(ParserErrors, ReportsTargetsThatCannotBeAssigned) {
  llvm::StringRef rest = "; the target must be a name, an attribute, a "
                         "subscript or a tuple of these\n";
  auto expected = [&](llvm::StringRef what) {
    return ("3:3: cannot assign to " + what + rest).str();
  };
  EXPECT_EQ(parseBody("f(a) = 1"), expected("a call"));
  EXPECT_EQ(parseBody("1 = a"), expected("a number"));
  EXPECT_EQ(parseBody("a + b = c"), expected("an operation"));
  EXPECT_EQ(parseBody("a < b = c"), expected("a comparison"));
  EXPECT_EQ(parseBody("None = c"), expected("None"));
  EXPECT_EQ(parseBody("a = b, 'c' = d"),
            ("3:10: cannot assign to a string" + rest).str());
  EXPECT_EQ(parseBody("for 1 in a: b"),
            ("3:7: cannot assign to a number" + rest).str());
  EXPECT_EQ(parseBody("a, b += c"),
            "3:3: the target of an augmented assignment must be a name, an "
            "attribute or a subscript, found a tuple\n");
  EXPECT_EQ(parseBody("f(a): int = c"),
            "3:3: the target of an annotated assignment must be a name, an "
            "attribute or a subscript, found a call\n");
}

TEST(ParserErrors, ReportsClausesWithoutAStatement) {
  EXPECT_EQ(parseBody("a\nelse:\n  b\nelif c:\n  d"),
            "4:3: 'else' belongs to no statement before it\n");
  EXPECT_EQ(parseBody("except E:\n  b\nc"),
            "3:3: 'except' belongs to no statement before it\n");
}

TEST(ParserErrors, ReportsMalformedImports) {
  EXPECT_EQ(parseBody("import 1"), "3:10: expected a name to import, found "
                                   "'1'\n");
  EXPECT_EQ(parseBody("import a as 1"),
            "3:15: expected a name after 'as', found '1'\n");
  EXPECT_EQ(parseBody("from a b"),
            "3:11: expected 'import' after the module's name, found the end of "
            "the line\n");
  EXPECT_EQ(parseBody("from a import (b c)"),
            "3:20: expected ',' or ')' in the import, found 'c'\n");
}

TEST(ParserErrors, StaysSilentWhereTheLexerSpoke) {
  EXPECT_EQ(parseBody("a = f(b, 'c)\nd = 1"),
            "3:12: this string is not closed before the end of the line\n");
  EXPECT_EQ(parseText("@pl.jit\ndef f(a:\n  b = 1\n  return b\n"),
            "2:6: '(' was never closed\n");
  EXPECT_EQ(parseBody("a = (b]\nc = 1"),
            "3:9: ']' does not close the '(' before it\n");
  EXPECT_EQ(parseBody("a = [b for c in (d]\ne"),
            "3:21: ']' does not close the '(' before it\n");
  EXPECT_EQ(parseBody("del (a]"),
            "3:9: ']' does not close the '(' before it\n");
  EXPECT_EQ(parseBody("lambda x=(1]: 2"),
            "3:14: ']' does not close the '(' before it\n");
}

TEST(ParserErrors, ReportsLexicalErrorsInSkippedCodeToo) {
  EXPECT_EQ(parseText("def f():\n    a = 'b\n  c\n"),
            "2:9: this string is not closed before the end of the line\n"
            "3:3: this line is indented by 2 columns, which matches no "
            "enclosing block; the nearest is at 0\n");
  EXPECT_EQ(parseText("a = (1\n"), "1:5: '(' was never closed\n");
}

TEST(ParserErrors, ReportsEachMistakeInSourceOrder) {
  EXPECT_EQ(parseText("@pl.jit\ndef f(a):\n  b = \n  if c\n    d = 1 +\n"
                      "  e = 'x\n  return )\n"
                      "@pl.jit\ndef g(:\n  h = = 1\n  i = 1\n"),
            "3:7: expected an expression, found the end of the line\n"
            "4:7: expected ':' after the 'if' header, found the end of the "
            "line\n"
            "5:12: expected an expression, found the end of the line\n"
            "6:7: this string is not closed before the end of the line\n"
            "7:10: ')' has no opening bracket\n"
            "9:6: '(' was never closed\n");
}

TEST(ParserErrors, StopsAfterTwenty) {
  std::string lines;
  for (int i = 0; i < 50; ++i)
    lines += "a b\n";
  std::string text = parseBody(lines);
  EXPECT_EQ(llvm::StringRef(text).count('\n'), 21u);
  EXPECT_TRUE(llvm::StringRef(text).ends_with(
      "\n22:5: expected the end of the statement, found 'b'\n"
      "23:5: too many errors, only the first 20 are shown\n"));
}

TEST(ParserErrors, DoesNotCountWhatItSkips) {
  std::string source;
  for (int i = 0; i < 50; ++i)
    source += "a b\n";
  EXPECT_EQ(parseText(source + "@pl.jit\ndef f(): 1 1\n"),
            "52:12: expected the end of the statement, found '1'\n");
}
