#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `make deb-check` runs in a bare system: the packages are installed by apt, with what they depend on, and tried.
set -euo pipefail
cd /tmp
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends /given/*.deb >apt.log 2>&1 || { tail -n 20 apt.log; exit 1; }
. /given/try-command.sh /usr/bin/tegula

echo "== Python"
python3 /given/readme-python.py /given/README.md >readme.py
[ "$(python3 readme.py)" = "(1000, 256) 1.0" ]
python3 -c 'import tegula; print("tegula", tegula.__version__)'
time_of 'import tegula' python3 -c 'import tegula.language'

echo "== removal"
apt-get purge -y -qq tegula python3-tegula >apt.log 2>&1
left="$(find /usr -name '*tegula*')"
if [ -n "$left" ]; then
    echo "left behind: $left" >&2
    exit 1
fi
