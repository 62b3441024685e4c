# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes one add_test per GoogleTest suite of BINARY into OUTPUT; a process per suite isolates crashes at little cost.
execute_process(COMMAND ${BINARY} --gtest_list_tests OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[^ \n]+\\." suites "${listing}")
set(text "")
foreach(suite ${suites})
  string(STRIP ${suite} suite)
  string(REGEX REPLACE "\\.$" "" name ${suite})
  string(APPEND text "add_test(\"unit.${name}\" \"${BINARY}\" \"--gtest_filter=${suite}*\" --gtest_brief=1)\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
