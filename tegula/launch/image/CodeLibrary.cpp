// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/image/CodeLibrary.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

using namespace tegula;

/// A path to `file` that was never used before. The loader takes a path it has
/// seen for the library it loaded then, but numbers of descriptors come again,
/// so each path has another pattern of redundant parts.
static std::string makeUniquePath(const Descriptor &file) {
  static std::atomic<uint64_t> count = 0;
  std::string path = "/proc/self/fd";
  for (uint64_t number = ++count; number != 0; number /= 2)
    path += number % 2 ? "/." : "/";
  return path + "/" + std::to_string(file.get());
}

static void *openCode(const Descriptor &file) {
  return ::dlopen(makeUniquePath(file).c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// The same file in memory, where code may be executed even if the disk is
/// mounted without that.
static Descriptor copyToMemory(const Descriptor &file) {
  struct stat status;
  if (::fstat(file.get(), &status) != 0)
    return {};
  std::string bytes(status.st_size, '\0');
  Descriptor copy;
  if (!readAll(file.get(), bytes.data(), bytes.size(), 0) ||
      openMemoryFile("tegula", bytes, copy))
    return {};
  return copy;
}

/// Debuggers and profilers read code from the file it was loaded from, long
/// after that. Where a folder is set for them, it is loaded from a file there,
/// which stays.
static std::string copyForTools(const Descriptor &file) {
  static const char *folder = std::getenv("TEGULA_CODE_DIR");
  struct stat status;
  if (!folder || !*folder || ::fstat(file.get(), &status) != 0)
    return "";
  static std::atomic<uint64_t> count = 0;
  std::string path = std::string(folder) + "/kernel-" +
                     std::to_string(::getpid()) + "-" +
                     std::to_string(++count) + ".so";
  std::string bytes(status.st_size, '\0');
  Descriptor copy(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700));
  if (!copy || !readAll(file.get(), bytes.data(), bytes.size(), 0) ||
      !writeAll(copy.get(), bytes))
    return "";
  return path;
}

Problem CodeLibrary::load(const Descriptor &file,
                          std::shared_ptr<CodeLibrary> &library) {
  std::string path = copyForTools(file);
  void *handle = path.empty() ? openCode(file)
                              : ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string reason = handle ? "" : ::dlerror();
  if (!handle)
    if (Descriptor copy = copyToMemory(file))
      handle = openCode(copy);
  if (!handle)
    return makeProblem(Problem::Kind::System, "cannot load compiled code: {0}",
                       reason);
  library.reset(new CodeLibrary(handle));
  return {};
}

Problem CodeLibrary::load(std::string_view bytes,
                          std::shared_ptr<CodeLibrary> &library) {
  Descriptor file;
  if (Problem problem = openMemoryFile("tegula", bytes, file))
    return problem;
  return load(file, library);
}

CodeLibrary::~CodeLibrary() { ::dlclose(handle); }

void *CodeLibrary::find(const char *name) const {
  return ::dlsym(handle, name);
}
