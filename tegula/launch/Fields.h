// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The fields of a struct, listed once. How it is written to bytes and read
/// again (FieldCodec.h), compared, hashed and printed as an attribute of the IR
/// all follow from that list.

#ifndef TEGULA_LAUNCH_FIELDS_H
#define TEGULA_LAUNCH_FIELDS_H

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace tegula {

/// Specialised for each struct that has a list. `Self` is the struct or the
/// const struct, and `visit` is called with the name and the field:
///
///   template <> struct Fields<Point> {
///     template <typename Self, typename Visit>
///     static void visit(Self &self, Visit visit) {
///       visit("x", self.x);
///       visit("y", self.y);
///     }
///   };
///
/// A specialisation may have `static const char *findMistake(const Point &)`,
/// which says what no such struct can be, or returns null.
template <typename T> struct Fields;

/// Specialised for each enum that is a field: `count`, how many enumerators
/// there are, with numbers from 0 on. Where it is printed also `names`, their
/// words in that order.
template <typename T> struct Enumerators;

template <typename T, typename = void> struct HasFields : std::false_type {};
template <typename T>
struct HasFields<T, std::void_t<decltype(sizeof(Fields<T>))>> : std::true_type {
};

template <typename T, typename = void> struct HasCheck : std::false_type {};
template <typename T>
struct HasCheck<
    T, std::void_t<decltype(Fields<T>::findMistake(std::declval<T>()))>>
    : std::true_type {};

/// What is wrong with the struct, of itself or of a struct in it; null if
/// nothing is.
template <typename T> const char *findMistake(const T &value);

template <typename T> struct IsVector : std::false_type {};
template <typename T> struct IsVector<std::vector<T>> : std::true_type {};
template <typename T> struct IsOptional : std::false_type {};
template <typename T> struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T> struct IsPair : std::false_type {};
template <typename T, typename U>
struct IsPair<std::pair<T, U>> : std::true_type {};

template <typename T> const char *findMistake(const T &value) {
  const char *mistake = nullptr;
  if constexpr (IsVector<T>::value) {
    for (const auto &element : value)
      mistake = mistake ? mistake : findMistake(element);
  } else if constexpr (IsOptional<T>::value) {
    mistake = value ? findMistake(*value) : nullptr;
  } else if constexpr (HasFields<T>::value) {
    Fields<T>::visit(value, [&](const char *, const auto &field) {
      mistake = mistake ? mistake : findMistake(field);
    });
    if constexpr (HasCheck<T>::value)
      mistake = mistake ? mistake : Fields<T>::findMistake(value);
  }
  return mistake;
}

} // namespace tegula

#endif // TEGULA_LAUNCH_FIELDS_H
