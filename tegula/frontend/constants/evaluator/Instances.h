// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Objects of classes: how they are made, and what their attributes are.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_INSTANCES_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_INSTANCES_H

#include "tegula/frontend/constants/evaluator/Frame.h"
#include "tegula/frontend/constants/library/Ordinary.h"

namespace tegula {

class Evaluator;

/// Makes objects of classes, and reads attributes of any object.
class Instances {
public:
  explicit Instances(Evaluator &evaluator) : evaluator(evaluator) {}

  Object instantiate(const std::shared_ptr<ClassThing> &type,
                     OrdinaryArguments arguments);
  Object attribute(const Object &object, llvm::StringRef name);
  /// The member of an enum with that value; stuck if there is none.
  Object memberOf(const ClassThing &type, const Object &value);

private:
  Object fillFields(InstanceThing &instance, OrdinaryArguments &arguments);

  Evaluator &evaluator;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_INSTANCES_H
