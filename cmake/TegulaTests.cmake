# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What ctest runs: C++ units (one entry per suite), lit, end to end, and the guards of the tree's shape.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(LIT lit-22 REQUIRED)
set(test_dir ${PROJECT_SOURCE_DIR}/test)
set(venv_python ${PROJECT_SOURCE_DIR}/.venv/bin/python)

# What makes random kernels: a program that runs them, and a test of what is made.
function(tegula_add_programs)
  list(FILTER ARGN EXCLUDE REGEX "(Main|Test)\\.cpp$")
  add_library(tegula-programs OBJECT ${ARGN})
  target_link_libraries(tegula-programs PUBLIC tegula tegula-dist MLIR LLVM)
  target_compile_definitions(tegula-programs PRIVATE TEGULA_HAS_MPI=$<TARGET_EXISTS:tegula-mpi>)
  add_executable(tegula-differential Main.cpp)
  add_executable(tegula-program-tests ProgramKindsTest.cpp)
  target_link_libraries(tegula-program-tests PRIVATE GTest::gmock GTest::gmock_main)
  set_target_properties(tegula-differential tegula-program-tests PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  foreach(program tegula-differential tegula-program-tests)
    target_link_libraries(${program} PRIVATE tegula-programs)
    target_compile_options(${program} PRIVATE -fPIC)
    tegula_precompile(${program} mlir)
  endforeach()
  tegula_precompile(tegula-programs mlir)
  add_dependencies(tests tegula-program-tests)
  add_test(NAME programs COMMAND tegula-program-tests --gtest_brief=1)
endfunction()

# Random kernels, two processes at once.
function(tegula_test_random name)
  add_dependencies(tests tegula-differential)
  add_test(NAME differential${name} COMMAND tegula-differential ${ARGN} --jobs 2)
  set_tests_properties(differential${name} PROPERTIES PROCESSORS 2 COST 1000)
endfunction()

# So many of each theme: tegula_test_themes(grids 50 barriers 150)
function(tegula_test_themes)
  while(ARGN)
    list(POP_FRONT ARGN theme count)
    tegula_test_random(-${theme} --only ${theme} --seed 1 --count ${count})
  endwhile()
endfunction()

# What `ninja tests` builds; folders add their programs.
add_custom_target(tests)
add_dependencies(tests tegula-command tegula-rank tegula-python)

file(GLOB_RECURSE unit_sources CONFIGURE_DEPENDS ${test_dir}/*/*Test.cpp)
# These have a program of their own.
list(FILTER unit_sources EXCLUDE REGEX "/test/(dist|sim|differential)/")
if(unit_sources)
  add_executable(tegula-tests ${unit_sources})
  target_link_libraries(tegula-tests PRIVATE tegula MLIR LLVM GTest::gmock GTest::gmock_main)
  # The precompiled headers are those of a library.
  set_target_properties(tegula-tests PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(tegula-tests PRIVATE -fPIC)
  tegula_precompile(tegula-tests mlir)
  set(unit_sources_with_files AllocationTest.cpp CApiTest.cpp PrintSourceTest.cpp ProgramPairsTest.cpp)
  # Only where it is needed: a path of this checkout keeps an object out of the cache of others.
  list(TRANSFORM unit_sources_with_files PREPEND ${test_dir}/runtime/)
  list(APPEND unit_sources_with_files ${test_dir}/backends/cuda/BrokenGpuKernelTest.cpp
    ${test_dir}/backends/MadeUpMachineTest.cpp ${test_dir}/fuzz/CorpusTest.cpp)
  set_source_files_properties(${unit_sources_with_files} PROPERTIES
    COMPILE_DEFINITIONS TEGULA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_dependencies(tests tegula-tests)
  set(suites ${CMAKE_CURRENT_BINARY_DIR}/suites.cmake)
  file(TOUCH ${suites})
  add_custom_command(TARGET tegula-tests POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -DBINARY=$<TARGET_FILE:tegula-tests> -DOUTPUT=${suites}
            -P ${PROJECT_SOURCE_DIR}/cmake/ListSuites.cmake)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${suites})
endif()

configure_file(${test_dir}/lit.site.cfg.py.in ${CMAKE_CURRENT_BINARY_DIR}/lit.site.cfg.py @ONLY)
if(TARGET tegula-opt)
  add_dependencies(tests tegula-opt)
  add_test(NAME lit COMMAND ${LIT} -sv ${CMAKE_CURRENT_BINARY_DIR})
endif()

# Kernels on the emulated GPU take as long as all others.
file(GLOB e2e_sources CONFIGURE_DEPENDS ${test_dir}/e2e/test_*.py)
set(gpu_sources ${e2e_sources})
list(FILTER gpu_sources INCLUDE REGEX "/test_(emulated|assembled)_")
list(FILTER e2e_sources EXCLUDE REGEX "/test_(emulated|assembled)_")
if(e2e_sources)
  add_test(NAME e2e COMMAND ${venv_python} -m pytest -q -p no:cacheprovider ${e2e_sources})
  add_test(NAME e2e-gpu COMMAND ${venv_python} -m pytest -q -p no:cacheprovider --durations=20 ${gpu_sources})
  # What takes long begins first, so that nothing long is left for the end.
  set_tests_properties(e2e e2e-gpu PROPERTIES ENVIRONMENT "TEGULA_BIN=${PROJECT_BINARY_DIR}/bin" COST 3000)
endif()

# Models of torch take as long as all the rest.
add_test(NAME python COMMAND ${venv_python} -m pytest -q -p no:cacheprovider ${test_dir}/python
  --ignore-glob=*/test_torch_*.py)
file(GLOB torch_sources CONFIGURE_DEPENDS ${test_dir}/python/test_torch_*.py)
add_test(NAME torch COMMAND ${venv_python} -m pytest -q -p no:cacheprovider -p no:logging ${torch_sources})
set_tests_properties(python torch PROPERTIES ENVIRONMENT "TEGULA_BIN=${PROJECT_BINARY_DIR}/bin" COST 2000)

# The second judge of kernels, and random ones for it.
add_test(NAME oracle COMMAND ${venv_python} -m pytest -q -p no:cacheprovider ${test_dir}/oracle)
set_tests_properties(oracle PROPERTIES ENVIRONMENT "TEGULA_BIN=${PROJECT_BINARY_DIR}/bin" PROCESSORS 2 COST 1000)

add_test(NAME install COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
  -DCOMPILER=${CMAKE_CXX_COMPILER} -P ${PROJECT_SOURCE_DIR}/cmake/CheckInstall.cmake)

add_test(NAME package COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DPYTHON=${venv_python}
  -DSCRIPT=${PROJECT_SOURCE_DIR}/docs/tutorials/1_first_kernel.py -P ${PROJECT_SOURCE_DIR}/cmake/CheckPackage.cmake)

foreach(guard layers names words size text format)
  add_test(NAME check-${guard} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check-${guard}.py)
endforeach()

# What tests of ranks start, and the libraries they need.
function(tegula_link_rank_test program)
  target_compile_definitions(${program} PRIVATE LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING=1
    TEGULA_RANK_PROGRAM="$<TARGET_FILE:tegula-rank-program>"
    TEGULA_RANK_SCENARIOS="$<TARGET_FILE:tegula-rank-scenarios>"
    TEGULA_CONTROL_SCENARIO="$<TARGET_FILE:tegula-control-scenario>")
  target_link_libraries(${program} PRIVATE tegula-dist GTest::gmock $<$<STREQUAL:${program},tegula-dist-tests>:GTest::gmock_main>)
  add_dependencies(${program} tegula-rank tegula-rank-program)
  if(TARGET tegula-mpi)
    add_dependencies(${program} tegula-mpi)
  endif()
endfunction()

# tegula_add_rank_test(): the tests of ranks.
function(tegula_add_rank_test)
  add_dependencies(tests tegula-dist-tests)
  add_test(NAME dist COMMAND tegula-dist-tests --gtest_brief=1)
endfunction()
