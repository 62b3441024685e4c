// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What host code carries of its kernel for GPUs, as bytes.

#ifndef TEGULA_LAUNCH_GPU_GPUPROGRAM_H
#define TEGULA_LAUNCH_GPU_GPUPROGRAM_H

#include "tegula/launch/gpu/variants/GpuAttention.h"
#include "tegula/launch/gpu/variants/GpuMatmul.h"
#include "tegula/launch/gpu/variants/GpuRows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// Code for chips of one kind.
struct GpuCode {
  /// Such as `sm_90a`.
  std::string chip;
  /// An ELF file for the chip, or text for assemblers.
  std::string bytes;

  /// Such as 90.
  int getChip() const;
};

template <> struct Fields<GpuCode> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("chip", self.chip);
    visit("bytes", self.bytes);
  }
};

/// The best of the codes for a chip such as 90: one made for it, else text that
/// the driver assembles. Null if there is none.
const GpuCode *findGpuCode(const std::vector<GpuCode> &codes, int chip);

/// All that is known about a kernel but where it is loaded.
struct GpuProgram {
  /// The kernel as its author calls it, for messages, and in the code.
  std::string name;
  std::string symbol;
  /// Of a call, and how many of these the kernel takes: it needs none of the
  /// last ones.
  int64_t numSlots = 0;
  int64_t usedSlots = 0;
  int64_t threads = 0;
  /// Memory that the threads of a block share.
  int64_t sharedBytes = 0;
  /// Whether blocks wait for each other, so that all must run at once.
  bool hasGridBarrier = false;
  /// Whether its state is that of a TegulaGpuConsole.
  bool hasPrints = false;
  std::vector<GpuTensor> tensors;
  std::vector<GpuCode> codes;
  /// If it is a matmul or attention: which, and tuned code for the chips that
  /// have it.
  std::optional<GpuMatmul> matmul;
  std::optional<GpuAttention> attention;
  std::vector<GpuCode> matmulCodes;
  /// If it is a matmul: code for chips that multiply in tiles.
  std::vector<GpuCode> tileCodes;
  /// If it does the same with every row: variants of it, next to the kernel.
  std::optional<GpuRows> rows;

  std::string write() const;
  /// False if these bytes are not such.
  bool read(std::string_view bytes);
};

template <> struct Fields<GpuProgram> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("name", self.name);
    visit("symbol", self.symbol);
    visit("slots", self.numSlots);
    visit("used_slots", self.usedSlots);
    visit("threads", self.threads);
    visit("shared_bytes", self.sharedBytes);
    visit("barriers", self.hasGridBarrier);
    visit("prints", self.hasPrints);
    visit("tensors", self.tensors);
    visit("codes", self.codes);
    visit("matmul", self.matmul);
    visit("attention", self.attention);
    visit("tensor_core_codes", self.matmulCodes);
    visit("tile_codes", self.tileCodes);
    visit("rowwise", self.rows);
  }
  static const char *findMistake(const GpuProgram &program);
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUPROGRAM_H
