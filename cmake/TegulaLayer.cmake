# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How a folder becomes part of libtegula.

# Everything generated from .td files hangs on this target; every layer waits for it.
add_custom_target(tegula-headers)

# tegula_add_layer(NAME SOURCES...): object library tegula_NAME, one of the parts of libtegula. Without sources, nothing.
# What target tegula_NAME_tablegen generates, if there is one, is ready before any layer compiles.
function(tegula_add_layer name)
  if(TARGET tegula_${name}_tablegen)
    add_dependencies(tegula-headers tegula_${name}_tablegen)
  endif()
  if(ARGN)
    add_library(tegula_${name} OBJECT ${ARGN})
    target_link_libraries(tegula_${name} PUBLIC MLIR LLVM)
    add_dependencies(tegula_${name} tegula-headers)
    if(name STREQUAL frontend)
      tegula_precompile(tegula_${name} frontend)
    elseif(name STREQUAL torch)
      tegula_precompile(tegula_${name} mlir)
    elseif(NOT name MATCHES "^(support|sim)$")
      tegula_precompile(tegula_${name} pl)
    endif()
    set_property(GLOBAL APPEND PROPERTY TEGULA_LAYERS tegula_${name})
  endif()
endfunction()

# tegula_tablegen_passes(NAME): Passes.h.inc of this folder from its Passes.td, if there is one, with the function
# registerNAMEPasses. Called before the folder's tegula_add_layer.
function(tegula_tablegen_passes name)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/Passes.td)
    string(TOLOWER ${name} layer)
    set(LLVM_TARGET_DEFINITIONS Passes.td)
    mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${name})
    add_public_tablegen_target(tegula_${layer}_tablegen)
  endif()
endfunction()

# tegula_tablegen_ops(FOLDER FAMILIES...): in FOLDER, PlFAMILYOps.h.inc and .cpp.inc from PlFAMILYOps.td, and
# PlFAMILYEnums.h.inc and .cpp.inc with the enums that only these ops have. A family has a header of its own, so
# that only the files that use it are compiled again when it changes.
macro(tegula_tablegen_ops folder)
  foreach(family ${ARGN})
    set(LLVM_TARGET_DEFINITIONS ${folder}/Pl${family}Ops.td)
    mlir_tablegen(${folder}/Pl${family}Ops.h.inc -gen-op-decls)
    mlir_tablegen(${folder}/Pl${family}Ops.cpp.inc -gen-op-defs)
    mlir_tablegen(${folder}/Pl${family}Enums.h.inc -gen-enum-decls)
    mlir_tablegen(${folder}/Pl${family}Enums.cpp.inc -gen-enum-defs)
  endforeach()
endmacro()
