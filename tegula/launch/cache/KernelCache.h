// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The entries of one kernel in the cache on disk: an index with what its
/// source declares and the patterns of its variants, and the variants.

#ifndef TEGULA_LAUNCH_CACHE_KERNELCACHE_H
#define TEGULA_LAUNCH_CACHE_KERNELCACHE_H

#include "tegula/launch/cache/DiskCache.h"
#include "tegula/launch/call/VariantPattern.h"
#include "tegula/launch/image/KernelImage.h"

namespace tegula {

/// What one kernel keeps on disk. Not for several threads at once.
class KernelCache {
public:
  /// Uses the default cache, whichever it is at the time. Nothing is kept if
  /// `key` is empty.
  explicit KernelCache(std::string key) : key(std::move(key)) {}

  /// The signature that a process before this one wrote down; false if there
  /// is none, or a file has changed since.
  bool findDeclared(Signature &declared);

  /// Writes the signature down for the processes after this one.
  void storeDeclared(const Signature &declared, std::vector<FileUse> files);

  /// The variant for `arguments`, as many as the kernel has parameters, or
  /// null.
  std::unique_ptr<Variant> find(llvm::ArrayRef<Argument> arguments);

  /// Keeps a variant. Gives the file that has its host code, from which that is
  /// best loaded; a closed one if it has none or was not kept.
  Descriptor store(const KernelImage &image, const Signature &declared);

private:
  /// Turns to the default cache if that is another one by now.
  void followDefault();
  bool readIndex(Signature &declared);
  void storeIndex();
  bool isKnown(const VariantPattern &pattern) const;
  /// Adds a pattern to the index.
  void addPattern(VariantPattern pattern, const Signature &declared);
  std::unique_ptr<Variant> load(const std::string &name);

  std::shared_ptr<DiskCache> cache;
  std::string key;
  /// As it was read or written last.
  Signature signature;
  std::vector<FileUse> files;
  std::vector<VariantPattern> patterns;
};

/// True for an entry that lists the variants of a kernel and is none itself.
bool isIndex(const CacheEntry &entry);

/// The cache that kernels use unless they are told otherwise: what the
/// environment asks for, until it is replaced.
std::shared_ptr<DiskCache> getDefaultCache();
void setDefaultCache(CacheOptions options);

/// Digest of a file's content, or of the variable of the environment that
/// `$NAME` is; empty if there is no such file or variable.
std::string digestFile(const std::string &path);

} // namespace tegula

#endif // TEGULA_LAUNCH_CACHE_KERNELCACHE_H
