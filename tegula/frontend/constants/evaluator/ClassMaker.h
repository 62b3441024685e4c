// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Classes of ordinary Python: plain ones, dataclasses, named tuples and enums.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_CLASSMAKER_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_CLASSMAKER_H

#include "tegula/frontend/constants/evaluator/Frame.h"
#include "tegula/frontend/constants/library/Ordinary.h"
#include "tegula/frontend/syntax/Ast.h"

namespace tegula {

class Evaluator;
class Instances;

/// Makes classes of their statements.
class ClassMaker {
public:
  ClassMaker(Evaluator &evaluator, Instances &instances)
      : evaluator(evaluator), instances(instances) {}

  /// Binds the class, or defines the program that it is.
  StatementEnd run(const ast::ClassDef &node, Frame &frame);
  /// What `self` has in the kernels of a program besides what its class says:
  /// what the bases have, and what `__init__` sets when it is given nothing.
  std::vector<std::pair<llvm::StringRef, Object>>
  readAttributes(const ast::ClassDef &program, Frame &frame);

private:
  std::shared_ptr<ClassThing> makeClass(const ast::ClassDef &node, Frame &frame,
                                        bool isProgram);
  bool takeBases(const ast::ClassDef &node, ClassThing &type, Frame &frame);
  bool takeDecorators(const ast::ClassDef &node, ClassThing &type,
                      Frame &frame);
  void finishFields(const ast::ClassDef &node, ClassThing &type, Frame &frame);
  void finishEnum(std::shared_ptr<ClassThing> type);

  Evaluator &evaluator;
  Instances &instances;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_CLASSMAKER_H
