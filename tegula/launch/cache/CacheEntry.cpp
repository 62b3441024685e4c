// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/cache/CacheEntry.h"

#include "tegula/launch/cache/ByteStream.h"
#include "tegula/launch/cache/Digest.h"

#include <array>

using namespace tegula;

/// Changes with the layout of entries.
static constexpr std::string_view magic = "tegula1\n";
static constexpr size_t digestSize = 32;
/// The size of the code, the checksum, and the magic end every file.
static constexpr size_t footerSize =
    sizeof(uint64_t) + digestSize + magic.size();

std::string CacheEntry::getFileName() const {
  Digest digest;
  digest.add(std::string_view(program));
  digest.add(std::string_view(variant));
  digest.add(std::string_view(toolchain));
  return digest.finishText().substr(0, 40) + ".so";
}

static std::array<uint8_t, digestSize> checksumOf(std::string_view bytes) {
  Digest digest;
  digest.addBytes(bytes.data(), bytes.size());
  return digest.finish();
}

std::string tegula::writeCacheEntry(const CacheEntry &entry,
                                    std::string_view code) {
  ByteWriter writer;
  writer.content = code;
  for (std::string_view text :
       {std::string_view(entry.program), std::string_view(entry.variant),
        std::string_view(entry.toolchain), std::string_view(entry.kernel),
        std::string_view(entry.description), std::string_view(entry.facts)})
    writer.writeText(text);
  writer.writeNumber(entry.created);
  writer.writeNumber(code.size());
  std::array<uint8_t, digestSize> checksum = checksumOf(writer.content);
  writer.content.append(checksum.begin(), checksum.end());
  writer.content.append(magic);
  return std::move(writer.content);
}

bool tegula::readCacheEntry(std::string_view bytes, CacheEntry &entry,
                            uint64_t &codeSize) {
  if (bytes.size() < footerSize ||
      bytes.substr(bytes.size() - magic.size()) != magic)
    return false;
  bytes.remove_suffix(magic.size());
  std::string_view stored = bytes.substr(bytes.size() - digestSize);
  bytes.remove_suffix(digestSize);
  std::array<uint8_t, digestSize> checksum = checksumOf(bytes);
  if (stored !=
      std::string_view(reinterpret_cast<char *>(checksum.data()), digestSize))
    return false;
  codeSize =
      ByteReader(bytes.substr(bytes.size() - sizeof(uint64_t))).readNumber();
  bytes.remove_suffix(sizeof(uint64_t));
  if (codeSize > bytes.size())
    return false;
  ByteReader reader(bytes.substr(codeSize));
  for (std::string *text : {&entry.program, &entry.variant, &entry.toolchain,
                            &entry.kernel, &entry.description, &entry.facts})
    *text = reader.readText();
  entry.created = static_cast<int64_t>(reader.readNumber());
  return reader.isGood() && reader.isAtEnd();
}
