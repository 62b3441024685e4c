// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/cache/Toolchain.h"

#include "tegula/launch/image/MemoryFile.h"

#include "llvm/Config/llvm-config.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>

using namespace tegula;

const char *tegula::getVersion() { return TEGULA_VERSION; }

/// The build id among the notes in `notes`.
static std::string findBuildId(std::string_view notes) {
  auto roundUp = [](size_t size) { return (size + 3) / 4 * 4; };
  Elf64_Nhdr note;
  while (notes.size() >= sizeof(note)) {
    std::memcpy(&note, notes.data(), sizeof(note));
    size_t start = sizeof(note) + roundUp(note.n_namesz);
    if (start + note.n_descsz > notes.size())
      return "";
    if (note.n_type == NT_GNU_BUILD_ID) {
      std::string text;
      for (unsigned char byte : notes.substr(start, note.n_descsz)) {
        text += "0123456789abcdef"[byte / 16];
        text += "0123456789abcdef"[byte % 16];
      }
      return text;
    }
    notes.remove_prefix(std::min(notes.size(), start + roundUp(note.n_descsz)));
  }
  return "";
}

std::string tegula::readBuildId(const std::string &path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  Elf64_Ehdr header;
  if (!file ||
      !readAll(file.get(), reinterpret_cast<char *>(&header), sizeof(header),
               0) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return "";
  for (unsigned index = 0; index < header.e_phnum; ++index) {
    Elf64_Phdr segment;
    if (!readAll(file.get(), reinterpret_cast<char *>(&segment),
                 sizeof(segment), header.e_phoff + index * sizeof(segment)))
      return "";
    constexpr size_t maxNotes = 1 << 16;
    if (segment.p_type != PT_NOTE || segment.p_filesz > maxNotes)
      continue;
    std::string notes(segment.p_filesz, '\0');
    if (!readAll(file.get(), notes.data(), notes.size(), segment.p_offset))
      return "";
    std::string id = findBuildId(notes);
    if (!id.empty())
      return id;
  }
  return "";
}

const std::string &tegula::describeToolchain() {
  static const std::string text = [] {
    Dl_info own;
    std::string path;
    if (::dladdr(reinterpret_cast<void *>(&describeToolchain), &own))
      path = own.dli_fname;
    std::string compiler =
        path.substr(0, path.rfind('/') + 1) + "libtegula.so.0";
    return std::string("tegula ") + getVersion() + " (" +
           readBuildId(compiler) + " " + readBuildId(path) +
           "), LLVM " LLVM_VERSION_STRING ", " + describeHostCpu();
  }();
  return text;
}
