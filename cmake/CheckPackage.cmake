# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the Python package of the build in BUILD by itself, as a wheel would, and runs the tutorial SCRIPT on it with
# PYTHON. Nothing of the build folder is used.
set(scratch ${BUILD}/package-check)
file(REMOVE_RECURSE ${scratch})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component python --prefix ${scratch} OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)
set(ENV{PYTHONPATH} ${scratch})
set(ENV{TEGULA_CACHE_DIR} ${scratch}/cache)
execute_process(COMMAND ${PYTHON} ${SCRIPT} WORKING_DIRECTORY ${scratch} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PYTHON} -c "import tegula._command as command; command.main()" WORKING_DIRECTORY ${scratch}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
if(NOT output MATCHES "a command is wanted")
  message(FATAL_ERROR "the command does not run (${code}):\n${output}")
endif()
