// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers and texts as bytes, for what is kept in files. What is read may be
/// anything: a reader never looks past the end.

#ifndef TEGULA_LAUNCH_CACHE_BYTESTREAM_H
#define TEGULA_LAUNCH_CACHE_BYTESTREAM_H

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tegula {

/// Appends to a text.
class ByteWriter {
public:
  void writeNumber(uint64_t number) {
    char bytes[sizeof(number)];
    std::memcpy(bytes, &number, sizeof(number));
    content.append(bytes, sizeof(number));
  }
  void writeText(std::string_view text) {
    writeNumber(text.size());
    content.append(text);
  }

  std::string content;
};

/// Reads what a ByteWriter wrote.
class ByteReader {
public:
  explicit ByteReader(std::string_view content) : rest(content) {}

  /// The next number; 0 after the end, and then `isGood` is false.
  uint64_t readNumber() {
    uint64_t number = 0;
    if (rest.size() < sizeof(number)) {
      hasFailed = true;
      return 0;
    }
    std::memcpy(&number, rest.data(), sizeof(number));
    rest.remove_prefix(sizeof(number));
    return number;
  }
  /// The next text; empty after the end.
  std::string readText() {
    uint64_t size = readNumber();
    if (size > rest.size()) {
      hasFailed = true;
      return {};
    }
    std::string text(rest.substr(0, size));
    rest.remove_prefix(size);
    return text;
  }
  /// The number of things that follow, each at least one number long; 0 if
  /// there cannot be so many.
  uint64_t readCount() {
    uint64_t count = readNumber();
    if (count <= rest.size() / sizeof(uint64_t))
      return count;
    hasFailed = true;
    return 0;
  }

  /// What was read cannot be what was written.
  void fail() { hasFailed = true; }
  /// False once something was missing or wrong.
  bool isGood() const { return !hasFailed; }
  /// True if all has been read.
  bool isAtEnd() const { return rest.empty(); }

private:
  std::string_view rest;
  bool hasFailed = false;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CACHE_BYTESTREAM_H
