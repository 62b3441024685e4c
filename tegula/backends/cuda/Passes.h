// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The passes of the CUDA back end. What each does is in Passes.td.

#ifndef TEGULA_BACKENDS_CUDA_PASSES_H
#define TEGULA_BACKENDS_CUDA_PASSES_H

#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/ir/ops/PlDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace tegula {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tegula/backends/cuda/Passes.h.inc"

/// On the function of the device: what is in memory that blocks share.
inline constexpr llvm::StringLiteral sharedBytesAttrName =
    "tegula.shared_bytes";
/// On the function of the device, if its blocks wait for each other.
inline constexpr llvm::StringLiteral gridBarrierAttrName =
    "tegula.grid_barrier";
/// The same, if it prints.
inline constexpr llvm::StringLiteral printsAttrName = "tegula.prints";
/// On the function of the device: how many slots a call has.
inline constexpr llvm::StringLiteral slotsAttrName = "tegula.slots";

/// On a function with layouts: how many warps a block has. On the function of
/// the device: how many threads, if its code is for so many only.
inline constexpr llvm::StringLiteral warpsAttrName = "tegula.warps";
inline constexpr llvm::StringLiteral threadsAttrName = "tegula.threads";

/// A module inside that of a kernel that is a matmul: the epilogue
/// (MatmulEpilogue.h).
inline constexpr llvm::StringLiteral storeModuleName = "tegula_matmul_epilogue";
/// A module inside that of a kernel which does the same with every row: the
/// schedules of it (RowVariants.h).
inline constexpr llvm::StringLiteral rowsModuleName = "tegula_rows";

/// The globals that host code finds the program by, and its length.
inline constexpr llvm::StringLiteral programName = "tegula_gpu_program";
inline constexpr llvm::StringLiteral programBytesName =
    "tegula_gpu_program_bytes";
inline constexpr llvm::StringLiteral emulatedName = "tegula_gpu_emulated";

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_PASSES_H
