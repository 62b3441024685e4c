// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/Omission.h"

using namespace tegula::emulator;

static thread_local const Omission *current = nullptr;

Omission::Omission(std::string words, int32_t firstThread, int32_t lastThread)
    : words(std::move(words)), firstThread(firstThread),
      lastThread(lastThread) {
  current = this;
}

Omission::~Omission() { current = nullptr; }

bool Omission::isOmitted(const PtxInstruction &instruction, int32_t thread) {
  return current && thread >= current->firstThread &&
         thread <= current->lastThread && instruction.begins(current->words);
}
