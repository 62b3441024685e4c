# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers that many files read, parsed once. A set of them can start from another one:
#   launch     the standard library and LLVM's containers, for libraries without LLVM
#   mlir       upstream dialects and passes, for everything else
#   pl         mlir, and the pl dialect
#   frontend   pl, and the syntax tree, objects and the emitter
# Every file includes what it uses all the same: TEGULA_PRECOMPILED=OFF compiles each one alone.
option(TEGULA_PRECOMPILED "Compile from precompiled headers" ON)

# tegula_add_precompiled(NAME [ON OTHER] HEADERS...): the set NAME. Its object file is the precompiled header: so it has
# the flags of all other files. It holds paths of its build folder, and is made anew in each one; scripts/precompile.py
# writes down what it was made of, by which the compiler cache knows whether two are the same.
function(tegula_add_precompiled name)
  cmake_parse_arguments(PARSE_ARGV 1 set "" "ON" "")
  list(TRANSFORM set_UNPARSED_ARGUMENTS REPLACE "(.+)" "#include <\\1>\n" OUTPUT_VARIABLE includes)
  if(NOT set_ON)
    # Nobody wants warnings of upstream headers.
    list(PREPEND includes "#pragma clang system_header\n")
  endif()
  string(CONCAT text ${includes})
  set(source ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled/${name}.h CONTENT "${text}")
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${name}.h\"\n")
  add_library(tegula-precompiled-${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_compile_options(tegula-precompiled-${name} PRIVATE "SHELL:-x c++-header" -fpch-instantiate-templates)
  set_target_properties(tegula-precompiled-${name} PROPERTIES
    CXX_COMPILER_LAUNCHER "${Python_EXECUTABLE};${PROJECT_SOURCE_DIR}/scripts/precompile.py")
  if(set_ON)
    tegula_precompile(tegula-precompiled-${name} ${set_ON})
  endif()
endfunction()

# tegula_precompile(TARGET SET): the target's files start from the set, except for those with exceptions or an optimisation
# level of their own, which no set has. The path is relative to the build folder, where Ninja runs the compiler, so that the
# cache sees the same command in every checkout.
function(tegula_precompile target set)
  if(NOT TEGULA_PRECOMPILED OR (set STREQUAL launch AND TEGULA_SANITIZE STREQUAL thread))
    return()
  endif()
  set(header CMakeFiles/tegula-precompiled-${set}.dir/precompiled/${set}.cpp.o)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(NOT options MATCHES "-fexceptions|-O")
      set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS ${PROJECT_BINARY_DIR}/${header})
      # clang forgets the pragma with which std::stable_sort calls what is deprecated.
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -include-pch ${header} -Wno-deprecated-declarations)
    endif()
  endforeach()
endfunction()

set(precompiled_llvm llvm/ADT/ArrayRef.h llvm/ADT/DenseMap.h llvm/ADT/STLExtras.h llvm/ADT/SmallVector.h llvm/ADT/StringExtras.h)
tegula_add_precompiled(launch ${precompiled_llvm}
  algorithm atomic chrono functional map memory mutex optional string thread unordered_map variant vector)
target_compile_definitions(tegula-precompiled-launch PRIVATE LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING=1)
tegula_add_precompiled(mlir ${precompiled_llvm}
  mlir/Dialect/Arith/IR/Arith.h mlir/Dialect/Func/IR/FuncOps.h mlir/Dialect/LLVMIR/LLVMDialect.h
  mlir/Dialect/Linalg/IR/Linalg.h mlir/Dialect/Math/IR/Math.h mlir/Dialect/MemRef/IR/MemRef.h
  mlir/Dialect/SCF/IR/SCF.h mlir/Dialect/Vector/IR/VectorOps.h mlir/IR/Matchers.h mlir/IR/PatternMatch.h
  mlir/Interfaces/ValueBoundsOpInterface.h mlir/Pass/Pass.h mlir/Pass/PassManager.h
  llvm/ADT/StringSwitch.h llvm/ADT/TypeSwitch.h llvm/Support/Error.h llvm/Support/FormatVariadic.h
  llvm/Support/raw_ostream.h functional map optional set string variant vector)
tegula_add_precompiled(pl ON mlir tegula/ir/ops/PlOps.h)
tegula_add_precompiled(frontend ON pl tegula/frontend/builtins/BuiltinCall.h tegula/frontend/emit/Emitter.h)
add_dependencies(tegula-precompiled-pl tegula-headers)
add_dependencies(tegula-precompiled-frontend tegula-headers)
