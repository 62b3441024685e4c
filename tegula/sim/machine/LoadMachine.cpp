// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/machine/MachineKeys.h"
#include "tegula/support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <dlfcn.h>

using namespace tegula;
using namespace tegula::sim;

static constexpr uint64_t maxFileBytes = 1 << 20;

std::string sim::printMachine(const Machine &machine) {
  std::string text;
  for (const MachineKey &key : getMachineKeys())
    text += llvm::formatv("{0} = {1}\n", key.name, printValue(machine, key));
  return text;
}

/// The folder of the shipped machines, found from where this code was loaded:
/// the build folder and an installation lie alike.
static std::string getShippedFolder() {
  static const char anchor = 0;
  Dl_info place;
  if (!dladdr(&anchor, &place) || !place.dli_fname)
    return "";
  llvm::SmallString<256> folder;
  if (llvm::sys::fs::real_path(place.dli_fname, folder))
    return "";
  llvm::sys::path::remove_filename(folder);
  llvm::sys::path::append(folder, "..", "share", "tegula");
  llvm::sys::path::append(folder, "machines");
  return folder.str().str();
}

std::vector<std::string> sim::listMachines() {
  std::vector<std::string> names;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator file(getShippedFolder(), code), end;
       !code && file != end; file.increment(code))
    if (llvm::sys::path::extension(file->path()) == ".toml")
      names.push_back(llvm::sys::path::stem(file->path()).str());
  std::sort(names.begin(), names.end());
  return names;
}

Expected<Machine> sim::loadMachine(llvm::StringRef name) {
  std::string path = name.str();
  if (!name.contains('/') && !name.ends_with(".toml")) {
    std::vector<std::string> names = listMachines();
    if (std::find(names.begin(), names.end(), name) == names.end())
      return makeError("there is no machine '{0}'; there are {1}, and files",
                       name, llvm::join(names, ", "));
    path = getShippedFolder() + "/" + path + ".toml";
  }
  Expected<std::string> text = readFile(path, maxFileBytes);
  if (!text)
    return text.takeError();
  return parseMachine(*text, path);
}
