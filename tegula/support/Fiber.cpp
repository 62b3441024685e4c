// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/Fiber.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace tegula;

/// Generated code needs little; pages that are not touched take no memory.
static constexpr size_t stackBytes = 1 << 20;

static size_t getPageBytes() { return size_t(sysconf(_SC_PAGESIZE)); }

/// A page below the stack that must not be touched catches what runs over.
static void *allocateStack() {
  void *memory =
      mmap(nullptr, stackBytes + getPageBytes(), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fputs("tegula: no memory for a stack\n", stderr);
    std::abort();
  }
  mprotect(memory, getPageBytes(), PROT_NONE);
  return memory;
}

Fiber::Fiber(std::function<void()> body)
    : body(std::move(body)), stack(allocateStack()) {
  getcontext(&own);
  own.uc_stack.ss_sp = static_cast<char *>(stack) + getPageBytes();
  own.uc_stack.ss_size = stackBytes;
  own.uc_link = &caller;
  // A context is entered with numbers of 32 bits only.
  auto self = reinterpret_cast<uintptr_t>(this);
  makecontext(&own, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
              unsigned(self >> 32), unsigned(self));
}

Fiber::~Fiber() { munmap(stack, stackBytes + getPageBytes()); }

void Fiber::enter(unsigned high, unsigned low) {
  auto *self =
      reinterpret_cast<Fiber *>((uintptr_t(high) << 32) | uintptr_t(low));
  self->body();
  self->hasReturned = true;
}

void Fiber::resume() { swapcontext(&caller, &own); }

void Fiber::stop() { swapcontext(&own, &caller); }
