// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Structs as bytes: their fields one after the other (Fields.h). Numbers,
/// flags and enumerators are numbers; what is optional has a flag before it,
/// and lists have their length. What is read may be anything.

#ifndef TEGULA_LAUNCH_FIELDCODEC_H
#define TEGULA_LAUNCH_FIELDCODEC_H

#include "tegula/launch/Fields.h"
#include "tegula/launch/cache/ByteStream.h"

namespace tegula {

/// Appends a field, or all fields of a struct.
template <typename T> void writeFields(ByteWriter &writer, const T &value) {
  if constexpr (std::is_same_v<T, std::string>) {
    writer.writeText(value);
  } else if constexpr (std::is_same_v<T, float>) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    writer.writeNumber(bits);
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    writer.writeNumber(static_cast<uint64_t>(value));
  } else if constexpr (IsOptional<T>::value) {
    writer.writeNumber(value.has_value());
    if (value)
      writeFields(writer, *value);
  } else if constexpr (IsVector<T>::value) {
    writer.writeNumber(value.size());
    for (const auto &element : value)
      writeFields(writer, element);
  } else if constexpr (IsPair<T>::value) {
    writeFields(writer, value.first);
    writeFields(writer, value.second);
  } else {
    Fields<T>::visit(value, [&](const char *, const auto &field) {
      writeFields(writer, field);
    });
  }
}

/// A number less than `limit`; else the reader fails.
inline uint64_t readBelow(ByteReader &reader, uint64_t limit) {
  uint64_t number = reader.readNumber();
  if (number < limit)
    return number;
  reader.fail();
  return 0;
}

/// Reads what `writeFields` wrote. The reader fails if these bytes are not
/// such; the struct can have any values then.
template <typename T> void readFields(ByteReader &reader, T &value) {
  if constexpr (std::is_same_v<T, std::string>) {
    value = reader.readText();
  } else if constexpr (std::is_same_v<T, float>) {
    auto bits = static_cast<uint32_t>(reader.readNumber());
    std::memcpy(&value, &bits, sizeof(bits));
  } else if constexpr (std::is_same_v<T, bool>) {
    value = readBelow(reader, 2) == 1;
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(readBelow(reader, Enumerators<T>::count));
  } else if constexpr (std::is_integral_v<T>) {
    uint64_t number = reader.readNumber();
    value = static_cast<T>(number);
    if (static_cast<uint64_t>(value) != number)
      reader.fail();
  } else if constexpr (IsOptional<T>::value) {
    value.reset();
    if (readBelow(reader, 2) == 1)
      readFields(reader, value.emplace());
  } else if constexpr (IsVector<T>::value) {
    value.clear();
    uint64_t count = reader.readCount();
    for (uint64_t index = 0; index < count && reader.isGood(); ++index)
      readFields(reader, value.emplace_back());
  } else if constexpr (IsPair<T>::value) {
    readFields(reader, value.first);
    readFields(reader, value.second);
  } else {
    Fields<T>::visit(
        value, [&](const char *, auto &field) { readFields(reader, field); });
    if constexpr (HasCheck<T>::value)
      if (reader.isGood() && Fields<T>::findMistake(value))
        reader.fail();
  }
}

/// All of a struct as bytes.
template <typename T> std::string toBytes(const T &value) {
  ByteWriter writer;
  writeFields(writer, value);
  return std::move(writer.content);
}

/// Reads a struct of which these are all bytes; false if they are not.
template <typename T> bool fromBytes(std::string_view bytes, T &value) {
  ByteReader reader(bytes);
  readFields(reader, value);
  return reader.isGood() && reader.isAtEnd();
}

} // namespace tegula

#endif // TEGULA_LAUNCH_FIELDCODEC_H
