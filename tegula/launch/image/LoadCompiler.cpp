// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the compiler's library next to this one.

#include "tegula/launch/image/CompilerService.h"
#include "tegula/launch/image/OwnFolder.h"
#include "tegula/launch/threads/ForkGate.h"

#include <dlfcn.h>
#include <mutex>

using namespace tegula;

static constexpr const char *libraryName = "libtegula.so.0";

static void *openLibrary(std::string &reason) {
  for (const std::string &path :
       {getOwnFolder() + libraryName, std::string(libraryName)}) {
    if (void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
    reason = dlerror();
  }
  return nullptr;
}

Problem tegula::getCompilerService(CompilerService *&service) {
  static std::mutex loading;
  static CompilerService *loaded = nullptr;
  CompileScope scope;
  std::lock_guard<std::mutex> lock(loading);
  if (!loaded) {
    std::string reason;
    void *library = openLibrary(reason);
    using Getter = CompilerService *(*)();
    auto getter =
        library
            ? reinterpret_cast<Getter>(dlsym(library, "tegulaCompilerService"))
            : nullptr;
    if (library && !getter)
      reason = std::string(libraryName) + " is of another version of Tegula";
    if (!getter)
      return makeProblem(Problem::Kind::System, "cannot load the compiler: {0}",
                         reason);
    loaded = getter();
  }
  service = loaded;
  return {};
}
