# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LLVM's OpenMP runtime: compiled kernels run their parallel loops on it. They know it by the name of the file itself.
find_library(TEGULA_OPENMP omp5 omp PATHS ${LLVM_LIBRARY_DIR} REQUIRED)
file(REAL_PATH ${TEGULA_OPENMP} openmp)
cmake_path(GET openmp FILENAME openmp_name)
