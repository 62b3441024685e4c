// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/ParseText.h"
#include "gtest/gtest.h"

using tegula::test::parseBody;
using tegula::test::parseLine;
using tegula::test::parseText;

TEST(ParserStatement, ParsesAssignments) {
  EXPECT_EQ(parseBody("a = b = 1, 2"), "  assign a b = (tuple 1 2)\n");
  EXPECT_EQ(parseBody("a, (b, c.d) = e"),
            "  assign (tuple a (tuple b (. c d))) = e\n");
  EXPECT_EQ(parseBody("[a, b] = c"), "  assign (list a b) = c\n");
  EXPECT_EQ(parseBody("a[i:j] = b"), "  assign (index a (slice i j _)) = b\n");
  EXPECT_EQ(parseBody("a, *b = c"), "  assign (tuple a (* b)) = c\n");
  EXPECT_EQ(parseBody("a: pl.Tile[[8], pl.FP32] = b"),
            "  assign a : (index (. pl Tile) (list 8) (. pl FP32)) = b\n");
  EXPECT_EQ(parseBody("a: int"), "  assign a : int\n");
}

TEST(ParserStatement, ParsesEveryAugmentedAssignment) {
  for (llvm::StringRef op :
       {"+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "&", "|", "^"})
    EXPECT_EQ(parseBody(("a[0] " + op + "= b").str()),
              ("  assign (index a 0) " + op + "= b\n").str());
}

TEST(ParserStatement, ParsesSimpleStatements) {
  EXPECT_EQ(parseBody("pass; break; continue;"),
            "  pass\n  break\n  continue\n");
  EXPECT_EQ(parseBody("return"), "  return\n");
  EXPECT_EQ(parseBody("return a, b"), "  return (tuple a b)\n");
  EXPECT_EQ(parseBody("assert a > 0, f'bad {a}'"),
            "  assert (compare a > 0) , f\"bad {a}\"\n");
  EXPECT_EQ(parseBody("assert a"), "  assert a\n");
  EXPECT_EQ(parseBody("\"\"\"Doc.\"\"\""), "  expr \"Doc.\"\n");
}

TEST(ParserStatement, ParsesLoops) {
  EXPECT_EQ(parseBody("for i in range(3):\n  a\nelse:\n  b"),
            "  for i in (call range 3)\n    expr a\n  else\n    expr b\n");
  EXPECT_EQ(parseBody("for i, (j, k) in a, b: pass"),
            "  for (tuple i (tuple j k)) in (tuple a b)\n    pass\n");
  EXPECT_EQ(parseBody("for i, in a: pass"), "  for (tuple i) in a\n    pass\n");
  EXPECT_EQ(parseBody("while a in b:\n  break\nelse: c"),
            "  while (compare a in b)\n    break\n  else\n    expr c\n");
}

TEST(ParserStatement, ParsesConditions) {
  EXPECT_EQ(parseBody("if a:\n  b\nelif c: d; e\nelif f:\n  g\nelse:\n  h"),
            "  if a\n    expr b\n  elif c\n    expr d\n    expr e\n  elif f\n"
            "    expr g\n  else\n    expr h\n");
}

TEST(ParserStatement, ParsesWith) {
  EXPECT_EQ(parseBody("with pl.at(a) as b, c:\n  pass"),
            "  with (call (. pl at) a) as b c\n    pass\n");
  EXPECT_EQ(parseBody("with (a as b, c,):\n  pass"),
            "  with a as b c\n    pass\n");
  EXPECT_EQ(parseBody("with (a).b as c: pass"),
            "  with (. a b) as c\n    pass\n");
  EXPECT_EQ(parseBody("with (a): pass"), "  with a\n    pass\n");
}

TEST(ParserStatement, ParsesFunctions) {
  EXPECT_EQ(
      parseText("@pl.jit\n@other(1)\ndef f(a: int, /, b=1, *, c: x = 2, **d)"
                " -> e:\n  return a\n"),
      "def f @(. pl jit) @(call other 1) (/a : int) (b = 1) (=c : x = 2) (**d) "
      "-> e\n  return a\n");
  EXPECT_EQ(parseText("@pl.jit\ndef f(*a, b): ..."),
            "def f @(. pl jit) (*a) (=b)\n  expr ...\n");
  EXPECT_EQ(parseBody("def g(x):\n  return x\n@pl.inline\ndef h(): pass"),
            "  def g (x)\n    return x\n  def h @(. pl inline)\n    pass\n");
}

TEST(ParserStatement, ParsesImports) {
  EXPECT_EQ(parseLine("import a.b.c as d, e"), "import a.b.c:d e");
  EXPECT_EQ(parseLine("from a.b import c as d, e"), "from a.b import c:d e");
  EXPECT_EQ(parseLine("from ...a import (\n  b,\n  c,\n)"),
            "from ...a import b c");
  EXPECT_EQ(parseLine("from . import *"), "from . import *");
}

TEST(ParserStatement, ParsesWhatKernelsLeaveOut) {
  EXPECT_EQ(parseBody("try:\n  a\nexcept E as e:\n  b\nelse:\n  c\nfinally:\n"
                      "  d\ne"),
            "  try\n    expr a\n  except E as e\n    expr b\n  else\n    expr "
            "c\n  finally\n    expr d\n  expr e\n");
  EXPECT_EQ(parseBody("del a, b; c"), "  del a b\n  expr c\n");
  EXPECT_EQ(parseBody("global a\nnonlocal b\nraise E(1) from f"),
            "  unsupported 'global'\n  unsupported 'nonlocal'\n  raise (call E "
            "1)\n");
  EXPECT_EQ(parseBody("async with a:\n  b\nc"),
            "  unsupported 'async with'\n  expr c\n");
  EXPECT_EQ(parseBody("async for a in b:\n  c\nasync def d(): pass"),
            "  unsupported 'async for'\n  unsupported 'async def'\n");
  EXPECT_EQ(parseBody("match (a):\n  case 1:\n    b\nc"),
            "  unsupported 'match'\n  expr c\n");
  EXPECT_EQ(parseBody("match = match(a)\nmatch[0] = 1\nmatch"),
            "  assign match = (call match a)\n  assign (index match 0) = 1\n  "
            "expr match\n");
}

TEST(ParserModule, KeepsConstantsAndImports) {
  EXPECT_EQ(parseText(""), "");
  EXPECT_EQ(parseText("# nothing\n"), "");
  EXPECT_EQ(
      parseText("import tegula.language as pl\nM = pl.dynamic('M')\n"
                "A, B = 1, 2\nC: int = 3\nD = {1: 2}\n"),
      "import tegula.language:pl\nassign M = (call (. pl dynamic) \"M\")\n"
      "assign (tuple A B) = (tuple 1 2)\nassign C : int = 3\nassign D = "
      "(dict 1: 2)\n");
}

TEST(ParserModule, ParsesOnlyWhatCarriesAKernelDecorator) {
  for (llvm::StringRef decorator :
       {"pl.jit", "pl.anything.at.all", "jit", "tegula.language.jit",
        "x.incore", "x.inline", "x.opaque", "x.host", "x.program",
        "x.function(a=1)", "pl.jit(auto_scope=False)"})
    EXPECT_EQ(
        parseText(("@" + decorator + "\ndef f(): pass\n").str()).substr(0, 6),
        "def f ")
        << decorator.str();
  for (llvm::StringRef decorator :
       {"pl", "plx.y", "pytest.fixture", "jit.x", "functools.cache(jit)", "1"})
    EXPECT_EQ(parseText(("@" + decorator + "\ndef f(): $\n").str()),
              "skipped a function without a kernel decorator: f\n")
        << decorator.str();
  EXPECT_EQ(parseText("@cache\n@pl.jit\ndef f(): pass\n"),
            "def f @cache @(. pl jit)\n  pass\n");
}

TEST(ParserModule, SkipsTheRestByIndentation) {
  EXPECT_EQ(parseText("def f(a):\n  b $ c\n\n  d\nclass G(H):\n  x = 1\n"
                      "async def i(): pass\nk = 1\n"),
            "skipped a function without a kernel decorator: f\n"
            "class G of H\n  assign x = 1\n"
            "skipped an 'async' statement: i\nassign k = 1\n");
  EXPECT_EQ(
      parseText("while a:\n  b ?\nelse:\n  c = 1\nmatch d:\n  case e: 1\n"),
      "skipped a 'while' outside a kernel: c\n"
      "skipped a statement that is not kernel code:\n");
}

TEST(ParserModule, RecordsTheNamesOfWhatItSkips) {
  EXPECT_EQ(parseText("if a:\n  b = c = 1\n  d, e = 2\n  def f():\n    g = 1\n"
                      "  class H: i = 1\n  j: int = 2\n  k.l = 3\n  m(n=1)\n"
                      "else:\n  b = 3\n  $\n"),
            "skipped an 'if' outside a kernel: b c d e f H j\n");
  EXPECT_EQ(parseText("try:\n  import a.b, c.d as e\n  from f import (g, h as "
                      "i)\nexcept E as j:\n  e = None; $\n"),
            "skipped a 'try' outside a kernel: a e g i j\n");
  EXPECT_EQ(parseText("for a, b in c: d = 1; $\n"),
            "skipped a 'for' outside a kernel: a b d\n");
  EXPECT_EQ(parseText("with a as b:\n  $\n"),
            "skipped a 'with' outside a kernel: b\n");
}

TEST(ParserModule, SkipsLinesThatDoNotParse) {
  EXPECT_EQ(parseText("a = 1 $ 2\nb = c = !\nprint x\nd = 4\nraise E\n"
                      "from a import\n"),
            "skipped a statement that is not kernel code: a\n"
            "skipped a statement that is not kernel code: b c\n"
            "skipped a statement that is not kernel code:\nassign d = 4\n"
            "raise E\n"
            "skipped a statement that is not kernel code:\n");
}

TEST(ParserModule, ParsesProgramClasses) {
  EXPECT_EQ(parseText("@pl.program\nclass P(Q):\n  '''Doc.'''\n  n = 1\n"
                      "  @pl.function\n  def f(self): return self.g()\n"
                      "  def g(self): $\n"),
            "class P of Q @(. pl program)\n  expr \"Doc.\"\n  assign n = 1\n"
            "  def f @(. pl function) (self)\n    return (call (. self g))\n"
            "  skipped a function without a kernel decorator: g\n");
}

TEST(ParserModule, AcceptsWindowsLineEndingsAndAByteOrderMark) {
  EXPECT_EQ(parseText("\xEF\xBB\xBF@pl.jit\r\ndef f():\r\n\tpass\r\n"),
            "def f @(. pl jit)\n  pass\n");
}
