// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/ThreadMark.h"

#include <dlfcn.h>
#include <unistd.h>

using namespace tegula;

std::string tegula::getThreadMark() {
  return std::string(threadMarkFolder) + "/__KMP_REGISTERED_LIB_" +
         std::to_string(::getpid()) + "_" + std::to_string(::getuid());
}

void tegula::removeThreadMark() {
  static bool isRemoved = false;
  if (isRemoved)
    return;
  void *threads = ::dlopen(TEGULA_OPENMP, RTLD_NOW | RTLD_NOLOAD);
  if (!threads)
    return;
  // It makes its file when it is asked anything. If a process of this number
  // was killed and left one, it would follow an address in it, which may be in
  // memory of ours that has no pages.
  if (void *ask = ::dlsym(threads, "omp_get_max_threads")) {
    ::unlink(getThreadMark().c_str());
    reinterpret_cast<int (*)()>(ask)();
    ::unlink(getThreadMark().c_str());
    isRemoved = true;
  }
  ::dlclose(threads);
}
