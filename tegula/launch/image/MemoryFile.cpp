// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/image/MemoryFile.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace tegula;

Descriptor &Descriptor::operator=(Descriptor &&other) {
  std::swap(number, other.number);
  return *this;
}

void Descriptor::reset() {
  if (number >= 0)
    ::close(number);
  number = -1;
}

bool tegula::writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return false;
    bytes.remove_prefix(count);
  }
  return true;
}

bool tegula::readAll(int file, char *to, size_t size, size_t offset) {
  while (size > 0) {
    ssize_t count = ::pread(file, to, size, offset);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      errno = count == 0 ? 0 : errno;
      return false;
    }
    to += count;
    offset += count;
    size -= count;
  }
  return true;
}

Problem tegula::openMemoryFile(const char *name, std::string_view bytes,
                               Descriptor &file) {
  file = Descriptor(::memfd_create(name, MFD_CLOEXEC));
  if (!file || !writeAll(file.get(), bytes))
    return makeProblem(Problem::Kind::System,
                       "cannot make a file in memory: {0}",
                       std::strerror(errno));
  return {};
}

std::string tegula::getPathOf(const Descriptor &file) {
  return "/proc/self/fd/" + std::to_string(file.get());
}
