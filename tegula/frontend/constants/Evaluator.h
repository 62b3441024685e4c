// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs the ordinary Python that constants are computed with: expressions,
/// statements, functions and classes, with the results that Python gives. It
/// reads no files, starts nothing and always ends: steps, sizes and depth are
/// limited. Nothing is reported; what has no value says why.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_H

#include "tegula/frontend/constants/Ordinary.h"
#include "tegula/frontend/constants/Scope.h"
#include "tegula/frontend/syntax/AstWalk.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

class SourceFiles;

/// The arguments of a call, unpacked.
struct OrdinaryArguments {
  std::vector<Object> positional;
  std::vector<std::pair<std::string, Object>> keywords;

  /// Takes a keyword out; nothing if it was not given.
  std::optional<Object> take(llvm::StringRef name);
};

/// Where code runs.
struct Frame {
  Scope &scope;
  const SourceText &source;
  /// The file that kernels and imports belong to; null if there is none.
  ModuleConstants *module = nullptr;
  /// The function or class whose body runs; empty outside of one.
  std::string function = "";
  /// What a `return` hands back.
  Object returned = Object::none();
};

/// How a statement ends.
enum class Flow { Next, Break, Continue, Return, Failed };

/// Evaluates for all files of one program.
class Evaluator {
public:
  /// Every expression and statement is a step.
  static constexpr uint64_t maxSteps = 2'000'000;
  /// All statements of a program together.
  static constexpr uint64_t maxTotalSteps = 10'000'000;
  /// No list, dict, set or string is longer.
  static constexpr uint64_t maxElements = 1 << 20;
  static constexpr uint64_t maxCharacters = 1 << 24;
  /// Calls in calls, and expressions in them.
  static constexpr unsigned maxCalls = 120;
  static constexpr unsigned maxNesting = 2500;

  /// `outside` has the variables of the environment; there are none if it is
  /// null.
  explicit Evaluator(mlir::MLIRContext &context, SourceFiles *outside = nullptr)
      : context(context), outside(outside) {}
  ~Evaluator();
  Evaluator(const Evaluator &) = delete;
  Evaluator &operator=(const Evaluator &) = delete;

  /// The value of an expression; stuck if there is none.
  Object evaluate(const ast::Expr &expr, Frame &frame);
  /// Runs statements. After Flow::Failed, getFailure says why.
  Flow run(Stmts stmts, Frame &frame);
  Flow run(const ast::Stmt &stmt, Frame &frame);
  const Object &getFailure() const { return failure; }
  /// Starts a new count of steps.
  void startStatement() { steps = 0; }

  Object call(const Object &callee, OrdinaryArguments arguments);
  Object attribute(const Object &object, llvm::StringRef name);
  /// Assigns to a name, an attribute, an element, or several of them.
  bool assign(const ast::Expr &target, const Object &value, Frame &frame);

  /// What an iterator gives next. Iterators may be made from one another.
  std::optional<Object> next(IteratorThing &iterator);
  /// An iterator over `object`, or null, and `problem` says why.
  std::shared_ptr<IteratorThing> iterate(const Object &object, Object &problem);
  /// All that an iterator over `object` gives; nothing if there is none, and
  /// `problem` says why.
  std::optional<std::vector<Object>> collect(const Object &object,
                                             Object &problem);
  /// Counts steps; stuck if there are too many.
  bool spend(uint64_t count, Object &problem);
  bool checkSize(uint64_t size, Object &problem);
  /// Whether Python takes it for true.
  bool isTrue(const Object &object, Object &problem);
  Object binary(ast::BinaryOp op, const Object &lhs, const Object &rhs);
  Object compare(ast::CompareOp op, const Object &lhs, const Object &rhs);
  Object item(const Object &container, const Object &index);

  /// A scope that lives as long as the program if something keeps it.
  template <typename Run>
  auto inScope(Scope::Kind kind, Scope *around, Run run) {
    auto scope = std::make_unique<Scope>(kind, around);
    auto result = run(*scope);
    if (scope->isCaptured)
      kept.push_back(std::move(scope));
    return result;
  }

  mlir::MLIRContext &getContext() const { return context; }

  /// A variable of the environment.
  std::optional<std::string> findVariable(llvm::StringRef name);

  /// Keeps what one object holds of another until the end: lists may be nested
  /// deeper than can be given up one in another, and may hold themselves.
  const Object &retain(const Object &object);
  /// Stuck if lists are nested so deep, or are so many, that looking at all of
  /// them takes too long.
  bool isModest(const Object &object, Object &problem);

  bool assignItem(const Object &container, const Object &index,
                  const Object &value);
  bool assignAttribute(const Object &object, llvm::StringRef name,
                       const Object &value);
  Object instantiate(const std::shared_ptr<ClassThing> &type,
                     OrdinaryArguments arguments);
  /// What `self` has in the kernels of a program besides what its class says:
  /// what the bases have, and what `__init__` sets when it is given nothing.
  std::vector<std::pair<llvm::StringRef, Object>>
  readAttributes(const ast::ClassDef &program, Frame &frame);

private:
  // Expressions: EvaluateExpressions.cpp.
  Object visit(const ast::Name &node, const ast::Expr &expr, Frame &frame);
  Object visit(const ast::Attribute &node, const ast::Expr &expr, Frame &frame);
  Object visit(const ast::Integer &node, const ast::Expr &, Frame &);
  Object visit(const ast::Float &node, const ast::Expr &, Frame &);
  Object visit(const ast::String &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Bool &node, const ast::Expr &, Frame &);
  Object visit(const ast::None &, const ast::Expr &, Frame &);
  Object visit(const ast::Ellipsis &, const ast::Expr &, Frame &);
  Object visit(const ast::Unary &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Binary &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Compare &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::BoolOp &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Conditional &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Call &node, const ast::Expr &expr, Frame &frame);
  Object visit(const ast::Subscript &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::List &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Tuple &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Dict &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Set &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Starred &node, const ast::Expr &, Frame &);
  Object visit(const ast::DoubleStarred &node, const ast::Expr &, Frame &);
  Object visit(const ast::NamedExpr &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Comprehension &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Lambda &node, const ast::Expr &expr, Frame &frame);
  Object visit(const ast::Unsupported &node, const ast::Expr &, Frame &);

  std::optional<std::vector<Object>>
  evaluateAll(const std::vector<ast::ExprPtr> &exprs, Frame &frame,
              Object &problem);
  std::optional<std::string>
  formatParts(const std::vector<ast::FStringPart> &parts, Frame &frame,
              Object &problem);
  Object slice(const Object &value, const ast::Slice &node, Frame &frame);

  // Statements: EvaluateStatements.cpp, EvaluateAssignments.cpp.
  Flow runFor(const ast::For &node, Frame &frame);
  Flow runWhile(const ast::While &node, Frame &frame);
  Flow runIf(const ast::If &node, Frame &frame);
  Flow runTry(const ast::Try &node, Frame &frame);
  Flow runAssert(const ast::Assert &node, Frame &frame);
  Flow runFunction(const ast::FunctionDef &node, Frame &frame);
  Flow runAssign(const ast::Assign &node, Frame &frame);
  Flow runAnnotated(const ast::AnnAssign &node, Frame &frame);
  Flow runAugmented(const ast::AugAssign &node, Frame &frame);
  Flow runJump(const ast::Stmt &stmt, Frame &frame);
  Flow runImport(const ast::Stmt &stmt, Frame &frame);
  Flow runDelete(const ast::Delete &node, Frame &frame);
  Flow fail(Object why);
  bool unpack(const std::vector<ast::ExprPtr> &targets, const Object &value,
              Frame &frame);

  // Classes: EvaluateClasses.cpp.
  Flow runClass(const ast::ClassDef &node, Frame &frame);
  std::shared_ptr<ClassThing> makeClass(const ast::ClassDef &node, Frame &frame,
                                        bool isProgram);
  bool takeBases(const ast::ClassDef &node, ClassThing &type, Frame &frame);
  bool takeDecorators(const ast::ClassDef &node, ClassThing &type,
                      Frame &frame);
  void finishFields(const ast::ClassDef &node, ClassThing &type, Frame &frame);
  void finishEnum(std::shared_ptr<ClassThing> type);
  Object fillFields(InstanceThing &instance, OrdinaryArguments &arguments);
  Object memberOf(const ClassThing &type, const Object &value);

  // Calls: EvaluateCalls.cpp.
  std::optional<OrdinaryArguments>
  evaluateArguments(const ast::Call &node, Frame &frame, Object &problem);
  Object callFunction(const FunctionThing &function,
                      OrdinaryArguments arguments);
  Object bindParameters(const FunctionThing &function,
                        OrdinaryArguments &arguments, Scope &scope);
  Object makeFunction(const std::vector<ast::Param> &params,
                      llvm::StringRef name, llvm::SMLoc loc, Frame &frame,
                      llvm::function_ref<void(FunctionThing &)> fill);

  mlir::MLIRContext &context;
  SourceFiles *outside;
  Object failure;
  uint64_t steps = 0, totalSteps = 0;
  unsigned numCalls = 0, nesting = 0;
  std::vector<std::unique_ptr<Scope>> kept;
  std::vector<Object> retained;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_H
