// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/image/LibraryFile.h"

#include <cstring>
#include <elf.h>

using namespace tegula;

#if defined(__x86_64__)
static constexpr Elf64_Half ownMachine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr Elf64_Half ownMachine = EM_AARCH64;
#elif defined(__riscv)
static constexpr Elf64_Half ownMachine = EM_RISCV;
#else
#error "the number of this processor in ELF files is not known"
#endif

/// Copies what lies at `offset`; false if the bytes end before.
template <typename T>
static bool readAt(std::string_view bytes, uint64_t offset, T &value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

static Problem makeCutProblem(std::string_view bytes) {
  return makeProblem(Problem::Kind::System,
                     "a shared library that was cut off after {0} bytes",
                     bytes.size());
}

Problem tegula::checkLibraryFile(std::string_view bytes) {
  if (bytes.substr(0, SELFMAG) != ELFMAG)
    return makeProblem(Problem::Kind::System, "not a shared library");
  Elf64_Ehdr header;
  if (!readAt(bytes, 0, header))
    return makeCutProblem(bytes);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != ownMachine)
    return makeProblem(Problem::Kind::System,
                       "a shared library for other processors than this one");
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr))
    return makeProblem(Problem::Kind::System, "not a shared library");
  for (unsigned number = 0; number < header.e_phnum; ++number) {
    Elf64_Phdr part;
    if (!readAt(bytes, header.e_phoff + number * sizeof(part), part))
      return makeCutProblem(bytes);
    if (part.p_type == PT_LOAD &&
        (part.p_offset > bytes.size() ||
         part.p_filesz > bytes.size() - part.p_offset))
      return makeCutProblem(bytes);
  }
  return {};
}
