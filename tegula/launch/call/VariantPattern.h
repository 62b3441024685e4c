// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What of a call a variant is specialised on. Variants with one pattern differ
/// in values only, so that the arguments of a call name the one they need.

#ifndef TEGULA_LAUNCH_CALL_VARIANTPATTERN_H
#define TEGULA_LAUNCH_CALL_VARIANTPATTERN_H

#include "tegula/launch/cache/ByteStream.h"
#include "tegula/launch/call/Argument.h"
#include "tegula/launch/call/Signature.h"
#include "llvm/ADT/ArrayRef.h"

namespace tegula {

/// The parameters, axes and constants that count.
class VariantPattern {
public:
  VariantPattern() = default;
  /// What the open parameters of `declared` were specialised on in `resolved`.
  VariantPattern(const Signature &resolved, const Signature &declared);

  /// A hash of what counts in the arguments; nothing if they are of another
  /// kind than the pattern.
  std::optional<uint64_t> hash(llvm::ArrayRef<Argument> arguments) const;
  /// The same of the arguments that `resolved` was made for.
  uint64_t hash(const Signature &resolved) const;

  /// True if the arguments, of this pattern's kind, are what `resolved` was
  /// made for.
  bool matches(const Signature &resolved,
               llvm::ArrayRef<Argument> arguments) const;

  /// What counts in the arguments in words, "x FP32 3,_"; nothing if they are
  /// of another kind.
  std::optional<std::string> name(llvm::ArrayRef<Argument> arguments) const;
  /// The same of the arguments that `resolved` was made for.
  std::string name(const Signature &resolved) const;

  bool operator==(const VariantPattern &other) const {
    return probes == other.probes;
  }

  void write(ByteWriter &writer) const;
  /// False if the bytes are no pattern for `numParameters`.
  bool read(ByteReader &reader, size_t numParameters);

private:
  /// What of one argument counts.
  struct Probe {
    uint32_t parameter = 0;
    bool isTensor = false;
    uint8_t rank = 0;
    /// Bit k is set if the extent of axis k counts.
    uint8_t axes = 0;
    /// True for a number whose value counts.
    bool isConstant = false;
    /// Bit k is set if axis k may be anything but 1.
    uint8_t notOne = 0;
    /// True for a number that is a float to the program whatever the call has.
    bool becomesFloat = false;

    bool operator==(const Probe &other) const;
  };

  static bool isFloatFor(const Probe &probe, const Argument &argument);
  static uint64_t constantFor(const Probe &probe, const Argument &argument);
  static std::string describeTensor(const Probe &probe, DType dtype,
                                    llvm::ArrayRef<int64_t> sizes);
  static bool isOfKind(const Probe &probe, const Argument &argument);

  std::vector<Probe> probes;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_VARIANTPATTERN_H
