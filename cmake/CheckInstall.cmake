# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the build in BUILD to a scratch prefix, builds examples/cpp of SOURCE against it with COMPILER and runs it.
set(scratch ${BUILD}/install-check)
set(prefix ${scratch}/prefix)
file(REMOVE_RECURSE ${scratch})

execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE headers ${prefix}/include/*.h)
if(NOT headers)
  message(FATAL_ERROR "no header was installed")
endif()
foreach(header ${headers})
  file(STRINGS ${header} includes REGEX "^ *# *include")
  foreach(line ${includes})
    if(line MATCHES "mlir/")
      message(FATAL_ERROR "${header} includes MLIR: ${line}")
    endif()
    # What a public header includes of ours must be public too.
    if(line MATCHES "\"(tegula/[^\"]+)\"" AND NOT EXISTS ${prefix}/include/${CMAKE_MATCH_1})
      message(FATAL_ERROR "${header} includes ${CMAKE_MATCH_1}, which is not installed")
    endif()
  endforeach()
endforeach()

execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE}/examples/cpp -B ${scratch}/build -G Ninja
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${prefix} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${scratch}/build OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
# What another build left in the cache must not count.
execute_process(COMMAND ${CMAKE_COMMAND} -E env TEGULA_CACHE=off
  ${scratch}/build/call_kernel ${SOURCE}/examples/softmax.py OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
foreach(wanted "n = 1000: y.0, 0. = 0.002\n" "a wrong call: argument 'y': axis 0 is 3, but M is 4" "compiles: 1\n")
  if(NOT output MATCHES "${wanted}")
    message(FATAL_ERROR "wanted '${wanted}' in:\n${output}")
  endif()
endforeach()

# Ranks, where there is MPI: started by the program, and by mpirun.
if(EXISTS ${prefix}/lib/libtegula-mpi.so.0)
  set(ranks ${scratch}/build/call_ranks ${SOURCE}/examples/ranks/shift.py)
  foreach(command "" "mpirun;--oversubscribe;--bind-to;none;-n;2")
    execute_process(COMMAND ${CMAKE_COMMAND} -E env TEGULA_CACHE=off OMPI_ALLOW_RUN_AS_ROOT=1
      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ${command} ${ranks} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    if(NOT output MATCHES "n = 1000: the first row came from rank [12]\n")
      message(FATAL_ERROR "ranks of a C++ program moved nothing:\n${output}")
    endif()
  endforeach()
endif()
