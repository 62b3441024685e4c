# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tegula_generate_builtins(LAYER): the table of the functions of the language, classes for their calls, and how ops are
# printed as such, from builtins/Builtins.td and the preludes of this folder. Called before the folder's tegula_add_layer.

find_program(TEGULA_LLVM_TABLEGEN llvm-tblgen HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH REQUIRED)

function(tegula_generate_builtins layer)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/builtins)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/builtins)
  set(calls ${CMAKE_CURRENT_BINARY_DIR}/unparse)
  set(script ${PROJECT_SOURCE_DIR}/scripts/generate-builtins.py)
  file(GLOB declarations CONFIGURE_DEPENDS ${source}/*.td ${source}/functions/*.td ${PROJECT_SOURCE_DIR}/tegula/ir/ops/*.td)
  set(preludes ${source}/prelude.py ${source}/prelude_checks.py ${source}/prelude_models.py ${source}/prelude_numpy.py
    ${source}/prelude_ranks.py ${source}/prelude_segments.py)
  set(generated ${output}/Builtins.h.inc ${output}/Builtins.cpp.inc ${calls}/Calls.cpp.inc)
  add_custom_command(OUTPUT ${generated} DEPENDS ${declarations} ${preludes} ${script} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${output} ${calls}
    COMMAND ${TEGULA_LLVM_TABLEGEN} --dump-json ${source}/Builtins.td -I ${PROJECT_SOURCE_DIR} -I ${MLIR_INCLUDE_DIRS}
      -o ${output}/Builtins.json
    COMMAND ${Python_EXECUTABLE} ${script} ${output}/Builtins.json ${generated} ${preludes})
  add_custom_target(tegula_${layer}_tablegen DEPENDS ${generated})
endfunction()
