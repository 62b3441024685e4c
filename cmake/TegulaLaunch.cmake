# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tegula_add_launch_libraries(OBJECTS): the library and the archive made of an object library.
function(tegula_add_launch_libraries objects)
  target_compile_definitions(${objects} PRIVATE LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING=1
    TEGULA_VERSION="${PROJECT_VERSION}")
  tegula_precompile(${objects} launch)
  add_library(tegula-launch SHARED $<TARGET_OBJECTS:${objects}>)
  set_target_properties(tegula-launch PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION 0)
  target_link_options(tegula-launch PRIVATE ${TEGULA_ALL_DEFINED} -Wl,-z,nodelete) # It has threads.
  target_link_libraries(tegula-launch PRIVATE ${CMAKE_DL_LIBS})
  add_library(tegula-launch-static STATIC $<TARGET_OBJECTS:${objects}>)
  set_target_properties(tegula-launch-static PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME tegula-launch
    ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  add_dependencies(tegula-launch tegula-launch-static)
endfunction()
