// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/object/KernelImports.h"

#include "tegula/support/Error.h"
#include "tegula/support/KernelAbi.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>
#include <link.h>
#include <set>

using namespace llvm;
using namespace tegula;

static constexpr const char *noLibraries =
    "cannot find the libraries of compiled kernels";

namespace {

/// A library in this process that kernels may call.
struct LoadedLibrary {
  void *handle = nullptr;
  std::string name;
  /// Empty if the system finds it by its name.
  std::string folder;
};

} // namespace

/// The name a library gives itself, or else that of its file.
static std::string nameOf(const link_map &map) {
  const char *strings = nullptr;
  std::optional<uint64_t> name;
  for (const ElfW(Dyn) *entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB)
      strings = reinterpret_cast<const char *>(entry->d_un.d_ptr);
    else if (entry->d_tag == DT_SONAME)
      name = entry->d_un.d_val;
  }
  if (strings && name)
    return strings + *name;
  return sys::path::filename(map.l_name).str();
}

/// The library that defines `function`.
static Expected<LoadedLibrary> findDefining(void (*function)()) {
  Dl_info symbolInfo;
  link_map *map = nullptr;
  void *handle = nullptr;
  if (::dladdr1(reinterpret_cast<void *>(function), &symbolInfo,
                reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP))
    handle = ::dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return makeTextError(noLibraries);
  SmallString<128> path(map->l_name);
  sys::fs::make_absolute(path);
  return LoadedLibrary{handle, nameOf(*map),
                       sys::path::parent_path(path).str()};
}

/// The libraries, our own first: whatever else also defines a name of ours is
/// not meant.
static Expected<std::vector<LoadedLibrary>> findLibraries() {
  std::vector<LoadedLibrary> libraries;
  Expected<LoadedLibrary> ours =
      findDefining(reinterpret_cast<void (*)()>(&tegulaScratchPush));
  if (!ours)
    return ours.takeError();
  libraries.push_back(std::move(*ours));
  for (const char *name : {"libm.so.6", "libc.so.6"}) {
    void *handle = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!handle)
      return makeError("cannot find {0}: {1}", name, ::dlerror());
    libraries.push_back({handle, name, ""});
  }
  return libraries;
}

/// True if the library itself, not one that it depends on, has the function.
static bool defines(const LoadedLibrary &library, const char *function) {
  Dl_info symbolInfo;
  link_map *map = nullptr;
  void *address = ::dlsym(library.handle, function);
  return address &&
         ::dladdr1(address, &symbolInfo, reinterpret_cast<void **>(&map),
                   RTLD_DL_LINKMAP) &&
         nameOf(*map) == library.name;
}

/// The libraries, or nothing if one is missing. Handles are counted, so they
/// are kept and not looked up again.
static ArrayRef<LoadedLibrary> getLibraries() {
  static const std::vector<LoadedLibrary> libraries = [] {
    Expected<std::vector<LoadedLibrary>> found = findLibraries();
    if (found)
      return std::move(*found);
    consumeError(found.takeError());
    return std::vector<LoadedLibrary>();
  }();
  return libraries;
}

bool tegula::isLibraryFunction(const std::string &name) {
  return any_of(getLibraries(), [&](const LoadedLibrary &library) {
    return ::dlsym(library.handle, name.c_str()) != nullptr;
  });
}

Expected<std::vector<std::string>> tegula::findStandaloneLibraries() {
  if (getLibraries().empty())
    return makeTextError(noLibraries);
  std::vector<std::string> paths = {getLibraries().front().folder +
                                    "/libtegula-launch.a"};
  if (!sys::fs::exists(paths.front()))
    return makeError("cannot find '{0}', which libraries are linked with",
                     paths.front());
  for (const char *name : {"libstdc++.so.6", "libgcc_s.so.1", "libm.so.6",
                           "libc.so.6", "ld-linux-x86-64.so.2"}) {
    link_map *map = nullptr;
    void *handle = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!handle || ::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
      return makeError("cannot find {0}: {1}", name, ::dlerror());
    paths.push_back(map->l_name);
    ::dlclose(handle);
  }
  return paths;
}

/// Adds the names that an object file defines, and those that it only uses.
static Error addNames(StringRef bytes, std::set<std::string> &defined,
                      std::set<std::string> &used) {
  Expected<std::unique_ptr<object::ObjectFile>> object =
      object::ObjectFile::createELFObjectFile({bytes, "kernel"});
  if (!object)
    return object.takeError();
  for (const object::SymbolRef &symbol : (*object)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (!flags || !name)
      return joinErrors(flags.takeError(), name.takeError());
    bool isUsed = *flags & object::SymbolRef::SF_Undefined;
    if (!name->empty())
      (isUsed ? used : defined).insert(name->str());
  }
  return Error::success();
}

Expected<std::vector<Import>> tegula::findImports(ArrayRef<StringRef> objects) {
  ArrayRef<LoadedLibrary> libraries = getLibraries();
  if (libraries.empty())
    return makeTextError(noLibraries);
  std::set<std::string> defined, used;
  for (StringRef object : objects)
    if (Error error = addNames(object, defined, used))
      return error;
  std::vector<Import> imports;
  for (const LoadedLibrary &library : libraries)
    imports.push_back({library.name, {}});
  for (const std::string &text : used) {
    if (defined.count(text))
      continue;
    const auto *found = find_if(libraries, [&](const LoadedLibrary &library) {
      return defines(library, text.c_str());
    });
    if (found == libraries.end())
      return makeError("compiled code calls {0}, which no library has", text);
    imports[found - libraries.begin()].functions.push_back(text);
  }
  erase_if(imports,
           [](const Import &import) { return import.functions.empty(); });
  return imports;
}
