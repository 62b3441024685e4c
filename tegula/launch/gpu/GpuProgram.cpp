// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuProgram.h"

#include "tegula/launch/FieldCodec.h"

#include <cstdlib>

using namespace tegula;

int GpuCode::getChip() const { return std::atoi(chip.c_str() + 3); }

const GpuCode *tegula::findGpuCode(const std::vector<GpuCode> &codes,
                                   int chip) {
  std::string own = "sm_" + std::to_string(chip);
  const GpuCode *best = nullptr;
  for (const GpuCode &code : codes) {
    bool isText = code.bytes.compare(0, 4, "\177ELF") != 0;
    if (code.chip == own || code.chip == own + "a")
      return &code;
    int made = code.getChip();
    bool isFamily = made / 10 == chip / 10 && made <= chip;
    if (code.chip.back() != 'a' && (isText ? made <= chip : isFamily))
      best = &code;
  }
  return best;
}

namespace {

/// Looks for numbers of tensors that the program does not have.
class TensorCheck {
public:
  explicit TensorCheck(size_t count) : count(static_cast<int64_t>(count)) {}

  template <typename T> void check(const T &field) {
    if constexpr (std::is_same_v<T, GpuTensorNumber>) {
      areThere &= field < count;
    } else if constexpr (IsVector<T>::value) {
      for (const auto &element : field)
        check(element);
    } else if constexpr (IsOptional<T>::value) {
      if (field)
        check(*field);
    } else if constexpr (HasFields<T>::value) {
      Fields<T>::visit(field,
                       [&](const char *, const auto &inner) { check(inner); });
    }
  }

  bool areThere = true;

private:
  int64_t count;
};

} // namespace

const char *Fields<GpuProgram>::findMistake(const GpuProgram &program) {
  TensorCheck tensors(program.tensors.size());
  tensors.check(program.matmul);
  tensors.check(program.attention);
  tensors.check(program.rows);
  if (!tensors.areThere)
    return "the program has no such tensor";
  if (program.attention && program.attention->scaleSlot >= program.numSlots)
    return "a call has no such slot";
  return program.matmul && !program.rows ? "a matmul has rows" : nullptr;
}

std::string GpuProgram::write() const { return toBytes(*this); }

bool GpuProgram::read(std::string_view bytes) {
  return fromBytes(bytes, *this);
}
