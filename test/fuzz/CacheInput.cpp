// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of the cache. Their checksum keeps mutations out, so each input is read
// as it is, and once more with a checksum that is right.
#include "test/fuzz/Inputs.h"

#include "tegula/launch/KernelFields.h"
#include "tegula/launch/cache/CacheEntry.h"
#include "tegula/launch/cache/Digest.h"
#include "tegula/launch/call/Guard.h"
#include "tegula/launch/call/VariantPattern.h"

using namespace tegula;
using llvm::StringRef;

/// What an entry says of its code, which is neither loaded nor run.
static void readImageOf(const CacheEntry &entry) {
  KernelImage image;
  if (!readImage(entry.facts, image))
    return;
  image.facts.signature.format();
  image.facts.signature.getSymbols();
  Guard guard;
  if (Guard::create(image.facts.signature, guard))
    return;
  int64_t slots[Guard::maxSlots];
  fuzz::expect(image.facts.signature.parameters.empty() ||
                   static_cast<bool>(guard.check({}, slots)),
               "a call without arguments is accepted");
}

/// What an entry says of the calls for which there is code.
static void readIndexOf(const CacheEntry &entry) {
  ByteReader reader(entry.facts);
  Signature declared;
  readFields(reader, declared);
  std::vector<FileUse> files;
  readFields(reader, files);
  uint64_t count = reader.readCount();
  for (uint64_t index = 0; index < count; ++index) {
    VariantPattern pattern;
    if (!pattern.read(reader, declared.parameters.size()))
      return;
    static float element = 0;
    const TensorView tensor(&element, {1, 1});
    pattern.name(std::vector<Argument>(declared.parameters.size(), 1));
    pattern.name(std::vector<Argument>(declared.parameters.size(), tensor));
  }
}

static void readEntry(StringRef bytes) {
  CacheEntry entry;
  uint64_t codeSize = 0;
  if (!readCacheEntry({bytes.data(), bytes.size()}, entry, codeSize))
    return;
  std::string_view code(bytes.data(), codeSize);
  fuzz::expect(bytes == writeCacheEntry(entry, code),
               "what was read is not what is written");
  entry.getFileName();
  readImageOf(entry);
  readIndexOf(entry);
}

static void readCacheFile(StringRef text) {
  readEntry(text);
  Digest digest;
  digest.addBytes(text.data(), text.size());
  std::array<uint8_t, 32> checksum = digest.finish();
  std::string sealed = text.str();
  sealed.append(checksum.begin(), checksum.end());
  readEntry(sealed + "tegula1\n");
}

static std::vector<std::string> listCacheTokens() {
  auto number = [](uint64_t value) {
    return std::string(reinterpret_cast<char *>(&value), sizeof(value));
  };
  return {number(0),       number(1),         number(8),   number(UINT64_MAX),
          number(1 << 20), number(INT64_MAX), "tegula1\n", "M",
          "host code"};
}

const fuzz::Input fuzz::cache = {"cache", readCacheFile, listCacheTokens};
