// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/ControlFile.h"

#include "tegula/dist/memory/AvailableMemory.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tegula;

static constexpr int64_t pageBytes = 4096;
static constexpr int64_t headerBytes =
    (sizeof(ControlHeader) + pageBytes - 1) / pageBytes * pageBytes;

static Problem describeError(const char *action) {
  return makeProblem(Problem::Kind::System, "cannot {0} memory for ranks: {1}",
                     action, std::strerror(errno));
}

ControlFile &ControlFile::operator=(ControlFile &&other) {
  std::swap(file, other.file);
  std::swap(mapped, other.mapped);
  std::swap(size, other.size);
  return *this;
}

ControlFile::~ControlFile() {
  if (mapped)
    ::munmap(mapped, size);
}

Problem ControlFile::map() {
  // What is mapped behind the end of the file is there once the file grows.
  size = headerBytes + ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGESIZE);
  void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE, file.get(), 0);
  if (memory == MAP_FAILED)
    return describeError("map");
  mapped = static_cast<char *>(memory);
  return {};
}

Problem ControlFile::create(ControlFile &made) {
  ControlFile file;
  file.file = Descriptor(::memfd_create("tegula-ranks", MFD_CLOEXEC));
  if (!file.file || ::ftruncate(file.file.get(), headerBytes) != 0)
    return describeError("make");
  if (Problem problem = file.map())
    return problem;
  file.getHeader().controller = ::getpid();
  made = std::move(file);
  return {};
}

Problem ControlFile::open(const char *path, ControlFile &opened) {
  ControlFile file;
  file.file = Descriptor(::open(path, O_RDWR | O_CLOEXEC));
  if (!file.file)
    return describeError("open");
  if (Problem problem = file.map())
    return problem;
  opened = std::move(file);
  return {};
}

char *ControlFile::getArena() const { return mapped + headerBytes; }

int64_t ControlFile::getReserved() const { return size - headerBytes; }

Problem ControlFile::resize(int64_t bytes) {
  if (bytes > getReserved() || bytes / 2 > readAvailableMemory(false))
    return makeProblem(Problem::Kind::System,
                       "no memory for {0} bytes of tensors of ranks", bytes);
  if (::ftruncate(file.get(), headerBytes + bytes) != 0)
    return describeError("extend");
  return {};
}

std::string ControlFile::getPath() const {
  return formatText("/proc/{0}/fd/{1}",
                    {std::to_string(::getpid()), std::to_string(file.get())});
}
