// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the compiler makes of a kernel: code, tables, and what has to be known
/// to call it. It can be kept in a file and loaded by any process.

#ifndef TEGULA_LAUNCH_IMAGE_KERNELIMAGE_H
#define TEGULA_LAUNCH_IMAGE_KERNELIMAGE_H

#include "tegula/launch/call/Variant.h"
#include "tegula/launch/image/MemoryFile.h"

namespace tegula {

/// A file that was read while compiling.
struct FileUse {
  std::string path;
  /// Digest of what was read, or empty if there was no such file.
  std::string digest;
};

/// All that is known about compiled code but the code itself.
struct KernelFacts {
  /// With the types and shapes it was compiled for.
  Signature signature;
  /// The back end that runs the image; empty if it is nothing but host code,
  /// which is simply called.
  std::string runner = {};
  /// Of a host program: a digest of its code, which all ranks must agree on.
  std::string digest = {};
  /// The symbol of the kernel in the host code.
  std::string entry = {};
  /// What the processor must have, with spaces between; empty if the code is
  /// for the one it was compiled on.
  std::string features = {};
  /// The texts that TegulaCallState::site stands for.
  std::vector<std::string> sites = {};
  /// What must not have changed for the code to be that of the source.
  std::vector<FileUse> files = {};
  std::vector<KernelWarning> warnings = {};
};

/// One part of an image.
struct ImageObject {
  /// What it is: `hostCode`, or what the image's runner calls it.
  std::string kind;
  std::string bytes;
};

/// The kind of a shared library for this machine. An image has at most one.
inline constexpr const char *hostCode = "host code";

/// A compiled kernel.
struct KernelImage {
  KernelFacts facts;
  std::vector<ImageObject> objects = {};

  /// The object of that kind, or null.
  const ImageObject *find(std::string_view kind) const;
};

/// The facts as bytes.
std::string writeFacts(const KernelFacts &facts);

/// The facts that were written; false if these bytes are not such.
bool readFacts(std::string_view bytes, KernelFacts &facts);

/// All of an image but its host code as bytes. That lies next to them, where it
/// can be loaded from.
std::string writeImage(const KernelImage &image);

/// What was written; false if these bytes are not such.
bool readImage(std::string_view bytes, KernelImage &image);

/// Makes a callable variant. `file` has the host code, unless it is closed;
/// then that is among the objects.
Problem loadImage(KernelImage image, const Descriptor &file,
                  std::unique_ptr<Variant> &variant);

} // namespace tegula

#endif // TEGULA_LAUNCH_IMAGE_KERNELIMAGE_H
