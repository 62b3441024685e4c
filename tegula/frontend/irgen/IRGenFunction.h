// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Generates one function from its syntax. Variables are bound to objects and
/// rebound in program order; where paths meet, what they left in a variable is
/// joined into one value. Control that leaves a block early is structured by
/// moving the statements after an `if` into its branches.

#ifndef TEGULA_FRONTEND_IRGEN_IRGENFUNCTION_H
#define TEGULA_FRONTEND_IRGEN_IRGENFUNCTION_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/constants/DeclaredSymbols.h"
#include "tegula/frontend/emit/Emitter.h"
#include "tegula/frontend/irgen/IRGenModule.h"
#include "tegula/frontend/irgen/LoopTypes.h"
#include "tegula/frontend/syntax/AstWalk.h"
#include <deque>
#include <map>
#include <set>

namespace tegula {

/// Generates the body of one instance of a function.
class FunctionGenerator {
public:
  FunctionGenerator(ModuleGenerator &module, const KernelFunction &function,
                    const std::vector<DeclaredParameter> &parameters,
                    const DeclaredSymbols &symbols, LoopTypeTable &loopTypes,
                    mlir::func::FuncOp func);

  /// Binds the parameters and generates the body. `arguments` holds the object
  /// of each parameter: an argument of the entry block or a constant. False if
  /// there was a mistake. What was generated is right only if nothing new was
  /// learnt about loops.
  bool generate(llvm::ArrayRef<Object> arguments, FunctionInstance &instance,
                const EqualAxes &equal = {}, const GridPlace &grid = {});

private:
  /// Statements moved into both branches of an `if` are generated twice; a
  /// function made only of such ifs would otherwise grow without end.
  static constexpr unsigned maxStatements = 100000;

  /// Where the author wants something to run.
  struct Placement {
    pl::Level level;
    /// What is said of it as a task; may be null.
    mlir::DictionaryAttr task;
  };
  /// Statements to generate after the end of a block, and those after them.
  struct Rest {
    Stmts stmts;
    const Rest *next;
    /// The region they are in, if control may leave that; else null.
    const Placement *placement;
  };
  /// Whether control reaches the end of what was generated.
  enum class Flow { Reaches, Jumps };
  /// A loop around the statement being generated.
  struct Loop {
    enum class Kind { Sequential, Unrolled, Parallel };
    Kind kind;
    mlir::Location loc;
    /// How the author calls it: "pl.parallel".
    llvm::StringRef shown = "pl.range";
  };
  /// Values that a loop names in its head, as in
  /// `for i, (a, b) in pl.range(n, init_values=(x, y))`.
  struct Carries {
    /// What the body calls them.
    std::vector<llvm::StringRef> names;
    /// Where they go around.
    std::vector<Slot> slots;
    /// The statement that hands the next ones on.
    const ast::Stmt *yield = nullptr;
  };
  /// What a loop repeats.
  struct LoopBody {
    Stmts stmts;
    /// The loop variable; empty if there is none.
    llvm::StringRef variable;
    Carries carries = {};
    llvm::StringRef shown = "pl.range";
    pl::LoopKind kind = pl::LoopKind::AnyOrder;
    /// What is said of a grid as a task; may be null.
    mlir::DictionaryAttr task = {};
  };
  /// A variable that a loop assigns and that has a value before it.
  struct Carried {
    Slot slot;
    Variable initial;
    /// How the author calls it.
    llvm::StringRef shown;
    /// What is known of it, from this round and those before.
    LoopVariable &known;

    bool goesAround() const { return known.isCarried && !known.blocked; }
  };
  /// The values that the variables of a loop consist of, and whose they are.
  struct CarriedValues {
    llvm::SmallVector<mlir::Value> values;
    /// The variable of each value, and which of its values it is.
    std::vector<std::pair<LoopVariable *, unsigned>> owners;
    /// False after a mistake, when something is missing.
    bool isWhole = true;
  };
  /// The bounds of a `for`.
  struct Range {
    Object start, stop, step;
    /// Nothing if the step is known at run time only; it is positive then.
    std::optional<int64_t> constantStep = 1;
    /// How many iterations of a pipeline overlap; 0 if nobody asked.
    int64_t stages = 0;

    bool isUp() const { return constantStep.value_or(1) > 0; }
  };
  /// The bounds of the loop that is built for it.
  struct LoopBounds {
    mlir::Value lower, upper, step;
  };
  /// What a task may be told: which others come before it, and whether it runs.
  struct TaskOptions {
    std::vector<std::optional<CallArgument>> bound;
    Object predicate = Object::boolean(true);
    mlir::Location predicateLoc;
    /// All of it, for targets; may be null.
    mlir::DictionaryAttr task = {};
  };

  mlir::Location locate(llvm::SMLoc loc) const {
    return insideText ? *insideText : function.getSource().locate(loc);
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
  // Declared extents that are expressions: IRGenSymbols.cpp.
  std::vector<Symbol *> unknownSymbols(const AxisSymbol &axis) const;
  bool solveSymbol(const AxisSymbol &axis, Symbol *unknown,
                   const Object &extent, std::vector<Object> &conditions);
  bool bindExpressions(llvm::ArrayRef<Object> arguments);
  std::vector<std::pair<std::string, mlir::Value>>
  sizesOf(const AxisSymbol &axis, const Object &expected);
  bool requireExpression(const AxisSymbol &axis, mlir::Value shaped,
                         llvm::ArrayRef<Object> conditions);
  void finish(FunctionInstance &instance, llvm::ArrayRef<Object> arguments);

  void stateParameters(llvm::ArrayRef<Object> arguments);

  // Statements: IRGenStatements.cpp.
  Flow emitBlock(Stmts stmts, const Rest *rest);
  Flow emitStatement(const ast::Stmt &stmt);
  Flow emitReturn(const ast::Return &node, mlir::Location loc);
  Flow leaveFunction(const Object &value, mlir::Location loc);
  Flow emitAfterLoop(const ast::Stmt &stmt, const Rest &after);
  Flow emitBreak(const ast::Stmt &stmt);
  // Assertions: IRGenAssumptions.cpp.
  void emitAssert(const ast::Assert &node);
  void emitAssumption(const ast::Expr &condition, const ast::Expr *message);
  Object callAssume(const ast::Call &node, mlir::Location loc);
  void emitExpression(const ast::ExprStmt &node);
  // Scopes and tasks: IRGenScopes.cpp.
  Flow emitWith(const ast::With &node, const ast::Stmt &stmt, const Rest *rest);
  Flow emitScope(llvm::StringRef name, const TaskOptions &options,
                 const ast::With &node, const ast::Stmt &stmt,
                 const Rest *rest);
  Flow emitGuarded(const TaskOptions &options, llvm::function_ref<Flow()> emit,
                   const ast::Stmt &stmt, const Rest *rest);
  bool readTaskOptions(llvm::StringRef name, const CallArguments &arguments,
                       TaskOptions &options);
  bool checkTaskOption(llvm::StringRef name, const CallArgument &argument);
  // Grids: IRGenGrid.cpp.
  void emitGrid(const LoopBody &body, const Object &count,
                const ast::Stmt &stmt);
  void emitGridFor(const ast::For &node, const CallArguments &arguments,
                   const ast::Stmt &stmt);
  std::optional<Object> readBlocks(const CallArguments &arguments,
                                   TaskOptions &options);
  void emitLanes(LoopBody body, const CallArguments &arguments,
                 const ast::Stmt &stmt);
  mlir::DictionaryAttr describeTask(const ast::Call &call,
                                    const CallArguments &arguments,
                                    const ast::Expr *target);
  Object waitForOthers(pl::LoopKind kind, mlir::Location loc);
  Object callGrid(llvm::StringRef name, const CallArguments &arguments);
  Object shard(const CallArguments &arguments);
  Object submit(llvm::StringRef name, const CallArguments &arguments);
  Object callInGrid(const KernelFunction &callee, const CallArguments &call,
                    const Object &blocks);
  // Calls that stand for a statement: IRGenControlCalls.cpp.
  std::optional<Object> callControl(llvm::StringRef path, const ast::Expr &expr,
                                    const ast::Call &node);
  Object callYield(const ast::Expr &expr, const ast::Call &node);
  Object callStaticPrint(const ast::Expr &expr, const ast::Call &node);
  Object callStaticAssert(const ast::Expr &expr, const ast::Call &node);
  std::optional<std::string> textOf(const ast::Expr &expr);
  std::optional<std::string> formatFields(llvm::StringRef text,
                                          mlir::Location loc);
  Object evaluateText(llvm::StringRef text, mlir::Location loc);
  std::string languagePath(const ast::Expr &callee) const;
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
    Slot slot;
    Join join;
    mlir::Location loc;
  };
  std::vector<Merged> mergeScopes(const Scope &thenScope,
                                  const Scope &elseScope,
                                  const NameCounts &inside);
  void closeIf(mlir::Operation *trial, llvm::ArrayRef<Merged> merged,
               const Scope &thenScope, const Scope &elseScope);
  bool endBranch(mlir::Block *block, llvm::ArrayRef<Merged> merged,
                 const Scope &from, llvm::SmallVectorImpl<mlir::Value> &values);
  void rebindMerged(llvm::ArrayRef<Merged> merged,
                    llvm::ArrayRef<mlir::Value> values);
  bool isUsedOutside(const Slot &slot, const NameCounts &inside) const;
  void findEqualExtents(mlir::Block *outer, mlir::scf::IfOp op,
                        llvm::ArrayRef<mlir::Value> first,
                        llvm::ArrayRef<mlir::Value> second,
                        std::vector<CrossingExtent> &extents);
  Object emitConditional(const ast::Conditional &node, mlir::Location loc);
  Flow emitRegion(const Placement &placement, Stmts stmts,
                  const NameCounts &inside, mlir::Location loc);
  Flow emitRest(const Rest &rest);
  size_t emitPlaced(Stmts stmts);

  // What is said of local variables: IRGenAnnotations.cpp.
  void checkAnnotation(const ast::AnnAssign &node, const Object &object);
  void checkShape(llvm::StringRef name, const ast::Expr &shape,
                  mlir::Value value);
  void checkDtype(llvm::StringRef name, const ast::Expr &dtype,
                  mlir::Value value);

  // Values named in the head of a loop: IRGenCarries.cpp.
  const ast::Call *findYield(const ast::Stmt &stmt) const;
  bool readHead(const ast::For &node, llvm::StringRef name,
                const std::optional<CallArgument> &initial, LoopBody &body);
  bool readCarries(const ast::Expr &names, const CallArgument &initial,
                   LoopBody &body);
  void nameCarries(const LoopBody &body);
  void bindCarries(const LoopBody &body, mlir::Location loc);
  bool checkYields(const ast::If &node);

  // `while`: IRGenWhile.cpp.
  void emitWhile(const ast::Expr &condition, const LoopBody &body,
                 mlir::Location loc);
  void emitWhileForm(LoopBody body, mlir::Location loc);
  void emitWhileBody(const ast::Expr &condition, const LoopBody &body,
                     mlir::scf::WhileOp op, mlir::Location loc);
  mlir::Value emitWhileCondition(const ast::Expr &condition, mlir::Value flag,
                                 mlir::Location loc);

  // Loops: IRGenLoops.cpp.
  void emitFor(const ast::For &node, const ast::Stmt &stmt);
  void emitRanged(llvm::StringRef name, const LoopBody &body,
                  const CallArguments &arguments, const ast::Stmt &stmt);
  static Object replaced(const Object &object, const mlir::IRMapping &values);
  bool readRange(const CallArguments &arguments, llvm::StringRef name,
                 Range &range);
  void emitRange(const LoopBody &body, const Range &range, mlir::Location loc,
                 Loop::Kind kind = Loop::Kind::Sequential);
  void emitBreakable(const LoopBody &body, const Range &range,
                     mlir::Location loc);
  void emitUnrolled(const LoopBody &body, const Range &range,
                    mlir::Location loc);
  uint64_t countUnrolled(Stmts stmts, unsigned depth = 0);
  void emitIteration(const LoopBody &body, Loop::Kind kind, mlir::Location loc);
  LoopBounds boundsOf(const Range &range, mlir::Location loc);
  mlir::Value countIterations(const Range &range, mlir::Location loc);
  Object loopVariable(llvm::StringRef name, const Range &range,
                      mlir::Value counter, mlir::Location loc);
  // Loops whose iterations may run at once: IRGenParallel.cpp.
  void emitParallel(const LoopBody &body, const Range &range,
                    const ast::Stmt &stmt);
  std::vector<llvm::StringRef> findParallelCarried(const LoopBody &body,
                                                   const ast::Stmt &stmt);
  void hideCarried(const LoopBody &body, Scope &before, mlir::Location loc);
  std::string emitAtOnce(const LoopBody &body, const Range &range,
                         const LoopBounds &bounds, mlir::Location loc);
  // Values that go around loops: IRGenCarried.cpp.
  /// How a loop is built around its body.
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
  void emitCarried(const LoopBody &body, mlir::Location loc,
                   const LoopShape &shape);
  std::vector<Carried> findCarried(const LoopBody &body, LoopTypes &types);
  bool widenCarried(llvm::ArrayRef<Carried> carried, mlir::Location loc);
  bool widen(const Carried &variable, const Variable &end);
  std::vector<CrossingExtent> assumeExtents(const CarriedValues &initial,
                                            mlir::Location loc);
  bool findChanging(llvm::ArrayRef<CrossingExtent> extents,
                    const CarriedValues &next, mlir::Location loc);
  CarriedValues flattenCarried(llvm::ArrayRef<Carried> carried, bool isInitial,
                               mlir::Location loc);
  void enterCarried(llvm::ArrayRef<Carried> carried,
                    llvm::ArrayRef<mlir::Value> inside);
  void bindCarried(llvm::ArrayRef<Carried> carried,
                   llvm::ArrayRef<mlir::Value> results, const Scope &before,
                   mlir::Location loc);
  bool emitLoop(llvm::ArrayRef<Carried> carried, const Scope &before,
                mlir::Location loc, const LoopShape &shape);
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
  bool readTaskIndex(const ast::Subscript &node, int64_t count,
                     mlir::Location loc);
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
  mlir::Value sliceBound(const Object &position, mlir::Value shaped,
                         unsigned axis, mlir::Location loc,
                         llvm::StringRef what);
  mlir::Value sliceSize(const Object &lower, const Object &upper,
                        mlir::Value start, mlir::Value stop,
                        mlir::Location loc);

  // Calls: IRGenCalls.cpp.
  Object evaluateCall(const ast::Expr &expr, const ast::Call &node);
  Object callMethod(const ast::Expr &expr, const ast::Call &node,
                    const ast::Attribute &method);
  Object callPython(llvm::StringRef name, const CallArguments &arguments);
  // IRGenPrelude.cpp.
  Object callPrelude(const PreludeCall &call);
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
  static void addOperands(const Object &argument,
                          llvm::SmallVectorImpl<mlir::Value> &operands);
  void useArguments(const FunctionInstance &instance,
                    llvm::ArrayRef<DeclaredParameter> parameters,
                    llvm::ArrayRef<Object> arguments, mlir::Location loc);

  // What calls declare about axes: IRGenCascade.cpp.
  void declareOwnGroups();
  void noteGroups(llvm::ArrayRef<DynamicGroup> called,
                  llvm::ArrayRef<Object> arguments, mlir::Location loc);
  void noteAgreements();
  void pinAxis(mlir::Value shaped, unsigned axis, mlir::Location loc);
  void addOrigins(mlir::Value extent, DynamicGroup &group, bool isDirect,
                  unsigned depth);
  bool checkVariable(const DeclaredDim &dim, mlir::Value shaped, unsigned axis,
                     mlir::Location loc);
  // Results: IRGenResults.cpp.
  void checkReturned(const Object &value, mlir::Location loc);
  void checkResult(const DeclaredParameter &declared, const Object &value,
                   mlir::Location loc);
  bool readFunctionAttributes(const ast::Expr &expr);

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
  LoopTypeTable &loopTypes;
  /// The extent of each axis of a parameter of a called function, as far as it
  /// is not just its own.
  std::map<std::pair<unsigned, unsigned>, mlir::Value> parameterExtents;
  /// The extent of each bound symbol.
  std::map<const Symbol *, Object> symbolExtents;
  /// The objects of the parameters.
  std::vector<Object> given;
  std::vector<DynamicGroup> groups;
  /// Whether the expression just called does something by itself.
  bool lastCallHadEffect = false;
  /// Where in a grid the function runs.
  GridPlace grid;
  /// The axis that `pl.split_aiv` cuts, counted from the end; 0 if none is.
  unsigned splitAxis = 0;
  /// The region around, if control may leave it before its end; else null.
  const Placement *leftPlacement = nullptr;
  /// What goes around each loop that has a `pl.yield_`, by that call; nothing
  /// for the `pl.yield_` at the end of a branch.
  std::map<const ast::Call *, std::vector<Slot>> yields;
  /// How many slots the heads of loops have taken.
  unsigned numCarries = 0;
  /// Texts that syntax trees made here point into.
  std::deque<std::string> texts;
  std::vector<std::unique_ptr<ast::Module>> trees;
  /// Where the text is that is being evaluated, if it is not the source itself.
  std::optional<mlir::Location> insideText;
  /// What the author called, while a function of the prelude is generated for
  /// it.
  std::optional<std::string> preludeCall;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_IRGENFUNCTION_H
