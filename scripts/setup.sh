#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what a bare Debian 12 lacks for building Tegula; does nothing, quickly, when all is there. With "tests" also what
# tests and checks need, with "sanitizers" what clang's sanitizers and fuzzers need, with "docs" what makes the documentation
# a site, with "packages" what making and trying packages needs, with "assembler" what tests assemble code for GPUs with, with
# "rivals" the libraries that benchmarks measure us against. Each of these but "assembler" includes "tests".
set -euo pipefail
cd "$(dirname "$0")/.."
STAGE=${1:-build}

PACKAGES=(
    cmake ninja-build make git ccache gcc g++ python3 python3-dev python3-venv
    clang-22 lld-22 liblld-22-dev llvm-22-dev libmlir-22-dev mlir-22-tools
    libboost-dev libtomlplusplus-dev zlib1g-dev libzstd-dev
)
case $STAGE in
build | assembler) ;;
*)
    PACKAGES+=(
        clang-format-22 clang-tidy-22 libgtest-dev libgmock-dev llvm-22-tools qemu-user chromium
        openmpi-bin libopenmpi-dev
    )
    ;;
esac
case $STAGE in
sanitizers) PACKAGES+=(libclang-rt-22-dev llvm-22) ;;
packages) PACKAGES+=(debootstrap dpkg-dev file) ;;
rivals) PACKAGES+=(libopenblas0-pthread libdnnl2) ;;
esac

missing_packages() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${PACKAGES[@]}" 2>/dev/null || true)
    for package in "${PACKAGES[@]}"; do
        grep -qx "installed $package" <<<"$installed" || echo "$package"
    done
}

install_packages() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "setup: packages are missing; as root, run: apt-get update && apt-get install -y $*" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "setup: installing $*"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# The environment is made anew when what the build needs, the interpreter or the checkout's place change.
setup_python() {
    local stamp=.venv/.stamp current
    current="$(cksum <requirements-build.txt) $(command -v python3) $PWD"
    if [ -x .venv/bin/python ] && [ -f "$stamp" ] && [ "$(<"$stamp")" = "$current" ]; then
        return
    fi
    echo "setup: installing Python packages into .venv"
    python3 -m venv --clear .venv
    .venv/bin/python -m pip install -q --disable-pip-version-check -r requirements-build.txt
    echo "$current" >"$stamp"
}

# Into the environment that is there, when what tests need changes.
setup_python_tests() {
    local stamp=.venv/.stamp-tests current
    current=$(cksum <requirements-dev.txt)
    [ -f "$stamp" ] && [ "$(<"$stamp")" = "$current" ] && return
    echo "setup: installing Python packages of tests into .venv"
    .venv/bin/python -m pip install -q --disable-pip-version-check -r requirements-dev.txt
    echo "$current" >"$stamp"
}

# Its Python finds the package in the build folder, unless another one is installed there.
show_package() {
    local place
    for place in .venv/lib/python3*/site-packages; do
        [ -f "$place/tegula-build.pth" ] || echo "$PWD/build/python" >"$place/tegula-build.pth"
    done
}

setup_docs() {
    .venv/bin/python -c "import material" 2>/dev/null && return
    echo "setup: installing what makes the documentation a site into .venv"
    .venv/bin/python -m pip install -q --disable-pip-version-check -r requirements-docs.txt
}

setup_rivals() {
    .venv/bin/python -c "import jax, numba, tvm_ffi" 2>/dev/null && return
    echo "setup: installing rivals of benchmarks into .venv"
    .venv/bin/python -m pip install -q --disable-pip-version-check -r bench/requirements.txt
}

setup_assembler() {
    compgen -G ".venv/lib/python3*/site-packages/nvidia/*/bin/ptxas" >/dev/null && return
    echo "setup: installing NVIDIA's assembler into .venv"
    .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps -r requirements-assembler.txt
}

mapfile -t missing < <(missing_packages)
if [ "${#missing[@]}" -gt 0 ]; then
    install_packages "${missing[@]}"
fi
setup_python
show_package
case $STAGE in
build) exit ;;
assembler)
    setup_assembler
    exit
    ;;
esac
setup_python_tests
case $STAGE in
docs) setup_docs ;;
rivals) setup_rivals ;;
esac
