// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Generates one function from its syntax. Variables are bound to objects and
/// rebound in program order. The work is done by parts, each with one job;
/// which part knows which others is said here.

#ifndef TEGULA_FRONTEND_IRGEN_FUNCTIONGENERATOR_H
#define TEGULA_FRONTEND_IRGEN_FUNCTIONGENERATOR_H

#include "tegula/frontend/irgen/calls/Calls.h"
#include "tegula/frontend/irgen/calls/ControlCalls.h"
#include "tegula/frontend/irgen/calls/FunctionCalls.h"
#include "tegula/frontend/irgen/calls/GridCalls.h"
#include "tegula/frontend/irgen/calls/PreludeCalls.h"
#include "tegula/frontend/irgen/expressions/BooleanOperators.h"
#include "tegula/frontend/irgen/expressions/Comprehensions.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/expressions/Subscripts.h"
#include "tegula/frontend/irgen/loops/CarriedVariables.h"
#include "tegula/frontend/irgen/loops/ForLoops.h"
#include "tegula/frontend/irgen/loops/GridLoops.h"
#include "tegula/frontend/irgen/loops/HeadValues.h"
#include "tegula/frontend/irgen/loops/LoopBodies.h"
#include "tegula/frontend/irgen/loops/ParallelLoops.h"
#include "tegula/frontend/irgen/loops/RangeLoops.h"
#include "tegula/frontend/irgen/loops/UnrolledLoops.h"
#include "tegula/frontend/irgen/loops/WhileLoops.h"
#include "tegula/frontend/irgen/signature/AxisGroups.h"
#include "tegula/frontend/irgen/signature/EntryResults.h"
#include "tegula/frontend/irgen/signature/FunctionResults.h"
#include "tegula/frontend/irgen/signature/SymbolExtents.h"
#include "tegula/frontend/irgen/statements/Assertions.h"
#include "tegula/frontend/irgen/statements/Assignments.h"
#include "tegula/frontend/irgen/statements/Branches.h"
#include "tegula/frontend/irgen/statements/Exits.h"
#include "tegula/frontend/irgen/statements/FunctionAttributes.h"
#include "tegula/frontend/irgen/statements/LocalAnnotations.h"
#include "tegula/frontend/irgen/statements/MessageTexts.h"
#include "tegula/frontend/irgen/statements/Prints.h"
#include "tegula/frontend/irgen/statements/Statements.h"
#include "tegula/frontend/irgen/statements/WithStatements.h"

namespace tegula {

/// Generates the body of one instance of a function.
class FunctionGenerator {
public:
  FunctionGenerator(ModuleGenerator &module, const KernelFunction &function,
                    const std::vector<DeclaredParameter> &parameters,
                    const DeclaredSymbols &symbols, LoopTypeTable &loopTypes,
                    mlir::func::FuncOp func)
      : state(module, function, parameters, symbols, loopTypes, func) {}

  /// Binds the parameters and generates the body. `arguments` holds the object
  /// of each parameter: an argument of the entry block or a constant. False if
  /// there was a mistake. What was generated is right only if nothing new was
  /// learnt about loops.
  bool generate(llvm::ArrayRef<Object> arguments, FunctionInstance &instance,
                const EqualAxes &equal = {}, const GridPosition &grid = {});

private:
  bool isReturned(mlir::Value parameter) const;
  void checkWrittenTiles(const Object &returned);
  void finish(FunctionInstance &instance, llvm::ArrayRef<Object> arguments);

  FunctionState state;
  SymbolExtents symbolExtents{state};
  AxisGroups groups{state};
  Branches branches{state};
  CarriedVariables carried{state};

  Expressions expressions{state,      symbolExtents,  branches, booleans,
                          subscripts, comprehensions, calls};
  BooleanOperators booleans{state, expressions, branches};
  Subscripts subscripts{state, expressions};
  Comprehensions comprehensions{state, expressions, assignments};
  MessageTexts messageTexts{state, expressions};

  Calls calls{state,        expressions,   assertions,
              controlCalls, functionCalls, preludeCalls};
  ControlCalls controlCalls{state,      expressions, headValues,
                            assertions, prints,      gridCalls};
  FunctionCalls functionCalls{state, groups};
  PreludeCalls preludeCalls{state, expressions, statements};
  GridCalls gridCalls{state, functionCalls, branches};

  Assignments assignments{state, expressions, subscripts};
  Assertions assertions{state, expressions, symbolExtents, messageTexts};
  Prints prints{state, symbolExtents, messageTexts};
  LocalAnnotations annotations{state, expressions};
  FunctionAttributes attributes{state};
  EntryResults entryResults{state};
  FunctionResults results{state, symbolExtents, entryResults};
  Exits exits{state, expressions, results, branches};

  HeadValues headValues{state, assignments};
  LoopBodies bodies{state, statements, headValues};
  RangeLoops rangeLoops{state, bodies, carried};
  UnrolledLoops unrolledLoops{state, bodies};
  ParallelLoops parallelLoops{state, bodies, rangeLoops};
  WhileLoops whileLoops{state,  expressions, branches,
                        bodies, headValues,  carried};
  GridLoops gridLoops{state, branches, parallelLoops};
  ForLoops forLoops{state,         expressions,   headValues, rangeLoops,
                    unrolledLoops, parallelLoops, whileLoops, gridLoops};

  WithStatements withStatements{state,    expressions, assignments,
                                branches, statements,  gridLoops};
  Statements statements{state,      expressions, assignments, annotations,
                        attributes, assertions,  branches,    exits,
                        headValues, forLoops,    whileLoops,  withStatements};
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_FUNCTIONGENERATOR_H
