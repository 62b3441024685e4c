# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Debian packages by `cpack`: tegula, which is what `cmake --install` installs, and python3-tegula for the system's Python.
# dpkg-shlibdeps finds out which libraries they need.
if(SKBUILD OR NOT TARGET tegula-python)
  return()
endif()

set(package_modules_dir lib/python3/dist-packages/tegula)
set(options COMPONENT python3 EXCLUDE_FROM_ALL)
install(TARGETS tegula-python LIBRARY DESTINATION ${package_modules_dir} ${options})
install(DIRECTORY python/tegula/ DESTINATION ${package_modules_dir} ${options} FILES_MATCHING PATTERN "*.py"
  PATTERN "*.pyi" PATTERN py.typed PATTERN __pycache__ EXCLUDE PATTERN _command.py EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the Tegula developers <tegula@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL Unspecified python3)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)

set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME tegula)
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION
  "Compiles tile kernels once, for every size\n The tegula command, its libraries, and what C and C++ programs include.")
# libmlir-22 brings it, and leaves it out of what is found.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS libllvm22)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS openmpi-bin)
# What the CMake package looks for.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "llvm-22-dev, python3-tegula")

# The extension is for the Python it was built with, which is the system's.
math(EXPR python_next "${Python_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON3_PACKAGE_NAME python3-tegula)
set(CPACK_DEBIAN_PYTHON3_PACKAGE_SECTION python)
set(CPACK_COMPONENT_PYTHON3_DESCRIPTION
  "Compiles tile kernels once, for every size: Python\n import tegula, for the Python of the system.")
set(CPACK_DEBIAN_PYTHON3_PACKAGE_DEPENDS "tegula (= ${PROJECT_VERSION}), \
python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${python_next})")
set(CPACK_DEBIAN_PYTHON3_PACKAGE_RECOMMENDS python3-numpy)
set(CPACK_DEBIAN_PYTHON3_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/prerm)
include(CPack)
