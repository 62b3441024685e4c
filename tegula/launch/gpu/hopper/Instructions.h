// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instructions of Hopper chips that have no other name in C++: products of
/// warp groups, boxes of tensors that are copied in the background, and
/// barriers that count bytes.

#ifndef TEGULA_LAUNCH_GPU_HOPPER_INSTRUCTIONS_H
#define TEGULA_LAUNCH_GPU_HOPPER_INSTRUCTIONS_H

#include <cstdint>

namespace tegula::hopper {

// The registers of sums, as words and as operands of an instruction.
#define SUMS_64                                                                \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "     \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "     \
  "%30, %31, "                                                                 \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "     \
  "%46, %47, "                                                                 \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "     \
  "%62, %63"
#define SUMS_96                                                                \
  SUMS_64 ", "                                                                 \
          "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, "  \
          "%77, %78, %79, "                                                    \
          "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, "  \
          "%93, %94, %95"
#define SUMS_128                                                               \
  SUMS_96 ", "                                                                 \
          "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, "     \
          "%107, %108, %109, %110, %111, "                                     \
          "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, " \
          "%123, %124, %125, %126, %127"
#define OPERANDS_64(d)                                                         \
  "+f"((d)[0]), "+f"((d)[1]), "+f"((d)[2]), "+f"((d)[3]), "+f"((d)[4]),        \
      "+f"((d)[5]), "+f"((d)[6]), "+f"((d)[7]), "+f"((d)[8]), "+f"((d)[9]),    \
      "+f"((d)[10]), "+f"((d)[11]), "+f"((d)[12]), "+f"((d)[13]),              \
      "+f"((d)[14]), "+f"((d)[15]), "+f"((d)[16]), "+f"((d)[17]),              \
      "+f"((d)[18]), "+f"((d)[19]), "+f"((d)[20]), "+f"((d)[21]),              \
      "+f"((d)[22]), "+f"((d)[23]), "+f"((d)[24]), "+f"((d)[25]),              \
      "+f"((d)[26]), "+f"((d)[27]), "+f"((d)[28]), "+f"((d)[29]),              \
      "+f"((d)[30]), "+f"((d)[31]), "+f"((d)[32]), "+f"((d)[33]),              \
      "+f"((d)[34]), "+f"((d)[35]), "+f"((d)[36]), "+f"((d)[37]),              \
      "+f"((d)[38]), "+f"((d)[39]), "+f"((d)[40]), "+f"((d)[41]),              \
      "+f"((d)[42]), "+f"((d)[43]), "+f"((d)[44]), "+f"((d)[45]),              \
      "+f"((d)[46]), "+f"((d)[47]), "+f"((d)[48]), "+f"((d)[49]),              \
      "+f"((d)[50]), "+f"((d)[51]), "+f"((d)[52]), "+f"((d)[53]),              \
      "+f"((d)[54]), "+f"((d)[55]), "+f"((d)[56]), "+f"((d)[57]),              \
      "+f"((d)[58]), "+f"((d)[59]), "+f"((d)[60]), "+f"((d)[61]),              \
      "+f"((d)[62]), "+f"((d)[63])
#define OPERANDS_96(d)                                                         \
  OPERANDS_64(d), "+f"((d)[64]), "+f"((d)[65]), "+f"((d)[66]), "+f"((d)[67]),  \
      "+f"((d)[68]), "+f"((d)[69]), "+f"((d)[70]), "+f"((d)[71]),              \
      "+f"((d)[72]), "+f"((d)[73]), "+f"((d)[74]), "+f"((d)[75]),              \
      "+f"((d)[76]), "+f"((d)[77]), "+f"((d)[78]), "+f"((d)[79]),              \
      "+f"((d)[80]), "+f"((d)[81]), "+f"((d)[82]), "+f"((d)[83]),              \
      "+f"((d)[84]), "+f"((d)[85]), "+f"((d)[86]), "+f"((d)[87]),              \
      "+f"((d)[88]), "+f"((d)[89]), "+f"((d)[90]), "+f"((d)[91]),              \
      "+f"((d)[92]), "+f"((d)[93]), "+f"((d)[94]), "+f"((d)[95])
#define OPERANDS_128(d)                                                        \
  OPERANDS_96(d), "+f"((d)[96]), "+f"((d)[97]), "+f"((d)[98]), "+f"((d)[99]),  \
      "+f"((d)[100]), "+f"((d)[101]), "+f"((d)[102]), "+f"((d)[103]),          \
      "+f"((d)[104]), "+f"((d)[105]), "+f"((d)[106]), "+f"((d)[107]),          \
      "+f"((d)[108]), "+f"((d)[109]), "+f"((d)[110]), "+f"((d)[111]),          \
      "+f"((d)[112]), "+f"((d)[113]), "+f"((d)[114]), "+f"((d)[115]),          \
      "+f"((d)[116]), "+f"((d)[117]), "+f"((d)[118]), "+f"((d)[119]),          \
      "+f"((d)[120]), "+f"((d)[121]), "+f"((d)[122]), "+f"((d)[123]),          \
      "+f"((d)[124]), "+f"((d)[125]), "+f"((d)[126]), "+f"((d)[127])

/// The bits that a product finds a factor by: where it is in shared memory, in
/// rows of 128 bytes whose pieces are exchanged, and how far boxes are apart.
inline uint64_t describeFactor(uint32_t address, uint32_t boxBytes) {
  return (uint64_t(address & 0x3ffff) >> 4) | uint64_t(boxBytes >> 4) << 16 |
         uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

// d = a * b, plus d unless it `begins`: 64 rows, 16 elements summed up. The
// right factor may be given with its columns side by side (ACROSS is 1).
#define PRODUCT(COLUMNS, REGISTERS, NEXT, AND, LAST, TYPE, ACROSS)             \
  asm volatile("{ .reg .pred p; setp.eq.b32 p, " LAST ", 0; "                  \
               "wgmma.mma_async.sync.aligned.m64n" COLUMNS "k16.f32." TYPE     \
               "." TYPE " {" SUMS_##REGISTERS "}, " NEXT ", " AND              \
                                              ", p, 1, 1, 0, " ACROSS "; }"    \
               : OPERANDS_##REGISTERS(d)                                       \
               : "l"(a), "l"(b), "r"(begins))

/// An element type of factors.
enum class Factor { Bf16, Fp16 };

// Products of one number of columns, for every type and form of factors.
#define PRODUCTS(COLUMNS, REGISTERS, NEXT, AND, LAST)                          \
  template <Factor Type, bool IsAcross>                                        \
  inline void multiply(float (&d)[REGISTERS], uint64_t a, uint64_t b,          \
                       int begins) {                                           \
    if constexpr (Type == Factor::Bf16 && IsAcross)                            \
      PRODUCT(COLUMNS, REGISTERS, NEXT, AND, LAST, "bf16", "1");               \
    else if constexpr (Type == Factor::Bf16)                                   \
      PRODUCT(COLUMNS, REGISTERS, NEXT, AND, LAST, "bf16", "0");               \
    else if constexpr (IsAcross)                                               \
      PRODUCT(COLUMNS, REGISTERS, NEXT, AND, LAST, "f16", "1");                \
    else                                                                       \
      PRODUCT(COLUMNS, REGISTERS, NEXT, AND, LAST, "f16", "0");                \
  }

PRODUCTS("256", 128, "%128", "%129", "%130")
PRODUCTS("192", 96, "%96", "%97", "%98")
PRODUCTS("128", 64, "%64", "%65", "%66")

/// Waits for all products that were begun, after which sums can be read.
inline void finish(float (&d)[128]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : OPERANDS_128(d)::"memory");
}
inline void finish(float (&d)[96]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : OPERANDS_96(d)::"memory");
}
inline void finish(float (&d)[64]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : OPERANDS_64(d)::"memory");
}

inline void beginProducts() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
inline void endProducts() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits for all products but those of the last group.
inline void finishAllButLast() {
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
}

// Barriers in shared memory, which know in which round they are.

inline void initBarrier(uint32_t barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count)
               : "memory");
}
inline void arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
}
inline void expectBytes(uint32_t barrier, uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier),
      "r"(bytes)
      : "memory");
}
inline void await(uint32_t barrier, uint32_t round) {
  asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, "
               "[%0], %1; @p bra DONE; bra AGAIN; DONE: }" ::"r"(barrier),
               "r"(round)
               : "memory");
}
/// Barriers that were made are there for copies, too.
inline void fenceBarriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Copies the box of a tensor that begins at these places; the barrier counts
/// its bytes. Beyond the tensor there are zeros.
inline void copyBox(uint32_t target, const void *map, int32_t inner,
                    int32_t outer, uint32_t barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(target),
               "l"(map), "r"(inner), "r"(outer), "r"(barrier)
               : "memory");
}

inline void giveRegistersBack() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;" ::: "memory");
}
inline void takeRegisters() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;" ::: "memory");
}

} // namespace tegula::hopper

#endif // TEGULA_LAUNCH_GPU_HOPPER_INSTRUCTIONS_H
