// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory that is all zeros in a child of this process. A child has only the
/// thread that forked: what others hold, or were about to change, would stay so
/// in it for ever.

#ifndef TEGULA_LAUNCH_THREADS_WIPEDONFORK_H
#define TEGULA_LAUNCH_THREADS_WIPEDONFORK_H

#include <new>
#include <sys/mman.h>
#include <type_traits>

namespace tegula {

/// One object there, for static variables: made when the library is loaded, so
/// that no fork finds it half made, and never destroyed, since threads may go
/// on to the end of the process. Zeros must be what it is made as. Where there
/// is no such memory it is as any other.
template <typename T> class WipedOnFork {
public:
  WipedOnFork() {
    static_assert(std::is_trivially_destructible_v<T>);
    void *pages = ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED)
      ::madvise(pages, sizeof(T), MADV_WIPEONFORK);
    object = new (pages == MAP_FAILED ? storage : pages) T();
  }
  WipedOnFork(const WipedOnFork &) = delete;
  WipedOnFork &operator=(const WipedOnFork &) = delete;

  T &operator*() { return *object; }
  T *operator->() { return object; }

private:
  T *object;
  alignas(T) char storage[sizeof(T)];
};

} // namespace tegula

#endif // TEGULA_LAUNCH_THREADS_WIPEDONFORK_H
