# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tegula_device_code(FILE): the routines of tegula/launch/gpu/device as LLVM code for NVIDIA GPUs, as numbers to include.
function(tegula_device_code output)
  set(source ${PROJECT_SOURCE_DIR}/tegula/launch/gpu/device)
  file(GLOB routines CONFIGURE_DEPENDS ${source}/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${source}/*.h)
  set(clang ${LLVM_TOOLS_BINARY_DIR}/clang++)
  set(flags --target=nvptx64-nvidia-cuda -march=sm_70 -std=c++17 -O2 -ffreestanding -nostdlibinc -nogpulib
    -fno-exceptions -fno-rtti -Wno-unknown-cuda-version -I${source}/freestanding -I${PROJECT_SOURCE_DIR})
  foreach(routine ${routines})
    cmake_path(GET routine STEM name)
    set(bitcode ${CMAKE_CURRENT_BINARY_DIR}/${name}.bc)
    add_custom_command(OUTPUT ${bitcode} DEPENDS ${routine} ${headers} VERBATIM
      COMMAND ${clang} ${flags} -emit-llvm -c ${routine} -o ${bitcode})
    list(APPEND parts ${bitcode})
  endforeach()
  set(script ${PROJECT_SOURCE_DIR}/scripts/embed-bytes.py)
  add_custom_command(OUTPUT ${output} DEPENDS ${parts} ${script} VERBATIM
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-link ${parts} -o ${output}.bc
    COMMAND ${Python_EXECUTABLE} ${script} ${output}.bc ${output})
  add_custom_target(tegula-device-code DEPENDS ${output})
  add_dependencies(tegula-headers tegula-device-code)
endfunction()
