// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// When two objects of ordinary Python are equal, the same, and which of them
/// comes first.

#ifndef TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARYCOMPARE_H
#define TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARYCOMPARE_H

#include "tegula/frontend/constants/library/Ordinary.h"

namespace tegula {

/// `lhs == rhs`
bool isEqualTo(const Object &lhs, const Object &rhs);

/// `lhs is rhs`
bool isIdentical(const Object &lhs, const Object &rhs);

/// Less than 0, 0 or more, as `lhs` comes before `rhs`; nothing if they have no
/// order. NaN is no order, but a number: then `isUnordered` is set.
std::optional<int> compareOrder(const Object &lhs, const Object &rhs,
                                bool &isUnordered);

/// True if it can be a key of a dict or an element of a set.
bool isHashable(const Object &object);

/// Where `key` stands in a dict; its end if it does not.
std::vector<std::pair<Object, Object>>::iterator findKey(const DictObject &dict,
                                                         const Object &key);

/// Whether an element of the list is equal to `object`, or the same.
bool contains(const std::vector<Object> &elements, const Object &object);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARYCOMPARE_H
