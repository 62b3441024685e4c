// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/machine/MachineKeys.h"
#include "tegula/sim/machine/ShippedFiles.h"
#include "tegula/support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

static constexpr uint64_t maxFileBytes = 1 << 20;

std::string sim::printMachine(const Machine &machine) {
  std::string text;
  for (const MachineKey &key : getMachineKeys())
    text += llvm::formatv("{0} = {1}\n", key.name, printValue(machine, key));
  return text;
}

std::vector<std::string> sim::listMachines() {
  std::vector<std::string> names;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator
           file(getShippedFolder("machines"), code),
       end;
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
    path = getShippedFolder("machines") + "/" + path + ".toml";
  }
  Expected<std::string> text = readFile(path, maxFileBytes);
  if (!text)
    return text.takeError();
  return parseMachine(*text, path);
}
