# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Flags, linker, compiler cache and run paths for everything we compile.

add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror=return-type)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-Werror=unused-result -fcolor-diagnostics)
  add_link_options(-fuse-ld=lld)
endif()

# Threads sync in the launch library, so ThreadSanitizer watches that and the tests that are about threads. All else is
# compiled as ever, and comes from the cache.
set(TEGULA_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined or thread")
set(TEGULA_ALL_DEFINED -Wl,-z,defs)
if(TEGULA_SANITIZE)
  # What sanitizers call is defined in programs only.
  set(TEGULA_ALL_DEFINED "")
endif()
if(TEGULA_SANITIZE STREQUAL thread)
  add_link_options(-fsanitize=thread)
elseif(TEGULA_SANITIZE)
  add_compile_options(-fsanitize=${TEGULA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TEGULA_SANITIZE})
endif()

# By their build id, code on disk is known to come from these very libraries.
add_link_options(-Wl,--build-id=sha1)

# Paths are hashed relative to the source tree, so a second checkout or build folder hits the cache.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(launcher env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# The same run path works in the build folder and after installation.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib" "${LLVM_LIBRARY_DIR}")
