// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A file that has a path while it is open, but no place on a disk.

#ifndef TEGULA_LAUNCH_IMAGE_MEMORYFILE_H
#define TEGULA_LAUNCH_IMAGE_MEMORYFILE_H

#include "tegula/launch/Problem.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace tegula {

/// A descriptor that is closed with its owner.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) : number(other.number) { other.number = -1; }
  Descriptor &operator=(Descriptor &&other);
  ~Descriptor() { reset(); }

  explicit operator bool() const { return number >= 0; }
  int get() const { return number; }
  /// Closes it now.
  void reset();

private:
  int number = -1;
};

/// Opens a file in memory that begins with `bytes`, for reading and writing.
/// `name` is what the system shows for it.
Problem openMemoryFile(const char *name, std::string_view bytes,
                       Descriptor &file);

/// The path by which this process can open what `file` is.
std::string getPathOf(const Descriptor &file);

/// Writes all of `bytes` at the descriptor's position; errno says why not.
bool writeAll(int file, std::string_view bytes);

/// Reads `size` bytes at `offset`; errno says why not, 0 if there are fewer.
bool readAll(int file, char *to, size_t size, size_t offset);

} // namespace tegula

#endif // TEGULA_LAUNCH_IMAGE_MEMORYFILE_H
