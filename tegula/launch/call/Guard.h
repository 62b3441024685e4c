// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The check in front of every call: what it accepts, compiled code can run.
/// It allocates nothing and takes no lock unless it has something to report.

#ifndef TEGULA_LAUNCH_CALL_GUARD_H
#define TEGULA_LAUNCH_CALL_GUARD_H

#include "tegula/launch/Problem.h"
#include "tegula/launch/call/Argument.h"
#include "tegula/launch/call/Signature.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace tegula {

struct AddressRange;

/// What is wrong with a call with `found` arguments.
Problem makeCountProblem(const Signature &signature, size_t found);

/// The checks of one signature, made once and run at each call.
///
/// Refused are: a wrong number of arguments, a tensor for a number or a number
/// for a tensor, a wrong rank or element type, extents that differ from what
/// is declared or from each other, sizes that do not meet a requirement of the
/// kernel, sizes of which it would compute more than 64 bits hold, negative
/// extents, missing or misaligned memory, numbers that do not
/// fit, outputs whose elements share memory, and outputs that share memory with
/// another argument. For half bytes, bytes that hold two each are accepted as
/// well (PackedBytes.h). Strided views that interleave without sharing an
/// element are accepted.
class Guard {
public:
  /// No kernel takes more slots, so that a call can keep them on the stack.
  static constexpr unsigned maxSlots = 1024;

  /// A guard that is yet to be made.
  Guard() = default;

  /// Every parameter of `signature` must have its type and shape. Fails if the
  /// parameters need more than `maxSlots`.
  static Problem create(Signature signature, Guard &guard);

  /// Checks `arguments` and fills the first `getNumSlots` of `slots` in the
  /// order of KernelAbi.h. On failure the slots are undefined.
  Problem check(llvm::ArrayRef<Argument> arguments, int64_t *slots) const;

  unsigned getNumSlots() const { return numSlots; }
  const Signature &getSignature() const { return signature; }

private:
  /// What one parameter must be, without the words for messages.
  struct ParameterCheck {
    uint32_t firstAxis;
    uint8_t rank;
    DType dtype;
    bool isTensor;
    bool isWritten;
    uint32_t firstSlot;
  };
  /// What one axis must be. The first axis of a symbol sets its value.
  struct AxisCheck {
    /// The extent, or -1 if `symbol` counts.
    int64_t extent;
    /// The greatest extent.
    int64_t bound;
    uint32_t symbol;
    bool isFirst;
    /// Where the symbol is first bound, for messages.
    uint32_t originParameter;
    uint32_t originAxis;
  };

  /// A program whose sizes are numbered as the guard's symbols, and whose
  /// scalars are slots.
  [[nodiscard]] ExtentProgram
  resolve(ExtentProgram program, llvm::ArrayRef<std::string> symbols) const;
  void addRequirements(llvm::ArrayRef<std::string> symbols);
  void addExact(llvm::ArrayRef<std::string> symbols);

  void addOrder();
  void addParameter(unsigned index, std::vector<std::string> &symbols);

  /// The columns of a tensor of half bytes as far as others say them, else -1.
  int64_t findColumns(unsigned index, const int64_t *symbolValues) const;
  Problem checkHalfBytes(unsigned index, const TensorView &view) const;
  Problem checkTensor(unsigned index, const TensorView &view,
                      int64_t *symbolValues, AddressRange &range) const;
  Problem checkAxis(unsigned index, unsigned axis, int64_t extent,
                    int64_t *symbolValues) const;
  Problem checkMemory(unsigned index, const TensorView &view,
                      AddressRange &range) const;
  Problem checkScalar(unsigned index, const Argument &argument,
                      int64_t &slot) const;
  Problem checkOverlap(llvm::ArrayRef<Argument> arguments,
                       const AddressRange *ranges) const;
  /// True if the sizes are so large that something computed from them may not
  /// fit.
  bool areLarge(const int64_t *sizes, const int64_t *slots) const {
    uint64_t all = 0;
    for (uint32_t symbol : exactSizes)
      all |= static_cast<uint64_t>(sizes[symbol]);
    for (uint32_t slot : exactSlots)
      all |= static_cast<uint64_t>(slots[slot] ^ (slots[slot] >> 63));
    return all >> safeBits != 0;
  }
  Problem checkExact(const int64_t *sizes, const int64_t *slots) const;
  Problem wrongRank(unsigned index, const TensorView &view) const;
  Problem wrongSizes(const SizeRequirement &requirement, const int64_t *sizes,
                     const int64_t *slots) const;

  Signature signature;
  std::vector<ParameterCheck> checks;
  /// The parameters as they are checked: half bytes last, so that others can
  /// say whether the number of columns is odd.
  std::vector<uint32_t> order;
  std::vector<AxisCheck> axes;
  std::vector<SizeRequirement> requirements;
  /// What must fit 64 bits, the symbols and slots it is computed from, and how
  /// many bits of them are safe.
  std::vector<SizeRequirement> exact;
  std::vector<uint32_t> exactSizes, exactSlots;
  unsigned safeBits = 63;
  unsigned numSlots = 0;
  unsigned numSymbols = 0;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_GUARD_H
