# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Python package: its extension, built with nanobind, and its modules.

# The project's own environment unless a build for another one says which.
if(NOT Python_EXECUTABLE AND EXISTS ${PROJECT_SOURCE_DIR}/.venv/bin/python)
  set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/.venv/bin/python)
endif()
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module NumPy)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE
  OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

# `cmake --install BUILD --component python` puts a package that stands alone under the prefix: what a wheel holds.
function(tegula_install_python_package modules)
  if(SKBUILD)
    # A wheel has no links: each library under the one name that others ask for.
    set_target_properties(tegula tegula-dist tegula-launch PROPERTIES VERSION 0)
  endif()
  set(options COMPONENT python EXCLUDE_FROM_ALL)
  install(FILES ${modules} DESTINATION tegula ${options})
  foreach(folder language torch)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/tegula/${folder} DESTINATION tegula ${options}
      FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi")
  endforeach()
  install(TARGETS tegula-python LIBRARY DESTINATION tegula ${options})
  install(TARGETS tegula tegula-dist tegula-launch LIBRARY DESTINATION tegula/lib ${options} NAMELINK_SKIP)
  if(TARGET tegula-mpi)
    if(SKBUILD)
      set_target_properties(tegula-mpi PROPERTIES VERSION 0)
    endif()
    install(TARGETS tegula-mpi LIBRARY DESTINATION tegula/lib ${options} NAMELINK_SKIP)
  endif()
  if(TEGULA_BUNDLE_LLVM)
    install(FILES ${PROJECT_SOURCE_DIR}/tegula/runtime/CApi.h DESTINATION tegula/include/tegula/runtime ${options})
  endif()
  install(TARGETS tegula-launch-static ARCHIVE DESTINATION tegula/lib ${options})
  install(TARGETS tegula-command tegula-rank RUNTIME DESTINATION tegula/bin ${options})
  file(GLOB machines CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tegula/sim/machines/*.toml)
  install(FILES ${machines} DESTINATION tegula/share/tegula/machines ${options})
  file(GLOB measured CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tegula/sim/measured/*.csv
    ${PROJECT_SOURCE_DIR}/tegula/sim/measured/*.py)
  install(FILES ${measured} DESTINATION tegula/share/tegula/measured ${options})
endfunction()

# tegula_add_python_package(SOURCES MODULES): the extension from SOURCES. In the build folder the package is
# python/tegula: the extension, and links to MODULES.
function(tegula_add_python_package sources modules)
  nanobind_add_module(tegula-python NB_STATIC NOMINSIZE ${sources})
  target_compile_definitions(tegula-python PRIVATE LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING=1)
  target_include_directories(tegula-python SYSTEM PRIVATE ${Python_NumPy_INCLUDE_DIRS})
  target_link_libraries(tegula-python PRIVATE tegula-launch tegula-dist)
  set(package ${PROJECT_BINARY_DIR}/python/tegula)
  set_target_properties(tegula-python PROPERTIES OUTPUT_NAME _tegula LIBRARY_OUTPUT_DIRECTORY ${package}
    INSTALL_RPATH "$ORIGIN/lib;$ORIGIN/../../lib")
  file(MAKE_DIRECTORY ${package})
  foreach(module ${modules})
    cmake_path(GET module FILENAME name)
    file(CREATE_LINK ${module} ${package}/${name} SYMBOLIC)
  endforeach()
  foreach(folder language torch)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/python/tegula/${folder} ${package}/${folder} SYMBOLIC)
  endforeach()
  # What stood there before the language was a folder.
  file(REMOVE ${package}/language.py ${package}/language.pyi)
  tegula_install_python_package("${modules}")
endfunction()
