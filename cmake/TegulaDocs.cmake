# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `ninja docs`: the op and pass reference, generated from the .td files into build/docs.

add_custom_target(docs)
function(tegula_add_reference page td)
  set(source ${PROJECT_SOURCE_DIR}/tegula/${td})
  set(output ${PROJECT_BINARY_DIR}/docs/${page}.md)
  cmake_path(GET source PARENT_PATH folder)
  file(GLOB definitions CONFIGURE_DEPENDS ${folder}/*.td)
  if(EXISTS ${source})
    add_custom_command(OUTPUT ${output} DEPENDS ${definitions} VERBATIM
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/docs
      COMMAND ${MLIR_TABLEGEN_EXE} ${ARGN} ${source} -I ${PROJECT_SOURCE_DIR} -I ${MLIR_INCLUDE_DIRS} -o ${output})
    add_custom_target(docs-${page} DEPENDS ${output})
    add_dependencies(docs docs-${page})
  endif()
endfunction()

tegula_add_reference(pl-ops ir/ops/PlOps.td -gen-dialect-doc -dialect=pl)
tegula_add_reference(passes transforms/Passes.td -gen-pass-doc)
tegula_add_reference(cpu-passes backends/cpu/Passes.td -gen-pass-doc)
tegula_add_reference(cuda-passes backends/cuda/Passes.td -gen-pass-doc)
