// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/image/OwnFolder.h"

#include <dlfcn.h>

using namespace tegula;

std::string tegula::getOwnFolder() {
  Dl_info own;
  if (!::dladdr(reinterpret_cast<void *>(&getOwnFolder), &own) ||
      !own.dli_fname)
    return "";
  std::string path = own.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}
