// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/torch/Model.h"

#include "llvm/Support/Endian.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;

/// What archives are made of, each beginning with four bytes.
static constexpr StringRef endOfFolder = "PK\5\6", entryOfFolder = "PK\1\2";
static constexpr size_t endBytes = 22, entryBytes = 46, headerBytes = 30;
/// A number that stands elsewhere, in files of 4 GiB and more.
static constexpr uint32_t elsewhere = 0xFFFFFFFF;

/// The bytes that an entry of the folder names; nothing if they are not there
/// or are compressed.
static std::optional<StringRef> findBytes(StringRef all, const char *entry) {
  uint32_t size = read32le(entry + 24), header = read32le(entry + 42);
  bool isStored = read16le(entry + 10) == 0;
  if (!isStored || size == elsewhere || header == elsewhere ||
      uint64_t(header) + headerBytes > all.size())
    return std::nullopt;
  const char *at = all.data() + header;
  uint64_t begin =
      uint64_t(header) + headerBytes + read16le(at + 26) + read16le(at + 28);
  if (begin + size > all.size())
    return std::nullopt;
  return all.substr(begin, size);
}

Expected<std::unique_ptr<llvm::MemoryBuffer>>
tegula::torch::openModel(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("'{0}' cannot be read: {1}", path,
                     buffer.getError().message());
  return std::move(*buffer);
}

Expected<Archive> Archive::read(std::unique_ptr<llvm::MemoryBuffer> file) {
  Archive archive;
  archive.buffer = std::move(file);
  StringRef path = archive.buffer->getBufferIdentifier();
  StringRef all = archive.buffer->getBuffer();
  size_t end = all.rfind(endOfFolder);
  if (end == StringRef::npos || end + endBytes > all.size())
    return makeError("'{0}' is not a model that torch.export.save wrote", path);
  size_t at = read32le(all.data() + end + 16);
  for (unsigned count = read16le(all.data() + end + 10); count; --count) {
    if (at + entryBytes > all.size() ||
        !all.substr(at).starts_with(entryOfFolder))
      return makeError("'{0}' is damaged", path);
    const char *entry = all.data() + at;
    size_t length = read16le(entry + 28);
    StringRef name = all.substr(at + entryBytes, length);
    std::optional<StringRef> bytes = findBytes(all, entry);
    if (!bytes)
      return makeError("'{0}' has a file that is damaged, compressed, or of "
                       "4 GiB: '{1}'",
                       path, name);
    archive.files[name.split('/').second.str()] = *bytes;
    at += entryBytes + length + read16le(entry + 30) + read16le(entry + 32);
  }
  return archive;
}

Expected<StringRef> Archive::find(StringRef name) const {
  auto found = files.find(name);
  if (found == files.end())
    return makeError("there is no '{0}' in it", name);
  return found->second;
}
