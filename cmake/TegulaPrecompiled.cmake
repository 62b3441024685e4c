# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The upstream headers that nearly every file of ours reads, parsed once: it halves the time of a build.

set(TEGULA_PRECOMPILED
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Math/IR/Math.h> <mlir/Dialect/MemRef/IR/MemRef.h> <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Vector/IR/VectorOps.h> <mlir/IR/Matchers.h> <mlir/IR/PatternMatch.h> <mlir/Pass/Pass.h>
  <mlir/Pass/PassManager.h>)
file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cpp "")
add_library(tegula-precompiled OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
target_precompile_headers(tegula-precompiled PRIVATE ${TEGULA_PRECOMPILED})
# A precompiled header holds paths of its own build folder, so it is made anew in each and never comes from the cache.
# What it was made of, not its bytes, tells the cache whether two are the same.
set_target_properties(tegula-precompiled PROPERTIES CXX_COMPILER_LAUNCHER "")
file(WRITE ${PROJECT_BINARY_DIR}/CMakeFiles/tegula-precompiled.dir/cmake_pch.hxx.pch.sum
  "${TEGULA_PRECOMPILED} ${CMAKE_CXX_COMPILER_VERSION} ${MLIR_VERSION} ${CMAKE_BUILD_TYPE}\n")

# tegula_precompile(TARGET): the target's files start from the precompiled headers. The path is relative to the build
# folder, where Ninja runs the compiler, so that the cache sees the same command in every checkout.
function(tegula_precompile target)
  set(header CMakeFiles/tegula-precompiled.dir/cmake_pch.hxx.pch)
  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${PROJECT_BINARY_DIR}/${header})
  target_compile_options(${target} PRIVATE "SHELL:-include-pch ${header}")
endfunction()
