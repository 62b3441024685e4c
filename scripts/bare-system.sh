#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a script in a Debian 12 that has Python and NumPy but no compiler and no LLVM, as root:
#   scripts/bare-system.sh SCRIPT [FILE...]
# The files lie in /given there, with the examples and the README. The system is made once, by debootstrap, and copied for each
# run; what it prints is all that remains.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
base="${TEGULA_BARE_SYSTEM:-$root/build/bare-system}"
script="$1"
shift

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
    echo "bare-system: needs root, and debootstrap: apt-get install debootstrap" >&2
    exit 1
fi
if [ ! -e "$base/.complete" ]; then
    echo "bare-system: making $base"
    rm -rf "$base"
    debootstrap --variant=minbase --include=python3,python3-venv,python3-numpy,ca-certificates \
        bookworm "$base" >"$base.log" 2>&1 || { tail -n 5 "$base.log" >&2; exit 1; }
    touch "$base/.complete"
fi

copy="$(mktemp -d "$base.XXXXXX")"
trap 'rm -rf "$copy"' EXIT
cp -a --reflink=auto "$base/." "$copy"
# Packages come from where this system has them from.
rm "$copy/etc/apt/sources.list"
cp -a /etc/apt/sources.list* "$copy/etc/apt/"
cp -a /etc/apt/apt.conf.d/. "$copy/etc/apt/apt.conf.d/"
cp -L /etc/resolv.conf "$copy/etc/resolv.conf"
mkdir -p "$copy/given"
cp -r "$root/examples" "$root/README.md" "$root"/scripts/{try-command.sh,readme-python.py} "$copy/given"
cp -a "$script" "$@" "$copy/given"

# Mounts are of this process only, and end with it.
unshare --mount --propagation private bash -c '
    mount -t proc proc "$1/proc"
    mount -t tmpfs tmpfs "$1/tmp"
    mount --rbind /dev "$1/dev"
    env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        chroot "$1" bash -euo pipefail "/given/$2"' bare-system "$copy" "$(basename "$script")"
