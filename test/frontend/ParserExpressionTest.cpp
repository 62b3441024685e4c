// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/ParseText.h"
#include "gtest/gtest.h"

using namespace tegula;
using tegula::test::parseLine;

/// The tree of the expression `source`.
static std::string parseExpr(llvm::StringRef source) {
  std::string text = parseLine(source);
  return llvm::StringRef(text).starts_with("expr ") ? text.substr(5) : text;
}

TEST(ParserExpression, BindsOperatorsAsPythonDoes) {
  EXPECT_EQ(parseExpr("a + b * c"), "(+ a (* b c))");
  EXPECT_EQ(parseExpr("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(parseExpr("(a + b) * c"), "(* (+ a b) c)");
  EXPECT_EQ(parseExpr("a | b ^ c & d << e + f"),
            "(| a (^ b (& c (<< d (+ e f)))))");
  EXPECT_EQ(parseExpr("a // b % c @ d / e"), "(/ (@ (% (// a b) c) d) e)");
  EXPECT_EQ(parseExpr("a >> b >> c"), "(>> (>> a b) c)");
}

TEST(ParserExpression, BindsPowerAndSigns) {
  EXPECT_EQ(parseExpr("-a ** -b ** c"), "(- (** a (- (** b c))))");
  EXPECT_EQ(parseExpr("a ** b ** c"), "(** a (** b c))");
  EXPECT_EQ(parseExpr("~-+a * b"), "(* (~ (- (+ a))) b)");
  EXPECT_EQ(parseExpr("-a.b[c](d)"), "(- (call (index (. a b) c) d))");
}

TEST(ParserExpression, FlattensBooleanChains) {
  EXPECT_EQ(parseExpr("a or b and not c or d"), "(or a (and b (not c)) d)");
  EXPECT_EQ(parseExpr("not a == b"), "(not (compare a == b))");
}

TEST(ParserExpression, ChainsComparisons) {
  EXPECT_EQ(parseExpr("a < b <= c != d"), "(compare a < b <= c != d)");
  EXPECT_EQ(parseExpr("a is b"), "(compare a is b)");
  EXPECT_EQ(parseExpr("a is not b not in c in d"),
            "(compare a is not b not in c in d)");
  EXPECT_EQ(parseExpr("a > b >= c == d"), "(compare a > b >= c == d)");
}

TEST(ParserExpression, NestsConditionalsToTheRight) {
  EXPECT_EQ(parseExpr("a if b else c if d else e"), "(if b a (if d c e))");
  EXPECT_EQ(parseExpr("f(a if b or c else d)"), "(call f (if (or b c) a d))");
}

TEST(ParserExpression, ParsesCalls) {
  EXPECT_EQ(parseExpr("f()"), "(call f)");
  EXPECT_EQ(parseExpr("f(a, b + 1, k=c, m=[d],)"),
            "(call f a (+ b 1) k=c m=(list d))");
  EXPECT_EQ(parseExpr("pl.load(x, [i, 0], [8, 128])"),
            "(call (. pl load) x (list i 0) (list 8 128))");
  EXPECT_EQ(parseExpr("f(\n  a, # first\n  b\n)"), "(call f a b)");
  EXPECT_EQ(parseExpr("f(a)(b)"), "(call (call f a) b)");
}

TEST(ParserExpression, ParsesSubscripts) {
  EXPECT_EQ(parseExpr("a[0]"), "(index a 0)");
  EXPECT_EQ(parseExpr("a[i:i + 8, :, ::2, j:, :k:]"),
            "(index a (slice i (+ i 8) _) (slice _ _ _) (slice _ _ 2) (slice j "
            "_ _) (slice _ k _))");
  EXPECT_EQ(parseExpr("a[..., None]"), "(index a ... None)");
  EXPECT_EQ(parseExpr("a[(i, j)]"), "(index a i j)");
  EXPECT_EQ(parseExpr("a[(i, j), k]"), "(index a (tuple i j) k)");
  EXPECT_EQ(parseExpr("a[(i, j),]"), "(index a (tuple i j))");
  EXPECT_EQ(parseExpr("a[()]"), "(index a (tuple))");
}

TEST(ParserExpression, ParsesTuplesAndLists) {
  EXPECT_EQ(parseExpr("()"), "(tuple)");
  EXPECT_EQ(parseExpr("(a)"), "a");
  EXPECT_EQ(parseExpr("(a,)"), "(tuple a)");
  EXPECT_EQ(parseExpr("a, b,"), "(tuple a b)");
  EXPECT_EQ(parseExpr("[]"), "(list)");
  EXPECT_EQ(parseExpr("[a, (b, c),]"), "(list a (tuple b c))");
}

TEST(ParserExpression, ReadsNumbers) {
  EXPECT_EQ(parseExpr("1_000"), "1000");
  EXPECT_EQ(parseExpr("0xFf + 0o17 + 0b1_01 + 0x_1"), "(+ (+ (+ 255 15) 5) 1)");
  EXPECT_EQ(parseExpr("00 + 0"), "(+ 0 0)");
  EXPECT_EQ(parseExpr("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(parseExpr("18446744073709551616"),
            "(overflow 18446744073709551616)");
  EXPECT_EQ(parseExpr("1.5e-3 + 1. + .5 + 1E5 + 0777.5"),
            "(+ (+ (+ (+ 1.5e-3 1.) .5) 1E5) 0777.5)");
  EXPECT_EQ(parseExpr("2j + 1.5J"),
            "(+ (unsupported an imaginary number) (unsupported an imaginary "
            "number))");
}

TEST(ParserExpression, GivesFloatsTheirValue) {
  test::ErrorText errors("");
  for (auto [text, value] :
       std::initializer_list<std::pair<const char *, double>>{
           {"1_0.2_5", 10.25},
           {"1.5e-3", 1.5e-3},
           {"1e400", std::numeric_limits<double>::infinity()},
           {"1e999999999999999999999", std::numeric_limits<double>::infinity()},
           {"1e-999999999999999999999", 0.0},
           {".5E+1", 5.0}}) {
    std::unique_ptr<ast::Module> module = parseModule(text, errors);
    ASSERT_TRUE(module) << text;
    const auto &stmt = std::get<ast::ExprStmt>(module->body[0]->node);
    EXPECT_EQ(std::get<ast::Float>(stmt.value->node).value, value) << text;
  }
}

TEST(ParserExpression, ReadsStrings) {
  EXPECT_EQ(parseExpr("'a\\n\\t\\x41\\101\\u00e9\\U0001F600\\q'"),
            "\"a\\0A\\09AA\\C3\\A9\\F0\\9F\\98\\80\\\\q\"");
  EXPECT_EQ(parseExpr("r'a\\n' \"b\""), "\"a\\\\nb\"");
  EXPECT_EQ(parseExpr("'a\\\nb'"), "\"ab\"");
  EXPECT_EQ(parseExpr("'''a\r\nb'''"), "\"a\\0Ab\"");
  EXPECT_EQ(parseExpr("''"), "\"\"");
  EXPECT_EQ(parseExpr("'' 'a'"), "\"a\"");
  EXPECT_EQ(parseExpr("\"\"\"\"\"\""), "\"\"");
  EXPECT_EQ(parseExpr("'n = ' f'{n!r:>4}'"), "f\"n = {n!r:>4}\"");
  EXPECT_EQ(parseExpr("b'a'"), "(unsupported a bytes literal)");
}

TEST(ParserExpression, ReadsConstants) {
  EXPECT_EQ(parseExpr("[True, False, None, ...]"),
            "(list True False None ...)");
}

TEST(ParserExpression, ParsesWhatKernelsLeaveOut) {
  EXPECT_EQ(parseExpr("f(lambda x, y=(1, 2), *a: x + y, b)"),
            "(call f (lambda (x) (y = (tuple 1 2)) (*a) : (+ x y)) b)");
  EXPECT_EQ(parseExpr("lambda: lambda x=lambda: 1: 2"),
            "(lambda : (lambda (x = (lambda : 1)) : 2))");
  EXPECT_EQ(parseExpr("[a for b in c if d], e"),
            "(tuple (list-of a for b in c if d) e)");
  EXPECT_EQ(parseExpr("(a for b in c) + 1"),
            "(+ (generator-of a for b in c) 1)");
  EXPECT_EQ(parseExpr("sum(a for b in (c))"),
            "(call sum (generator-of a for b in c))");
  EXPECT_EQ(
      parseExpr("{} + {a: b} + {**c} + {a for b in c} + {a, f(b)[1:2]}"),
      "(+ (+ (+ (+ (dict) (dict a: b)) (dict (** c))) (set-of a for b in c)) "
      "(set a (index (call f b) (slice 1 2 _))))");
  EXPECT_EQ(parseExpr("f(*a, k=1, **b)"), "(call f (* a) (** b) k=1)");
  EXPECT_EQ(parseExpr("(a := b)"), "(:= a b)");
  EXPECT_EQ(parseExpr("await a.b(c)"), "(unsupported 'await')");
  EXPECT_EQ(parseExpr("yield a, b"), "(unsupported 'yield')");
  EXPECT_EQ(parseExpr("(yield from a)"), "(unsupported 'yield')");
  EXPECT_EQ(parseExpr("yield"), "(unsupported 'yield')");
  EXPECT_EQ(parseExpr("[*a, b]"), "(list (* a) b)");
}

TEST(ParserExpression, KnowsWhereExpressionsStartAndEnd) {
  llvm::StringRef source = "(a + b) * f(c)[0]  # end";
  test::ErrorText errors(source);
  std::unique_ptr<ast::Module> module = parseModule(source, errors);
  ASSERT_TRUE(module);
  auto text = [](const ast::Expr &expr) {
    return llvm::StringRef(expr.loc.getPointer(),
                           expr.end.getPointer() - expr.loc.getPointer());
  };
  const ast::Expr &whole =
      *std::get<ast::ExprStmt>(module->body[0]->node).value;
  EXPECT_EQ(text(whole), "(a + b) * f(c)[0]");
  const auto &binary = std::get<ast::Binary>(whole.node);
  EXPECT_EQ(binary.opLoc.getPointer(), source.data() + 8);
  EXPECT_EQ(text(*binary.lhs), "(a + b)");
  EXPECT_EQ(text(*binary.rhs), "f(c)[0]");
  EXPECT_EQ(text(*std::get<ast::Subscript>(binary.rhs->node).value), "f(c)");
}

TEST(ParserExpression, GivesDottedNames) {
  llvm::StringRef source = "a.b.c; a().b; d";
  test::ErrorText errors(source);
  std::unique_ptr<ast::Module> module = parseModule(source, errors);
  ASSERT_TRUE(module);
  std::vector<std::string> names;
  for (const ast::StmtPtr &stmt : module->body)
    names.push_back(
        ast::dottedName(*std::get<ast::ExprStmt>(stmt->node).value));
  EXPECT_EQ(names, (std::vector<std::string>{"a.b.c", "", "d"}));
}

TEST(ParserExpression, SaysWhatToWriteInstead) {
  EXPECT_EQ((ast::Unsupported{"'try'", "check with 'if'"}.message()),
            "'try' is not part of the kernel language; check with 'if'");
  EXPECT_EQ((ast::Unsupported{"'try'", ""}.message()),
            "'try' is not part of the kernel language");
}
