// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Generates one function from its syntax. Variables are bound to objects and
/// rebound in program order; where paths meet, what they left in a variable is
/// joined into one value. Control that leaves a block early is structured by
/// moving the statements after an `if` into its branches.

#ifndef TEGULA_FRONTEND_IRGENFUNCTION_H
#define TEGULA_FRONTEND_IRGENFUNCTION_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/AstWalk.h"
#include "tegula/frontend/Builtins.h"
#include "tegula/frontend/DeclaredSymbols.h"
#include "tegula/frontend/Emitter.h"
#include "tegula/frontend/IRGenModule.h"
#include "tegula/frontend/Join.h"
#include <map>
#include <set>

namespace tegula {

/// A name and what it is bound to.
struct Variable {
  Object object;
  /// Where it was bound.
  mlir::Location loc;
};

/// The variables of a function at one place of the program.
using Scope = std::map<llvm::StringRef, Variable>;

/// Generates the body of one instance of a function.
class FunctionGenerator {
public:
  FunctionGenerator(ModuleGenerator &module, const KernelFunction &function,
                    const std::vector<DeclaredParameter> &parameters,
                    const DeclaredSymbols &symbols, mlir::func::FuncOp func);

  /// Binds the parameters and generates the body. `arguments` holds the object
  /// of each parameter: an argument of the entry block or a constant. False if
  /// there was a mistake.
  bool generate(llvm::ArrayRef<Object> arguments, FunctionInstance &instance,
                const EqualAxes &equal = {});

private:
  /// Names no variable can have: the value returned, whether the loop is left,
  /// and the value of a conditional expression.
  static constexpr llvm::StringLiteral returnName = "<return>";
  static constexpr llvm::StringLiteral breakName = "<break>";
  static constexpr llvm::StringLiteral valueName = "<value>";

  /// Statements to generate after the end of a block, and those after them.
  struct Rest {
    Stmts stmts;
    const Rest *next;
  };
  /// Whether control reaches the end of what was generated.
  enum class Flow { Reaches, Jumps };
  /// A loop around the statement being generated.
  struct Loop {
    enum class Kind { Sequential, Unrolled, Parallel };
    Kind kind;
    mlir::Location loc;
  };
  /// A variable that a loop assigns and that has a value before it.
  struct Carried {
    llvm::StringRef name;
    Variable initial;
    Join join;
    /// False if every iteration finds what was there before the loop.
    bool isCarried;
    /// What the name stands for in the body if its value cannot go around.
    std::optional<Object> blocked = std::nullopt;
  };
  /// The bounds of a `for`.
  struct Range {
    Object start, stop, step;
    int64_t constantStep = 1;
  };

  mlir::Location locate(llvm::SMLoc loc) const {
    return function.getSource().locate(loc);
  }
  mlir::Location locate(const ast::Expr &expr) const {
    return locate(expr.loc);
  }
  Object fail(mlir::Location loc, const llvm::Twine &message,
              llvm::ArrayRef<Note> notes = {}) {
    return emitter.fail(loc, message, notes);
  }

  // Parameters and results: IRGenFunction.cpp.
  void bindParameters(llvm::ArrayRef<Object> arguments);
  bool bindSymbols(llvm::ArrayRef<Object> arguments, const EqualAxes &equal);
  void bindEntrySymbols(llvm::ArrayRef<Object> arguments);
  void bindCalledSymbols(llvm::ArrayRef<Object> arguments,
                         const EqualAxes &equal);
  void finish(FunctionInstance &instance, llvm::ArrayRef<Object> arguments);

  // Statements: IRGenStatements.cpp.
  Flow emitBlock(Stmts stmts, const Rest *rest);
  Flow emitStatement(const ast::Stmt &stmt);
  Flow emitReturn(const ast::Return &node, mlir::Location loc);
  Flow emitBreak(const ast::Stmt &stmt);
  Flow emitWith(const ast::With &node, const ast::Stmt &stmt);
  void emitAssert(const ast::Assert &node);
  void emitExpression(const ast::ExprStmt &node);
  // Assignments: IRGenAssignments.cpp.
  void assign(const ast::Expr &target, const Object &value);
  void assignName(llvm::StringRef name, mlir::Location loc,
                  const Object &value);
  void unpack(const std::vector<ast::ExprPtr> &targets, mlir::Location loc,
              const Object &value);
  void assignSubscript(const ast::Expr &target, const ast::Subscript &node,
                       const Object &value);
  void emitAugmented(const ast::AugAssign &node);
  // Branches: IRGenBranches.cpp.
  Flow emitIf(const ast::If &node, size_t branch, const Rest *rest,
              const ast::Stmt &stmt);
  Flow emitRuntimeIf(mlir::Value condition, llvm::function_ref<Flow()> emitThen,
                     llvm::function_ref<Flow()> emitElse, mlir::Location loc,
                     const NameCounts &inside);
  struct Merged {
    llvm::StringRef name;
    Join join;
    mlir::Location loc;
  };
  std::vector<Merged> mergeScopes(const Scope &thenScope,
                                  const Scope &elseScope,
                                  const NameCounts &inside);
  mlir::Operation *closeIf(mlir::Operation *trial,
                           llvm::ArrayRef<Merged> merged,
                           const Scope &thenScope, const Scope &elseScope);
  bool isUsedOutside(llvm::StringRef name, const NameCounts &inside) const;
  mlir::Value yieldedExtent(mlir::Block *branch, unsigned position,
                            unsigned axis);
  void keepEqualExtents(mlir::scf::IfOp op);
  Object emitConditional(const ast::Conditional &node, mlir::Location loc);
  Flow emitRegion(llvm::StringRef level, const ast::With &node,
                  const ast::Stmt &stmt);

  // Loops: IRGenLoops.cpp.
  void emitFor(const ast::For &node, const ast::Stmt &stmt);
  void emitWhile(const ast::While &node, mlir::Location loc);
  void emitWhileBody(const ast::While &node, mlir::scf::WhileOp op,
                     mlir::Location loc);
  mlir::Value emitWhileCondition(const ast::While &node, mlir::Value flag,
                                 mlir::Location loc);
  static Object replaced(const Object &object, mlir::Block *from,
                         mlir::Block *to);
  bool readRange(const CallArguments &arguments, llvm::StringRef name,
                 Range &range);
  void emitRange(const ast::For &node, llvm::StringRef variable,
                 const Range &range, mlir::Location loc);
  void emitBreakable(const ast::For &node, llvm::StringRef variable,
                     const Range &range, mlir::Location loc);
  void emitUnrolled(const ast::For &node, llvm::StringRef variable,
                    const Range &range, mlir::Location loc);
  void emitParallel(const ast::For &node, llvm::StringRef variable,
                    const Range &range, mlir::Location loc);
  void emitIteration(Stmts body, Loop::Kind kind, mlir::Location loc);
  mlir::Value countIterations(const Range &range, mlir::Location loc);
  Object loopVariable(const Range &range, mlir::Value counter,
                      mlir::Location loc);
  // Values that go around loops: IRGenCarried.cpp.
  /// How a loop is built around its body. It may be built several times, until
  /// the types of what goes around are known.
  struct LoopShape {
    /// Builds the loop with these values going in, leaves the builder in its
    /// body, and gives the values as the body sees them.
    llvm::function_ref<mlir::Operation *(mlir::ValueRange initial,
                                         llvm::SmallVectorImpl<mlir::Value> &)>
        open;
    /// Generates the body.
    llvm::function_ref<void()> emitBody;
    /// Ends the body with what goes to the next iteration.
    llvm::function_ref<void(mlir::ValueRange values)> close;
    /// How many results of the loop come before the carried ones.
    unsigned numOwnResults = 0;
  };
  void emitCarried(Stmts body, llvm::StringRef loopVariable, mlir::Location loc,
                   const LoopShape &shape);
  std::vector<Carried> findCarried(Stmts body, llvm::StringRef loopVariable);
  bool widenCarried(std::vector<Carried> &carried, mlir::Location loc);
  /// An extent that is the same in every iteration: of which value that goes
  /// around, of which axis, and what it is.
  struct StableExtent {
    unsigned position;
    unsigned axis;
    mlir::Value extent;
  };
  using UnstableExtents = std::set<std::pair<unsigned, unsigned>>;
  std::vector<StableExtent> assumeExtents(mlir::ValueRange initial,
                                          mlir::Location loc,
                                          const UnstableExtents &unstable);
  bool findUnstable(const std::vector<StableExtent> &extents,
                    llvm::ArrayRef<mlir::Value> values, mlir::Location loc,
                    UnstableExtents &unstable);
  llvm::SmallVector<mlir::Value>
  flattenCarried(const std::vector<Carried> &carried, bool isInitial,
                 mlir::Location loc);
  bool tryLoop(std::vector<Carried> &carried, UnstableExtents &unstable,
               const Scope &before, mlir::Location loc, const LoopShape &shape);
  void closeCarried(std::vector<Carried> &carried, mlir::Operation *op,
                    const LoopShape &shape, llvm::ArrayRef<mlir::Value> values,
                    const std::vector<StableExtent> &extents,
                    mlir::Location loc, Scope before);
  void leaveLoop(Scope before, llvm::StringRef loopVariable,
                 mlir::Location loc);

  // Expressions: IRGenExpressions.cpp.
  Object evaluate(const ast::Expr &expr);
  Object evaluateName(llvm::StringRef name, mlir::Location loc);
  Object evaluateAttribute(const ast::Expr &expr, const ast::Attribute &node);
  Object evaluateCompare(const ast::Compare &node, mlir::Location loc);
  Object evaluateBoolOp(const ast::BoolOp &node, mlir::Location loc);
  Object evaluateOperand(const ast::BoolOp &node, const ast::Expr &operand);
  Object evaluateUndecided(const ast::BoolOp &node, const ast::Expr &operand,
                           mlir::Value decided, mlir::Location loc);
  Object evaluateDict(const ast::Dict &node);
  Object evaluateElements(const std::vector<ast::ExprPtr> &exprs);
  Object usable(const Object &object, mlir::Location loc);
  Object symbolExtent(const SymbolObject &symbol, mlir::Location loc);
  bool isLocal(llvm::StringRef name) const { return scope.count(name) != 0; }
  // Subscripts: IRGenSubscripts.cpp.
  Object evaluateSubscript(const ast::Subscript &node, mlir::Location loc);
  struct Window {
    llvm::SmallVector<mlir::Value> offsets, sizes;
    llvm::SmallVector<int64_t> drop;
    bool isWhole = true;
  };
  bool readWindow(const ast::Subscript &node, mlir::Value shaped,
                  mlir::Location loc, Window &window);
  bool readIndex(const ast::Expr &expr, mlir::Value shaped, unsigned axis,
                 Window &window);
  bool readSlice(const ast::Slice &slice, mlir::Value shaped, unsigned axis,
                 Window &window);
  mlir::Value fromEnd(const Object &position, mlir::Value shaped, unsigned axis,
                      mlir::Location loc, llvm::StringRef what);

  // Calls: IRGenCalls.cpp.
  Object evaluateCall(const ast::Expr &expr, const ast::Call &node);
  Object callMethod(const ast::Expr &expr, const ast::Call &node,
                    const ast::Attribute &method);
  Object callPython(llvm::StringRef name, const CallArguments &arguments);
  Object callFunction(const KernelFunction &callee,
                      const CallArguments &arguments);
  std::optional<CallArguments> evaluateArguments(const ast::Expr &expr,
                                                 const ast::Call &node);
  bool adaptArgument(const KernelFunction &callee,
                     const DeclaredParameter &parameter, Object &argument,
                     mlir::Location loc);
  bool adaptShaped(const KernelFunction &callee,
                   const DeclaredParameter &parameter, mlir::Value value,
                   mlir::Location loc);
  EqualAxes findEqualAxes(llvm::ArrayRef<Object> arguments, mlir::Location loc);
  bool checkSymbols(const KernelFunction &callee,
                    llvm::ArrayRef<DeclaredParameter> parameters,
                    llvm::ArrayRef<Object> arguments, mlir::Location loc);
  static Object resultOf(const Object &returned,
                         llvm::ArrayRef<mlir::Value> operands,
                         llvm::ArrayRef<mlir::Value> &results);
  void useArguments(const FunctionInstance &instance,
                    llvm::ArrayRef<DeclaredParameter> parameters,
                    llvm::ArrayRef<Object> arguments, mlir::Location loc);

  ModuleGenerator &module;
  const KernelFunction &function;
  const std::vector<DeclaredParameter> &parameters;
  mlir::func::FuncOp func;
  Emitter emitter;
  Scope scope;
  std::vector<Loop> loops;
  NameCounts allNames;
  unsigned numStatements = 0;
  const DeclaredSymbols &symbols;
  /// The extent of each bound symbol.
  std::map<const Symbol *, Object> symbolExtents;
  /// Whether the expression just called does something by itself.
  bool lastCallHadEffect = false;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGENFUNCTION_H
