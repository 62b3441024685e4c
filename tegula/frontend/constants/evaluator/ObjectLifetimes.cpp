// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/ObjectLifetimes.h"
#include "tegula/frontend/constants/library/Ordinary.h"

using namespace tegula;

ObjectLifetimes::~ObjectLifetimes() {
  // First everything lets go of everything; then nothing holds another.
  for (const Object &object : objects) {
    if (const auto *tuple = object.as<TupleObject>())
      tuple->elements->clear();
    else if (const auto *dict = object.as<DictObject>())
      dict->entries->clear();
    else
      object.as<OrdinaryObject>()->thing->clear();
  }
}

const Object &ObjectLifetimes::retain(const Object &object) {
  if (object.is<TupleObject>() || object.is<DictObject>() ||
      object.is<OrdinaryObject>())
    objects.push_back(object);
  return object;
}
