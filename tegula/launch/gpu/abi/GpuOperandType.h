// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What matmuls on GPUs multiply: the one table of it, for the host, the code
/// of the device and the emulator. What they need to know of a type, an element
/// or a precision is a column here, or follows from one.

#ifndef TEGULA_LAUNCH_GPU_ABI_GPUOPERANDTYPE_H
#define TEGULA_LAUNCH_GPU_ABI_GPUOPERANDTYPE_H

#include "tegula/support/DType.h"

#include <cstdint>

/// The types that instructions multiply: name, kind (GpuOperandKind), what they
/// are in shared memory, what PTX calls them, and what a copy of a box makes of
/// elements (CudaDriver.h). What follows the first argument comes behind each
/// row.
#define TEGULA_GPU_OPERAND_TYPES(ROW, ...)                                     \
  ROW(Bf16, Half, BF16, "bf16", mapBf16, __VA_ARGS__)                          \
  ROW(Fp16, Half, FP16, "f16", mapFp16, __VA_ARGS__)                           \
  ROW(Tf32, Word, FP32, "tf32", mapTf32, __VA_ARGS__)                          \
  ROW(Int8, Integer, Int8, "s8", mapBytes, __VA_ARGS__)                        \
  ROW(Uint8, Integer, UInt8, "u8", mapBytes, __VA_ARGS__)                      \
  ROW(E4M3FN, Float8, FP8E4M3FN, "e4m3", mapBytes, __VA_ARGS__)                \
  ROW(E5M2, Float8, FP8E5M2, "e5m2", mapBytes, __VA_ARGS__)                    \
  ROW(Fp32, Ordinary, FP32, "f32", mapWords, __VA_ARGS__)

/// The elements of tensors that matmuls have variants for: name, the word for
/// it, their type, the precision that the author asks for ("" is exact), and
/// what is multiplied by the code of Hopper chips and in tiles, since sm_80.
/// Hopper chips have no code for Ordinary types. Numbers are written down in
/// programs.
#define TEGULA_GPU_ELEMENTS(ROW)                                               \
  ROW(Fp16, "fp16", FP16, "", Fp16, Fp16)                                      \
  ROW(Bf16, "bf16", BF16, "", Bf16, Bf16)                                      \
  ROW(Fp32, "fp32", FP32, "", Fp32, Fp32)                                      \
  ROW(Int8, "int8", Int8, "", Int8, Int8)                                      \
  ROW(Uint8, "uint8", UInt8, "", Uint8, Uint8)                                 \
  ROW(Fp8E4M3FN, "fp8e4m3fn", FP8E4M3FN, "", Fp16, Fp16)                       \
  ROW(Fp8E5M2, "fp8e5m2", FP8E5M2, "", Fp16, Fp16)                             \
  ROW(Tf32, "tf32", FP32, "tf32", Tf32, Tf32)                                  \
  ROW(TensorE4M3FN, "tensor_e4m3fn", FP8E4M3FN, "fp8", E4M3FN, Fp16)           \
  ROW(TensorE5M2, "tensor_e5m2", FP8E5M2, "fp8", E5M2, Fp16)

/// Elements that become others when they are copied: what kernels that do so
/// are called, the type of the elements, and what they become.
#define TEGULA_GPU_CONVERSIONS(ROW)                                            \
  ROW(Fp8E4M3FN, FP8E4M3FN, Fp16)                                              \
  ROW(Fp8E5M2, FP8E5M2, Fp16)

/// The precisions of pl.matmul that GPUs make use of: name, what is said of a
/// matmul that has it, and by how much results differ, relative to the sum of
/// the terms' sizes. With TF32 both operands are off by 2^-11 of them at most;
/// with FP8 each of the 128 terms of a step loses less than 2^-13 of the
/// largest.
#define TEGULA_GPU_PRECISIONS(ROW)                                             \
  ROW("tf32", "in TF32", 5e-3)                                                 \
  ROW("fp8", "as FP8", 128.0 / (1 << 13) + 1e-5)

// What instructions are called behind the number of columns, by kind: how many
// elements they sum up, what accumulators are, and twice what is multiplied.
#define TEGULA_WGMMA_Half(PTX) "k16.f32." PTX "." PTX
#define TEGULA_WGMMA_Word(PTX) "k8.f32." PTX "." PTX
#define TEGULA_WGMMA_Integer(PTX) "k32.s32." PTX "." PTX
#define TEGULA_WGMMA_Float8(PTX) "k32.f32." PTX "." PTX
#define TEGULA_MMA_Half(PTX) "k16.row.col.f32." PTX "." PTX ".f32"
#define TEGULA_MMA_Word(PTX) "k8.row.col.f32." PTX "." PTX ".f32"
#define TEGULA_MMA_Integer(PTX) "k32.row.col.s32." PTX "." PTX ".s32"

namespace tegula {

enum class GpuOperandType {
#define ROW(NAME, ...) NAME,
  TEGULA_GPU_OPERAND_TYPES(ROW)
#undef ROW
};

/// Half: floats of two bytes, which tensor cores take transposed, too. Word:
/// FP32 whose last bits do not count. Integer: bytes, with accumulators of
/// INT32. Float8: Hopper's tensor cores keep few bits of their accumulators, so
/// that others add them up step by step. Ordinary: not for tensor cores.
enum class GpuOperandKind { Half, Word, Integer, Float8, Ordinary };

constexpr GpuOperandKind getKind(GpuOperandType type) {
  constexpr GpuOperandKind kinds[] = {
#define ROW(NAME, KIND, ...) GpuOperandKind::KIND,
      TEGULA_GPU_OPERAND_TYPES(ROW)
#undef ROW
  };
  return kinds[static_cast<int>(type)];
}

/// The type of its elements in shared memory.
constexpr DType getDType(GpuOperandType type) {
  constexpr DType types[] = {
#define ROW(NAME, KIND, DTYPE, ...) DType::DTYPE,
      TEGULA_GPU_OPERAND_TYPES(ROW)
#undef ROW
  };
  return types[static_cast<int>(type)];
}

constexpr int32_t getBytes(GpuOperandType type) {
  return static_cast<int32_t>(getSize(getDType(type)));
}

/// Whether accumulators are INT32, which travel as the bits of floats.
constexpr bool hasIntegerSums(GpuOperandType type) {
  return getKind(type) == GpuOperandKind::Integer;
}

/// Whether accumulators of tensor cores have too few bits to be kept for long,
/// so that others add them up.
constexpr bool isAddedUp(GpuOperandType type) {
  return getKind(type) == GpuOperandKind::Float8;
}

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_ABI_GPUOPERANDTYPE_H
