// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded into a process, this lets one allocation fail: that with the number
// TEGULA_FAIL_AT among those of the libraries whose path has TEGULA_FAIL_IN in
// it. At the end it writes their number into the file TEGULA_FAIL_COUNT.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <new>

static std::atomic<long> count = 0;
static std::atomic<long> wanted = 0;

__attribute__((constructor)) static void readNumber() {
  const char *number = std::getenv("TEGULA_FAIL_AT");
  wanted = number ? std::atol(number) : 0;
}

/// Whether the caller, whose return address this is, gets nothing.
static bool fails(void *caller) {
  static const char *const library = std::getenv("TEGULA_FAIL_IN");
  dl_find_object found;
  if (!library || _dl_find_object(caller, &found) != 0 ||
      !std::strstr(found.dlfo_link_map->l_name, library))
    return false;
  return ++count == wanted;
}

__attribute__((destructor)) static void writeCount() {
  const char *path = std::getenv("TEGULA_FAIL_COUNT");
  std::FILE *file = path ? std::fopen(path, "w") : nullptr;
  if (!file)
    return;
  std::fprintf(file, "%ld", count.load());
  std::fclose(file);
}

extern "C" {

/// Counts anew, to that number; returns how many there were.
long tegulaFailAt(long number) {
  long before = count.exchange(0);
  wanted = number;
  return before;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr
                                            : __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr
                                            : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr
                                            : __libc_memalign(alignment, size);
}

} // extern "C"

/// What operator new does.
static void *allocate(size_t size, void *caller) {
  void *memory = fails(caller) ? nullptr : __libc_malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

void *operator new(size_t size) {
  return allocate(size, __builtin_return_address(0));
}

void *operator new[](size_t size) {
  return allocate(size, __builtin_return_address(0));
}

void *operator new(size_t size, const std::nothrow_t &) noexcept {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}

void *operator new[](size_t size, const std::nothrow_t &) noexcept {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}
