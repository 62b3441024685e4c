// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/cache/KernelCache.h"

#include "tegula/launch/KernelFields.h"
#include "tegula/launch/cache/CacheFiles.h"
#include "tegula/launch/cache/Digest.h"
#include "tegula/launch/cache/Toolchain.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>

using namespace tegula;

static constexpr const char *indexName = "index";

static std::mutex defaultCacheMutex;
static std::shared_ptr<DiskCache> defaultCache;

/// Code of another compiler or for another machine is not found.
static std::shared_ptr<DiskCache> makeCache(CacheOptions options) {
  if (options.toolchain.empty())
    options.toolchain = describeToolchain();
  return std::make_shared<DiskCache>(std::move(options));
}

std::shared_ptr<DiskCache> tegula::getDefaultCache() {
  std::lock_guard<std::mutex> lock(defaultCacheMutex);
  if (!defaultCache)
    defaultCache = makeCache(CacheOptions::fromEnvironment());
  return defaultCache;
}

void tegula::setDefaultCache(CacheOptions options) {
  std::lock_guard<std::mutex> lock(defaultCacheMutex);
  defaultCache = makeCache(std::move(options));
}

bool tegula::isIndex(const CacheEntry &entry) {
  return entry.variant == indexName;
}

static std::string digestText(const std::string &text) {
  Digest digest;
  digest.add(text);
  return digest.finishText();
}

std::string tegula::digestFile(const std::string &path) {
  if (path.compare(0, 1, "$") == 0) {
    const char *value = std::getenv(path.c_str() + 1);
    return value ? digestText(value) : "";
  }
  // No kernel file is larger, and what became a pipe would never end.
  constexpr uint64_t maxBytes = 4 << 20;
  Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status;
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<uint64_t>(status.st_size) > maxBytes)
    return "";
  std::string text(status.st_size, '\0');
  if (!readAll(file.get(), text.data(), text.size(), 0))
    return "";
  return digestText(text);
}

static bool areCurrent(const std::vector<FileUse> &files) {
  return std::all_of(files.begin(), files.end(), [](const FileUse &file) {
    return digestFile(file.path) == file.digest;
  });
}

void KernelCache::followDefault() {
  std::shared_ptr<DiskCache> now = getDefaultCache();
  if (now == cache)
    return;
  cache = std::move(now);
  patterns.clear();
  Signature unused;
  readIndex(unused);
}

bool KernelCache::findDeclared(Signature &declared) {
  if (key.empty())
    return false;
  cache = getDefaultCache();
  return readIndex(declared);
}

bool KernelCache::readIndex(Signature &declared) {
  std::optional<CachedCode> found = cache->find(key, indexName);
  if (!found)
    return false;
  ByteReader reader(found->entry.facts);
  Signature read;
  std::vector<FileUse> used;
  readFields(reader, read);
  readFields(reader, used);
  std::vector<VariantPattern> known;
  uint64_t count = reader.readCount();
  for (uint64_t index = 0; index < count; ++index)
    if (!known.emplace_back().read(reader, read.parameters.size()))
      return false;
  if (!reader.isGood() || !reader.isAtEnd() || !areCurrent(used))
    return false;
  files = std::move(used);
  patterns = std::move(known);
  signature = read;
  declared = std::move(read);
  return true;
}

void KernelCache::storeIndex() {
  ByteWriter writer;
  writeFields(writer, signature);
  writeFields(writer, files);
  writer.writeNumber(patterns.size());
  for (const VariantPattern &pattern : patterns)
    pattern.write(writer);
  CacheEntry entry;
  entry.program = key;
  entry.variant = indexName;
  entry.kernel = signature.kernel;
  entry.description = signature.format();
  entry.facts = std::move(writer.content);
  cache->store(std::move(entry), "");
}

void KernelCache::storeDeclared(const Signature &declared,
                                std::vector<FileUse> used) {
  if (key.empty())
    return;
  cache = getDefaultCache();
  FolderLock lock(cache->getOptions().folder);
  // Another process may have been faster, and know variants already.
  Signature read;
  if (readIndex(read))
    return;
  signature = declared;
  files = std::move(used);
  patterns.clear();
  storeIndex();
}

std::unique_ptr<Variant> KernelCache::load(const std::string &name) {
  std::optional<CachedCode> found = cache->find(key, name);
  KernelImage image;
  std::unique_ptr<Variant> variant;
  // Whatever does not fit together is compiled anew and replaced.
  if (!found || !readImage(found->entry.facts, image) ||
      image.facts.signature.parameters.size() != signature.parameters.size() ||
      !areCurrent(image.facts.files) ||
      loadImage(std::move(image), found->file, variant))
    return nullptr;
  variant->origin = Variant::Origin::DiskCache;
  return variant;
}

std::unique_ptr<Variant> KernelCache::find(llvm::ArrayRef<Argument> arguments) {
  if (key.empty())
    return nullptr;
  followDefault();
  for (const VariantPattern &pattern : patterns)
    if (std::optional<std::string> name = pattern.name(arguments))
      if (std::unique_ptr<Variant> variant = load("variant " + *name))
        return variant;
  return nullptr;
}

Descriptor KernelCache::store(const KernelImage &image,
                              const Signature &declared) {
  if (key.empty())
    return {};
  followDefault();
  VariantPattern pattern(image.facts.signature, declared);
  CacheEntry entry;
  entry.program = key;
  entry.variant = "variant " + pattern.name(image.facts.signature);
  entry.kernel = image.facts.signature.kernel;
  entry.description = image.facts.signature.format();
  entry.facts = writeImage(image);
  const ImageObject *host = image.find(hostCode);
  std::optional<CachedCode> stored =
      cache->store(std::move(entry), host ? host->bytes : "");
  if (!stored)
    return {};
  if (!isKnown(pattern))
    addPattern(std::move(pattern), declared);
  return std::move(stored->file);
}

bool KernelCache::isKnown(const VariantPattern &pattern) const {
  return std::find(patterns.begin(), patterns.end(), pattern) != patterns.end();
}

void KernelCache::addPattern(VariantPattern pattern,
                             const Signature &declared) {
  FolderLock lock(cache->getOptions().folder);
  std::vector<VariantPattern> wanted = std::move(patterns);
  wanted.push_back(std::move(pattern));
  // Other processes may have added theirs meanwhile, and this very one.
  patterns.clear();
  Signature read;
  bool isStored = readIndex(read);
  size_t numStored = patterns.size();
  for (VariantPattern &mine : wanted)
    if (!isKnown(mine))
      patterns.push_back(std::move(mine));
  signature = declared;
  if (!isStored || patterns.size() != numStored)
    storeIndex();
}
