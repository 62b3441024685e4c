# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` puts under the prefix, so that find_package(Tegula) gives Tegula::tegula.

include(CMakePackageConfigHelpers)
if(NOT TARGET tegula)
  return()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tegula)
add_library(Tegula::tegula ALIAS tegula)
target_include_directories(tegula INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS tegula tegula-dist tegula-launch EXPORT TegulaTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET tegula-mpi)
  install(TARGETS tegula-mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS tegula-launch-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT TegulaTargets NAMESPACE Tegula:: DESTINATION ${package_dir})
install(TARGETS tegula-command tegula-rank RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET tegula-opt)
  install(TARGETS tegula-opt RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()
# What embedders include; nothing here includes MLIR (cmake/CheckInstall.cmake sees to it).
set(public_headers support/Array.h support/DType.h support/Error.h support/ExtentProgram.h support/Format.h support/HalfBytes.h
  support/KernelAbi.h support/Npy.h support/TensorView.h support/TraceAbi.h launch/Problem.h launch/call/TracedCall.h
  launch/call/Argument.h launch/call/KernelWarning.h runtime/CApi.h runtime/Check.h runtime/Compiler.h runtime/Diagnostic.h runtime/Export.h launch/call/Signature.h
  transforms/Stage.h dist/Ranks.h)
foreach(header ${public_headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES tegula/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tegula/${folder})
endforeach()

configure_package_config_file(cmake/TegulaConfig.cmake.in ${PROJECT_BINARY_DIR}/TegulaConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TegulaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TegulaConfig.cmake ${PROJECT_BINARY_DIR}/TegulaConfigVersion.cmake
  DESTINATION ${package_dir})
