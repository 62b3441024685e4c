// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The syntax tree of a kernel file: plain data, no meaning attached. Every
/// StringRef points into the parsed text, which must outlive the tree. Children
/// are never null unless their comment says so.

#ifndef TEGULA_FRONTEND_SYNTAX_AST_H
#define TEGULA_FRONTEND_SYNTAX_AST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tegula::ast {

struct Expr;
struct Stmt;

} // namespace tegula::ast

// Trees are destroyed by code that is compiled once, not in every file that
// holds one.
template <> struct std::default_delete<tegula::ast::Expr> {
  void operator()(tegula::ast::Expr *expr) const;
};
template <> struct std::default_delete<tegula::ast::Stmt> {
  void operator()(tegula::ast::Stmt *stmt) const;
};

namespace tegula::ast {

using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;
/// The statements of one suite, in source order.
using Block = std::vector<StmtPtr>;

/// No expression is higher than this, so visitors may recurse.
constexpr unsigned maxExprHeight = 1000;
/// No block is nested deeper than this, so visitors may recurse.
constexpr unsigned maxBlockDepth = 100;

/// Operators with one operand.
enum class UnaryOp { Plus, Minus, Invert, Not };

/// Operators with two operands; `and`, `or` and comparisons are not here.
enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  MatMul,
  ShiftLeft,
  ShiftRight,
  BitAnd,
  BitOr,
  BitXor
};

/// Comparison operators.
enum class CompareOp { Lt, Le, Gt, Ge, Eq, Ne, Is, IsNot, In, NotIn };

/// The operators that evaluate their operands only as far as needed.
enum class BoolOpKind { And, Or };

/// The operator as it is written in Python, e.g. `//`.
llvm::StringRef spelling(UnaryOp op);
llvm::StringRef spelling(BinaryOp op);
llvm::StringRef spelling(CompareOp op);
llvm::StringRef spelling(BoolOpKind op);

/// A Python construct the kernel language leaves out. The parser accepts it
/// silently; whoever gives meaning to the tree reports it if it is reached.
struct Unsupported {
  /// Names the construct, e.g. `'lambda'` or `a list comprehension`.
  llvm::StringRef what;
  /// What to write instead; may be empty.
  llvm::StringRef advice;

  /// The error to report: "'lambda' is not part of the kernel language; ...".
  std::string message() const;
};

/// `id`
struct Name {
  llvm::StringRef id;
};

/// `value.name`
struct Attribute {
  ExprPtr value;
  llvm::StringRef name;
  llvm::SMLoc nameLoc;
};

/// An integer literal. It has no sign: `-1` is a Unary.
struct Integer {
  /// The value; meaningless if `overflows`.
  uint64_t value = 0;
  /// True if the literal needs more than 64 bits.
  bool overflows = false;
  llvm::StringRef spelling;
};

/// A floating-point literal.
struct Float {
  double value = 0;
  llvm::StringRef spelling;
};

/// A piece of an f-string: text, or what stands between braces.
struct FStringPart {
  /// The text, if `value` is null.
  std::string text;
  ExprPtr value;
  /// `r`, `s` or `a` behind a `!`, else 0.
  char conversion = 0;
  /// What stands behind the `:`.
  std::vector<FStringPart> format;
};

/// One or more adjacent string literals, escapes resolved. In an f-string the
/// replacement fields stay in the text as they are written.
struct String {
  std::string value;
  bool isFString = false;
  /// The pieces of an f-string; none if it could not be taken apart.
  std::vector<FStringPart> parts = {};
};

/// `True` or `False`
struct Bool {
  bool value = false;
};

/// `None`
struct None {};

/// `...`
struct Ellipsis {};

/// `op operand`
struct Unary {
  UnaryOp op;
  ExprPtr operand;
};

/// `lhs op rhs`
struct Binary {
  BinaryOp op;
  llvm::SMLoc opLoc;
  ExprPtr lhs;
  ExprPtr rhs;
};

/// One `op operand` of a comparison.
struct CompareLink {
  CompareOp op;
  llvm::SMLoc opLoc;
  ExprPtr operand;
};

/// `first op a op b ...`; `links` is never empty.
struct Compare {
  ExprPtr first;
  std::vector<CompareLink> links;
};

/// `a and b and c` or `a or b or c`; two operands or more.
struct BoolOp {
  BoolOpKind op;
  std::vector<ExprPtr> operands;
};

/// `thenValue if condition else elseValue`
struct Conditional {
  ExprPtr condition;
  ExprPtr thenValue;
  ExprPtr elseValue;
};

/// `name=value` in a call.
struct Keyword {
  llvm::StringRef name;
  llvm::SMLoc loc;
  ExprPtr value;
};

/// `callee(args, keywords)`. Keyword names are unique. `*x` and `**x` are
/// Starred and DoubleStarred among `args`.
struct Call {
  ExprPtr callee;
  std::vector<ExprPtr> args;
  std::vector<Keyword> keywords;
};

/// `lower:upper:step`; each is null where it is left out.
struct Slice {
  llvm::SMLoc loc;
  ExprPtr lower;
  ExprPtr upper;
  ExprPtr step;
};

/// One entry between the brackets of a subscript.
using SubscriptItem = std::variant<ExprPtr, Slice>;

/// `value[items]`; `x[(a, b)]` is the same as `x[a, b]`. Never without items.
struct Subscript {
  ExprPtr value;
  std::vector<SubscriptItem> items;
};

/// `[elements]`
struct List {
  std::vector<ExprPtr> elements;
};

/// `(elements)`, or the same without parentheses.
struct Tuple {
  std::vector<ExprPtr> elements;
};

/// `{keys[0]: values[0], ...}`; `**x` is a DoubleStarred key without a value.
struct Dict {
  std::vector<ExprPtr> keys;
  std::vector<ExprPtr> values;
};

// What follows is Python that constants may be computed with. Kernels leave it
// out; leftOut says how.

/// `*value` where elements are unpacked, or gathered by a target.
struct Starred {
  ExprPtr value;
};

/// `**value` in a call or a dict.
struct DoubleStarred {
  ExprPtr value;
};

/// `name := value`
struct NamedExpr {
  llvm::StringRef name;
  ExprPtr value;
};

/// `{elements}`, never empty.
struct Set {
  std::vector<ExprPtr> elements;
};

/// `for target in iter if conditions[0] if ...`
struct ForClause {
  ExprPtr target;
  ExprPtr iter;
  std::vector<ExprPtr> conditions;
};

/// `[element for ...]` and its like; `value` is null except in a dict.
struct Comprehension {
  enum class Kind { List, Set, Dict, Generator };

  Kind kind;
  ExprPtr element;
  ExprPtr value;
  std::vector<ForClause> clauses;
};

/// How a parameter takes its argument.
enum class ParamKind {
  Plain,
  /// Before a `/`.
  PositionalOnly,
  /// After a `*` or `*args`.
  KeywordOnly,
  /// `*args`
  Star,
  /// `**kwargs`
  DoubleStar
};

/// One parameter; `annotation` and `defaultValue` may be null.
struct Param {
  llvm::StringRef name;
  llvm::SMLoc loc;
  ParamKind kind = ParamKind::Plain;
  ExprPtr annotation;
  ExprPtr defaultValue;
};

/// `lambda params: body`
struct Lambda {
  std::vector<Param> params;
  ExprPtr body;
};

/// One expression and where it stands in the source.
struct Expr {
  using Node =
      std::variant<Name, Attribute, Integer, Float, String, Bool, None,
                   Ellipsis, Unary, Binary, Compare, BoolOp, Conditional, Call,
                   Subscript, List, Tuple, Dict, Starred, DoubleStarred,
                   NamedExpr, Set, Comprehension, Lambda, Unsupported>;

  /// The first character, an opening parenthesis included.
  llvm::SMLoc loc;
  /// One past the last character.
  llvm::SMLoc end;
  /// Nodes on the longest path down; at most `maxExprHeight`.
  unsigned height = 1;
  Node node;
};

/// `expr.a.b` as text if it is a name or a chain of attributes on a name,
/// otherwise empty.
std::string dottedName(const Expr &expr);

/// `targets[0] = targets[1] = value`. A target is a Name, Attribute, Subscript,
/// or a Tuple or List of targets, of which one may be Starred.
struct Assign {
  std::vector<ExprPtr> targets;
  ExprPtr value;
};

/// `target: annotation = value`; `value` may be null. The target is a Name,
/// Attribute or Subscript.
struct AnnAssign {
  ExprPtr target;
  ExprPtr annotation;
  ExprPtr value;
};

/// `target op= value`. The target is a Name, Attribute or Subscript.
struct AugAssign {
  BinaryOp op;
  llvm::SMLoc opLoc;
  ExprPtr target;
  ExprPtr value;
};

/// An expression for its effect; a docstring is one too.
struct ExprStmt {
  ExprPtr value;
};

/// `for target in iter: body else: orelse`; `orelse` may be empty.
struct For {
  ExprPtr target;
  ExprPtr iter;
  Block body;
  Block orelse;
};

/// `while condition: body else: orelse`; `orelse` may be empty.
struct While {
  ExprPtr condition;
  Block body;
  Block orelse;
};

/// The `if` or one `elif` of an If.
struct IfBranch {
  llvm::SMLoc loc;
  ExprPtr condition;
  Block body;
};

/// `if ...: elif ...: else: orelse`; the first branch is the `if`. Branches are
/// at most `maxBlockDepth`, so nesting them is as safe as nesting blocks.
struct If {
  std::vector<IfBranch> branches;
  Block orelse;
};

/// `context as target`; `target` is null without `as`.
struct WithItem {
  ExprPtr context;
  ExprPtr target;
};

/// `with items: body`
struct With {
  std::vector<WithItem> items;
  Block body;
};

/// `return value`; `value` may be null.
struct Return {
  ExprPtr value;
};

/// `break`
struct Break {};

/// `continue`
struct Continue {};

/// `pass`
struct Pass {};

/// `assert condition, message`; `message` may be null.
struct Assert {
  ExprPtr condition;
  ExprPtr message;
};

/// `def name(params) -> returns: body`; `returns` may be null. Parameter names
/// are unique.
struct FunctionDef {
  llvm::StringRef name;
  llvm::SMLoc nameLoc;
  /// Without the `@`.
  std::vector<ExprPtr> decorators;
  std::vector<Param> params;
  ExprPtr returns;
  Block body;
  /// Where `async` stands, if it does: no kernel is that.
  llvm::SMLoc asyncLoc = {};
};

/// `class name(bases): body`; keywords are parsed and dropped.
struct ClassDef {
  llvm::StringRef name;
  llvm::SMLoc nameLoc;
  /// Without the `@`.
  std::vector<ExprPtr> decorators;
  std::vector<ExprPtr> bases;
  Block body;
};

/// `except type as name: body`; `type` may be null and `name` empty.
struct ExceptClause {
  ExprPtr type;
  llvm::StringRef name;
  Block body;
};

/// `try: body except ...: else: orelse finally: finally`
struct Try {
  Block body;
  std::vector<ExceptClause> handlers;
  Block orelse;
  Block finally;
};

/// `raise value`; `value` may be null.
struct Raise {
  ExprPtr value;
};

/// `del targets`
struct Delete {
  std::vector<ExprPtr> targets;
};

/// `name as alias`; `alias` equals `name` without `as`. In an Import `name`
/// may be dotted, in an ImportFrom it may be `*`.
struct ImportAlias {
  std::string name;
  std::string alias;
  llvm::SMLoc loc;
};

/// `import names`
struct Import {
  std::vector<ImportAlias> names;
};

/// `from module import names`; a relative `module` keeps its leading dots.
struct ImportFrom {
  std::string module;
  std::vector<ImportAlias> names;
};

/// Something at module or class level that is not kernel code and was not
/// parsed. It is an error only if a kernel refers to one of its names.
struct Skipped {
  /// Names the construct, e.g. `a function without a kernel decorator`.
  llvm::StringRef what;
  /// The names it would define, as far as they are known.
  std::vector<llvm::StringRef> names;
};

/// One statement and where it starts.
struct Stmt {
  using Node = std::variant<Assign, AnnAssign, AugAssign, ExprStmt, For, While,
                            If, With, Return, Break, Continue, Pass, Assert,
                            FunctionDef, ClassDef, Import, ImportFrom, Try,
                            Raise, Delete, Skipped, Unsupported>;

  /// The first character; for a decorated definition the `def` or `class`.
  llvm::SMLoc loc;
  Node node;
};

/// What to say of an expression or a statement that kernels leave out; nothing
/// if they do not.
std::optional<Unsupported> leftOut(const Expr &expr);
std::optional<Unsupported> leftOut(const Stmt &stmt);

/// A whole file.
struct Module {
  Block body;
};

} // namespace tegula::ast

#endif // TEGULA_FRONTEND_SYNTAX_AST_H
