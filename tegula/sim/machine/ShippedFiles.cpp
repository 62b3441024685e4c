// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/machine/ShippedFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace tegula;
using namespace tegula::sim;

std::string sim::getShippedFolder(llvm::StringRef name) {
  static const char anchor = 0;
  Dl_info symbolInfo;
  if (!dladdr(&anchor, &symbolInfo) || !symbolInfo.dli_fname)
    return "";
  llvm::SmallString<256> folder;
  if (llvm::sys::fs::real_path(symbolInfo.dli_fname, folder))
    return "";
  llvm::sys::path::remove_filename(folder);
  llvm::sys::path::append(folder, "..", "share", "tegula");
  llvm::sys::path::append(folder, name);
  return folder.str().str();
}
