# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` puts under the prefix, so that find_package(Tegula) gives Tegula::tegula.

include(CMakePackageConfigHelpers)
if(NOT TARGET tegula)
  return()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tegula)
add_library(Tegula::tegula ALIAS tegula)
target_include_directories(tegula INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS tegula EXPORT TegulaTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT TegulaTargets NAMESPACE Tegula:: DESTINATION ${package_dir})
foreach(tool tegula-command tegula-opt)
  if(TARGET ${tool})
    install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
foreach(layer support runtime)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/tegula/${layer}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tegula/${layer}
    FILES_MATCHING PATTERN "*.h")
endforeach()

configure_package_config_file(cmake/TegulaConfig.cmake.in ${PROJECT_BINARY_DIR}/TegulaConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TegulaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TegulaConfig.cmake ${PROJECT_BINARY_DIR}/TegulaConfigVersion.cmake
  DESTINATION ${package_dir})
