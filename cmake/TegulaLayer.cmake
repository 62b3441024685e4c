# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How a folder becomes part of libtegula.

# Everything generated from .td files hangs on this target; every layer waits for it.
add_custom_target(tegula-headers)

# tegula_add_layer(NAME SOURCES...): object library tegula_NAME, one of the parts of libtegula. Without sources, nothing.
function(tegula_add_layer name)
  if(ARGN)
    add_library(tegula_${name} OBJECT ${ARGN})
    target_link_libraries(tegula_${name} PUBLIC MLIR LLVM)
    add_dependencies(tegula_${name} tegula-headers)
    set_property(GLOBAL APPEND PROPERTY TEGULA_LAYERS tegula_${name})
  endif()
endfunction()

# tegula_tablegen_passes(NAME): Passes.h.inc of this folder from its Passes.td, if there is one.
function(tegula_tablegen_passes name)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/Passes.td)
    set(LLVM_TARGET_DEFINITIONS Passes.td)
    mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${name})
    add_public_tablegen_target(Tegula${name}PassIncGen)
    add_dependencies(tegula-headers Tegula${name}PassIncGen)
  endif()
endfunction()
