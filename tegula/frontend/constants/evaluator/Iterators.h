// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The iterators of ordinary Python. Each looks at what it iterates over while
/// it goes, so that a list that grows meanwhile is seen to grow.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_ITERATORS_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_ITERATORS_H

#include "tegula/frontend/constants/library/Ordinary.h"

namespace tegula {

/// An iterator over a tuple, list, dict, string, range, enum or iterator; null
/// if there is none, and `problem` says why.
std::shared_ptr<IteratorThing> iteratorOver(const Object &object,
                                            Object &problem);

/// Objects that are there already.
std::shared_ptr<IteratorThing> iteratorOf(std::vector<Object> objects);

/// `zip`, `enumerate`, `map` and `filter`; a null function in `filter` is None.
Object makeZip(std::vector<std::shared_ptr<IteratorThing>> parts);
Object makeEnumerate(std::shared_ptr<IteratorThing> inner, int64_t start);
Object makeMap(Object function,
               std::vector<std::shared_ptr<IteratorThing>> parts);
Object makeFilter(Object function, std::shared_ptr<IteratorThing> inner);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_ITERATORS_H
