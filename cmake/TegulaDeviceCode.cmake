# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tegula_device_code(OUTPUT FOLDER CHIP): the routines in a folder of backends/cuda/device as LLVM code for NVIDIA GPUs, from a
# chip on, as numbers to include.
function(tegula_device_code output folder chip)
  set(device ${PROJECT_SOURCE_DIR}/tegula/backends/cuda/device)
  set(source ${device}/${folder})
  file(GLOB routines CONFIGURE_DEPENDS ${source}/*.cpp)
  set(clang ${LLVM_TOOLS_BINARY_DIR}/clang++)
  set(flags --target=nvptx64-nvidia-cuda -march=${chip} -std=c++17 -O2 -ffreestanding -nostdlibinc -nogpulib
    -fno-exceptions -fno-rtti -I${device}/freestanding -I${PROJECT_SOURCE_DIR})
  foreach(routine ${routines})
    cmake_path(GET routine STEM name)
    set(bitcode ${CMAKE_CURRENT_BINARY_DIR}/${name}.bc)
    add_custom_command(OUTPUT ${bitcode} DEPENDS ${routine} DEPFILE ${bitcode}.d VERBATIM
      COMMAND ${clang} ${flags} -emit-llvm -MD -MF ${bitcode}.d -c ${routine} -o ${bitcode})
    list(APPEND parts ${bitcode})
  endforeach()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${output})
  set(script ${PROJECT_SOURCE_DIR}/scripts/embed-bytes.py)
  add_custom_command(OUTPUT ${file} DEPENDS ${parts} ${script} VERBATIM
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-link ${parts} -o ${file}.bc
    COMMAND ${Python_EXECUTABLE} ${script} ${file}.bc ${file})
  add_custom_target(tegula-${output} DEPENDS ${file})
  add_dependencies(tegula-headers tegula-${output})
endfunction()
