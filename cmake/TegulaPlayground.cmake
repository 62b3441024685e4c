# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the page of `tegula serve` consists of becomes part of the program, and its server may use Boost, whose headers throw.
set(page_files ${CMAKE_CURRENT_SOURCE_DIR}/tegula/serve/page/page.html ${CMAKE_CURRENT_SOURCE_DIR}/tegula/serve/page/page.css
  ${CMAKE_CURRENT_SOURCE_DIR}/tegula/serve/page/page.js ${CMAKE_CURRENT_SOURCE_DIR}/tegula/serve/page/assist.js)
foreach(example softmax softmax_tiles gemm layer_norm flash_attention)
  list(APPEND page_files ${PROJECT_SOURCE_DIR}/examples/${example}.py)
endforeach()
set(embedder ${PROJECT_SOURCE_DIR}/scripts/embed-bytes.py)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/playground)
foreach(file ${page_files})
  cmake_path(GET file FILENAME name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/playground/${name}.inc)
  add_custom_command(OUTPUT ${output} DEPENDS ${file} ${embedder} VERBATIM
    COMMAND ${Python_EXECUTABLE} ${embedder} ${file} ${output})
  list(APPEND page_numbers ${output})
endforeach()
set_source_files_properties(tegula/serve/Assets.cpp PROPERTIES OBJECT_DEPENDS "${page_numbers}")
find_path(TEGULA_BOOST boost/beast.hpp REQUIRED)
set_source_files_properties(tegula/serve/HttpServer.cpp PROPERTIES COMPILE_OPTIONS -fexceptions INCLUDE_DIRECTORIES ${TEGULA_BOOST})

# What serves editors and browsers, without the command: tests feed it. Its files have the command's precompiled headers.
file(GLOB services CONFIGURE_DEPENDS tegula/lsp/*.cpp tegula/serve/*.cpp)
add_library(tegula-services OBJECT EXCLUDE_FROM_ALL ${services})
target_link_libraries(tegula-services PRIVATE MLIR LLVM)
add_dependencies(tegula-services tegula-headers)
