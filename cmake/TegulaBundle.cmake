# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For systems without LLVM: libtegula with LLVM, MLIR and lld inside, and the command too, so that all of it is there once.
# What other libraries in a process have of LLVM is never mixed with it.
option(TEGULA_BUNDLE_LLVM "Make LLVM and MLIR a part of libtegula" OFF)
set(TEGULA_LLVM lldELF lldCommon MLIR LLVM z zstd)
if(NOT TEGULA_BUNDLE_LLVM)
  # tegula_add_command(PROGRAM SOURCES...): a program that links what it needs.
  function(tegula_add_command program)
    target_sources(${program} PRIVATE ${ARGN})
    # The precompiled headers are those of a library.
    set_target_properties(${program} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${program} PRIVATE -fPIC)
    tegula_precompile(${program} mlir)
    target_link_libraries(${program} PRIVATE tegula tegula-dist MLIR LLVM)
  endfunction()
  return()
endif()
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")

# lld asks for every target that LLVM was built with. Kernels are for three, and the others do nothing here.
set(unused_targets ${LLVM_TARGETS_TO_BUILD})
list(REMOVE_ITEM unused_targets X86 RISCV NVPTX)
set(functions "")
foreach(target ${unused_targets})
  foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
    string(APPEND functions "void LLVMInitialize${target}${part}(void) {}\n")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/UnusedTargets.c CONTENT "${functions}")

# Static libraries in any order. MLIR's C interface and its execution engines are not used.
file(GLOB TEGULA_LLVM ${LLVM_LIBRARY_DIR}/liblldELF.a ${LLVM_LIBRARY_DIR}/liblldCommon.a ${LLVM_LIBRARY_DIR}/libLLVM*.a
  ${LLVM_LIBRARY_DIR}/libMLIR*.a)
list(FILTER TEGULA_LLVM EXCLUDE REGEX "/libMLIR(CAPI|ExecutionEngine)")
find_library(TEGULA_ZLIB libz.a REQUIRED)
find_library(TEGULA_ZSTD libzstd.a REQUIRED)
list(PREPEND TEGULA_LLVM -Wl,--start-group)
list(APPEND TEGULA_LLVM -Wl,--end-group ${TEGULA_ZLIB} ${TEGULA_ZSTD})

# tegula_add_command(PROGRAM SOURCES...): the sources become a part of libtegula, and the program calls them.
function(tegula_add_command program)
  target_link_libraries(${program} PRIVATE tegula tegula-dist)
  add_library(tegula_command OBJECT ${ARGN})
  tegula_precompile(tegula_command mlir)
  target_link_libraries(tegula_command PRIVATE MLIR LLVM)
  add_dependencies(tegula_command tegula-headers)
  target_sources(tegula PRIVATE $<TARGET_OBJECTS:tegula_command> ${PROJECT_BINARY_DIR}/UnusedTargets.c)
  target_link_libraries(tegula PRIVATE tegula-dist)
  # Only the link-time optimiser calls Polly, and kernels are linked as machine code.
  target_link_options(tegula PRIVATE -Wl,--gc-sections -Wl,-z,pack-relative-relocs -Wl,--defsym=_Z18getPollyPluginInfov=0
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/Bundle.map)
  set_property(TARGET tegula APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/Bundle.map)
endfunction()
