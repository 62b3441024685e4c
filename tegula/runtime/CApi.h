/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** \file
 * Kernels from C, and from everything that can call C. Functions that can fail
 * return 1 on success and 0 on failure; then `message`, unless it is null, is
 * set to what is wrong and must be given to tegulaStringDestroy.
 */

#ifndef TEGULA_RUNTIME_CAPI_H
#define TEGULA_RUNTIME_CAPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A loaded kernel. May be called from several threads at once. */
typedef struct TegulaKernelHandle TegulaKernelHandle;

/** What an argument is. */
enum TegulaArgumentKind {
  TegulaTensorArgument = 0,
  TegulaIntegerArgument = 1,
  TegulaFloatArgument = 2
};

#ifndef TEGULA_ELEMENT_TYPES
#define TEGULA_ELEMENT_TYPES
/** The numbers of the element types. */
enum TegulaElementType {
  TegulaBool = 0,
  TegulaInt8 = 1,
  TegulaInt16 = 2,
  TegulaInt32 = 3,
  TegulaInt64 = 4,
  TegulaUInt8 = 5,
  TegulaUInt16 = 6,
  TegulaUInt32 = 7,
  TegulaUInt64 = 8,
  TegulaFP16 = 9,
  TegulaBF16 = 10,
  TegulaFP32 = 11,
  TegulaFP64 = 12,
  TegulaInt4 = 13, /**< two to a byte, the first in its low half */
  TegulaUInt4 = 14,
  TegulaFP8E4M3FN = 15,
  TegulaFP8E5M2 = 16
};
#endif

/** One argument of a call. Only the members of its kind count. */
typedef struct TegulaArgument {
  int kind; /**< a TegulaArgumentKind */
  /** Tensor: the element at index 0 of every axis. */
  void *data;
  int dtype; /**< a TegulaElementType */
  int32_t rank;
  /** Tensor: `rank` extents, and as many strides in elements. */
  const int64_t *sizes;
  const int64_t *strides;
  /** Integer and float: the number. */
  int64_t integer;
  double real;
} TegulaArgument;

/** Loads the kernel `name` of the file at `path`; an empty name, or
 * null, is the only kernel of the file. */
int tegulaKernelLoad(const char *path, const char *name,
                     TegulaKernelHandle **kernel, char **message);

/** The same for a target such as "cpu:x86-64-v3" or "interpreter"; an empty
 * one, or null, is this processor. */
int tegulaKernelLoadForTarget(const char *path, const char *name,
                              const char *target, TegulaKernelHandle **kernel,
                              char **message);

/** Checks the arguments and runs the kernel. */
int tegulaKernelCall(const TegulaKernelHandle *kernel,
                     const TegulaArgument *arguments, int64_t count,
                     char **message);

/** How often the kernel has been compiled in this process. */
uint64_t tegulaKernelGetCompileCount(const TegulaKernelHandle *kernel);

/** Compares two kernels as programs: names of variables and the division into
 * helpers do not count. On success `difference` is null if they are the same,
 * and otherwise a text with the first difference and both locations, which must
 * be given to tegulaStringDestroy. An empty name, or null, is the only kernel
 * of its file. */
int tegulaKernelCompare(const char *firstPath, const char *firstName,
                        const char *secondPath, const char *secondName,
                        char **difference, char **message);

/** Releases the kernel; null is allowed. */
void tegulaKernelDestroy(TegulaKernelHandle *kernel);

/** Releases a message; null is allowed. */
void tegulaStringDestroy(char *message);

#ifdef __cplusplus
}
#endif

#endif /* TEGULA_RUNTIME_CAPI_H */
